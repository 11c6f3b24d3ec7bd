import { ENERGY_OF } from "../forecast/forecast";
import { Series } from "../forecast/series";
import type { ForecastInput } from "../messages/input/forecast-input";
import { isObject } from "../util/guards";
import { dateDay, QUARTER_MS } from "../util/time";
import { total } from "./judge";
import type { Model } from "./model";

/** Models of the meters that were read by `string_id`, null for the site's own. */
export type Models = Map<string | null, Model>;

/** Dates after which a place in the sky is known. */
const KNOWN_DAYS = 5;

const cents = (value: number) => Math.round(value * 100) / 100;
/** Powers of a series by quarter (epoch ms of its start), W. */
const powersOf = ({ starts, rows }: Series) =>
	new Map(starts.map((at, index) => [at, Number(rows[index]?.pv_power) || 0]));

/**
 * Corrects a forecast by what has been learned: a payload of the shape that came
 * in, with `pv_power_raw` in each row, and facts with `learned`: dates and
 * quarters that have taught, since when, and the share (0 to 1) of today's energy
 * from places of the sun that are known. The band moves along with the power, the
 * energies of days are those of the rows, strings add up to the site. Where
 * nothing is known yet, every power is as it came.
 *
 * @param now epoch ms; today is the site's date at this instant
 */
export function correct(
	models: Models,
	{ forecast, solar }: ForecastInput,
	payload: Record<string, unknown>,
	now: number,
) {
	const { values, strings = [], zone, daily } = forecast;
	const taught = [...models].filter(([, { days }]) => days > 0);
	const modelOf = (id: string | null) => taught.find(([it]) => it === id)?.[1];
	const whole = modelOf(null);
	const site = powersOf(values);
	const parts = strings.map(({ string_id, series }) => ({
		series,
		powers: powersOf(series),
		model: modelOf(string_id ?? ""),
	}));
	const after = (model: Model | undefined, at: number, watts = 0) =>
		model?.correct(at, watts) ?? watts;
	// The site is the sum of its strings where its own meter has not taught, or all of theirs have.
	const own = parts.filter(({ model }) => model).length;
	const isSum = own > 0 && (!whole || own === parts.length);
	const limit = (!isSum && whole?.limit) || Number.POSITIVE_INFINITY;
	const bySite = (at: number, watts = site.get(at)) => {
		const raw = isSum ? total(parts, (it) => it.powers.get(at) ?? 0) : watts;
		const all = isSum
			? total(parts, (it) => after(it.model, at, it.powers.get(at)))
			: after(whole, at, watts);
		return raw ? all / raw : 1;
	};

	const corrected = (series: Series, factorAt: (at: number) => number) =>
		new Series(
			zone,
			series.starts,
			series.rows.map((row, index) => {
				const factor = factorAt(series.starts[index] ?? 0);
				const result: Fields = { ...row, pv_power_raw: row.pv_power ?? null };
				for (const field of Object.keys(ENERGY_OF)) {
					const watts = row[field];
					if (typeof watts !== "number") continue;
					const power = factor === 1 ? watts : cents(watts * factor);
					result[field] = Math.min(limit, power);
				}
				return result;
			}),
		);
	const rows = corrected(values, bySite);
	const correctDay = (row: (typeof daily)[number]) => {
		const day = dateDay(row.date);
		const from = values.indexFrom(zone.dayStart(day));
		const to = values.indexFrom(zone.dayStart(day + 1));
		const result: Fields = { ...row, pv_energy_kwh_raw: row.pv_energy_kwh };
		for (const [power, energy] of Object.entries(ENERGY_OF)) {
			const sum = (series: Series) =>
				total(series.rows.slice(from, to), (it) => Number(it[power]) || 0);
			const share = sum(rows) / sum(values);
			if (!row[energy] || !(share >= 0) || share === 1) continue;
			result[energy] = cents(Number(row[energy]) * share);
		}
		return result;
	};

	const today = [...site].filter(([at]) => zone.dayOf(at) === zone.dayOf(now));
	const energy = total(today, ([, watts]) => watts);
	const most = (of: (model: Model) => number) =>
		Math.max(0, ...taught.map(([, model]) => of(model)));
	const known = most((model) =>
		total(
			today,
			([at, watts]) => watts * Math.min(1, model.daysAt(at) / KNOWN_DAYS),
		),
	);
	const since = Math.min(...taught.map(([, it]) => it.since ?? now));
	const facts = {
		...solar,
		settled: solar.settled.map(([end, watts]): [number, number] => {
			const power = watts * bySite(end - QUARTER_MS, watts);
			return [end, cents(Math.min(limit, power))];
		}),
		learned: {
			days: most(({ days }) => days),
			quarters: most(({ quarters }) => quarters),
			share_today: cents(known / energy || 0),
			since: taught.length > 0 ? new Date(since).toISOString() : null,
		},
	};
	return {
		payload: {
			...payload,
			daily: daily.map(correctDay),
			values: rows.rows,
			...(forecast.strings && {
				strings: parts.flatMap(({ series, model, powers }) => {
					const factorAt = (at: number) => {
						const watts = powers.get(at);
						return watts ? after(model, at, watts) / watts : 1;
					};
					return corrected(series, isSum ? factorAt : (at) => bySite(at)).rows;
				}),
			}),
		},
		solar: facts,
		/** Today's energy to that as it came. */
		share: total(today, ([at, watts]) => watts * bySite(at)) / energy || 1,
	};
}

type Fields = Record<string, unknown>;

/** A row as it was before it was corrected: with its `field` all that begins with its name. */
function rawRow(row: unknown, field: string) {
	if (!isObject(row)) return row;
	const { [`${field}_raw`]: raw = row[field], ...result } = row;
	const ratio = Number(raw) / Number(row[field]) || 1;
	for (const [name, value] of Object.entries(result)) {
		if (name.startsWith(field) && typeof value === "number") {
			result[name] = value * ratio;
		}
	}
	return { ...result, [field]: raw };
}

/** A message with a forecast as it was before a learn node corrected it; undefined where none has. */
export function rawMessage(msg: Fields, payload: unknown): Fields | undefined {
	const { values } = isObject(payload) ? payload : {};
	const [row]: unknown[] = Array.isArray(values) ? values : [];
	if (!isObject(payload) || !isObject(row) || !("pv_power_raw" in row)) {
		return undefined;
	}
	const raw: Fields = { ...payload };
	for (const [name, field] of [
		["values", "pv_power"],
		["strings", "pv_power"],
		["daily", "pv_energy_kwh"],
	] as const) {
		const rows = payload[name];
		if (Array.isArray(rows)) raw[name] = rows.map((it) => rawRow(it, field));
	}
	// What has settled was corrected as well, by factors that are not known here.
	const solar = msg.solar ?? payload.solar;
	const facts = isObject(solar) ? { ...solar, settled: [] } : solar;
	return { ...msg, solar: facts, payload: { ...raw, solar: facts } };
}
