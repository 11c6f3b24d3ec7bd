import {
	type Forecast,
	type Interval,
	placeForecast,
} from "../../forecast/forecast";
import { settle } from "../../forecast/settled";
import type { ReceivedForecast } from "../../service/client";
import type { Ledger } from "../account/account-state";
import { systemHash } from "../account/forecast-source";
import type { Entry } from "../account/source-state";
import type { Wants } from "../hub-types";
import { MOST_AHEAD_MS } from "../schedule/schedule";
import { learnStep } from "../schedule/update-interval";
import type { AnswerHead } from "../storage/file-formats";

/** How finely an answer's `Date` tells the time, ms. */
const DATE_STEP_MS = 1000;

/** What a request asked for. */
export interface Asked {
	readonly pastDays: number;
	readonly include: readonly string[];
}

/** What a request asked for, in terms of what nodes want. */
export function wantsOf({ pastDays, include }: Asked): Wants {
	return { pastDays, variability: include.includes("variability") };
}

/** What came of an answer. */
export interface Accepted {
	/** Whether the source now has its forecast. */
	readonly isKept: boolean;
	/** Whether that is another one than before. */
	readonly isNew: boolean;
}

/**
 * Makes a forecast that has come the source's, with all that it says of times
 * and of the plan.
 *
 * @param automatic whether it was asked for when it was due
 * @throws SolarYieldError `RESPONSE` when it cannot be placed in time
 */
export function accept(
	ledger: Ledger,
	entry: Entry,
	{ answer }: Pick<ReceivedForecast, "answer">,
	asked: Asked,
	automatic: boolean,
): Accepted {
	const { memory, source } = entry;
	const account = ledger.memory;
	const siteZone = entry.site?.timezone ?? null;
	const { intervals } = ledger.accounts;
	const placed = new Map<Interval, Forecast>(
		intervals.map((interval) => [
			interval,
			placeForecast(answer, { siteZone, interval }),
		]),
	);
	const [interval] = intervals;
	const forecast = placed.get(interval) as Forecast;
	const old = entry.forecastIn(interval);
	ledger.checkClock(forecast);
	const now = ledger.now();
	const computedAt =
		forecast.computed_at ??
		(isSameCurve(old, forecast) ? memory.computedAt : null) ??
		now;
	const isNew = old === undefined || memory.computedAt !== computedAt;
	const isSaidAgain = memory.suspect === computedAt;
	const nextPollAt = usablePollTime(forecast, now);
	if (isNew && !isSaidAgain) memory.barren = 0;
	else if (automatic) memory.barren += 1;
	memory.answeredAt = now;
	if (nextPollAt !== null) {
		const { spreadMs } = entry.timing;
		memory.steps = learnStep(memory, {
			answeredAt: now,
			computedAt,
			nextPollAt,
			spreadMs,
		});
	}
	memory.nextPollAt = nextPollAt;
	memory.failure = null;
	memory.gate = null;
	account.keyGate = null;
	account.burst = null;
	account.exhausted.forecast = null;
	if (forecast.available) {
		const available = [...forecast.available];
		account.available = available;
		account.refused = account.refused.filter(
			(group) => !available.includes(group),
		);
	}
	entry.asked = wantsOf(asked);
	// A curve that is suddenly all zero must be said by two forecasts (behaviour: Failures).
	const isSuspect =
		isNew &&
		old !== undefined &&
		hasPower(old) &&
		!hasPower(forecast) &&
		(memory.suspect === null || isSaidAgain);
	memory.suspect = isSuspect ? computedAt : null;
	if (isSuspect) return { isKept: false, isNew: false };
	memory.computedAt = computedAt;
	const head: AnswerHead = {
		version: 2,
		key: source.key,
		system: systemHash(source),
		answeredAt: now,
		computedAt,
		nextPollAt,
		pastDays: asked.pastDays,
		include: [...asked.include],
		siteZone,
		settled: Object.fromEntries(
			intervals.map((interval) => {
				const settled = entry.settledIn(interval);
				const before = isNew ? entry.forecastIn(interval) : undefined;
				const all = before ? settle(settled, before, computedAt, now) : settled;
				return [interval, all.map(([start, watts]) => [start, watts])];
			}),
		),
	};
	entry.put(answer, head, placed);
	return { isKept: true, isNew };
}

/** A `next_poll_at` that lies ahead, and no further than the service's slots do (behaviour: When it asks). */
function usablePollTime(
	{ next_poll_at }: Forecast,
	now: number,
): number | null {
	return next_poll_at !== null && next_poll_at >= now + DATE_STEP_MS
		? Math.min(next_poll_at, now + MOST_AHEAD_MS)
		: null;
}

/** Whether an answer that does not say when it was computed brought nothing new. */
function isSameCurve(old: Forecast | undefined, { values }: Forecast): boolean {
	return (
		old?.values.rows.length === values.rows.length &&
		values.starts.every(
			(start, index) =>
				start === old.values.starts[index] &&
				values.rows[index]?.pv_power === old.values.rows[index]?.pv_power,
		)
	);
}

function hasPower(forecast: Forecast): boolean {
	return forecast.values.rows.some((row) => Number(row.pv_power) > 0);
}
