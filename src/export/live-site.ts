import type { Forecast } from "../forecast/forecast";
import { type NowPayload, nowValues } from "../forecast/now";
import type { QuotaFacts, SolarFacts } from "../messages/facts";
import { siteLabel, siteTopicOf } from "../messages/topic";
import { MINUTE_MS } from "../util/time";
import { Exporter } from "./exporter";
import type { ExportMessage } from "./message";

/** Minutes between two messages of the export's own. */
const OWN_EVERY = 5;
/** Slowest interval of `solar-yield-now`, where its message does not name one. */
const SLOWEST_EVERY = 15;
/** Shortest validity of values, minutes. */
const LEAST_VALID = 15;

/** Minutes for which values are good that come so often. */
const validFor = (every = OWN_EVERY) => Math.max(LEAST_VALID, 3 * every);

/** What a message brings: a forecast, the values of `solar-yield-now`, or both. */
export interface LiveInput {
	readonly forecast?: Forecast | undefined;
	readonly now?: NowPayload | undefined;
	/** Minutes between two messages of `solar-yield-now`. */
	readonly every?: number | undefined;
	readonly facts: SolarFacts;
	readonly quota?: QuotaFacts | undefined;
	readonly nowMs: number;
	/** Topic of the incoming message; ours begin as it does. */
	readonly topic?: unknown;
}

/** Values, and the instant that they are of. */
export interface DatedValues {
	readonly values: NowPayload;
	/** Epoch ms. */
	readonly at: number;
}

/** Five minutes of the clock; every midnight begins one. */
const slotOf = (nowMs: number) => Math.floor(nowMs / (OWN_EVERY * MINUTE_MS));

/**
 * One site and its values of now: those of a `solar-yield-now` node as long as
 * one sends, else those of the forecast.
 */
export class LiveSite {
	/** `<prefix>/<site_id>`. */
	base: string;
	facts: SolarFacts;
	quota: QuotaFacts | undefined;
	forecast: Forecast | undefined;
	#received: (DatedValues & { every: number }) | undefined;
	/** Five minutes of the last values. */
	#slot = Number.NaN;

	/** @param input the first message of the site */
	constructor(input: LiveInput) {
		this.facts = input.facts;
		this.base = siteTopicOf(input.topic, input.facts);
	}

	/** The site as topics name it. */
	get label(): string {
		return siteLabel(this.facts);
	}

	/** Takes a message in. */
	receive(input: LiveInput): void {
		const { forecast, facts, now, nowMs, quota, topic } = input;
		// Values alone may come with no more than their topic: what a forecast said stays.
		if (forecast || !this.forecast) this.facts = facts;
		if (topic !== undefined) this.base = siteTopicOf(topic, facts);
		if (forecast) this.forecast = forecast;
		if (quota) this.quota = quota;
		if (now) {
			const every = input.every ?? this.#received?.every ?? SLOWEST_EVERY;
			this.#received = { values: now, at: nowMs, every };
		}
	}

	/** Whether a `solar-yield-now` node sends the values: it has missed no more than one message. */
	hasNowNode(nowMs: number): boolean {
		const { at, every } = this.#received ?? { at: 0, every: 0 };
		return nowMs - at < 2 * every * MINUTE_MS;
	}

	/** Whether the export has to send the values itself: without a `solar-yield-now` node, once in five minutes. */
	isDue(nowMs: number): boolean {
		return !this.hasNowNode(nowMs) && slotOf(nowMs) !== this.#slot;
	}

	/** Minutes for which values sent now are valid: three intervals, at least a quarter hour. */
	validMinutes(nowMs: number): number {
		const every = this.hasNowNode(nowMs) ? this.#received?.every : undefined;
		return validFor(every);
	}

	/**
	 * The values to show: those received at this instant, else those of the
	 * forecast, else those received last while they are valid.
	 */
	values(nowMs: number): DatedValues | undefined {
		this.#slot = slotOf(nowMs);
		const received = this.#received;
		if (received?.at === nowMs) return received;
		if (this.forecast) {
			return {
				values: nowValues(this.forecast, this.facts, nowMs),
				at: nowMs,
			};
		}
		return received &&
			nowMs - received.at < validFor(received.every) * MINUTE_MS
			? received
			: undefined;
	}
}

/** What sends values of now: with each message, and by itself where no `solar-yield-now` node does. */
export abstract class LiveExporter<
	Site extends LiveSite,
> extends Exporter<Site> {
	protected abstract readonly Site: new (
		input: LiveInput,
	) => Site;

	/** @param isAll whether what has not changed is sent as well: an mqtt out node drops what it gets while it is not connected */
	protected abstract publish(
		site: Site,
		nowMs: number,
		isAll: boolean,
	): ExportMessage[];

	/** Whether time alone makes something due. */
	protected isDue(site: Site, nowMs: number): boolean {
		return site.isDue(nowMs);
	}

	/** Takes a message in and answers with what has to be published. */
	update(input: LiveInput): ExportMessage[] {
		const label = siteLabel(input.facts);
		const site = this.sites.get(label) ?? new this.Site(input);
		this.sites.set(label, site);
		site.receive(input);
		return this.publish(site, input.nowMs, input.forecast !== undefined);
	}

	renew(nowMs: number): ExportMessage[] {
		return [...this.sites.values()].flatMap((site) =>
			this.isDue(site, nowMs) ? this.publish(site, nowMs, false) : [],
		);
	}

	nextRenewal(nowMs: number): number | null {
		return [...this.sites.values()].some(({ forecast }) => forecast)
			? (slotOf(nowMs) + 1) * OWN_EVERY * MINUTE_MS
			: null;
	}
}
