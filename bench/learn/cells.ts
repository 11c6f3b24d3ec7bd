import { COMPETITORS, type Competitor, type Method } from "./competitors";
import { correctWorld } from "./ours";
import {
	DAYS,
	type Day,
	FIRST_JUDGED,
	PLACES,
	type Season,
	simulate,
	type Truth,
} from "./world";

const HORIZONS = ["sameDay", "dayAhead"] as const;
type Horizon = (typeof HORIZONS)[number];
export const NAMES = [
	...(Object.keys(COMPETITORS) as Competitor[]),
	"ours",
	"ideal",
] as const;
/** `ideal` is the same forecast by who knows the roof: what is left is weather. */
type Name = (typeof NAMES)[number];
const WEEKS = Math.ceil(DAYS / 7);

/** Ours may be this much worse than the best. */
const MARGIN = 1.03;
/** With nothing to learn ours may be this much worse than raw. */
const NO_HARM = 1.01;
/** Truths whose judged days have no systematic error. */
const WITHOUT_ERROR = ["nothing", "snow", "dead meter", "curtailed noon"];
/** Systematic errors of which at least half must go within 30 days. */
const SHADING = ["horizon 12° east", "orientation +20°"];

class Errors {
	squared = 0;
	daily = 0;
	readonly weeks = new Float64Array(WEEKS);
	readonly placeWeeks: number[] = [];
}

/** A truth in a season and a horizon, all places together. */
export interface CellResult {
	readonly season: string;
	readonly truth: string;
	readonly horizon: Horizon;
	/** RMSE / mean daylight power over the last 15 days, percent. */
	readonly nrmse: Readonly<Record<Name, number>>;
	/** Mean absolute error of days' energies / mean energy, percent. */
	readonly daily: Readonly<Record<Name, number>>;
	/** RMSE of ours / RMSE of raw, by week from the first day on. */
	readonly weeks: readonly number[];
	/** The same of single places, which chance rules: of ours, and of the ideal. */
	readonly placeWeeks: { readonly ours: number[]; readonly ideal: number[] };
}

const IDEAL = { sameDay: "sameDayIdeal", dayAhead: "dayAheadIdeal" } as const;

/** Runs one truth in one season at all places. */
export function runCell(season: Season, truth: Truth): CellResult[] {
	const worlds = PLACES.map((place) => {
		const world = simulate(place, season, truth);
		return { world, ours: correctWorld(world).days };
	});
	return HORIZONS.map((horizon) => {
		const errors = Object.fromEntries(
			NAMES.map((name) => [name, new Errors()]),
		) as Record<Name, Errors>;
		let energy = 0;
		let quarters = 0;
		for (const { world, ours } of worlds) {
			const methods = Object.entries(COMPETITORS).map(
				([name, make]) => [name as Competitor, make() as Method] as const,
			);
			const place = Object.fromEntries(
				NAMES.map((name) => [name, new Float64Array(WEEKS)]),
			) as Record<Name, Float64Array>;
			for (const [index, day] of world.days.entries()) {
				const forecasts: [Name, readonly number[]][] = [
					...methods.map(([name, method]): [Name, number[]] => [
						name,
						method.correct(day, day[horizon]),
					]),
					["ours", ours[index]?.[horizon] as readonly number[]],
					["ideal", day[IDEAL[horizon]]],
				];
				for (const [name, watts] of forecasts) {
					const { squared, daily } = errorsOf(day, watts);
					const week = Math.floor(index / 7);
					errors[name].weeks[week] =
						(errors[name].weeks[week] as number) + squared;
					place[name][week] = (place[name][week] as number) + squared;
					if (index < FIRST_JUDGED) continue;
					errors[name].squared += squared;
					errors[name].daily += daily;
				}
				for (const [, method] of methods) method.learn(day);
				if (index < FIRST_JUDGED) continue;
				for (const [at, watts] of day.actual.entries()) {
					if (watts <= 0 && (day[horizon][at] as number) <= 0) continue;
					energy += watts;
					quarters += 1;
				}
			}
			for (const name of ["ours", "ideal"] as const) {
				place[name].forEach((squared, week) => {
					errors[name].placeWeeks.push(
						Math.sqrt(squared / (place.raw[week] as number)),
					);
				});
			}
		}
		const by = (value: (errors: Errors) => number) =>
			Object.fromEntries(
				NAMES.map((name) => [name, value(errors[name])]),
			) as Record<Name, number>;
		return {
			season: season.name,
			truth: truth.name,
			horizon,
			nrmse: by(
				({ squared }) =>
					(100 * Math.sqrt(squared / quarters)) / (energy / quarters),
			),
			daily: by(({ daily }) => (100 * daily) / energy),
			weeks: [...errors.ours.weeks].map((squared, week) =>
				Math.sqrt(squared / (errors.raw.weeks[week] as number)),
			),
			placeWeeks: {
				ours: errors.ours.placeWeeks,
				ideal: errors.ideal.placeWeeks,
			},
		};
	});
}

function errorsOf(
	{ actual }: Day,
	watts: readonly number[],
): { squared: number; daily: number } {
	let squared = 0;
	let difference = 0;
	for (const [index, real] of actual.entries()) {
		const error = (watts[index] as number) - real;
		squared += error ** 2;
		difference += error;
	}
	return { squared, daily: Math.abs(difference) };
}

const bestOf = (values: Readonly<Record<Name, number>>) =>
	Math.min(
		...(Object.keys(COMPETITORS) as Competitor[]).map((name) => values[name]),
	);

/** What a cell does not hold of what is promised. */
export function violations(cell: CellResult): string[] {
	const { nrmse, daily, weeks, truth } = cell;
	const failed: string[] = [];
	const ratio = (what: string, ours: number, most: number) => {
		if (ours > most) {
			failed.push(`${what} ${ours.toFixed(2)}, at most ${most.toFixed(2)}`);
		}
	};
	ratio("nRMSE", nrmse.ours, MARGIN * bestOf(nrmse));
	// Days in which errors of a day's two halves happen to cancel are no skill:
	// nobody need be better than who knows the roof.
	ratio(
		"daily energy",
		daily.ours,
		MARGIN * Math.max(bestOf(daily), daily.ideal),
	);
	if (WITHOUT_ERROR.includes(truth)) {
		ratio("nRMSE to raw", nrmse.ours, NO_HARM * nrmse.raw);
		ratio("daily energy to raw", daily.ours, NO_HARM * daily.raw);
	}
	const systematic = nrmse.raw - nrmse.ideal;
	if (SHADING.includes(truth)) {
		ratio("what is left", nrmse.ours - nrmse.ideal, systematic / 2);
	}
	for (const [week, value] of weeks.entries()) {
		ratio(`week ${week + 1} to raw`, value, MARGIN);
	}
	return failed;
}
