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
	sequence,
} from "./forecast-messages";
import { REASONS } from "./reasons";
import type { Selection } from "./selection";
import { siteTopic, stringLevels } from "./topic";
import { showForecast, showStrings } from "./view";

/** Historical data, and what is known of them; all times are epoch ms on the server's clock. */
export interface HistoryContent extends QuotaContent {
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
export interface HistoryPresentation
	extends Pick<Presentation, "topic" | "demo"> {
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
	const { forecast, site, query, now } = history;
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
	const message = (topic: string, payload: unknown): SolarMessage => ({
		topic,
		payload,
		solar: copyOf(solar),
		quota: quotaFacts(history),
	});
	const view = showForecast(forecast, selection, key, now);
	view.solar = copyOf(solar);
	const messages = [message(base, view)];
	if (selection.include.includes("strings")) {
		const part = sequence(partsId, forecast.strings?.length ?? 0);
		const known = site?.strings ?? [];
		const levels = stringLevels(forecast.strings ?? [])[Symbol.iterator]();
		for (const string of showStrings(forecast, selection, known, now)) {
			const level = levels.next().value;
			messages.push(part(message(`${base}/strings/${level}`, string)));
		}
	}
	return messages;
}
