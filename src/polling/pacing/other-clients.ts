import type { Quota } from "../../service/quota";
import { DAY_MS, HOUR_MS } from "../../util/time";
import type { OtherClients } from "../memory/memory";

/** Days that tell what a usual day is. */
const DAYS = 7;
/** Longest time between two answers in which requests may have come at any moment, ms. */
const UNSURE_MS = 12 * HOUR_MS;
/** Age at which points are forgotten, ms. */
const REMEMBERED_MS = (DAYS + 1) * DAY_MS;
/** Least distance of the points that are kept, ms. */
const POINT_MS = HOUR_MS;
/** Least time from which a rate is taken, ms. */
const LEAST_MS = 6 * HOUR_MS;

/** Days in which one day's burst may lie: it does not end at the hour at which we look back. */
const BUSIEST = 2;

type Point = OtherClients["seen"][number];

/**
 * Other clients' requests after one more of our own answers. What the month's
 * count held before the first of them says nothing of what is to come.
 *
 * @param own own requests of the month, the answered one included
 */
export function noteOtherClients(
	others: OtherClients,
	quota: Quota,
	own: number,
): OtherClients {
	const { reset, asOf, used } = quota;
	// Just behind a reset the service may still tell last month's count.
	if (reset <= asOf) return others;
	const last = others.seen.at(-1);
	if (!last) {
		return { reset, count: Math.max(0, used - own), seen: [[asOf, 0]] };
	}
	const before = others.reset === reset ? others.count : 0;
	const count = Math.max(before, used - own);
	const seen = [...others.seen];
	const [lastAt, lastTotal] = last;
	// A corrected clock must not turn the order around.
	const at = Math.max(asOf, lastAt);
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
	return { reset, count, seen };
}

/** What other clients may use, in requests, not rounded. */
interface ExpectedUse {
	/** Whether they have been seen for three days. */
	readonly isSure: boolean;
	/** If they go on as they are. */
	readonly likely: number;
	/** With some more for chance, and one more day like their two busiest. */
	readonly most: number;
}

/**
 * What other clients will use: each day as on the median of the days seen, up to a
 * week, for one day's burst is no habit; in a part of a day as in the same hours.
 * While less than three days are known, the rate so far.
 *
 * @param durationMs from the last answer on
 */
export function expectedOfOthers(
	{ seen }: OtherClients,
	durationMs: number,
): ExpectedUse {
	const first = seen[0];
	const last = seen.at(-1);
	if (!first || !last || durationMs <= 0)
		return { isSure: false, likely: 0, most: 0 };
	const [end, total] = last;
	const known = end - first[0];
	const count = Math.min(Math.floor(known / DAY_MS), DAYS);
	if (count <= BUSIEST) {
		const likely =
			((total - first[1]) * durationMs) / Math.max(known, LEAST_MS);
		return {
			isSure: false,
			likely,
			most: likely + chanceOf(likely, durationMs),
		};
	}
	const days = Math.floor(durationMs / DAY_MS);
	const rest = durationMs % DAY_MS;
	const wholes: number[] = [];
	const parts: number[] = [];
	for (let index = 1; index <= count; index += 1) {
		const begin = end - index * DAY_MS;
		const [before] = totalsAt(seen, begin);
		const [after] = totalsAt(seen, begin + DAY_MS);
		const [, until] = totalsAt(seen, begin + rest);
		wholes.push(after - before);
		parts.push(until - before);
	}
	const likely = days * usualOf(wholes) + usualOf(parts);
	const burst = burstOf(days > 0 ? wholes : parts);
	return {
		isSure: true,
		likely,
		most: likely + Math.max(chanceOf(likely, durationMs), burst),
	};
}

/**
 * Three standard deviations of a day's use: it is not the same each day, and the
 * days before the last one can be made up for.
 */
const chanceOf = (requests: number, durationMs: number) =>
	3 * Math.sqrt(requests / Math.max(durationMs / DAY_MS, 1));

const falling = (values: readonly number[]) =>
	[...values].sort((a, b) => b - a);

/** The median, or a lesser one where few days would leave a burst in it. */
const usualOf = (values: readonly number[]) =>
	falling(values)[Math.max(BUSIEST, Math.floor(values.length / 2))] as number;

/** How much the busiest are above the usual, on the mean. */
function burstOf(values: readonly number[]): number {
	const [first = 0, second = 0] = falling(values);
	return (first + second) / BUSIEST - usualOf(values);
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
