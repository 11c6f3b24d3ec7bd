import type { Interval } from "../../forecast/forecast";
import type { SolarYieldError } from "../../service/errors/solar-yield-error";
import type { ForecastSnapshot } from "./snapshots";

/** What a node wants of a source beyond the groups of every plan. */
export interface Wants {
	readonly pastDays: number;
	readonly variability: boolean;
}

/** A node that shows a source's forecasts. */
export interface Subscriber extends Wants {
	/** Whether the source is polled for this subscriber. */
	readonly auto: boolean;
	/** What the subscriber's account takes stamps to mean. */
	readonly interval: Interval;
	/**
	 * A forecast to send: a new one, or after a start the stored one (`cached`).
	 * A promise is waited for before the next subscriber is told.
	 */
	onForecast(snapshot: ForecastSnapshot, cached: boolean): void | Promise<void>;
	/** An automatic request failed in a way that flows should hear of (behaviour: Errors). */
	onFailure(error: SolarYieldError): void;
	/** Something a status shows has changed. */
	onChange(): void;
	/** The site's date has changed; days have new numbers. */
	onMidnight(): void | Promise<void>;
}
