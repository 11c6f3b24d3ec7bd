import { z } from "zod";
import type { Quota } from "../service/quota";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** What is older than this is forgotten, ms. */
const MEMORY_MS = 8 * DAY;
/** Least distance of the points that are kept, ms. */
const POINT_MS = HOUR;
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
	const [lastAt, lastTotal] = seen.at(-1) as Point;
	// A corrected clock must not turn the order around.
	const at = Math.max(quota.asOf, lastAt);
	const total = lastTotal + count - before;
	const [beforeAt, beforeTotal] = seen.at(-2) ?? [Number.NEGATIVE_INFINITY, -1];
	// The last point goes where it says no more than its neighbours.
	if (lastAt - beforeAt < POINT_MS || beforeTotal === total) seen.pop();
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
 * What others will use in a span to come if they go on as in the week before (or
 * as in the days since they are known of): hour by hour the same, so that what
 * they do once a day or once a week is expected when it is due, and not again.
 *
 * @param spanMs length of the span, from the last answer on
 * @returns requests, not rounded
 */
export function expectedOthers({ seen }: Others, spanMs: number): number {
	const first = seen[0];
	const last = seen.at(-1);
	if (!first || !last || spanMs <= 0) return 0;
	const [end, total] = last;
	const days = Math.min(Math.floor((end - first[0]) / DAY), 7);
	if (days < 1) {
		const known = Math.max(end - first[0], LEAST_MS);
		return ((total - first[1]) * spanMs) / known;
	}
	const period = days * DAY;
	const before = totalAt(seen, end - period);
	const rest = totalAt(seen, end - period + (spanMs % period)) - before;
	return Math.floor(spanMs / period) * (total - before) + rest;
}

/** The running total at an instant, evenly between the points. */
function totalAt(seen: readonly Point[], at: number): number {
	const next = seen.findIndex(([time]) => time >= at);
	const [to, total] = seen[next] as Point;
	const [from, before] = seen[next - 1] ?? [to, total];
	return at >= to || to === from
		? total
		: before + ((total - before) * (at - from)) / (to - from);
}
