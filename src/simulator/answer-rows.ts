import { DateTime, FixedOffsetZone } from "luxon";
import { HOUR_MS, QUARTER_MS } from "../util/time";
import {
	type Light,
	lightOf,
	type StringSpec,
	stringOutput,
	sunAt,
} from "./power";
import { type Point, type Weather, WeatherCourse } from "./weather";

/** The field groups that every plan has, in the order of `available`; `all` stands for them. */
export const FREE_GROUPS = [
	"default",
	"weather",
	"irradiance",
	"clearsky",
	"strings",
] as const;

/** The band of variability reaches so far beyond the computation. */
const BAND_MS = 48 * HOUR_MS;

/** A row as it is sent. */
export type SentRow = Record<string, number | string | null>;

/** What is forecast. */
export interface System extends Point {
	readonly strings: readonly (StringSpec & {
		readonly id?: string | null | undefined;
	})[];
}

/** Mean powers of a quarter hour, W to 0.1. */
interface Band {
	readonly power: number;
	readonly min: number;
	readonly max: number;
}

/** A string in a quarter hour; light on its modules in W/m², without and with what the horizon hides. */
interface StringQuarter extends Band {
	readonly gti: number;
	readonly shaded: number;
}

/** A system in a quarter hour, taken in its middle. */
interface DemoQuarter extends Band {
	/** Begin, epoch ms. */
	readonly start: number;
	readonly air: Weather;
	readonly light: Light;
	/** Power under a cloudless sky. */
	readonly clear: number;
	readonly strings: readonly StringQuarter[];
}

/** The quarter hours from an instant to another (epoch ms); `issued` is that of the forecast, null for what happened. */
function quartersOf(
	system: System,
	from: number,
	to: number,
	issued: number | null,
): DemoQuarter[] {
	const course = new WeatherCourse(system);
	const quarters: DemoQuarter[] = [];
	for (let start = from; start < to; start += QUARTER_MS) {
		const middle = start + QUARTER_MS / 2;
		const air = course.at(middle, issued);
		const sun = sunAt(system, middle);
		const light = lightOf(sun, air.cloud);
		const cloudless = lightOf(sun, 0);
		const free = 1 - 0.8 * Math.min(1, air.snow / 4);
		const ahead = issued === null ? 0 : start + QUARTER_MS - issued;
		const broken = 4 * air.cloud * (1 - air.cloud);
		// Wider under broken cloud, and further ahead.
		const width =
			ahead > 0 && ahead <= BAND_MS
				? (0.06 + 0.4 * broken) * (0.35 + (0.65 * ahead) / BAND_MS)
				: 0;
		const strings = system.strings.map((string) => {
			const { power, gti, shaded } = stringOutput(string, sun, light, air);
			const sent = (share: number) => roundTo(power * free * share, 10);
			return {
				power: sent(1),
				min: sent(1 - width),
				max: sent(1 + 0.8 * width),
				gti,
				shaded,
			};
		});
		const sum = (field: "power" | "min" | "max") =>
			roundTo(
				strings.reduce((total, string) => total + string[field], 0),
				10,
			);
		const clear = system.strings.reduce(
			(total, string) =>
				total + stringOutput(string, sun, cloudless, air).power,
			0,
		);
		quarters.push({
			start,
			air,
			light,
			clear: roundTo(clear, 10),
			power: sum("power"),
			min: sum("min"),
			max: sum("max"),
			strings,
		});
	}
	return quarters;
}

/** Which rows an answer has. */
export interface RowsWanted {
	/** First and last day, at any time of it, in the zone whose days they are. */
	readonly first: DateTime;
	readonly last: DateTime;
	/** Stamps in UTC instead of that zone. */
	readonly utc: boolean;
	readonly groups: ReadonlySet<string>;
	/** Instant of the forecast, epoch ms; null for what happened. */
	readonly issued: number | null;
	/** Rows end here at the latest, epoch ms. */
	readonly until?: number;
}

/**
 * The rows of an answer (spec V2, "Forecast response"). A row is the mean of the
 * quarter hour that ENDS at its stamp. `values` has the stamps of each date, so
 * that its first row belongs to the day before, as the service sends it; a daily
 * row has the quarters of its date.
 */
export function rowsOf(system: System, wanted: RowsWanted) {
	const { groups, issued, until = Number.POSITIVE_INFINITY } = wanted;
	const banded = groups.has("variability");
	const begin = wanted.first.startOf("day");
	const end = wanted.last.startOf("day").plus({ days: 1 });
	const all = quartersOf(
		system,
		begin.toMillis() - QUARTER_MS,
		Math.min(end.toMillis(), until - QUARTER_MS + 1),
		issued,
	);
	const daily: SentRow[] = [];
	const sent: { quarter: DemoQuarter; timestamp: string }[] = [];
	for (let day = begin; day < end; day = day.plus({ days: 1 })) {
		const next = day.plus({ days: 1 });
		const within = (at: number) => at >= day.toMillis() && at < next.toMillis();
		const quarters = all.filter(({ start }) => within(start));
		if (quarters.length > 0) daily.push(dayRow(day, quarters, groups));
		// To ask for the offset of each row takes long.
		const zone =
			day.offset === next.offset
				? FixedOffsetZone.instance(day.offset)
				: day.zone;
		for (const quarter of all) {
			const at = quarter.start + QUARTER_MS;
			if (!within(at)) continue;
			const timestamp = isoText(at, wanted.utc ? "utc" : zone);
			sent.push({ quarter, timestamp });
		}
	}
	const values = sent.map(({ quarter, timestamp }): SentRow => {
		const { air, light } = quarter;
		return {
			timestamp,
			...(groups.has("default") && { pv_power: quarter.power }),
			...(groups.has("weather") && {
				temp: roundTo(air.temp, 10),
				weather_code: air.code,
				wind_speed: roundTo(air.wind, 10),
				relative_humidity: roundTo(air.humidity, 10),
				precipitation_mm: roundTo(air.precipitation, 100),
				snow_water_equivalent: roundTo(air.snow, 10),
			}),
			...(groups.has("irradiance") && {
				ghi: roundTo(light.ghi, 10),
				dhi: roundTo(light.dhi, 10),
				bni: roundTo(light.bni, 10),
			}),
			...(groups.has("clearsky") && { pv_power_clearsky: quarter.clear }),
			...(banded && bandOf(quarter)),
		};
	});
	if (!groups.has("strings")) return { daily, values };
	const strings = system.strings.flatMap(({ id }, string_index) =>
		sent.map(({ quarter, timestamp }): SentRow => {
			const own = quarter.strings[string_index] as StringQuarter;
			return {
				timestamp,
				string_index,
				...(id != null && { string_id: id }),
				pv_power: own.power,
				gti: roundTo(own.gti, 10),
				gti_shaded: roundTo(own.shaded, 10),
				...(banded && bandOf(own)),
			};
		}),
	);
	return { daily, values, strings };
}

const bandOf = ({ min, max }: Band) => ({
	pv_power_min: min,
	pv_power_max: max,
});

function dayRow(
	day: DateTime,
	quarters: readonly DemoQuarter[],
	groups: ReadonlySet<string>,
): SentRow {
	const temps = quarters.map(({ air }) => air.temp);
	const kwh = (field: "power" | "clear" | "min" | "max") =>
		roundTo(
			quarters.reduce((sum, quarter) => sum + quarter[field], 0) / 4000,
			100,
		);
	const hours = new Map<number, number>();
	for (const { air } of quarters)
		hours.set(air.code, (hours.get(air.code) ?? 0) + 1);
	const [dominant] = [...hours].sort((a, b) => b[1] - a[1] || b[0] - a[0]);
	return {
		date: day.toISODate(),
		pv_energy_kwh: kwh("power"),
		temp_min: roundTo(Math.min(...temps), 10),
		temp_max: roundTo(Math.max(...temps), 10),
		weather_code: dominant?.[0] ?? 0,
		...(groups.has("clearsky") && { pv_energy_kwh_clearsky: kwh("clear") }),
		...(groups.has("variability") && {
			pv_energy_kwh_min: kwh("min"),
			pv_energy_kwh_max: kwh("max"),
		}),
	};
}

/** ISO 8601 to the second. */
export function isoText(at: number, zone: DateTime["zone"] | string): string {
	return DateTime.fromMillis(at, { zone }).toISO({
		suppressMilliseconds: true,
	}) as string;
}

/** Rounded to that part of 1; never -0. */
function roundTo(value: number, parts: number): number {
	return Math.round(value * parts) / parts + 0;
}
