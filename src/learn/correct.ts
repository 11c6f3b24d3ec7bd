import type { Forecast } from "../forecast/forecast";
import { dayEnergy, Series } from "../forecast/series";
import {
	type ForecastInput,
	forecastFromInput,
	type InputMessage,
	readPayload,
} from "../messages/input/forecast-input";
import type { DailyRow, Row } from "../service/v2/forecast-answer";
import { QUARTER_MS } from "../util/time";
import { dateDay } from "../util/timestamp";
import { corrector, latestModel, modelOf } from "./days";
import { type LearnState, meterOf } from "./learn-state";
import type { Model } from "./model";
import { SunTrack } from "./sun";

/** What a corrected forecast says of its correction, as `solar.learned`. */
export interface LearnedFacts {
	/** Dates and quarters that have taught. */
	readonly days: number;
	readonly quarters: number;
	/** Share of today's foreseen energy from places of the sun that are known, 0 to 1. */
	readonly share_today: number;
	/** UTC; begin of the first date that taught, null before it. */
	readonly since: string | null;
}

/** A forecast in the shape of the V2 response, corrected, with its facts. */
export interface CorrectedForecast {
	readonly payload: Record<string, unknown>;
	readonly solar: ForecastInput["solar"] & { readonly learned: LearnedFacts };
}

/** Ratios of corrected to raw power by quarter (epoch ms of its start). */
type Ratios = ReadonlyMap<number, number>;

const POWERS = [
	"pv_power",
	"pv_power_min",
	"pv_power_max",
	"pv_power_clearsky",
];
const ENERGIES: Readonly<Record<string, string>> = {
	pv_energy_kwh: "pv_power",
	pv_energy_kwh_min: "pv_power_min",
	pv_energy_kwh_max: "pv_power_max",
	pv_energy_kwh_clearsky: "pv_power_clearsky",
};

const cents = (value: number) => Math.round(value * 100) / 100;

/**
 * Corrects a forecast by what has been learned: a payload of the shape that came
 * in, with `pv_power_raw` in each row. The band moves along with the power, the
 * energies of days are those of the rows, strings add up to the site. Where
 * nothing is known yet, every power is as it came.
 *
 * @param now epoch ms; today is the site's date at this instant
 * @throws SolarYieldError `INPUT` when the message holds no forecast
 */
export function correct(
	state: LearnState,
	message: InputMessage,
	now: number,
): CorrectedForecast {
	const payload = readPayload(message.payload) as Record<string, unknown>;
	return correctInput(
		state,
		forecastFromInput({ ...message, payload }),
		payload,
		now,
	);
}

/** The same for whoever has read the message already. */
export function correctInput(
	state: LearnState,
	{ forecast, solar }: ForecastInput,
	payload: Readonly<Record<string, unknown>>,
	now: number,
): CorrectedForecast {
	const { strings, site } = correctStrings(state, forecast, now);
	const values = correctSeries(forecast.values, site);
	const facts = {
		...solar,
		settled: correctSettled(state, solar.settled, site, now),
		learned: learnedFacts(state, forecast, now),
	};
	return {
		payload: {
			...payload,
			daily: forecast.daily.map((row) => correctDay(forecast, values, row)),
			values: values.rows,
			...(strings ? { strings: strings.flatMap((it) => it.rows) } : {}),
			solar: facts,
		},
		solar: facts,
	};
}

/**
 * The site by its own meter, its strings in proportion. Where every string has
 * taught by a meter of its own the site is their sum.
 */
function correctStrings(
	state: LearnState,
	{ values, strings }: Forecast,
	now: number,
): { site: Ratios; strings: { rows: readonly Row[] }[] | undefined } {
	const taught = (stringId: string | null): Model | undefined => {
		const meter = meterOf(state, stringId);
		const model = meter && latestModel(state, meter, now);
		return model && (model.days > 0 || model.limit !== null)
			? model
			: undefined;
	};
	const whole = taught(null);
	const own = strings?.map(({ string_id, series }) => {
		const model = string_id === null ? undefined : taught(string_id);
		return { series, model, ratios: model && ratiosOf(series, model) };
	});
	const byMeter = whole && ratiosOf(values, whole);
	if (!own?.some(({ model }) => model)) {
		const site = byMeter ?? new Map();
		return {
			site,
			strings: own?.map(({ series }) => correctSeries(series, site)),
		};
	}
	// Of each string by its own meter, else by the site's.
	const single = (start: number, ratios: Ratios | undefined) =>
		ratios?.get(start) ?? byMeter?.get(start) ?? 1;
	const raw = new Map<number, number>();
	const sums = new Map<number, number>();
	for (const { series, ratios } of own) {
		for (const [index, start] of series.starts.entries()) {
			const watts = series.rows[index]?.pv_power;
			if (typeof watts !== "number") continue;
			raw.set(start, (raw.get(start) ?? 0) + watts);
			sums.set(start, (sums.get(start) ?? 0) + single(start, ratios) * watts);
		}
	}
	const sumRatio = (start: number) => {
		const watts = raw.get(start) ?? 0;
		return watts > 0 ? (sums.get(start) as number) / watts : 1;
	};
	const isSum = !byMeter || own.every(({ model }) => model);
	const site: Ratios = isSum
		? new Map(values.starts.map((start) => [start, sumRatio(start)]))
		: byMeter;
	return {
		site,
		strings: own.map(({ series, ratios }) =>
			correctSeries(
				series,
				new Map(
					series.starts.map((start) => [
						start,
						(single(start, ratios) * (site.get(start) ?? 1)) / sumRatio(start),
					]),
				),
			),
		),
	};
}

function ratiosOf(series: Series, model: Model): Ratios {
	const correctPower = corrector(model);
	const ratios = new Map<number, number>();
	for (const [index, start] of series.starts.entries()) {
		const watts = series.rows[index]?.pv_power;
		if (typeof watts === "number" && watts > 0) {
			ratios.set(start, correctPower(start, watts) / watts);
		}
	}
	return ratios;
}

function correctSeries(series: Series, ratios: Ratios): Series {
	const rows = series.rows.map((row, index): Row => {
		const ratio = ratios.get(series.starts[index] as number) ?? 1;
		// A property added to a spread copy would give each row a hidden class of its
		// own, and whatever copies or reads the rows takes twice as long.
		const corrected: Record<string, unknown> = Object.assign({}, row, {
			pv_power_raw: row.pv_power ?? null,
		});
		if (ratio !== 1) {
			for (const field of POWERS) {
				const watts = row[field];
				if (typeof watts === "number") corrected[field] = cents(watts * ratio);
			}
		}
		return corrected;
	});
	return new Series(series.zone, series.starts, rows);
}

/** A daily row with the energies of the corrected rows, in proportion where rows are missing. */
function correctDay(
	{ values: raw }: Forecast,
	values: Series,
	row: DailyRow,
): Record<string, unknown> {
	const day = dateDay(row.date);
	const from = raw.indexFrom(raw.zone.dayStart(day));
	const to = raw.indexFrom(raw.zone.dayStart(day + 1));
	const result: Record<string, unknown> = { ...row };
	for (const [energy, field] of Object.entries(ENERGIES)) {
		const known = row[energy];
		if (typeof known !== "number") continue;
		if (energy === "pv_energy_kwh") result.pv_energy_kwh_raw = known;
		let before = 0;
		let after = 0;
		for (let index = from; index < to; index += 1) {
			const [a, b] = [raw.rows[index]?.[field], values.rows[index]?.[field]];
			if (typeof a !== "number" || typeof b !== "number") continue;
			before += a;
			after += b;
		}
		if (before === after || before === 0) continue;
		const whole = dayEnergy(values, day, { field });
		result[energy] = cents(whole ?? (known * after) / before);
	}
	return result;
}

function correctSettled(
	state: LearnState,
	settled: readonly (readonly [number, number])[],
	site: Ratios,
	now: number,
): [number, number][] {
	const meter = meterOf(state, null);
	const correctPower = meter && corrector(latestModel(state, meter, now));
	return settled.map(([end, watts]) => {
		const start = end - QUARTER_MS;
		const ratio = site.get(start);
		return [
			end,
			ratio !== undefined
				? cents(watts * ratio)
				: cents(correctPower?.(start, watts) ?? watts),
		];
	});
}

function learnedFacts(
	state: LearnState,
	forecast: Forecast,
	now: number,
): LearnedFacts {
	const models = state.meters
		.filter(({ today }) => today !== null)
		.map((meter) => modelOf(state, meter));
	const [site] = models;
	if (!site) return { days: 0, quarters: 0, share_today: 0, since: null };
	const since = models.flatMap((model) => model.since ?? []);
	return {
		days: Math.max(...models.map(({ days }) => days)),
		quarters: Math.max(...models.map(({ quarters }) => quarters)),
		share_today: Math.max(
			...models.map((model) => shareKnown(model, forecast, now)),
		),
		since: since.length > 0 ? new Date(Math.min(...since)).toISOString() : null,
	};
}

/** Share of today's energy that comes while the sun is at places that have been learned. */
function shareKnown(
	model: Model,
	{ values, zone }: Forecast,
	now: number,
): number {
	if (!model.position || model.days === 0) return 0;
	const sun = new SunTrack(model.position);
	const day = zone.dayOf(now);
	let known = 0;
	let all = 0;
	for (
		let index = values.indexFrom(zone.dayStart(day));
		index < values.indexFrom(zone.dayStart(day + 1));
		index += 1
	) {
		const watts = values.rows[index]?.pv_power;
		if (typeof watts !== "number" || watts <= 0) continue;
		sun.moveTo(values.starts[index] as number);
		all += watts;
		known += watts * Math.min(1, model.weight(sun.azimuth, sun.elevation) / 5);
	}
	return all > 0 ? Math.round((100 * known) / all) / 100 : 0;
}
