import { Band } from "../forecast/band";
import {
	bandUntil,
	dailyRow,
	ENERGY_OF,
	type Forecast,
} from "../forecast/forecast";
import { added, energy, type Series } from "../forecast/series";
import { stringNames } from "../forecast/string-names";
import { copyOf, type SolarFacts } from "../messages/facts";
import {
	type ForecastInput,
	forecastFromInput,
} from "../messages/input/forecast-input";
import { type ForecastView, stringMeta } from "../messages/view";
import { inputError } from "../service/errors/solar-yield-error";
import type { DailyRow, Row } from "../service/v2/forecast-answer";
import type { StringMeta } from "../service/v2/sites/site";
import { micro } from "../util/rounding";
import { HOUR_MS, QUARTER_MS, readInstant, utcText } from "../util/time";
import type { SumSettings } from "./sum-settings";

/** Fields that identify a row. */
const IDENTITY = ["timestamp", "string_index", "string_id", "__proto__"];
const isPower = (field: string) => field.startsWith("pv_power");
const isEdge = (field: string) => /^pv_power_(min|max)$/.test(field);

/** The value that all have, undefined where they differ. */
const agreed = (values: readonly unknown[]): unknown =>
	values.every((it) => JSON.stringify(it) === JSON.stringify(values[0]))
		? values[0]
		: undefined;

/** A quarter hour of the sum. */
interface SumRow {
	/** Epoch ms. */
	readonly start: number;
	/** W by field, null where a part does not know it; weather only where all parts agree. */
	readonly fields: Record<string, unknown>;
	/** Share of the power that is left below the limit, 1 without one. */
	readonly share: number;
}

interface SumRows {
	readonly rows: readonly SumRow[];
	/** Energy that the limit takes from each date by the field of `daily`, kWh, of every date with rows. */
	readonly losses: ReadonlyMap<string, Readonly<Record<string, number>>>;
}

/**
 * Rows where all parts have one, powers added and cut at the limit. Where a
 * part's band is unknown, least and most are the power itself, as the service
 * writes an unknown band.
 *
 * @param parts at least one
 * @param limit W, Infinity for none
 */
function sumRows(parts: readonly Forecast[], limit: number): SumRows {
	const [{ zone }] = parts as [Forecast];
	const series = parts.map(({ values }) => values);
	const [first, ...others] = series as [Series, ...Series[]];
	const bands = parts.map((part) => new Band(part));
	const hasBand = bands.every(({ until }) => until !== null);
	const fields = [...first.fields].filter(
		(field) =>
			!IDENTITY.includes(field) &&
			(hasBand || !isEdge(field)) &&
			others.every((each) => each.fields.has(field)),
	);
	const losses = new Map<string, Record<string, number>>();
	const rows: SumRow[] = [];
	for (const [index, start] of first.starts.entries()) {
		const parts = [first.rows[index], ...others.map((it) => it.rowAt(start))];
		if (parts.includes(undefined)) continue;
		const knowsBand = bands.every((band) => band.knows(start));
		const date = zone.dateOf(start);
		const lost = losses.get(date) ?? {};
		losses.set(date, lost);
		const sums: Record<string, unknown> = {};
		let share = 1;
		for (const field of fields) {
			if (!isPower(field)) {
				const value = agreed(parts.map((row) => (row as Row)[field]));
				if (value !== undefined) sums[field] = value;
				continue;
			}
			const source = isEdge(field) && !knowsBand ? "pv_power" : field;
			const watts = added(series.map((it) => it.valueAt(start, source)));
			sums[field] = watts === null ? null : micro(Math.min(watts, limit));
			if (watts === null || watts <= limit) continue;
			const energy = ENERGY_OF[field] ?? field;
			const kwh = ((watts - limit) * QUARTER_MS) / HOUR_MS / 1000;
			lost[energy] = (lost[energy] ?? 0) + kwh;
			if (field === "pv_power") share = limit / watts;
		}
		rows.push({ start, fields: sums, share });
	}
	return { rows, losses };
}

/** Days that all parts have: energies added less what the limit takes, the rest where all agree. */
function sumDays(
	parts: readonly Forecast[],
	losses: SumRows["losses"],
): DailyRow[] {
	const [first, ...others] = parts;
	const hasBand = parts.every((part) => bandUntil(part) !== null);
	return (first?.daily ?? []).flatMap((row) => {
		const { date } = row;
		const all = [row, ...others.map((part) => dailyRow(part, date))];
		if (all.includes(undefined)) return [];
		const sum: Record<string, unknown> = { date };
		for (const field of Object.keys(row)) {
			if (field === "date" || field === "__proto__") continue;
			const values = all.map(
				(each) => (each as Record<string, unknown>)[field],
			);
			const isEnergy = field.startsWith("pv_energy_kwh");
			if (isEnergy && !hasBand && /_(?:min|max)$/.test(field)) continue;
			const value = isEnergy ? added(values) : agreed(values);
			if (value === null || value === undefined) continue;
			const lost = losses.get(date)?.[field] ?? 0;
			sum[field] = isEnergy ? micro(Math.max(0, Number(value) - lost)) : value;
		}
		return [sum as DailyRow];
	});
}

/** A string of the sum, with what is known of it at its site. */
interface SumString {
	readonly meta: StringMeta;
	readonly series: Series | undefined;
}

/** The strings of all parts, counted anew; `<site_id>.<string_id>`, or the position where a string has no id. */
function sumStrings(parts: readonly ForecastInput[]): SumString[] {
	const strings = parts.flatMap(({ forecast, solar }) => {
		const own = forecast.strings?.map((string) => ({
			...stringMeta(string, solar.strings),
			series: string.series,
		}));
		const all: (StringMeta & Partial<SumString>)[] = own ?? solar.strings;
		const names = stringNames(all);
		return all.map((string, at) => ({
			...string,
			string_id: `${solar.site_id}.${names[at]}`,
		}));
	});
	return strings.map(({ series, ...string }, string_index) => ({
		meta: {
			string_id: string.string_id,
			string_index,
			slope: string.slope,
			orientation: string.orientation,
			power_kw: string.power_kw,
		},
		series,
	}));
}

/** Rows of the strings at the quarters of the sum, each cut by the share that the limit leaves. */
const stringRows = (
	strings: readonly SumString[],
	rows: SumRows["rows"],
	write: (start: number) => string,
): Row[] =>
	strings.flatMap(({ meta: { string_id, string_index }, series }) =>
		rows.flatMap(({ start, share }) => {
			const row = series?.rowAt(start);
			if (!row) return [];
			const fields = Object.entries(structuredClone(row)).map(
				([field, value]) => [
					field,
					isPower(field) && typeof value === "number"
						? micro(value * share)
						: value,
				],
			);
			return [
				{
					...Object.fromEntries(fields),
					timestamp: write(start),
					string_index,
					string_id,
				},
			];
		}),
	);

/** `msg.solar` of a sum. */
export interface SumFacts extends SolarFacts {
	/** The sites that were added, in their order. */
	sum_of: string[];
	/** Energy above the limit by local date, kWh, for every date with rows; only with a limit. */
	limited_kwh?: Record<string, number>;
}

/** Output 1 of a site that is the sum of others. */
export interface ForecastSum {
	readonly payload: ForecastView & { solar: SumFacts };
	readonly solar: SumFacts;
}

/** Today's past quarters of all parts where each has one: [end in epoch ms, W]. */
function sumSettled(
	facts: readonly SolarFacts[],
	limit: number,
): SolarFacts["settled"] {
	const known = facts.map(({ settled }) => new Map(settled));
	return [...(known[0]?.keys() ?? [])].flatMap((end): SolarFacts["settled"] => {
		const watts = added(known.map((each) => each.get(end)));
		return watts === null ? [] : [[end, micro(Math.min(watts, limit))]];
	});
}

/** The earliest of several times, epoch ms; null when none is known. */
function earliest(times: readonly (string | number | null)[]): number | null {
	const known = times
		.map((time) => (typeof time === "number" ? time : readInstant(time ?? "")))
		.filter((time) => !Number.isNaN(time));
	return known.length > 0 ? Math.min(...known) : null;
}

/** What all lists hold, in the order of the first. */
const inAll = (lists: readonly (readonly string[])[]) =>
	(lists[0] ?? []).filter((item) => lists.every((list) => list.includes(item)));

/** Distance in degrees up to which roofs stand under the same sun. */
const SAME_PLACE = 0.5;

/** Position of roofs that stand together: the first one's; null where one is elsewhere or nobody says. */
function positionOf(
	facts: readonly SolarFacts[],
): Pick<SolarFacts, "latitude" | "longitude"> {
	const [{ latitude, longitude }] = facts as [SolarFacts];
	const isNear = (a: number | null, b: number | null) =>
		a !== null && b !== null && Math.abs(a - b) <= SAME_PLACE;
	return facts.every(
		(each) =>
			isNear(each.latitude, latitude) && isNear(each.longitude, longitude),
	)
		? { latitude, longitude }
		: { latitude: null, longitude: null };
}

/**
 * Adds forecasts of sites that lie in one time zone, as the output of a site of
 * its own. Powers add up where all parts have the quarter hour, bands least to
 * least and most to most, and all of it is cut at the limit of the inverter. How
 * the parts label their rows and write their times makes no difference: the sum
 * labels the end and writes the site's own time.
 *
 * @param parts as `SumParts` holds them, at least one
 * @param nowMs epoch ms; what is counted for today is counted for this date
 * @throws SolarYieldError `INPUT` when there is no quarter hour that all parts have
 */
export function sumForecasts(
	parts: readonly ForecastInput[],
	settings: SumSettings,
	nowMs: number,
): ForecastSum {
	const forecasts = parts.map(({ forecast }) => forecast);
	const facts = parts.map(({ solar }) => solar);
	const [first] = forecasts as [Forecast];
	const { zone } = first;
	const limit = settings.acLimitW ?? Number.POSITIVE_INFINITY;
	const { rows, losses } = sumRows(forecasts, limit);
	const [firstRow] = rows;
	if (!firstRow) {
		throw inputError("sum.nothing_common", {
			ids: facts.map(({ site_id }) => site_id).join(", "),
		});
	}
	const write = (start: number) => zone.format(start + QUARTER_MS);
	const strings = sumStrings(parts);
	const hasStrings = forecasts.every((forecast) => forecast.strings);
	const hasBand = "pv_power_min" in firstRow.fields;
	const isShown = (group: string) =>
		group === "strings" ? hasStrings : group !== "variability" || hasBand;

	const body = {
		site_id: settings.sumId,
		timezone: zone.name,
		computed_at: zone.format(
			earliest(forecasts.map((each) => each.computed_at)),
		),
		next_poll_at: zone.format(
			earliest(forecasts.map((each) => each.next_poll_at)),
		),
		included: inAll(forecasts.map(({ included }) => included)).filter(isShown),
		available: inAll(forecasts.map(({ available }) => available ?? [])),
		daily: sumDays(forecasts, losses),
		values: rows.map(({ start, fields }) => ({
			timestamp: write(start),
			...fields,
		})),
		...(hasStrings && { strings: stringRows(strings, rows, write) }),
	};
	const nextRequest = earliest(facts.map((each) => each.next_request_at));
	// Read as a node behind will read it.
	const sum = forecastFromInput({
		payload: body,
		solar: {
			site_name: settings.name ?? settings.sumId,
			...positionOf(facts),
			demo: facts.some(({ demo }) => demo),
			next_request_at: utcText(nextRequest),
			reason: facts.find(
				({ next_request_at }) =>
					readInstant(next_request_at ?? "") === nextRequest,
			)?.reason,
			fetched_at: utcText(earliest(facts.map(({ fetched_at }) => fetched_at))),
			cached: facts.every(({ cached }) => cached),
			stale: facts.some(({ stale }) => stale),
			missing: [...new Set(facts.flatMap(({ missing }) => missing))],
			settled: sumSettled(facts, limit),
		},
	});
	const today = zone.dayOf(nowMs);
	const [from, to] = [zone.dayStart(today), zone.dayStart(today + 1)];
	const solar: SumFacts = {
		...sum.solar,
		gaps: energy(sum.forecast.values, from, to).gaps,
		strings: strings.map(({ meta }) => meta),
		sum_of: facts.map(({ site_id }) => site_id),
		...(settings.acLimitW !== null && {
			ac_limit_w: limit,
			above_limit: rows
				.filter(({ share }) => share < 1)
				.map(({ start, share }): [number, number] => [
					start,
					micro(limit / share),
				]),
			limited_kwh: Object.fromEntries(
				[...losses].map(([date, day]) => [date, micro(day.pv_energy_kwh ?? 0)]),
			),
		}),
	};
	return { payload: { ...body, solar: copyOf(solar) }, solar };
}
