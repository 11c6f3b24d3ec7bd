import {
	type Forecast,
	type Interval,
	placeForecast,
} from "../../forecast/forecast";
import { settle } from "../../forecast/settled";
import type { ForecastAnswer } from "../../service/v2/forecast-answer";
import { QUARTER_MS, SECOND_MS } from "../../util/time";
import type { AccountState } from "../account/account-state";
import { noteForecast } from "../account/account-transitions";
import { systemHash } from "../account/forecast-source";
import { noteAnswer } from "../account/site-transitions";
import type { SourceState } from "../account/source-state";
import type { Wants } from "../account/subscriber";
import type { AnswerHead } from "../memory/answer-head";
import { FURTHEST_POLL_MS } from "../schedule/schedule";

/** Resolution of an answer's `Date`, ms. */
const DATE_RESOLUTION_MS = SECOND_MS;

/** What a request asked for: as much as the node that wants most. */
export interface RequestParameters {
	readonly pastDays: number;
	readonly include: readonly string[];
}

/** What a request asked for, in terms of what nodes want. */
export function wantsOf({ pastDays, include }: RequestParameters): Wants {
	return { pastDays, variability: include.includes("variability") };
}

/** What came of an answer. */
interface Accepted {
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
export function acceptAnswer(
	account: AccountState,
	source: SourceState,
	answer: ForecastAnswer,
	parameters: RequestParameters,
	automatic: boolean,
): Accepted {
	const siteZone = source.site?.timezone ?? null;
	const { intervals } = account.settings;
	const placed = new Map<Interval, Forecast>(
		intervals.map((interval) => [
			interval,
			placeForecast(answer, { siteZone, interval }),
		]),
	);
	const [interval] = intervals;
	const forecast = placed.get(interval) as Forecast;
	const old = source.forecastIn(interval);
	account.checkClock(forecast);
	account.checkZone(forecast);
	const now = account.now();
	const { computedAt: oldComputedAt, suspect } = source.memory;
	const computedAt =
		forecast.computed_at ??
		(isSameCurve(old, forecast) ? oldComputedAt : null) ??
		now;
	const isOlder = isOlderThan(source, computedAt, now);
	const isNew = !isOlder && (old === undefined || oldComputedAt !== computedAt);
	// A curve that is suddenly all zero must be said by two forecasts (behaviour: Failures).
	const isUnconfirmed =
		isNew &&
		old !== undefined &&
		hasPower(old) &&
		!hasPower(forecast) &&
		(suspect === null ||
			suspect === computedAt ||
			isOlderThan(source, suspect, now));
	const { next_poll_at: said } = forecast;
	const nextPollAt = usablePollTime(said, now);
	source.update(noteAnswer, {
		answeredAt: now,
		computedAt,
		said,
		nextPollAt,
		heldPollAt: usablePollTime(old?.next_poll_at ?? null, now),
		jitterMs: source.timing.jitterMs,
		isNew,
		isOlder,
		isUnconfirmed,
		automatic,
	});
	account.update(noteForecast, forecast.available ?? null);
	source.asked = wantsOf(parameters);
	if (isUnconfirmed || isOlder) return { isKept: false, isNew: false };
	const head: AnswerHead = {
		version: 2,
		key: source.key,
		system: systemHash(source.origin),
		answeredAt: now,
		computedAt,
		nextPollAt,
		pastDays: parameters.pastDays,
		include: [...parameters.include],
		siteZone,
		settled: Object.fromEntries(
			intervals.map((interval) => {
				const settled = source.settledIn(interval);
				const before = isNew ? source.forecastIn(interval) : undefined;
				const all = before ? settle(settled, before, computedAt, now) : settled;
				return [interval, all.map(([start, watts]) => [start, watts])];
			}),
		),
	};
	source.put(answer, head, placed);
	return { isKept: true, isNew };
}

/** A `next_poll_at` that lies ahead, and no further than the service's slots do (behaviour: When it asks). */
function usablePollTime(said: number | null, now: number): number | null {
	return said !== null && said >= now + DATE_RESOLUTION_MS
		? Math.min(said, now + FURTHEST_POLL_MS)
		: null;
}

/**
 * Whether an answer is older than the forecast in hand, as one of a server behind
 * the others or of a cache is. The one in hand can be no newer than its own answer,
 * whatever it says, and gives way when no row of it lies ahead.
 */
function isOlderThan(
	{ memory, head, forecast }: SourceState,
	computedAt: number,
	now: number,
): boolean {
	if (memory.computedAt === null || !head || !forecast) return false;
	const end = (forecast.values.starts.at(-1) as number) + QUARTER_MS;
	return computedAt < Math.min(memory.computedAt, head.answeredAt) && now < end;
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
