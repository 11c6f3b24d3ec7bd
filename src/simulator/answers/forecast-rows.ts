import { HOUR_MS, QUARTER_MS } from "../../util/time";
import { dateText, utcText } from "../../util/timestamp";
import { hash } from "../physics/noise";
import type { Place } from "../physics/place";
import { type ArrayModel, irradiance } from "../physics/power";
import { stampText, type ZoneClock } from "../physics/zone-clock";
import type { GroupName } from "./groups";
import type { Variants } from "./variants";

/** The band of variability reaches this far beyond the computation. */
const BAND_MS = 48 * HOUR_MS;
/** Latitudes that the band covers, degrees. */
const BAND_LATITUDES = [-56, 65] as const;

/** A value, a daily or a string row, as sent. */
export type SentRow = Record<string, number | string | null>;

/** What to compute. */
interface RowsQuery {
	readonly place: Place;
	readonly models: readonly ArrayModel[];
	/** The ids that string rows carry; null = none. */
	readonly stringIds: readonly (string | null)[];
	/** Zone of the days, and of the stamps unless `utc`. */
	readonly clock: ZoneClock;
	/** Stamps are UTC and end in `Z`. */
	readonly utc: boolean;
	/** Day numbers, both included. */
	readonly firstDay: number;
	readonly lastDay: number;
	/** Rows end here at the latest (epoch ms). */
	readonly until?: number;
	readonly groups: ReadonlySet<GroupName>;
	/** Instant of the forecast, which sets its errors; null = what happened. */
	readonly issued: number | null;
	readonly variants: Variants;
}

interface Rows {
	readonly daily: SentRow[];
	readonly values: SentRow[];
	/** String by string; present with group `strings`. */
	readonly strings?: SentRow[];
}

/** Sums and extremes of one day, powers in hundredths of W. */
interface DaySum {
	power: number;
	min: number;
	max: number;
	clear: number;
	tempMin: number;
	tempMax: number;
	readonly codes: Map<number, number>;
}

/**
 * The rows of the days asked for, in quarter hours. A row is the mean of the
 * quarter that ENDS at its stamp (taken in the quarter's middle) and belongs
 * to the local date in which that quarter begins. Powers are W in hundredths;
 * `pv_power` is exactly the sum of the string powers as sent.
 */
export function computeRows(query: RowsQuery): Rows {
	const { place, models, clock, groups, issued, variants } = query;
	const begin = clock.dayStart(query.firstDay);
	const end = clock.dayStart(query.lastDay + 1);
	const until = query.until ?? Number.POSITIVE_INFINITY;
	const [firstSent, lastSent] =
		variants.firstRow === "00:00"
			? [begin, end - QUARTER_MS]
			: [begin + QUARTER_MS, end];
	const banded =
		groups.has("variability") &&
		issued !== null &&
		place.latitude >= BAND_LATITUDES[0] &&
		place.latitude <= BAND_LATITUDES[1];

	const values: SentRow[] = [];
	const perString: SentRow[][] = models.map(() => []);
	const daily: SentRow[] = [];
	let day = query.firstDay;
	let dayEnd = clock.dayStart(day + 1);
	let sum = newDay();

	for (let stamp = begin; stamp <= Math.min(end, until); stamp += QUARTER_MS) {
		const start = stamp - QUARTER_MS;
		const sun = place.sun.at(start);
		const air = place.weather.at(start, issued);
		const light = irradiance(sun, air.cloud);
		const spread =
			banded && stamp > issued && stamp <= issued + BAND_MS
				? bandSpread(air.cloud, stamp - issued)
				: 0;
		const sent = stamp >= firstSent && stamp <= lastSent;
		const text = sent
			? query.utc
				? utcText(stamp)
				: stampText(clock, stamp, variants.timestamps)
			: "";
		const isDark = variants.nullAtNight && sun.altitude <= 0;

		let power = 0;
		let min = 0;
		let max = 0;
		let clear = 0;
		for (let k = 0; k < models.length; k++) {
			const model = models[k] as ArrayModel;
			const output = model.output(sun, light, air);
			const own = hundredths(output.power);
			const low = Math.min(own, hundredths(output.power * (1 - spread)));
			const high = Math.max(own, hundredths(output.power * (1 + 0.8 * spread)));
			power += own;
			min += low;
			max += high;
			if (groups.has("clearsky"))
				clear += hundredths(
					model.output(sun, irradiance(sun, 0), air).powerWithoutSnow,
				);
			if (!sent || !groups.has("strings")) continue;
			const id = query.stringIds[k];
			const row: SentRow = { timestamp: text, string_index: k };
			if (id != null) row.string_id = id;
			row.pv_power = watts(own, isDark);
			row.gti = rounded(output.gti, 100);
			row.gti_shaded = rounded(output.gtiShaded, 100);
			if (groups.has("variability")) {
				row.pv_power_min = watts(low, isDark);
				row.pv_power_max = watts(high, isDark);
			}
			perString[k]?.push(row);
		}

		if (sent) {
			const row: SentRow = { timestamp: text };
			if (groups.has("default")) row.pv_power = watts(power, isDark);
			if (groups.has("weather")) {
				row.temp = rounded(air.temp, 10);
				row.weather_code = air.code;
				row.wind_speed = rounded(air.wind, 10);
				row.relative_humidity = rounded(air.humidity, 10);
				row.precipitation_mm = rounded(air.precipitation, 100);
				row.snow_water_equivalent = rounded(air.snow, 10);
			}
			if (groups.has("irradiance")) {
				row.ghi = rounded(light.ghi, 100);
				row.dhi = rounded(light.dhi, 100);
				row.bni = rounded(light.bni, 100);
			}
			if (groups.has("clearsky")) row.pv_power_clearsky = watts(clear, isDark);
			if (groups.has("variability")) {
				row.pv_power_min = watts(min, isDark);
				row.pv_power_max = watts(max, isDark);
			}
			values.push(row);
		}

		// The first stamp ends a quarter of the day before: it is in no daily row.
		if (stamp > begin) {
			sum.power += power;
			sum.min += min;
			sum.max += max;
			sum.clear += clear;
			sum.tempMin = Math.min(sum.tempMin, air.temp);
			sum.tempMax = Math.max(sum.tempMax, air.temp);
			sum.codes.set(air.code, (sum.codes.get(air.code) ?? 0) + 1);
		}
		while (day <= query.lastDay && stamp >= dayEnd) {
			closeDay();
			dayEnd = clock.dayStart(day + 1);
		}
	}
	if (day <= query.lastDay && sum.codes.size > 0) closeDay();

	const strings = perString.flat();
	return {
		daily,
		values: variants.shuffledRows ? shuffle(values) : values,
		...(groups.has("strings")
			? { strings: variants.shuffledRows ? shuffle(strings) : strings }
			: {}),
	};

	function closeDay(): void {
		if (sum.codes.size > 0) daily.push(dayRow(day, sum, groups));
		sum = newDay();
		day++;
	}
}

function newDay(): DaySum {
	return {
		power: 0,
		min: 0,
		max: 0,
		clear: 0,
		tempMin: Number.POSITIVE_INFINITY,
		tempMax: Number.NEGATIVE_INFINITY,
		codes: new Map(),
	};
}

function dayRow(
	day: number,
	sum: DaySum,
	groups: ReadonlySet<GroupName>,
): SentRow {
	const row: SentRow = {
		date: dateText(day),
		pv_energy_kwh: energy(sum.power),
		temp_min: rounded(sum.tempMin, 10),
		temp_max: rounded(sum.tempMax, 10),
		weather_code: dominant(sum.codes),
	};
	if (groups.has("clearsky")) row.pv_energy_kwh_clearsky = energy(sum.clear);
	if (groups.has("variability")) {
		row.pv_energy_kwh_min = energy(sum.min);
		row.pv_energy_kwh_max = energy(sum.max);
	}
	return row;
}

/** kWh of a sum of quarter-hour means in hundredths of W. */
function energy(sum: number): number {
	return rounded(sum / 400_000, 100);
}

/** The code of most quarters; of several, the worst. */
function dominant(codes: ReadonlyMap<number, number>): number {
	let best = 0;
	let most = 0;
	for (const [code, count] of codes)
		if (count > most || (count === most && code > best)) {
			best = code;
			most = count;
		}
	return best;
}

/** Half the width of the band as a share of the power: wider under broken cloud and further ahead. */
function bandSpread(cloud: number, lead: number): number {
	const broken = 4 * cloud * (1 - cloud);
	return (0.06 + 0.4 * broken) * (0.35 + (0.65 * lead) / BAND_MS);
}

/** A power given in hundredths of W as it is sent; null in the dark for the variant that does so. */
function watts(value: number, isDark: boolean): number | null {
	return isDark ? null : value / 100;
}

function hundredths(power: number): number {
	return Math.round(power * 100);
}

function rounded(value: number, parts: number): number {
	// Adding 0 turns -0 into 0.
	return Math.round(value * parts) / parts + 0;
}

/** An order that is no order, the same each time. */
function shuffle(rows: readonly SentRow[]): SentRow[] {
	return rows
		.map((row, index) => ({ row, order: hash(3, index) }))
		.sort((a, b) => a.order - b.order)
		.map(({ row }) => row);
}
