import type { NowPayload } from "../../forecast/now";
import type { QuotaFacts } from "../../messages/facts";
import type { Text } from "../../texts/texts";

/** A field of the state that a sensor of the site shows. */
type SensorField =
	| keyof NowPayload
	| "weather_code_now"
	| "installed_power_kw"
	| "learned_days"
	| `requests_${keyof QuotaFacts}`;

/** Classes and units of Home Assistant, by what a sensor measures. */
const KINDS = {
	/** Power of the running quarter, with long-term statistics. */
	powerNow: {
		device_class: "power",
		unit_of_measurement: "W",
		state_class: "measurement",
		suggested_display_precision: 0,
	},
	/** Power of another time: a state class would make it a measurement. */
	power: {
		device_class: "power",
		unit_of_measurement: "W",
		suggested_display_precision: 0,
	},
	installed: { device_class: "power", unit_of_measurement: "kW" },
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
	days: { device_class: "duration", unit_of_measurement: "d" },
	hours: { device_class: "duration", unit_of_measurement: "h" },
	requests: { unit_of_measurement: "requests" },
	pace: { device_class: "enum", options: ["full", "spread", "held"] },
	plain: {},
} as const;

type Kind = keyof typeof KINDS;

/** A sensor of the site: its field of the state and its kind. */
export interface Sensor {
	/** Name of the field in the state, with its unit. */
	readonly field: string;
	readonly name: Text;
	readonly kind: Kind;
	/** Appears with its first value: not every plan and forecast has it. */
	readonly optional?: true;
	readonly diagnostic?: true;
	/** Changes with every message, and each change is recorded: disabled by default. */
	readonly everyMessage?: true;
}

/** Sensors of one kind, named after their fields. */
const sensors = (
	kind: Kind,
	flags: Pick<Sensor, "optional" | "diagnostic" | "everyMessage">,
	...fields: SensorField[]
): Sensor[] =>
	fields.map((field) => ({
		field,
		name: { key: `home_assistant.${field}` },
		kind,
		...flags,
	}));

const OPTIONAL = { optional: true } as const;
const DIAGNOSTIC = { diagnostic: true } as const;
const EVERY_MESSAGE = { diagnostic: true, everyMessage: true } as const;
const OPTIONAL_DIAGNOSTIC = { optional: true, diagnostic: true } as const;

/** Every sensor of a site but those of single days and strings. */
export const SENSORS: readonly Sensor[] = [
	...sensors("powerNow", {}, "power_now_w"),
	...sensors(
		"power",
		{},
		"power_in_30min_w",
		"power_in_1h_w",
		"peak_power_today_w",
		"peak_power_tomorrow_w",
	),
	...sensors(
		"power",
		OPTIONAL,
		"power_now_min_w",
		"power_now_max_w",
		"power_clearsky_now_w",
	),
	...sensors(
		"energy",
		{},
		"energy_this_hour_kwh",
		"energy_next_hour_kwh",
		"energy_so_far_today_kwh",
		"energy_remaining_today_kwh",
		"energy_today_kwh",
		"energy_today_settled_kwh",
		"energy_tomorrow_kwh",
	),
	...sensors(
		"energy",
		OPTIONAL,
		"energy_today_min_kwh",
		"energy_today_max_kwh",
		"energy_tomorrow_min_kwh",
		"energy_tomorrow_max_kwh",
	),
	...sensors(
		"time",
		{},
		"peak_time_today",
		"peak_time_tomorrow",
		"production_start_today",
		"production_end_today",
		"production_start_tomorrow",
		"production_end_tomorrow",
	),
	...sensors("temperature", OPTIONAL, "temp_now"),
	...sensors("plain", OPTIONAL, "weather_code_now"),
	...sensors("installed", OPTIONAL_DIAGNOSTIC, "installed_power_kw"),
	...sensors("days", OPTIONAL_DIAGNOSTIC, "learned_days"),
	...sensors("time", DIAGNOSTIC, "computed_at", "next_poll_at", "fetched_at"),
	...sensors("minutes", EVERY_MESSAGE, "age_minutes"),
	...sensors("hours", EVERY_MESSAGE, "horizon_hours"),
	...sensors("plain", DIAGNOSTIC, "gaps"),
	...sensors(
		"requests",
		OPTIONAL_DIAGNOSTIC,
		"requests_used",
		"requests_remaining",
		"requests_limit",
		"requests_own",
		"requests_projected",
	),
	...sensors("pace", OPTIONAL_DIAGNOSTIC, "requests_pace"),
	...sensors("time", OPTIONAL_DIAGNOSTIC, "requests_reset", "requests_as_of"),
];

/** The energy of a day after tomorrow; `index` counts from today, which is 0. */
export const daySensor = (index: number): Sensor => ({
	field: `energy_day_${index + 1}_kwh`,
	name: { key: "home_assistant.day", values: { day: index + 1 } },
	kind: "energy",
});

/** The sensors of one string; `label` stands for it in names of fields. */
export const stringSensors = (label: string, id: string): Sensor[] => {
	const sensor = (field: string, name: string, kind: Kind): Sensor => ({
		field: `string_${label}_${field}`,
		name: { key: `home_assistant.string_${name}`, values: { id } },
		kind,
	});
	return [
		sensor("energy_today_kwh", "energy_today", "energy"),
		sensor("power_now_w", "power_now", "powerNow"),
		sensor("energy_remaining_today_kwh", "energy_remaining", "energy"),
	];
};

/** What a sensor is called in ids: its field without the unit. */
export const keyOf = ({ field }: Sensor) => field.replace(/_(?:k?w|kwh)$/, "");

/** The part of a discovery entry that depends on what is measured. */
export const kindOf = ({ kind, diagnostic, everyMessage }: Sensor) => ({
	...KINDS[kind],
	...(diagnostic && { entity_category: "diagnostic" }),
	...(everyMessage && { enabled_by_default: false }),
});
