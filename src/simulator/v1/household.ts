import { DAY_MS, HOUR_MS } from "../../util/time";
import type { Place } from "../physics/place";
import type { Weather } from "../physics/weather";
import type { V1Parameters } from "./request-parameters";

/** Power flows of a house in one step, W. */
export interface Flows {
	readonly consumption: number;
	readonly heatPump: number;
	readonly airCooling: number;
	/** Above 0 = charging. */
	readonly battery: number;
	/** State of charge, %. */
	readonly charge: number;
	/** Above 0 = from the grid. */
	readonly grid: number;
}

/** Hourly weights of a working day, and the weight of a weekend day. */
interface Profile {
	readonly hours: readonly number[];
	readonly weekend: number;
}

const HOME: Profile = {
	hours: [
		4, 3, 3, 3, 3, 4, 7, 9, 8, 8, 8, 9, 11, 10, 8, 8, 8, 10, 13, 14, 13, 11, 8,
		6,
	],
	weekend: 1.1,
};
const business = (from: number, to: number, weekend: number): Profile => ({
	hours: Array.from({ length: 24 }, (_, h) => (h >= from && h < to ? 10 : 2)),
	weekend,
});

/** Plain shapes of the standard load profiles. */
const PROFILES: Readonly<Record<string, Profile>> = {
	h0: HOME,
	h0_dyn: HOME,
	g0: business(7, 19, 0.6),
	g1: business(8, 18, 0.2),
	g2: business(16, 24, 1),
	g3: business(0, 24, 1),
	g4: business(8, 19, 0.5),
	g5: business(3, 14, 0.9),
};

/** Outdoor temperature from which heating starts, degC. */
const HEATING_LIMIT = 15;

/** A household with heat pump, air cooling and battery, stepped through time. */
export class Household {
	readonly #profile: Profile;
	readonly #profileMean: number;
	readonly #degreesMean: number;
	/** Energy in the battery, Wh. */
	#stored: number;

	/** `year` sets how much heating a year needs at the place. */
	constructor(
		private readonly parameters: V1Parameters,
		place: Place,
		private readonly localHourOffset: number,
		year: number,
	) {
		this.#profile = PROFILES[parameters.text("demand_profile")] ?? HOME;
		const sum = this.#profile.hours.reduce((a, b) => a + b, 0);
		this.#profileMean = (sum / 24) * ((5 + 2 * this.#profile.weekend) / 7);
		this.#degreesMean = meanHeatingDegrees(place, year);
		this.#stored = parameters.number("battery_capacity") * 500;
	}

	/** Flows in a step that begins at `start` (epoch ms) and lasts `hours`, with `pv` W from the roof. */
	step(start: number, hours: number, pv: number, air: Weather): Flows {
		const p = this.parameters;
		const local = start + this.localHourOffset * HOUR_MS;
		const consumption =
			meanWatts(p.number("yearly_energy_consumption")) * this.#demand(local) +
			meanWatts(p.number("yearly_base_consumption"));
		const heatPump =
			this.#degreesMean > 0
				? (meanWatts(p.number("yearly_heat_pump_consumption")) *
						Math.max(0, HEATING_LIMIT - air.temp)) /
					this.#degreesMean
				: 0;
		const warmth = air.temp - p.number("air_cool_temperature_threshold");
		const cooled =
			p.text("air_cool_config")[new Date(local).getUTCMonth()] === "1";
		const airCooling =
			cooled && warmth > 0
				? p.number("air_cool_peak_power") * 1000 * Math.min(1, warmth / 8)
				: 0;
		const need = consumption + heatPump + airCooling - pv;
		const battery = this.#useBattery(need, hours);
		const capacity = p.number("battery_capacity") * 1000;
		return {
			consumption,
			heatPump,
			airCooling,
			battery,
			charge: capacity > 0 ? (100 * this.#stored) / capacity : 0,
			grid: need + battery,
		};
	}

	/** Charges what is left over, discharges what is missing; W, above 0 = charging. */
	#useBattery(need: number, hours: number): number {
		const p = this.parameters;
		const capacity = p.number("battery_capacity") * 1000;
		const oneWay = Math.sqrt(p.number("battery_efficiency"));
		if (need < 0) {
			const power = Math.min(
				-need,
				capacity * p.number("charge_power_ratio"),
				(capacity - this.#stored) / hours / oneWay,
			);
			this.#stored += power * hours * oneWay;
			return power;
		}
		const power = Math.min(
			need,
			capacity * p.number("discharge_power_ratio"),
			(this.#stored / hours) * oneWay,
		);
		this.#stored = Math.max(0, this.#stored - (power * hours) / oneWay);
		return -power;
	}

	/** Demand against its mean over the year. */
	#demand(local: number): number {
		const date = new Date(local);
		const isWeekend = date.getUTCDay() % 6 === 0;
		const season =
			this.parameters.text("demand_profile") === "h0_dyn"
				? 1 + 0.2 * Math.cos((2 * Math.PI * (local / DAY_MS - 10)) / 365.25)
				: 1;
		return (
			((this.#profile.hours[date.getUTCHours()] as number) *
				(isWeekend ? this.#profile.weekend : 1) *
				season) /
			this.#profileMean
		);
	}
}

/** Mean power of a yearly energy in MWh. */
function meanWatts(megawattHours: number): number {
	return (megawattHours * 1e6) / 8760;
}

function meanHeatingDegrees(place: Place, year: number): number {
	let sum = 0;
	let count = 0;
	for (
		let at = Date.UTC(year, 0, 1);
		at < Date.UTC(year + 1, 0, 1);
		at += 3 * HOUR_MS
	) {
		sum += Math.max(0, HEATING_LIMIT - place.weather.at(at, null).temp);
		count++;
	}
	return sum / count;
}
