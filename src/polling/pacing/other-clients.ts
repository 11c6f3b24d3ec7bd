import type { Quota } from "../../service/quota";
import { DAY_MS, HOUR_MS } from "../../util/time";
import type { OtherClients } from "../memory/schemas";

const WEEK_MS = 7 * DAY_MS;
/** Longest time between two answers in which requests may have come at any moment, ms. */
const UNSURE_MS = 12 * HOUR_MS;
/** Age at which points are forgotten, ms. */
const REMEMBERED_MS = 8 * DAY_MS;
/** Least distance of the points that are kept, ms. */
const POINT_MS = HOUR_MS;
/** Least time from which a rate is taken, ms: less would take a burst for a habit. */
const LEAST_MS = DAY_MS;

type Point = OtherClients["seen"][number];

/**
 * Other clients' requests after one more of our own answers.
 *
 * @param own own requests of the month, the answered one included
 */
export function noteOtherClients(
	others: OtherClients,
	quota: Quota,
	own: number,
): OtherClients {
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
	while (seen.length > 2 && (seen[1] as Point)[0] <= at - REMEMBERED_MS) {
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
 * What other clients will use if they go on as in the week before: hour by hour
 * the same, so that what they do once a day or once a week is expected when it is
 * due, and not again. While less than a week is known, at the rate so far.
 *
 * @param durationMs from the last answer on
 * @returns requests, not rounded
 */
export function expectedOfOthers(
	{ seen }: OtherClients,
	durationMs: number,
): number {
	const first = seen[0];
	const last = seen.at(-1);
	if (!first || !last || durationMs <= 0) return 0;
	const [end, total] = last;
	const known = end - first[0];
	if (known < WEEK_MS) {
		return ((total - first[1]) * durationMs) / Math.max(known, LEAST_MS);
	}
	const begin = end - WEEK_MS;
	const [before] = totalsAt(seen, begin);
	const [, after] = totalsAt(seen, begin + (durationMs % WEEK_MS));
	return Math.floor(durationMs / WEEK_MS) * (total - before) + after - before;
}

/**
 * The least and the most that the running total can have been at an instant: of
 * what came between two answers, any part may have come before; over a longer
 * time it is taken to have come evenly.
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
