import { HOUR_MS, MINUTE_MS } from "../../util/time";
import type { SiteMemory } from "../memory/schemas";

/** Intervals that are remembered; the longest of them counts. */
const REMEMBERED = 4;
/** Two in a row that agree so well, and are so much shorter than the longest, are another rhythm. */
const QUICKER = { agreeing: 0.9, share: 0.75 } as const;
const SHORTEST_MS = MINUTE_MS;
/** A first answer's `computed_at` is not taken for the start of its slot if it is this far from the next, ms. */
const LONGEST_MS = 26 * HOUR_MS;
/** A request later in its slot than this share of it shows less than the whole. */
const LATE_SHARE = 0.1;

/** What an answer says of the next forecast. All times are epoch ms. */
interface PollTimes {
	readonly answeredAt: number;
	readonly computedAt: number;
	readonly nextPollAt: number;
	/** Fixed delay behind `next_poll_at`. */
	readonly jitterMs: number;
}

/** The longest of them, as far as it can be right. */
const longestOf = (intervals: readonly number[]) =>
	Math.min(Math.max(...intervals), LONGEST_MS);

/**
 * Learns how far apart a site's forecasts are, from what the service says after
 * requests at the start of a slot. Where slots lie is not computed: the service
 * may move them (spec V2, Endpoints, rule 5).
 *
 * @param site what was remembered before the answer
 * @returns the last few intervals, ms
 */
export function learnInterval(
	{ steps: intervals, nextPollAt: said, late, lateness }: SiteMemory,
	{ answeredAt, computedAt, nextPollAt, jitterMs }: PollTimes,
): readonly number[] {
	const expected = late?.since ?? said;
	const longest = longestOf(intervals);
	if (intervals.length === 0 || expected === null) {
		const interval = nextPollAt - computedAt;
		return [
			interval < LONGEST_MS ? Math.max(interval, SHORTEST_MS) : SHORTEST_MS,
		];
	}
	const add = (seen: number) => {
		const interval = Math.max(seen, SHORTEST_MS);
		const before = intervals.at(-1) as number;
		const isQuicker =
			Math.min(interval, before) >
				QUICKER.agreeing * Math.max(interval, before) &&
			Math.max(interval, before) < QUICKER.share * longest;
		return isQuicker
			? [before, interval]
			: [...intervals, interval].slice(-REMEMBERED);
	};
	if (late) {
		// Unless one was left out; of the first answer the service's lateness is not known.
		const interval = nextPollAt - expected;
		return intervals.length === 1 || interval < 1.5 * longest
			? add(interval)
			: intervals;
	}
	const since = answeredAt - lateness.ms - expected;
	const slots = Math.max(0, Math.floor(since / longest));
	const slot = expected + slots * longest;
	return answeredAt >= expected &&
		since - slots * longest < Math.max(longest * LATE_SHARE, 2 * jitterMs)
		? add(nextPollAt - slot)
		: intervals;
}

/**
 * Distance of the times at which a request brings something newer, ms.
 *
 * @param from the first of these times
 * @param intervalMs of inline forecasts
 */
export function updateInterval(
	{ steps: intervals, answeredAt }: SiteMemory,
	from: number,
	intervalMs: number | undefined,
): number {
	if (intervalMs !== undefined) return intervalMs;
	if (intervals.length > 0) return longestOf(intervals);
	return Math.max(from - (answeredAt ?? from), SHORTEST_MS);
}
