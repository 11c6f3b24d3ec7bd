import { z } from "zod";
import type { Quota } from "../../service/quota";
import { Count, Time } from "../memory/plausible-ranges";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
/** Longest time between two looks of which it counts that nothing is known of what lies between, ms. */
const UNSURE_MS = 12 * HOUR;
/** What is older than this is forgotten, ms. */
const MEMORY_MS = 8 * DAY;
/** Least distance of the points that are kept, ms. */
const POINT_MS = HOUR;
/** Least time from which a rate is taken, ms: less would take a burst for a habit. */
const LEAST_MS = DAY;

/**
 * What other programs use of the account's month, as far as the `Used` of our
 * own answers shows it: part of the account's memory.
 */
export const Others = z.object({
	/** End of the month that `count` belongs to, epoch ms. */
	reset: Time,
	/** Requests of others in that month. */
	count: z.int().nonnegative(),
	/** [epoch ms, running total over all months], ascending: a little more than a week. */
	seen: z.array(z.tuple([Time, Count])),
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
	const [lastAt, lastTotal] = seen.at(-1) as Point;
	// A corrected clock must not turn the order around.
	const at = Math.max(quota.asOf, lastAt);
	const total = lastTotal + count - before;
	const [beforeAt, beforeTotal] = seen.at(-2) ?? [
		Number.NEGATIVE_INFINITY,
		lastTotal - 1,
	];
	// The last point goes where it says no more than its neighbours; it stays before a burst.
	const isBurst = total - lastTotal > 2 * (lastTotal - beforeTotal) + 1;
	if ((lastAt - beforeAt < POINT_MS && !isBurst) || beforeTotal === total) {
		seen.pop();
	}
	seen.push([at, total]);
	while (seen.length > 2 && (seen[1] as Point)[0] <= at - MEMORY_MS) {
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
 * What others will use in a span to come if they go on as in the week before:
 * hour by hour the same, so that what they do once a day or once a week is
 * expected when it is due, and not again. While less is known, at the rate so far.
 *
 * @param spanMs length of the span, from the last answer on
 * @returns requests, not rounded
 */
export function expectedOthers({ seen }: Others, spanMs: number): number {
	const first = seen[0];
	const last = seen.at(-1);
	if (!first || !last || spanMs <= 0) return 0;
	const [end, total] = last;
	const known = end - first[0];
	if (known < WEEK) {
		return ((total - first[1]) * spanMs) / Math.max(known, LEAST_MS);
	}
	const begin = end - WEEK;
	const [before] = totalsAt(seen, begin);
	const [, after] = totalsAt(seen, begin + (spanMs % WEEK));
	return Math.floor(spanMs / WEEK) * (total - before) + after - before;
}

/**
 * The least and the most that the running total can have been at an instant: of
 * what came between two looks, any part may have come before; over a longer time
 * it is taken to have come evenly.
 */
function totalsAt(seen: readonly Point[], instant: number): [number, number] {
	const next = seen.findIndex(([at]) => at >= instant);
	const [to, most] = seen[next] as Point;
	const [from, least] = seen[next - 1] ?? [to, most];
	if (to === instant) return [most, most];
	if (to - from <= UNSURE_MS) return [least, most];
	const evenly = least + ((most - least) * (instant - from)) / (to - from);
	return [evenly, evenly];
}
