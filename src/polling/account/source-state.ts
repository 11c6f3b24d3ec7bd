import {
	type Forecast,
	type Interval,
	placeForecast,
} from "../../forecast/forecast";
import type { Settled } from "../../forecast/settled";
import { Zone } from "../../forecast/zone";
import type { SolarYieldError } from "../../service/errors/solar-yield-error";
import type { ForecastAnswer } from "../../service/v2/forecast-answer";
import type { Site } from "../../service/v2/sites/site";
import { QUARTER_MS } from "../../util/time";
import type { AnswerHead } from "../memory/answer-head";
import { newSiteMemory, type SiteMemory } from "../memory/schemas";
import type { SourceTiming } from "../schedule/schedule";
import {
	type ForecastSource,
	inlineSite,
	jitterOf,
	systemHash,
} from "./forecast-source";
import type { Subscriber, Wants } from "./subscriber";

/** By how much later a quarter begins, by what its stamp means, ms. */
const SHIFT_MS: Readonly<Record<Interval, number>> = {
	end: 0,
	start: QUARTER_MS,
};

/** The live state of one source of forecasts: what is remembered and known of it, and who shows it. */
export class SourceState {
	readonly origin: ForecastSource;
	timing: SourceTiming;
	head: AnswerHead | undefined;
	site: Site | undefined;
	/** When what is on disk has been read. */
	ready: Promise<void> = Promise.resolve();
	readonly subscribers = new Set<Subscriber>();
	/** Auto subscribers that have not had the stored forecast since they came. */
	readonly unserved = new Set<Subscriber>();
	request: Promise<SolarYieldError | undefined> | undefined;
	/** What the last answer was asked for, kept or not. */
	asked: Wants | undefined;
	/** String ids that even the newest record does not know. */
	unknownStrings = "";
	/** Another process asks: no request before then, epoch ms. */
	lockedUntil = 0;
	/** When the record was last read for `msg.refresh`, epoch ms. */
	refreshedAt = 0;
	/** When the record could not be read before a request, epoch ms; 0 where it could. */
	readFailedAt = 0;
	/** Local day (since 1970-01-01) that days were numbered from last. */
	day: number | undefined;
	wasStale = false;
	/** When the poll loop is to attend to it next, epoch ms; 0 when something has changed. */
	wakeAt = 0;
	#memory: SiteMemory;
	#answer: ForecastAnswer | undefined;
	/** The answer in time, by what its stamps are taken to mean; made when first asked for. */
	#placed: ReadonlyMap<Interval, Forecast> = new Map();
	#autos = 0;

	constructor(origin: ForecastSource) {
		this.origin = origin;
		this.timing = timingOf(origin);
		this.#memory = newSiteMemory(systemHash(origin));
		if (origin.kind === "inline") this.site = inlineSite(origin);
	}

	get key(): string {
		return this.origin.key;
	}

	// — memory —

	get memory(): SiteMemory {
		return this.#memory;
	}

	/** The only way in which memory changes: a named transition takes its place. */
	update<Facts extends unknown[]>(
		transition: (memory: SiteMemory, ...facts: Facts) => SiteMemory,
		...facts: Facts
	): void {
		this.#memory = transition(this.#memory, ...facts);
	}

	// — the forecast —

	/**
	 * Makes an answer the known one.
	 *
	 * @param placed the answer in time, for one meaning of its stamps at least
	 */
	put(
		answer: ForecastAnswer,
		head: AnswerHead,
		placed: ReadonlyMap<Interval, Forecast>,
	): void {
		this.#answer = answer;
		this.#placed = placed;
		this.head = head;
	}

	/** The forecast, where it makes no difference what its stamps mean. */
	get forecast(): Forecast | undefined {
		return this.#placed.values().next().value;
	}

	/** The site's zone, undefined while neither forecast nor record tell it. */
	get zone(): Zone | undefined {
		return this.forecast?.zone ?? Zone.of(this.site?.timezone ?? "");
	}

	/** The forecast under one meaning of its stamps. */
	forecastIn(interval: Interval): Forecast | undefined {
		const known = this.#placed.get(interval);
		if (known || !this.#answer || !this.head) return known;
		const forecast = placeForecast(this.#answer, {
			siteZone: this.head.siteZone,
			interval,
		});
		this.#placed = new Map([...this.#placed, [interval, forecast]]);
		return forecast;
	}

	/** Past quarters as last foreseen, under one meaning of the stamps. */
	settledIn(interval: Interval): Settled {
		const { settled } = this.head ?? {};
		const other = interval === "end" ? "start" : "end";
		const shift = SHIFT_MS[interval] - SHIFT_MS[other];
		return (
			settled?.[interval] ??
			settled?.[other]?.map(([start, watts]) => [start + shift, watts]) ??
			[]
		);
	}

	// — subscribers —

	/** @returns what ends it */
	add(subscriber: Subscriber): () => void {
		this.subscribers.add(subscriber);
		if (subscriber.auto) {
			this.#autos += 1;
			this.unserved.add(subscriber);
		}
		return () => {
			if (!this.subscribers.delete(subscriber)) return;
			this.unserved.delete(subscriber);
			if (subscriber.auto) this.#autos -= 1;
		};
	}

	/** Whether it is polled for a subscriber. */
	get isAuto(): boolean {
		return this.#autos > 0;
	}
}

/** What never changes of when a source is asked. */
export function timingOf(origin: ForecastSource): SourceTiming {
	return {
		jitterMs: jitterOf(origin.key),
		...(origin.kind === "inline" ? { intervalMs: origin.intervalMs } : {}),
	};
}
