import { HOUR_MS, MINUTE_MS, QUARTER_MS } from "../../../src/util/time";
import type { Asked } from "./ours";
import type { LightService } from "./service";
import type { Sun } from "./sun";

/** Seconds behind the full minute at which a clock node's request is answered, ms. */
const DELAY_MS = 5_000;

/** When a site is asked next, after an answer that came at `now`. */
type Next = (sun: Sun, now: number, nextPollAt: number | null) => number;

const nextMultiple = (now: number, ms: number) =>
	Math.floor((now - DELAY_MS) / ms + 1) * ms + DELAY_MS;

/** How flows ask today. */
export const POLICIES = {
	"every hour": (_sun, now) => nextMultiple(now, HOUR_MS),
	"at next_poll_at until 429": (_sun, _now, nextPollAt) =>
		nextPollAt === null ? Infinity : nextPollAt + DELAY_MS,
	"10 min by day, hourly by night": (sun, now) => {
		const soon = nextMultiple(now, 10 * MINUTE_MS);
		return sun.watts(Math.floor(soon / QUARTER_MS) * QUARTER_MS) > 0
			? soon
			: nextSunOr(sun, soon, nextMultiple(now, HOUR_MS));
	},
} as const satisfies Record<string, Next>;

/** The first 10 minutes with sun before the hour is full. */
function nextSunOr(sun: Sun, from: number, hour: number): number {
	for (let at = from; at < hour; at += 10 * MINUTE_MS) {
		if (sun.watts(Math.floor(at / QUARTER_MS) * QUARTER_MS) > 0) return at;
	}
	return hour;
}

/** Runs one way of asking; who is refused with 429 by it waits for the next month only where the policy says so. */
export function runPolicy(
	next: Next,
	service: LightService,
	suns: readonly Sun[],
	start: number,
	end: number,
): Asked[] {
	const asked: Asked[] = [];
	const due = suns.map((_, site) => start + DELAY_MS + site * 200);
	for (;;) {
		let site = 0;
		for (let index = 1; index < due.length; index += 1) {
			if ((due[index] as number) < (due[site] as number)) site = index;
		}
		const now = due[site] as number;
		if (now >= end) break;
		const answer = service.ask(site, now);
		asked.push({
			site,
			at: now,
			status: answer.status,
			computedAt: answer.computedAt,
			remaining: answer.quota.remaining,
		});
		due[site] =
			next(
				suns[site] as Sun,
				now - site * 200,
				answer.status === 200 ? answer.nextPollAt : null,
			) +
			site * 200;
	}
	return asked;
}
