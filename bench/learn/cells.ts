import { COMPETITORS, type Competitor, type Method } from "./competitors";
import { type Corrected, correctWorld } from "./ours";
import {
	DAYS,
	type Day,
	FIRST_JUDGED,
	firstDayOf,
	PLACES,
	type Season,
	simulate,
	type Truth,
	type World,
	YEARS,
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
const SHADING = ["horizon 12° east", "orientation ±20°"];

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

/** Runs one truth in one season at all places and in all years. */
export function runCell(season: Season, truth: Truth): CellResult[] {
	const sums = HORIZONS.map((horizon) => new Sums(horizon));
	for (const year of YEARS) {
		for (const place of PLACES) {
			const world = simulate(place, firstDayOf(season, year), truth);
			const ours = correctWorld(world);
			for (const sum of sums) sum.add(world, ours);
		}
	}
	return sums.map((sum) => sum.result(season, truth));
}

/** Sums over worlds of one horizon. */
class Sums {
	readonly #errors = by(() => new Errors());
	#energy = 0;
	#quarters = 0;

	constructor(readonly horizon: Horizon) {}

	add(world: World, ours: readonly Corrected[]): void {
		const { horizon } = this;
		const methods = Object.entries(COMPETITORS).map(
			([name, make]) => [name as Competitor, make() as Method] as const,
		);
		const place = by(() => new Float64Array(WEEKS));
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
				const errors = this.#errors[name];
				errors.weeks[week] = (errors.weeks[week] as number) + squared;
				place[name][week] = (place[name][week] as number) + squared;
				if (index < FIRST_JUDGED) continue;
				errors.squared += squared;
				errors.daily += daily;
			}
			for (const [, method] of methods) method.learn(day);
			if (index < FIRST_JUDGED) continue;
			for (const [at, watts] of day.actual.entries()) {
				if (watts <= 0 && (day[horizon][at] as number) <= 0) continue;
				this.#energy += watts;
				this.#quarters += 1;
			}
		}
		for (const name of ["ours", "ideal"] as const) {
			place[name].forEach((squared, week) => {
				this.#errors[name].placeWeeks.push(
					Math.sqrt(squared / (place.raw[week] as number)),
				);
			});
		}
	}

	result(season: Season, truth: Truth): CellResult {
		const errors = this.#errors;
		const mean = this.#energy / this.#quarters;
		return {
			season: season.name,
			truth: truth.name,
			horizon: this.horizon,
			nrmse: by(
				(name) =>
					(100 * Math.sqrt(errors[name].squared / this.#quarters)) / mean,
			),
			daily: by((name) => (100 * errors[name].daily) / this.#energy),
			weeks: [...errors.ours.weeks].map((squared, week) =>
				Math.sqrt(squared / (errors.raw.weeks[week] as number)),
			),
			placeWeeks: {
				ours: errors.ours.placeWeeks,
				ideal: errors.ideal.placeWeeks,
			},
		};
	}
}

/** A value for each way to forecast. */
const by = <Value>(value: (name: Name) => Value) =>
	Object.fromEntries(NAMES.map((name) => [name, value(name)])) as Record<
		Name,
		Value
	>;

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
	ratio("daily energy", daily.ours, MARGIN * bestOf(daily));
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
