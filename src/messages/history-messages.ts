import type { Forecast } from "../forecast/forecast";
import { energy } from "../forecast/series";
import type { Site } from "../service/v2/sites/site";
import { dateText, QUARTER_MS } from "../util/time";
import {
	answerFacts,
	copyOf,
	type QuotaContent,
	quotaFacts,
	type SolarFacts,
} from "./facts";
import {
	type Presentation,
	type SolarMessage,
	stringsBy,
} from "./forecast-messages";
import { REASONS } from "./reasons";
import type { Selection } from "./selection";
import { siteTopic } from "./topic";
import { showForecast } from "./view";

/** Historical data, and what is known of them; all times are epoch ms on the server's clock. */
interface HistoryContent extends QuotaContent {
	/** `key` stands for the site id of an inline system. */
	readonly query: { readonly source: { readonly key: string } };
	readonly forecast: Forecast;
	readonly site: Site | undefined;
	readonly answeredAt: number;
	/** Whether it came from disk. */
	readonly cached: boolean;
	readonly now: number;
}

/** How a node names and writes what it sends of a history. */
interface HistoryPresentation extends Pick<Presentation, "topic" | "demo"> {
	readonly selection: Pick<Selection, "include" | "timezone">;
}

/** Local dates, as days since 1970-01-01, both included. */
interface Days {
	readonly first: number;
	readonly last: number;
}

/**
 * The messages of some days of a history, shaped as those of a forecast: the
 * rows, then each string. Fresh objects each time.
 *
 * @param isWhole whether these are all the days, else their date stands in the topic
 * @param partsId a fresh id for the sequence of strings
 */
export function historyMessages(
	history: HistoryContent,
	presentation: HistoryPresentation,
	days: Days,
	isWhole: boolean,
	partsId: string,
): SolarMessage[] {
	const { forecast, query, now } = history;
	const { topic, demo } = presentation;
	const { key } = query.source;
	const { zone, values } = forecast;
	const today = zone.dayOf(now);
	const selection: Selection = {
		...presentation.selection,
		pastDays: today - days.first,
		forecastDays: days.last - today,
	};
	const solar: SolarFacts = {
		...answerFacts({ ...history, key, demo }, selection),
		next_poll_at: null,
		next_request_at: null,
		reason: REASONS.manual,
		stale: false,
		gaps: selection.include.includes("default")
			? energy(
					values,
					zone.dayStart(days.first),
					Math.min(zone.dayStart(days.last + 1), now - QUARTER_MS),
				).gaps
			: null,
		settled: [],
	};
	const leaf = isWhole ? "history" : `history/${dateText(days.first)}`;
	const base = `${siteTopic(topic, solar)}/${leaf}`;
	const message = (below: string, payload: unknown): SolarMessage => ({
		topic: `${base}${below}`,
		payload,
		solar: copyOf(solar),
		quota: quotaFacts(history),
	});
	const view = showForecast(forecast, selection, key, now);
	view.solar = copyOf(solar);
	const ofString = (below: string, string: unknown) =>
		message(`/${below}`, string);
	return [
		message("", view),
		...stringsBy(ofString, history, selection, partsId),
	];
}
