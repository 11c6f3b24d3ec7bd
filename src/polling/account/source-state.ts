import {
	type Forecast,
	type Interval,
	placeForecast,
} from "../../forecast/forecast";
import type { Settled } from "../../forecast/settled";
import type { SolarYieldError } from "../../service/errors/solar-yield-error";
import type { ForecastAnswer } from "../../service/v2/forecast-answer";
import type { Site } from "../../service/v2/sites/site";
import { QUARTER_MS } from "../../util/time";
import type { Subscriber, Wants } from "../hub-types";
import { newSiteMemory, type SiteMemory } from "../memory/schemas";
import type { SourceTiming } from "../schedule/schedule";
import type { AnswerHead } from "../storage/file-formats";
import {
	inlineSite,
	type Source,
	spreadOf,
	systemHash,
} from "./forecast-source";

/** By how much later a quarter begins, by what its stamp means, ms. */
const SHIFT_MS: Readonly<Record<Interval, number>> = {
	end: 0,
	start: QUARTER_MS,
};

/** One source of forecasts: what is remembered and known of it, and who reads it. */
export class Entry {
	readonly source: Source;
	timing: SourceTiming;
	memory: SiteMemory;
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
	/** Another process asks: wait until then, epoch ms. */
	busyUntil = 0;
	/** When the record was last read for `msg.refresh`, epoch ms. */
	refreshedAt = 0;
	/** Local day (since 1970-01-01) that days were numbered from last. */
	day: number | undefined;
	wasStale = false;
	/** When the clock is to look at it next, epoch ms; 0 when something has changed. */
	wakeAt = 0;
	#answer: ForecastAnswer | undefined;
	/** The answer in time, by what its stamps are taken to mean; made when first asked for. */
	#placed: ReadonlyMap<Interval, Forecast> = new Map();
	#autos = 0;

	constructor(source: Source) {
		this.source = source;
		this.timing = timingOf(source);
		this.memory = newSiteMemory(systemHash(source));
		if (source.kind === "inline") this.site = inlineSite(source);
	}

	get key(): string {
		return this.source.key;
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

	get isAuto(): boolean {
		return this.#autos > 0;
	}
}

export function timingOf(source: Source): SourceTiming {
	return {
		spreadMs: spreadOf(source.key),
		...(source.kind === "inline" ? { intervalMs: source.intervalMs } : {}),
	};
}
