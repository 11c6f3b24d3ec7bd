import { HOUR_MS, QUARTER_MS } from "../util/time";
import { dateText } from "../util/timestamp";
import type { DayRecord, ErrorSums, LearnState, Meter } from "./learn-state";
import { FAULTY, qualityOf } from "./quality";

const PERIODS = {
	yesterday: 1,
	days_7: 7,
	days_30: 30,
	days_365: 365,
} as const;
type Period = keyof typeof PERIODS;
const HORIZONS = ["same_day", "day_ahead"] as const;

/** How good a forecast was over a period, over the quarters with sun foreseen or measured. */
export interface Accuracy {
	/** Local dates, both included. */
	readonly from: string;
	readonly to: string;
	/** Dates that count, and their quarters. */
	readonly days: number;
	readonly quarters: number;
	/** kWh measured and foreseen. */
	readonly energy_kwh: number;
	readonly forecast_kwh: number;
	/** Forecast / measured - 1. */
	readonly bias_percent: number | null;
	/** Mean absolute error, W. */
	readonly mae_w: number | null;
	/** RMSE / mean measured power. */
	readonly nrmse_percent: number | null;
	/** 1 - RMSE / RMSE of "as in the same quarter a day earlier", over the same quarters. */
	readonly skill_percent: number | null;
}

/** Null where no date of the period has a forecast of this horizon and readings. */
export type HorizonAccuracy = Readonly<
	Record<
		(typeof HORIZONS)[number],
		{ raw: Accuracy; corrected: Accuracy } | null
	>
>;

/** Accuracy of one meter's forecast, by period. */
export interface MeterReport {
	readonly string_id: string | null;
	readonly periods: Readonly<Record<Period, HorizonAccuracy>>;
}

const emptySums = (): ErrorSums => ({
	quarters: 0,
	foreseen: 0,
	metered: 0,
	absolute: 0,
	squared: 0,
	lagged_quarters: 0,
	lagged_squared: 0,
	lag_squared: 0,
});

/**
 * Errors of a date's forecast and of its correction, over the quarters in which
 * the meter can be believed and sun was foreseen or measured.
 *
 * @param before the date before, for "as a day earlier"
 * @param peak most power ever foreseen, W
 * @returns null when there is no such quarter
 */
export function errorsOf(
	record: DayRecord,
	forecast: {
		readonly raw: readonly (number | null)[];
		readonly corrected: readonly (number | null)[];
	},
	before: DayRecord | undefined,
	peak: number,
): { raw: ErrorSums; corrected: ErrorSums } | null {
	const { quarters } = qualityOf(record, peak);
	const raw = emptySums();
	const corrected = emptySums();
	// By the instant, so that a day of 23 or 25 hours compares the same sun.
	const shift = before
		? Math.round((record.start - 24 * HOUR_MS - before.start) / QUARTER_MS)
		: 0;
	for (let index = 0; index < record.metered.length; index += 1) {
		const metered = record.metered[index] ?? null;
		const foreseen = forecast.raw[index] ?? null;
		if (metered === null || foreseen === null) continue;
		if (quarters[index] === FAULTY) continue;
		const own = forecast.corrected[index] ?? foreseen;
		if (metered <= 0 && foreseen <= 0) continue;
		const lag = before?.metered[index + shift] ?? null;
		add(raw, foreseen, metered, lag);
		add(corrected, own, metered, lag);
	}
	return raw.quarters > 0 ? { raw, corrected } : null;
}

function add(
	sums: ErrorSums,
	foreseen: number,
	metered: number,
	lag: number | null,
): void {
	const error = foreseen - metered;
	sums.quarters += 1;
	sums.foreseen += foreseen;
	sums.metered += metered;
	sums.absolute += Math.abs(error);
	sums.squared += error ** 2;
	if (lag === null) return;
	sums.lagged_quarters += 1;
	sums.lagged_squared += error ** 2;
	sums.lag_squared += (lag - metered) ** 2;
}

const rounded = (value: number, digits: number): number | null =>
	Number.isFinite(value)
		? Math.round(value * 10 ** digits) / 10 ** digits + 0
		: null;

function accuracyOf(
	all: readonly ErrorSums[],
	from: string,
	to: string,
): Accuracy {
	const total = emptySums();
	for (const sums of all) {
		for (const field of Object.keys(total) as (keyof ErrorSums)[]) {
			total[field] += sums[field];
		}
	}
	const { quarters, foreseen, metered } = total;
	return {
		from,
		to,
		days: all.length,
		quarters,
		energy_kwh: rounded(metered / 4000, 2) ?? 0,
		forecast_kwh: rounded(foreseen / 4000, 2) ?? 0,
		bias_percent: rounded(100 * (foreseen / metered - 1), 1),
		mae_w: rounded(total.absolute / quarters, 0),
		nrmse_percent: rounded(
			(100 * Math.sqrt(total.squared / quarters)) / (metered / quarters),
			1,
		),
		skill_percent: rounded(
			100 * (1 - Math.sqrt(total.lagged_squared / total.lag_squared)),
			1,
		),
	};
}

/** How good the forecast of one meter was over the last dates, by period and horizon. */
function meterReport(meter: Meter, today: number): MeterReport {
	const horizons = (days: number): HorizonAccuracy => {
		const records = meter.past.filter(
			({ day }) => day < today && day >= today - days,
		);
		const [from, to] = [dateText(today - days), dateText(today - 1)];
		const of = (horizon: (typeof HORIZONS)[number]) => {
			const errors = records.flatMap(({ errors }) => errors?.[horizon] ?? []);
			if (errors.length === 0) return null;
			return {
				raw: accuracyOf(
					errors.map(({ raw }) => raw),
					from,
					to,
				),
				corrected: accuracyOf(
					errors.map((it) => it.corrected),
					from,
					to,
				),
			};
		};
		return { same_day: of("same_day"), day_ahead: of("day_ahead") };
	};
	return {
		string_id: meter.string_id,
		periods: {
			yesterday: horizons(PERIODS.yesterday),
			days_7: horizons(PERIODS.days_7),
			days_30: horizons(PERIODS.days_30),
			days_365: horizons(PERIODS.days_365),
		},
	};
}

/** What a state's meters say of their forecasts: the site's, if it has a meter, then the strings'. */
export function meterReports(state: LearnState, today: number): MeterReport[] {
	return [...state.meters]
		.sort((a, b) => Number(a.string_id !== null) - Number(b.string_id !== null))
		.map((meter) => meterReport(meter, today));
}
