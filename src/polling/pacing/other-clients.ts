import type { Quota } from "../../service/quota";
import { DAY_MS, HOUR_MS } from "../../util/time";
import type { OtherClients } from "../memory/memory";

/** Days that tell what a usual day is, and how many of them may be a burst's: it does not end at the hour at which we look back. */
const DAYS = 7;
const BUSIEST = 2;
/** Least distance of the points that are kept, and least time from which a rate is taken, ms. */
const [POINT_MS, LEAST_MS] = [HOUR_MS, 6 * HOUR_MS];
/** Standard deviations of a day's use that are set aside for chance. */
const CHANCE = 3;

/**
 * Other clients' requests after one more of our own answers. What the month's
 * count held before the first of them says nothing of what is to come.
 *
 * @param own own requests of the month, the answered one included
 */
export function noteOtherClients(
	others: OtherClients,
	{ reset, asOf, used }: Quota,
	own: number,
): OtherClients {
	// Just behind a reset the service may still tell last month's count.
	if (reset <= asOf) return others;
	const last = others.seen.at(-1);
	// What a wrong clock has dated ahead says nothing.
	if (!last || last[0] > asOf + DAY_MS) {
		return { reset, count: Math.max(0, used - own), seen: [[asOf, 0]] };
	}
	const before = others.reset === reset ? others.count : 0;
	const count = Math.max(before, used - own);
	// A corrected clock must not turn the order around.
	const at = Math.max(asOf, last[0]);
	const oldest = at - (DAYS + 1) * DAY_MS;
	const seen = others.seen.filter(
		(_, index) => (others.seen[index + 1]?.[0] ?? at) > oldest,
	);
	const isClose = last[0] - (seen.at(-2)?.[0] ?? 0) < POINT_MS;
	if (isClose && seen.length > 1) seen.pop();
	return { reset, count, seen: [...seen, [at, last[1] + count - before]] };
}

/**
 * What other clients will use: each day as on the median of the days seen, up to a
 * week, for one day's burst is no habit; in a part of a day as in the same hours.
 * While less than three days are known, the rate so far.
 *
 * @param durationMs from the last answer on
 * @returns requests, not rounded: `likely` if they go on as they are, and `most` with
 * some for chance, or for one more day like their two busiest; `isSure` after three days
 */
export function expectedOfOthers({ seen }: OtherClients, durationMs: number) {
	const [first, last] = [seen[0], seen.at(-1)];
	if (!first || !last || durationMs <= 0) {
		return { isSure: false, likely: 0, most: 0 };
	}
	const [end, total] = last;
	const known = end - first[0];
	const days = durationMs / DAY_MS;
	const count = Math.min(Math.floor(known / DAY_MS), DAYS);
	const isSure = count > BUSIEST;
	let likely = ((total - first[1]) * durationMs) / Math.max(known, LEAST_MS);
	let burst = 0;
	if (isSure) {
		const fallingUse = (ms: number) =>
			Array.from({ length: count }, (_, index) => {
				const from = end - (index + 1) * DAY_MS;
				return totalAt(seen, from + ms) - totalAt(seen, from);
			}).sort((a, b) => b - a);
		const usual = (use: readonly number[]) =>
			use[Math.max(BUSIEST, Math.floor(count / 2))] as number;
		const wholes = fallingUse(DAY_MS);
		const parts = fallingUse(durationMs % DAY_MS);
		likely = Math.floor(days) * usual(wholes) + usual(parts);
		const use = days >= 1 ? wholes : parts;
		const busiest = use.slice(0, BUSIEST).reduce((sum, one) => sum + one, 0);
		burst = busiest / BUSIEST - usual(use);
	}
	const chance = CHANCE * Math.sqrt(likely / Math.max(days, 1));
	return { isSure, likely, most: likely + Math.max(chance, burst) };
}

/** The running total at an instant: what came between two answers is taken to have come evenly. */
function totalAt(seen: OtherClients["seen"], instant: number): number {
	const next = seen.findIndex(([at]) => at >= instant);
	const [to, most] = (seen[next] ?? seen.at(-1)) as [number, number];
	const [from, least] = seen[next - 1] ?? [to, most];
	return to > from
		? least + ((most - least) * (instant - from)) / (to - from)
		: most;
}
