import type { SiteMemory } from "../memory/schemas";

/** Steps that are remembered; the longest of them counts. */
const STEPS = 4;
const LEAST_MS = 60_000;
/** A first answer's `computed_at` is not taken for the start of its slot if it is this far from the next, ms. */
const MOST_MS = 26 * 3_600_000;
/** A request later in its slot than this share of it shows less than the whole. */
const LATE = 0.1;

/** What an answer says of the time until the next one that is newer. All times are epoch ms. */
interface Answer {
	readonly answeredAt: number;
	readonly computedAt: number;
	readonly nextPollAt: number;
	/** Fixed delay behind `next_poll_at`. */
	readonly spreadMs: number;
}

/** The longest of them, as far as it can be right. */
const longestOf = (steps: readonly number[]) =>
	Math.min(Math.max(...steps), MOST_MS);

/**
 * Learns how far apart a site's forecasts are, from what the service says after
 * requests at the start of a slot; where slots lie is not reckoned (spec V2,
 * Endpoints, rule 5).
 *
 * @param site what was remembered before the answer
 * @returns the last few distances, ms
 */
export function learnStep(
	{ steps, nextPollAt: expected }: SiteMemory,
	{ answeredAt, computedAt, nextPollAt, spreadMs }: Answer,
): number[] {
	const longest = longestOf(steps);
	if (steps.length === 0 || expected === null) {
		const step = nextPollAt - computedAt;
		return [step < MOST_MS ? Math.max(step, LEAST_MS) : LEAST_MS];
	}
	const slots = Math.floor((answeredAt - expected) / longest);
	const slot = expected + slots * longest;
	const late = answeredAt - slot;
	return slots >= 0 && late < Math.max(longest * LATE, 2 * spreadMs)
		? [...steps, Math.max(nextPollAt - slot, LEAST_MS)].slice(-STEPS)
		: steps;
}

/**
 * Distance of the times at which a request pays, ms.
 *
 * @param from the first of these times
 */
export function stepOf(
	{ steps, answeredAt }: SiteMemory,
	from: number,
	intervalMs: number | undefined,
): number {
	if (intervalMs !== undefined) return intervalMs;
	if (steps.length > 0) return longestOf(steps);
	return Math.max(from - (answeredAt ?? from), LEAST_MS);
}
