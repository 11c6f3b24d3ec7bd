import {
	type Forecast,
	type Interval,
	placeForecast,
} from "../../forecast/forecast";
import type { InlineSystem } from "../../service/client";
import type { SolarYieldError } from "../../service/errors/solar-yield-error";
import type { ForecastAnswer } from "../../service/v2/forecast-answer";
import { readSite, type Site } from "../../service/v2/sites/site";
import { hashOf } from "../../util/disk/atomic-file";
import { MINUTE_MS, QUARTER_MS, SECOND_MS } from "../../util/time";
import { Zone } from "../../util/zone";
import {
	type AnswerHead,
	newSiteMemory,
	type SiteMemory,
} from "../memory/memory";
import { ExpectedPower } from "../pacing/expected-power";
import type { PacedSource } from "../pacing/pace";
import { updateInterval } from "../schedule/rhythm";
import { regularPlan, type SourceTiming } from "../schedule/schedule";
import type { Subscriber, Wants } from "./snapshots";

/** Where a forecast comes from: a stored site, or a system sent along. */
export type ForecastSource =
	| { readonly kind: "site"; readonly key: string }
	| {
			readonly kind: "inline";
			/** `inline-<node id>`, which stands for the site id in topics (behaviour: Messages). */
			readonly key: string;
			readonly system: InlineSystem;
			readonly intervalMs: number;
	  };

/** A stored site as a source; its key is the site id. */
export function siteSource(siteId: string): ForecastSource {
	return { kind: "site", key: siteId };
}

/** An inline system as if it were stored, so that its strings are known like those of a site. */
export function inlineSite(source: ForecastSource & { kind: "inline" }): Site {
	const { latitude, longitude, strings } = source.system;
	return readSite({ latitude, longitude, strings }, source.key);
}

/** Identity of an inline system, so that a forecast kept for another is not used; null of a site. */
export function systemHash(source: ForecastSource): string | null {
	return source.kind === "site"
		? null
		: hashOf(JSON.stringify(source.system), 16);
}

const JITTER_MS = { least: 5_000, most: 30_000 } as const;

/** Jitter: the delay behind `next_poll_at`, fixed per site (behaviour: When it asks), ms. */
export function jitterOf(key: string): number {
	const hash = Number.parseInt(hashOf(key, 8), 16);
	return JITTER_MS.least + (hash % (JITTER_MS.most - JITTER_MS.least + 1));
}

/** What never changes of when a source is asked. */
export function timingOf(source: ForecastSource): SourceTiming {
	const jitterMs = jitterOf(source.key);
	return source.kind === "inline"
		? { jitterMs, intervalMs: source.intervalMs }
		: { jitterMs };
}

/** A forecast in hand. */
export interface Held {
	readonly answer: ForecastAnswer;
	readonly forecast: Forecast;
	readonly head: AnswerHead;
	readonly power: ExpectedPower;
}

/**
 * Makes an answer a forecast in hand.
 *
 * @param interval what its stamps are taken to mean
 * @throws SolarYieldError `RESPONSE` when it cannot be placed in time
 */
export function holdForecast(
	answer: ForecastAnswer,
	head: AnswerHead,
	interval: Interval,
): Held {
	const { siteZone, computedAt } = head;
	const forecast = placeForecast(answer, { siteZone, interval });
	const power = ExpectedPower.of(forecast, computedAt);
	return { answer, forecast, head, power };
}

/** When the last row of a forecast ends, epoch ms. */
export const endOf = ({ values: { starts } }: Forecast): number =>
	(starts.at(-1) as number) + QUARTER_MS;

/** What is known of a source: plain values, replaced as a whole by the steps. */
export interface SourceKnowledge {
	readonly memory: SiteMemory;
	readonly held: Held | undefined;
	/** The site's record. */
	readonly site: Site | undefined;
	/** What the last answer was asked for, kept or not. */
	readonly asked: Wants | undefined;
	/** When the record could not be read before a request, epoch ms; 0 where it could. */
	readonly readFailedAt: number;
}

/** The site's zone, undefined while neither forecast nor record tell it. */
export const siteZoneOf = ({ held, site }: SourceKnowledge): Zone | undefined =>
	held?.forecast.zone ?? Zone.of(site?.timezone ?? "");

/** One source of forecasts, live: what is known of it, and who shows it. */
export class PolledSource {
	readonly origin: ForecastSource;
	timing: SourceTiming;
	known: SourceKnowledge;
	/** When what is on disk has been read. */
	ready: Promise<void> = Promise.resolve();
	readonly subscribers = new Set<Subscriber>();
	/** Auto subscribers that have not had the stored forecast since they came. */
	readonly unserved = new Set<Subscriber>();
	request: Promise<SolarYieldError | undefined> | undefined;
	/** Another process asks: no request before then, epoch ms. */
	lockedUntil = 0;
	/** Local day (since 1970-01-01) that days were numbered from last. */
	day: number | undefined;
	/** When the poll loop is to look at it, epoch ms. */
	lookAt = 0;
	/** What subscribers were last told of its plan. */
	told = "";

	constructor(origin: ForecastSource) {
		this.origin = origin;
		this.timing = timingOf(origin);
		this.known = {
			memory: newSiteMemory(systemHash(origin)),
			held: undefined,
			site: origin.kind === "inline" ? inlineSite(origin) : undefined,
			asked: undefined,
			readFailedAt: 0,
		};
	}

	get key(): string {
		return this.origin.key;
	}

	/** Subscribers that it is polled for; who has yet to start gets the stored forecast then. */
	get audience(): readonly Subscriber[] {
		return [...this.subscribers].filter(
			(one) => one.auto && !this.unserved.has(one),
		);
	}

	/** Whether it is polled for a subscriber. */
	get isAuto(): boolean {
		for (const { auto } of this.subscribers) if (auto) return true;
		return false;
	}

	/** Changes what is remembered, by a named transition. */
	update(transition: (memory: SiteMemory) => SiteMemory): void {
		const memory = transition(this.known.memory);
		this.known = { ...this.known, memory };
	}
}

/** Jitter over which a source's bias rises by 1: the jitter, 5 to 30 s, makes up to 10 % of difference. */
const BIAS_MS = 5 * MINUTE_MS;
/**
 * How exactly a `next_poll_at` lies a quarter hour behind its answer, ms, where the plan
 * renews forecasts more often than that (spec V2, Endpoints, rule 6): any later time
 * pays as well, and slots are a third of that apart. At fixed times a request comes at
 * least 5 s behind.
 */
const ANY_TIME_MS = 4 * SECOND_MS;

/** A source as pacing sees it. */
export function pacedSource(
	{ key, timing, known: { memory, held } }: PolledSource,
	now: number,
): PacedSource {
	const from = regularPlan(memory, timing, now).at;
	const intervalMs = updateInterval(memory, from, timing.intervalMs);
	const askedAt = memory.answeredAt ?? now;
	const computedAt = memory.computedAt ?? askedAt;
	const ahead = (memory.nextPollAt ?? 0) - askedAt;
	const isAnyTime = Math.abs(ahead - QUARTER_MS) < ANY_TIME_MS;
	return {
		key,
		from,
		intervalMs,
		stepMs: isAnyTime ? intervalMs / 3 : intervalMs,
		isIntervalKnown: timing.intervalMs !== undefined || memory.steps.length > 1,
		askedAt,
		// Where the service lags behind its own times, asking again makes nothing younger.
		since: computedAt > askedAt - intervalMs ? computedAt : askedAt,
		bias: 1 + timing.jitterMs / BIAS_MS,
		power: held?.power ?? ExpectedPower.unknown,
	};
}
