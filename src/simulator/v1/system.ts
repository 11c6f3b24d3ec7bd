import { QUARTER_MS } from "../../util/time";
import type { Config } from "../config";
import type { Place, Places } from "../physics/place";
import {
	ArrayModel,
	type Irradiance,
	irradiance,
	type StringOutput,
} from "../physics/power";
import type { Weather } from "../physics/weather";
import type { V1Parameters } from "./request-parameters";

/** One quarter hour of a V1 system. */
export interface SystemQuarter {
	/** End of the quarter, epoch ms. */
	readonly end: number;
	readonly light: Irradiance;
	readonly air: Weather;
	/** W, and W per kWp. */
	readonly watts: number;
	readonly spec: number;
	readonly wattsWithoutSnow: number;
	/** Under a cloudless sky. */
	readonly clearWatts: number;
	readonly clearSpec: number;
	/** What the first array gives. */
	readonly first: StringOutput;
}

/** One or two arrays at a place, as V1 parameters describe them. */
export class System {
	readonly place: Place;
	/** Peak power of each array, kW. */
	readonly #powers: readonly number[];
	/** Each array with 1 kW. */
	readonly #models: readonly ArrayModel[];

	constructor(parameters: V1Parameters, places: Places) {
		const number = (name: string): number => parameters.number(name);
		const elevation = number("elevation");
		this.place = places.at(
			number("latitude"),
			number("longitude"),
			elevation === -999 ? undefined : elevation,
		);
		const config = configOf(parameters);
		const age = number("panel_age_years");
		const model = (prefix: string): ArrayModel =>
			new ArrayModel(
				{
					slope: number(`${prefix}slope`),
					orientation: number(`${prefix}orientation`),
					power_kw: 1,
					gcr: number(`${prefix}ground_coverage_ratio`),
				},
				config,
				age,
			);
		const second = number("second_array_power_kw");
		this.#powers = [number("pv_power_kw"), ...(second > 0 ? [second] : [])];
		this.#models = [model(""), ...(second > 0 ? [model("second_array_")] : [])];
	}

	/** The quarter that begins at `start`; `issued` as in `WeatherCourse.at`. */
	quarter(start: number, issued: number | null, clear: boolean): SystemQuarter {
		const sun = this.place.sun.at(start);
		const air = this.place.weather.at(start, issued);
		const light = irradiance(sun, air.cloud);
		const outputs = this.#models.map((model) => model.output(sun, light, air));
		const first = outputs[0] as StringOutput;
		const clearOutputs = clear
			? this.#models.map((model) =>
					model.output(sun, irradiance(sun, 0), { ...air, snow: 0 }),
				)
			: [];
		const watts = this.#sum(outputs, "power");
		const clearWatts = this.#sum(clearOutputs, "power");
		return {
			end: start + QUARTER_MS,
			light,
			air,
			watts,
			spec: this.#perKilowatt(watts, first.power),
			wattsWithoutSnow: this.#sum(outputs, "powerWithoutSnow"),
			clearWatts,
			clearSpec: this.#perKilowatt(clearWatts, clearOutputs[0]?.power ?? 0),
			first,
		};
	}

	/** The quarters from an instant to another. */
	*quarters(
		from: number,
		to: number,
		issued: number | null,
		clear = false,
	): Generator<SystemQuarter> {
		for (let start = from; start < to; start += QUARTER_MS)
			yield this.quarter(start, issued, clear);
	}

	#sum(
		outputs: readonly StringOutput[],
		field: "power" | "powerWithoutSnow",
	): number {
		return outputs.reduce(
			(sum, output, k) => sum + output[field] * (this.#powers[k] as number),
			0,
		);
	}

	/** Without a peak power, the first array's stands for all. */
	#perKilowatt(watts: number, first: number): number {
		const power = this.#powers.reduce((a, b) => a + b, 0);
		return power > 0 ? watts / power : first;
	}
}

function configOf(parameters: V1Parameters): Config {
	const number = (name: string): number => parameters.number(name);
	const [azimuth = 180, tilt = 0, maxAngle = 60, backtracking = "true"] =
		parameters
			.text("single_axis_tracker_config")
			.split(":")
			.filter((part) => part !== "");
	return {
		modules: {
			technology: parameters.text("pv_technology_type"),
			temperature_coefficient: number("temperature_coefficient_power"),
			installation_year: null,
		},
		mounting: {
			type: parameters.text("mounting_type"),
			height_above_ground: number("installation_height"),
		},
		inverter: {
			clip_max_percent: number("inverter_clip_max_threshold_percent"),
			clip_min_percent: number("inverter_clip_min_threshold_percent"),
		},
		losses: {
			cable: number("cable_loss_rate"),
			conversion: number("conversion_loss_rate"),
			albedo: number("ground_albedo"),
			snow_slide: number("snow_slide_coefficient"),
			diffuse_model: parameters.text("diffuse_radiation_model"),
		},
		shading: {
			use_terrain_horizon: parameters.flag("terrain_based_horizon_coverage"),
			sky_obstruction: parameters.text("sky_obstruction_config"),
		},
		tracking: {
			type: ["fixed", "single_axis", "dual_axis"][
				number("tracker_system_type")
			] as string,
			axis_azimuth: Number(azimuth),
			axis_tilt: Number(tilt),
			max_angle: Number(maxAngle),
			backtracking: /^(true|t|1)$/i.test(backtracking),
		},
	};
}
