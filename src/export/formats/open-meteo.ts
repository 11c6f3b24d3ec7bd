import { inputError } from "../../service/errors/solar-yield-error";
import { show } from "../../service/v2/schema-errors";
import { DAY_MS, HOUR_MS, QUARTER_MS } from "../../util/time";
import type { Format } from "../format";
import type { Source } from "../source/source";
import { refuseEmpty } from "../source/units";

/** Peak power that the reader has to enter, W. */
const PEAK_W = 10_000;
/** Temperature at which a module gives its peak power, °C. */
const STC_TEMPERATURE = 25;
/** Loss of power per °C, and °C per W/m² by which a module is warmer than the air (Ross). */
const TEMPERATURE_LOSS = 0.004;
const WARMING = 0.0342;
const LOSS = TEMPERATURE_LOSS * WARMING;

/**
 * Irradiance that a reader turns back into a power. The reader's model is
 * P = peak · g/1000 · (k − loss · g), where k is 1 at 25 °C of the air and more
 * below (client library open-meteo-solar-forecast, open_meteo_solar_forecast.py);
 * this is its inverse.
 *
 * @param greatest power of the document, W
 * @returns air temperature of the whole document, °C, and the irradiance on the modules in W/m² for a power in W
 */
function moduleModel(greatest: number) {
	// At 25 °C 10 kWp yield at most 18 kW in the model; a larger site gets colder air.
	const needed = Math.sqrt((4000 * LOSS * greatest) / PEAK_W / 0.9);
	const cooling = Math.ceil((Math.max(1, needed) - 1) / TEMPERATURE_LOSS);
	const k = 1 + TEMPERATURE_LOSS * cooling;
	return {
		temperature: STC_TEMPERATURE - cooling,
		irradiance(watts: number): number {
			const root = Math.sqrt(k ** 2 - (4000 * LOSS * watts) / PEAK_W);
			return Math.round(((k - root) / (2 * LOSS)) * 1000) / 1000;
		},
	};
}

/** Zone of the answer's times and its offset in ms: one for all of them, as Open-Meteo has it. */
function clockOf({ request, zone, nowMs }: Source): {
	name: string;
	offset: number;
} {
	const { timezone = "UTC" } = request.query;
	if (timezone === "auto" || timezone === zone.name) {
		return { name: zone.name, offset: zone.offsetAt(nowMs) };
	}
	if (/^(?:utc|gmt)$/i.test(timezone)) return { name: "GMT", offset: 0 };
	throw inputError("export.query_timezone", {
		value: show(timezone),
		zone: zone.name,
	});
}

/** A number of days in the request, undefined where it does not ask. */
function daysOf({ request }: Source, name: string): number | undefined {
	const value = request.query[name];
	if (value === undefined || value === "") return undefined;
	if (/^\d{1,3}$/.test(value)) return Number(value);
	throw inputError("export.query_days", { name, value: show(value) });
}

const floorTo = (step: number, instant: number, offset: number) =>
	Math.floor((instant + offset) / step) * step - offset;

/** Starts of the quarters of each complete hour: readers extend a part to the whole hour. */
function hourQuarters(
	{ curve }: Source,
	from: number,
	to: number,
	offset: number,
): number[] {
	const hourOf = (start: number) => floorTo(HOUR_MS, start, offset);
	// NaN where part of the hour is unknown.
	return curve
		.quarters(from, to)
		.filter((start) => curve.mean(hourOf(start), hourOf(start) + HOUR_MS) >= 0);
}

const seconds = (instant: number) => instant / 1000;

/** The rows of a quarter hour that are asked for besides its time. */
const UNITS = {
	time: "unixtime",
	temperature_2m: "°C",
	global_tilted_irradiance: "W/m²",
	global_tilted_irradiance_instant: "W/m²",
	diffuse_radiation: "W/m²",
	diffuse_radiation_instant: "W/m²",
	direct_radiation: "W/m²",
	direct_radiation_instant: "W/m²",
	snow_depth: "m",
} as const;

/**
 * The answer of Open-Meteo's `/v1/forecast` (open-meteo.com/en/docs) for one
 * array of 10 kWp: weather with which the Home Assistant integration
 * `open_meteo_solar_forecast` arrives at the powers of this forecast.
 */
export const openMeteo: Format = {
	contentType: "application/json",
	oneSite: true,
	options: [],
	failure: (reason) => ({ error: true, reason }),
	make(source) {
		const { curve, nowMs } = source;
		const { name, offset } = clockOf(source);
		const today = floorTo(DAY_MS, nowMs, offset);
		const days = daysOf(source, "forecast_days");
		const from = today - (daysOf(source, "past_days") ?? 0) * DAY_MS;
		const to = days === undefined ? curve.to : today + days * DAY_MS;
		const starts = hourQuarters(source, from, to, offset);
		refuseEmpty(starts.length, source);
		// Readers skip the first row, so the quarter before is put there.
		starts.unshift((starts[0] as number) - QUARTER_MS);
		// The quarter before may be unknown.
		const powers = starts.map((start) => curve.at(start) || 0);
		const greatest = powers.reduce((a, b) => Math.max(a, b));
		const model = moduleModel(greatest);
		const irradiance = powers.map(model.irradiance);
		const ends = starts.map((start) => start + QUARTER_MS);
		const times = ends.map(seconds);
		const dayStarts = [
			...new Set(ends.map((end) => floorTo(DAY_MS, end, offset))),
		];
		// Readers need it for a damping that nobody sets.
		const hour = (hours: number) =>
			dayStarts.map((start) => seconds(start + hours * HOUR_MS));
		const constant = (value: number) =>
			new Array<number>(times.length).fill(value);
		return [
			{
				payload: {
					utc_offset_seconds: offset / 1000,
					timezone: name,
					minutely_15_units: UNITS,
					minutely_15: {
						time: times,
						temperature_2m: constant(model.temperature),
						global_tilted_irradiance: irradiance,
						global_tilted_irradiance_instant: irradiance,
						// All of it diffuse, so that a horizon set in the reader changes nothing.
						diffuse_radiation: irradiance,
						diffuse_radiation_instant: irradiance,
						direct_radiation: constant(0),
						direct_radiation_instant: constant(0),
						snow_depth: constant(0),
					},
					daily_units: {
						time: "unixtime",
						sunrise: "unixtime",
						sunset: "unixtime",
					},
					daily: {
						time: dayStarts.map(seconds),
						sunrise: hour(6),
						sunset: hour(18),
					},
				},
				span: { from, to },
			},
		];
	},
};
