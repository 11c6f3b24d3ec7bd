import type { NowPayload } from "../../forecast/now";
import type { QuotaFacts } from "../../messages/facts";

/** What a sensor measures, as Home Assistant words it. */
const KINDS = {
	/** Power of the running quarter: it is measured against, so it has a history. */
	powerNow: {
		device_class: "power",
		unit_of_measurement: "W",
		state_class: "measurement",
		suggested_display_precision: 0,
	},
	/** Power of another time: no state class, for it is no measurement. */
	power: {
		device_class: "power",
		unit_of_measurement: "W",
		suggested_display_precision: 0,
	},
	energy: {
		device_class: "energy",
		unit_of_measurement: "kWh",
		suggested_display_precision: 2,
	},
	time: { device_class: "timestamp" },
	temperature: {
		device_class: "temperature",
		unit_of_measurement: "°C",
		state_class: "measurement",
	},
	minutes: { device_class: "duration", unit_of_measurement: "min" },
	hours: { device_class: "duration", unit_of_measurement: "h" },
	requests: { unit_of_measurement: "requests" },
	plain: {},
} as const;

/** One sensor: which field of the state it shows, and how. */
export interface Sensor {
	/** Name of the field in the state, with its unit. */
	readonly field: string;
	readonly name: string;
	readonly kind: keyof typeof KINDS;
	/** Only with `solar-yield-now`, which keeps it up to date between forecasts. */
	readonly live?: true;
	/** Appears with its first value: not every plan and forecast has it. */
	readonly optional?: true;
	readonly diagnostic?: true;
}

type NowField = {
	[Field in keyof NowPayload]: NowPayload[Field] extends
		| number
		| string
		| boolean
		| null
		? Field
		: never;
}[keyof NowPayload];

const now = (
	field: NowField | "weather_code_now",
	name: string,
	kind: Sensor["kind"],
	flags: Pick<Sensor, "live" | "optional" | "diagnostic"> = {},
): Sensor => ({ field, name, kind, ...flags });

const quota = (
	field: keyof QuotaFacts,
	name: string,
	kind: Sensor["kind"],
): Sensor => ({
	field: `requests_${field}`,
	name,
	kind,
	optional: true,
	diagnostic: true,
});

const LIVE = { live: true } as const;
const LIVE_OPTIONAL = { live: true, optional: true } as const;
const OPTIONAL = { optional: true } as const;
const DIAGNOSTIC = { diagnostic: true } as const;
const LIVE_DIAGNOSTIC = { live: true, diagnostic: true } as const;

/** Every sensor of a site but those of single days and strings. */
export const SENSORS: readonly Sensor[] = [
	now("power_now_w", "Power now", "powerNow", LIVE),
	now("power_in_30min_w", "Power in 30 minutes", "power", LIVE),
	now("power_in_1h_w", "Power in 1 hour", "power", LIVE),
	now("power_now_min_w", "Power now, minimum", "power", LIVE_OPTIONAL),
	now("power_now_max_w", "Power now, maximum", "power", LIVE_OPTIONAL),
	now(
		"power_clearsky_now_w",
		"Power now under a clear sky",
		"power",
		LIVE_OPTIONAL,
	),
	now("energy_this_hour_kwh", "Energy this hour", "energy", LIVE),
	now("energy_next_hour_kwh", "Energy next hour", "energy", LIVE),
	now("energy_so_far_today_kwh", "Energy so far today", "energy", LIVE),
	now("energy_remaining_today_kwh", "Energy remaining today", "energy", LIVE),
	now("energy_today_kwh", "Energy today", "energy"),
	now("energy_today_settled_kwh", "Energy today, settled", "energy"),
	now("energy_today_min_kwh", "Energy today, minimum", "energy", OPTIONAL),
	now("energy_today_max_kwh", "Energy today, maximum", "energy", OPTIONAL),
	now("energy_tomorrow_kwh", "Energy tomorrow", "energy"),
	now(
		"energy_tomorrow_min_kwh",
		"Energy tomorrow, minimum",
		"energy",
		OPTIONAL,
	),
	now(
		"energy_tomorrow_max_kwh",
		"Energy tomorrow, maximum",
		"energy",
		OPTIONAL,
	),
	now("peak_power_today_w", "Peak power today", "power"),
	now("peak_time_today", "Peak time today", "time"),
	now("peak_power_tomorrow_w", "Peak power tomorrow", "power"),
	now("peak_time_tomorrow", "Peak time tomorrow", "time"),
	now("production_start_today", "Production start today", "time"),
	now("production_end_today", "Production end today", "time"),
	now("production_start_tomorrow", "Production start tomorrow", "time"),
	now("production_end_tomorrow", "Production end tomorrow", "time"),
	now("temp_now", "Temperature now", "temperature", LIVE_OPTIONAL),
	now("weather_code_now", "Weather code now", "plain", LIVE_OPTIONAL),
	now("computed_at", "Computed at", "time", DIAGNOSTIC),
	now("next_poll_at", "Next forecast at", "time", DIAGNOSTIC),
	now("fetched_at", "Fetched at", "time", DIAGNOSTIC),
	now("age_minutes", "Age", "minutes", LIVE_DIAGNOSTIC),
	now("horizon_hours", "Horizon", "hours", LIVE_DIAGNOSTIC),
	now("gaps", "Gaps today", "plain", DIAGNOSTIC),
	quota("used", "Requests used", "requests"),
	quota("remaining", "Requests remaining", "requests"),
	quota("limit", "Requests limit", "requests"),
	quota("own", "Requests of this Node-RED", "requests"),
	quota("projected", "Requests projected", "requests"),
	quota("pace", "Request pace", "plain"),
	quota("reset", "Requests reset at", "time"),
	quota("as_of", "Requests as of", "time"),
];

/** The energy of a day after tomorrow; `index` counts from today, which is 0. */
export const daySensor = (index: number): Sensor => ({
	field: `energy_day_${index + 1}_kwh`,
	name: `Energy day ${index + 1}`,
	kind: "energy",
});

/** The sensors of one string; `label` stands for it in names of fields. */
export const stringSensors = (label: string, id: string): Sensor[] => [
	{
		field: `string_${label}_energy_today_kwh`,
		name: `Energy today of ${id}`,
		kind: "energy",
	},
	{
		field: `string_${label}_power_now_w`,
		name: `Power now of ${id}`,
		kind: "powerNow",
		live: true,
	},
	{
		field: `string_${label}_energy_remaining_today_kwh`,
		name: `Energy remaining today of ${id}`,
		kind: "energy",
		live: true,
	},
];

/** What a sensor is called in ids: its field without the unit. */
export const keyOf = ({ field }: Sensor) => field.replace(/_(?:w|kwh)$/, "");

/** The part of a discovery entry that depends on what is measured. */
export const kindOf = ({ kind, diagnostic }: Sensor) => ({
	...KINDS[kind],
	...(diagnostic && { entity_category: "diagnostic" }),
});
