import { z } from "zod";
import type { Quota } from "../service/quota";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
/** Least distance of the points that are kept, ms. */
const POINT_MS = 3 * HOUR;
/** Least time from which a rate is taken, ms: less would take a burst for a habit. */
const LEAST_MS = 12 * HOUR;

/**
 * What other programs use of the account's month, as far as the `Used` of our
 * own answers shows it: part of the account's memory.
 */
export const Others = z.object({
	/** End of the month that `count` belongs to, epoch ms. */
	reset: z.number(),
	/** Requests of others in that month. */
	count: z.int().nonnegative(),
	/** [epoch ms, running total over all months], ascending: a little more than a week. */
	seen: z.array(z.tuple([z.number(), z.number()])),
});
export type Others = z.infer<typeof Others>;
type Point = Others["seen"][number];

export const newOthers = (): Others => ({ reset: 0, count: 0, seen: [] });

/**
 * Takes note of an answer's count.
 *
 * @param own own requests of the month, the answered one included
 */
export function noteOthers(others: Others, quota: Quota, own: number): Others {
	// Just behind a reset the service may still tell last month's count.
	if (quota.reset <= quota.asOf) return others;
	const before = others.reset === quota.reset ? others.count : 0;
	const count = Math.max(before, quota.used - own);
	const seen = [...others.seen];
	if (seen.length === 0) {
		seen.push([Math.min(monthBefore(quota.reset), quota.asOf), 0]);
	}
	const [lastAt, total] = seen.at(-1) as Point;
	// A corrected clock must not turn the order around.
	const at = Math.max(quota.asOf, lastAt);
	const beforeLast = seen.at(-2);
	if (beforeLast && lastAt - beforeLast[0] < POINT_MS) seen.pop();
	seen.push([at, total + count - before]);
	while (seen.length > 2 && (seen[1] as Point)[0] <= at - WEEK - DAY) {
		seen.shift();
	}
	return { reset: quota.reset, count, seen };
}

/** When the month began that ends at a reset. */
function monthBefore(reset: number): number {
	const end = new Date(reset);
	return Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 1, 1);
}

/**
 * What others will use in a span to come if they stay within what they used in
 * the week before (so far, when less is known): of a span shorter than that, as
 * much as in any equal span of it.
 *
 * @param spanMs length of the span, from the last answer on
 * @returns requests, not rounded
 */
export function expectedOthers({ seen }: Others, spanMs: number): number {
	const first = seen[0];
	const last = seen.at(-1);
	if (!first || !last || spanMs <= 0) return 0;
	const known = Math.min(Math.max(last[0] - first[0], LEAST_MS), WEEK);
	const window = Math.min(spanMs, known);
	let most = 0;
	let index = 0;
	for (const [end, total] of seen) {
		const begin = end - window;
		while (((seen[index + 1] ?? last) as Point)[0] < begin) index += 1;
		most = Math.max(most, total - totalAt(seen, index, begin));
	}
	return (most * spanMs) / window;
}

/** The running total at an instant behind a point, evenly up to the next one. */
function totalAt(seen: readonly Point[], index: number, at: number): number {
	const [from, total] = seen[index] as Point;
	const [to, next] = seen[index + 1] ?? [at, total];
	return at <= from
		? total
		: total + ((next - total) * (at - from)) / (to - from);
}
