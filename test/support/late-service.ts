import type { WireAnswer } from "../../src/service/http/exchange";
import { dice, MINUTE, SECOND } from "./house";

/** By how much later than its slot (epoch ms) a forecast is there, ms; Infinity for one that is left out. */
export type Lag = (slot: number) => number;

export const always =
	(ms: number): Lag =>
	() =>
		ms;

/**
 * The ways in which a service is late.
 *
 * @param start epoch ms, at which it begins
 * @param dayMs how long what is said of a day lasts
 */
export function lags(start: number, dayMs: number): [string, Lag][] {
	const random = dice(7);
	const drawn = new Map<number, number>();
	let left: number | undefined;
	return [
		["not at all", always(0)],
		["by 20 s", always(20 * SECOND)],
		["by 1 min", always(MINUTE)],
		["by 3 min", always(3 * MINUTE)],
		["by 10 min", always(10 * MINUTE)],
		[
			"by up to 3 min, each time another",
			(slot) => {
				if (!drawn.has(slot)) drawn.set(slot, random() * 3 * MINUTE);
				return drawn.get(slot) as number;
			},
		],
		[
			"by 1 min, later by 3 min, then no more",
			(slot) =>
				slot < start + 2 * dayMs
					? MINUTE
					: slot < start + 4 * dayMs
						? 3 * MINUTE
						: 0,
		],
		[
			"by 1 min, and leaves one forecast out",
			(slot) => {
				// The first one of the third day.
				if (slot >= start + 2 * dayMs) left ??= slot;
				return slot === left ? Number.POSITIVE_INFINITY : MINUTE;
			},
		],
	];
}

/** The instant whose answer is still that of a service which is late. */
export function laggedTime(time: number, stepMs: number, lag: Lag): number {
	const slot = Math.floor(time / stepMs) * stepMs;
	return time < slot + lag(slot) ? laggedTime(slot - 1, stepMs, lag) : time;
}

/** Requests for forecasts, and how many were distinct, from an instant on. */
export function yieldOf(
	asked: readonly { at: number; slot: number }[],
	from: number,
) {
	const since = asked.filter(({ at }) => at >= from);
	const forecasts = new Set(since.map(({ slot }) => slot));
	return { requests: since.length, forecasts: forecasts.size };
}

/** An answer with the time of its own slot, and the one at which it was there, if that is to be said. */
export function lateAnswer(
	answer: WireAnswer,
	stepMs: number,
	lag: Lag,
	isSaid: boolean,
): { answer: WireAnswer; slot: number } {
	const body = JSON.parse(answer.body);
	const slot = Math.floor(Date.parse(body.computed_at) / stepMs) * stepMs;
	const at = isSaid ? slot + lag(slot) : Date.parse(body.computed_at);
	const computed_at = new Date(at).toISOString();
	return {
		answer: { ...answer, body: JSON.stringify({ ...body, computed_at }) },
		slot,
	};
}
