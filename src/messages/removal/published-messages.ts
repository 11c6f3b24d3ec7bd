import { dateDay } from "../../util/time";
import type { ForecastContent } from "../facts";
import {
	messageMaker,
	type Outputs,
	type Presentation,
	type SolarMessage,
} from "../forecast-messages";
import { stringLevels } from "../topic";
import { showDays } from "../view";

/** Number of the last daily row that a node shows at an instant, counted from the site's today; -1 for none ahead. */
function lastDay(
	{ forecast }: ForecastContent,
	{ selection }: Presentation,
	now: number,
): number {
	const last = showDays(forecast, selection, now).at(-1);
	return last
		? Math.max(-1, dateDay(last.date) - forecast.zone.dayOf(now))
		: -1;
}

const stringLeaves = (
	{ forecast }: ForecastContent,
	{ selection }: Presentation,
) =>
	selection.include.includes("strings")
		? stringLevels(forecast.strings ?? []).map((level) => `strings/${level}`)
		: [];

const dayLeaves = (from: number, to: number) =>
	Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => {
		return `daily/${from + index}`;
	});

function* both<T>(first: Iterable<T>, second: Iterable<T>): Generator<T> {
	yield* first;
	yield* second;
}

/**
 * What one forecast node has published of its source, as far as it can fall away:
 * brokers keep a retained message until an empty one comes.
 */
export class PublishedMessages {
	/** Number of the last day; undefined before the first message. */
	#lastDay: number | undefined;
	/** Topics of strings below the site's. */
	#strings: readonly string[] = [];

	/** The last day published, before this start too: what is stored was sent when it came. */
	#dayBefore(state: ForecastContent, presentation: Presentation): number {
		return this.#lastDay ?? lastDay(state, presentation, state.head.answeredAt);
	}

	/** Outputs of the whole forecast, with the removal of days and strings that are no more. */
	withRemovals(
		state: ForecastContent,
		presentation: Presentation,
		[forecast, days, strings]: Outputs,
	): Outputs {
		const now = stringLeaves(state, presentation);
		const gone = this.#strings.filter((leaf) => !now.includes(leaf));
		this.#strings = now;
		return [
			forecast,
			this.daysWithRemovals(state, presentation, days),
			both(strings, removals(state, presentation, gone)),
		];
	}

	/** Output 2, with the removal of days beyond the last row. */
	daysWithRemovals(
		state: ForecastContent,
		presentation: Presentation,
		days: Iterable<SolarMessage>,
	): Iterable<SolarMessage> {
		const before = this.#dayBefore(state, presentation);
		const last = lastDay(state, presentation, state.now);
		this.#lastDay = last;
		const gone = dayLeaves(last + 1, before);
		return both(days, removals(state, presentation, gone));
	}

	/**
	 * Removal of all that was published; the first message tells the nodes behind to
	 * do the same (`msg.operation`).
	 */
	removeAll(state: ForecastContent, presentation: Presentation): Outputs {
		const { pastDays } = presentation.selection;
		const last = this.#dayBefore(state, presentation);
		const strings = new Set([
			...this.#strings,
			...stringLeaves(state, presentation),
		]);
		this.#lastDay = -1;
		this.#strings = [];
		const first = messageMaker(state, presentation, true)("forecast", "");
		const { site_id: siteId } = first.solar;
		return [
			[{ ...first, operation: "remove", siteId }],
			removals(state, presentation, dayLeaves(-pastDays, last)),
			removals(state, presentation, [...strings]),
		];
	}
}

function removals(
	state: ForecastContent,
	presentation: Presentation,
	leaves: readonly string[],
): SolarMessage[] {
	const message = messageMaker(state, presentation, true);
	return leaves.map((leaf) => message(leaf, ""));
}
