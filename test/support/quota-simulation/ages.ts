import { HOUR_MS, MINUTE_MS, QUARTER_MS } from "../../../src/util/time";
import type { Asked } from "./ours";
import type { Sun } from "./sun";

const SAMPLE_MS = 5 * MINUTE_MS;
/** A forecast older than this is not current, ms: even one slot a day does better. */
const CURRENT_MS = 26 * HOUR_MS;

/** How old the forecasts in hand were, over a month. */
export interface Ages {
	/** Weighted by power, minutes; null without any power. */
	readonly mean: number | null;
	readonly p95: number | null;
	/** Hours without a forecast of the last 26 h, mean over sites. */
	readonly hoursWithout: number;
	/** Mean where there is no power, minutes; null without any night. */
	readonly night: number | null;
}

/**
 * Ages of the forecasts that a month's requests brought, all sites together:
 * age = now − computed_at of the forecast in hand; at the start of the month one
 * has just been computed.
 */
export function agesOf(
	asked: readonly Asked[],
	suns: readonly Sun[],
	start: number,
	end: number,
): Ages {
	const byMinute = new Float64Array((end - start) / MINUTE_MS + 2);
	let weight = 0;
	let weighted = 0;
	let without = 0;
	let nights = 0;
	let nightAge = 0;
	for (const [site, sun] of suns.entries()) {
		const answers = asked.filter(
			(one) => one.site === site && one.status === 200,
		);
		let next = 0;
		let computedAt = start;
		for (let at = start + SAMPLE_MS / 2; at < end; at += SAMPLE_MS) {
			while (next < answers.length && (answers[next] as Asked).at <= at) {
				computedAt = (answers[next] as Asked).computedAt;
				next += 1;
			}
			const age = at - computedAt;
			const watts = sun.watts(Math.floor(at / QUARTER_MS) * QUARTER_MS);
			weight += watts;
			weighted += watts * age;
			const minute = Math.max(0, Math.floor(age / MINUTE_MS));
			byMinute[minute] = (byMinute[minute] as number) + watts;
			if (age > CURRENT_MS) without += SAMPLE_MS;
			if (watts === 0) {
				nights += 1;
				nightAge += age;
			}
		}
	}
	let p95: number | null = null;
	for (let minute = 0, sum = 0; weight > 0; minute += 1) {
		sum += byMinute[minute] as number;
		if (sum >= 0.95 * weight) {
			p95 = minute;
			break;
		}
	}
	return {
		mean: weight > 0 ? weighted / weight / MINUTE_MS : null,
		p95,
		hoursWithout: without / HOUR_MS / suns.length,
		night: nights > 0 ? nightAge / nights / MINUTE_MS : null,
	};
}
