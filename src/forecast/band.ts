import { QUARTER_MS } from "../util/time";
import { bandUntil, type Forecast, siteDayEnergy } from "./forecast";

type BandField = "pv_power_min" | "pv_power_max";

/**
 * The band of variability of a forecast. Behind its end the service sends
 * minimum and maximum equal to the power: the band is unknown there, not narrow
 * (behaviour: Where the service's description is silent), but for quarters without power, which cannot vary.
 */
export class Band {
	readonly #forecast: Forecast;
	/** Epoch ms; null when the forecast has no band at all. */
	readonly until: number | null;

	constructor(forecast: Forecast) {
		this.#forecast = forecast;
		this.until = bandUntil(forecast);
	}

	/** Whether the band of the quarter that holds an instant is known. */
	knows(instant: number): boolean {
		if (this.until === null) return false;
		return (
			instant < this.until ||
			this.#forecast.values.valueAt(instant, "pv_power") === 0
		);
	}

	/** Edge of the band in W at an instant, null when unknown. */
	power(instant: number, field: BandField): number | null {
		return this.knows(instant)
			? this.#forecast.values.valueAt(instant, field)
			: null;
	}

	/** Edge of the band of a local date's energy in kWh, null when part of it is unknown. */
	dayEnergy(day: number, field: BandField): number | null {
		const { zone } = this.#forecast;
		const end = zone.dayStart(day + 1);
		for (
			let start = Math.max(this.until ?? 0, zone.dayStart(day));
			start < end;
			start += QUARTER_MS
		) {
			if (!this.knows(start)) return null;
		}
		return siteDayEnergy(this.#forecast, day, field);
	}
}
