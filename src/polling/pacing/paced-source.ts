import { MINUTE_MS, QUARTER_MS, SECOND_MS } from "../../util/time";
import type { SiteMemory } from "../memory/schemas";
import { regularPlan, type SourceTiming } from "../schedule/schedule";
import { updateInterval } from "../schedule/update-interval";
import type { ExpectedPower } from "./expected-power";

/** Jitter over which a site's bias rises by 1: the jitter, 5 to 30 s, makes up to 10 % of difference. */
const BIAS_MS = 5 * MINUTE_MS;
/**
 * How exactly a `next_poll_at` lies a quarter hour behind its answer, ms, where the plan
 * renews forecasts more often than that (spec V2, Endpoints, rule 6): any later time
 * pays as well. At fixed times a request comes at least 5 s behind.
 */
const ANY_TIME_MS = 4 * SECOND_MS;
/** Parts of an interval that are told apart where any time pays. */
const PARTS = 3;

/** A source that is polled, as pacing sees it. All times are epoch ms. */
export interface PacedSource {
	readonly key: string;
	/** First time at which a request brings something newer. */
	readonly from: number;
	/** Distance of the times after that. */
	readonly intervalMs: number;
	/** Parts of the interval at which a request may come, once the first time has: 1 where forecasts come at fixed times. */
	readonly parts: number;
	/** Whether that distance has been seen between forecasts, not taken from the first one alone. */
	readonly isIntervalKnown: boolean;
	/** When it was asked last. */
	readonly askedAt: number;
	/** From when on the forecast in hand has aged. */
	readonly since: number;
	/** Factor on its weight: a little different for each, or equal sites would all be asked in the same slot. */
	readonly bias: number;
	readonly power: ExpectedPower;
}

/**
 * A source as pacing sees it.
 *
 * @param power expected by the forecast in hand; read off only when it is needed
 * @param now epoch ms, the server's clock
 */
export function pacedSource(
	key: string,
	memory: SiteMemory,
	timing: SourceTiming,
	power: (computedAt: number) => ExpectedPower,
	now: number,
): PacedSource {
	const from = regularPlan(memory, timing, now).at;
	const intervalMs = updateInterval(memory, from, timing.intervalMs);
	const askedAt = memory.answeredAt ?? now;
	const computedAt = memory.computedAt ?? askedAt;
	// Where the service lags behind its own times, asking again makes nothing younger.
	const since = computedAt > askedAt - intervalMs ? computedAt : askedAt;
	const ahead = (memory.nextPollAt ?? 0) - askedAt;
	return {
		key,
		from,
		intervalMs,
		parts: Math.abs(ahead - QUARTER_MS) < ANY_TIME_MS ? PARTS : 1,
		isIntervalKnown: timing.intervalMs !== undefined || memory.steps.length > 1,
		askedAt,
		since,
		bias: 1 + timing.jitterMs / BIAS_MS,
		get power() {
			return power(computedAt);
		},
	};
}

/**
 * The first slot that is not over at an instant: asked late, it still pays.
 *
 * @param stepMs distance of slots
 */
export function slotFrom(
	{ from, intervalMs }: PacedSource,
	instant: number,
	stepMs = intervalMs,
): number {
	const slots = Math.max(0, Math.floor((instant - from) / stepMs));
	return from + slots * stepMs;
}

/** Whether two forecasts of each source have told how far apart they come. */
export const areIntervalsKnown = (sources: readonly PacedSource[]) =>
	sources.every(({ isIntervalKnown }) => isIntervalKnown);
