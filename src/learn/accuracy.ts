import { DAY_MS, dateText, QUARTER_MS } from "../util/time";
import { type Judged, total } from "./judge";
import { type DayRecord, measured } from "./state";

/** Dates of which forecasts by horizon are kept. */
export const ACCURACY_DAYS = 31;
/** A date of which less of the foreseen energy was read does not count: hours left out are the worst. */
const LEAST_READ = 0.8;
/** Dates whose readings are those of the roof, good or bad. */
const COUNTED = ["fine", "unknown", "odd_day"];

/** A quarter that was read, with sun foreseen or measured, W; `earlier`: measured a day earlier. */
interface Quarter {
	watts: number;
	raw: number;
	corrected: number;
	earlier: number | null;
}

const rounded = (value: number | null, digits: number) =>
	value !== null && Number.isFinite(value)
		? Number(value.toFixed(digits)) + 0
		: null;
const kwh = (quarters: readonly Quarter[], of: "watts" | "raw" | "corrected") =>
	rounded(total(quarters, (it) => it[of]) / 4000, 2);
const rms = (errors: readonly number[]) =>
	Math.sqrt(total(errors, (error) => error ** 2) / errors.length);

/**
 * How good a forecast was, as it came or as corrected: bias = forecast / measured
 * - 1, nRMSE = RMSE / mean measured power, skill = 1 - RMSE / RMSE of "as in the
 * same quarter a day earlier".
 */
function accuracyOf(quarters: readonly Quarter[], of: "raw" | "corrected") {
	const errorsOf = (some: readonly Quarter[]) =>
		some.map((it) => it[of] - it.watts);
	const errors = errorsOf(quarters);
	const sum = total(quarters, ({ watts }) => watts);
	const both = quarters.filter(({ earlier }) => earlier !== null);
	const late = both.map(({ earlier, watts }) => (earlier ?? 0) - watts);
	return {
		quarters: quarters.length,
		energy_kwh: kwh(quarters, "watts"),
		forecast_kwh: kwh(quarters, of),
		bias_percent: rounded((100 * total(errors, (it) => it)) / sum, 1),
		mae_w: rounded(total(errors, Math.abs) / errors.length, 0),
		nrmse_percent: rounded((100 * errors.length * rms(errors)) / sum, 1),
		skill_percent: rounded(100 * (1 - rms(errorsOf(both)) / rms(late)), 1),
	};
}

/**
 * How good a meter's forecast was over the last dates before `today` (days since
 * 1970-01-01): energies of the last 30, and accuracy by period and horizon, null
 * where no date counts.
 */
export function accuracies(judged: readonly Judged[], today: number) {
	const counted = judged.filter(
		({ record, verdict }) =>
			COUNTED.includes(verdict) && record.day >= today - 30,
	);
	const quartersOf = (
		{ record }: Judged,
		horizon: "same_day" | "day_ahead",
		withSums = false,
	) => {
		const { raw = [], corrected = [] } = record[horizon] ?? {};
		const before = judged.find(
			(it) => it.record.day === record.day - 1,
		)?.record;
		// By the instant, so that a day of 23 or 25 hours compares the same sun.
		const shift = (record.start - DAY_MS - (before?.start ?? 0)) / QUARTER_MS;
		return raw.flatMap((watts, index): Quarter[] => {
			const power = measured(record, index);
			const isLeft =
				record.curtailed.includes(index) ||
				(record.coarse.includes(index) && !withSums);
			if (power === null || watts === null || isLeft) return [];
			if (power <= 0 && watts <= 0) return [];
			return [
				{
					watts: power,
					raw: watts,
					corrected: corrected[index] ?? watts,
					earlier: before ? measured(before, index + shift) : null,
				},
			];
		});
	};
	const dates = counted.map((day) => ({
		...day,
		same_day: quartersOf(day, "same_day"),
		day_ahead: quartersOf(day, "day_ahead"),
	}));
	const of = (length: number, horizon: "same_day" | "day_ahead") => {
		const days = dates.filter(
			({ record, read }) =>
				record.day >= today - length && record[horizon] && read >= LEAST_READ,
		);
		const quarters = days.flatMap((day) => day[horizon]);
		const by = (which: "raw" | "corrected") => ({
			from: dateText(today - length),
			to: dateText(today - 1),
			days: days.length,
			...accuracyOf(quarters, which),
		});
		return quarters.length > 0
			? { raw: by("raw"), corrected: by("corrected") }
			: null;
	};
	const period = (length: number) => ({
		same_day: of(length, "same_day"),
		day_ahead: of(length, "day_ahead"),
	});
	return {
		days: counted.flatMap((day) => {
			const quarters = quartersOf(day, "same_day", true);
			const isRead = day.read + day.summed >= LEAST_READ && quarters.length > 0;
			if (!isRead) return [];
			return {
				date: dateText(day.record.day),
				measured_kwh: kwh(quarters, "watts"),
				forecast_kwh: kwh(quarters, "raw"),
				corrected_kwh: kwh(quarters, "corrected"),
			};
		}),
		periods: { yesterday: period(1), days_7: period(7), days_30: period(30) },
	};
}

/** A date so far: power foreseen and measured (W, null = unknown) by quarter, each with the instant of its end. */
export const curveOf = (record: DayRecord | undefined) =>
	(record?.foreseen ?? []).map((forecast_w, index) => ({
		time: new Date(
			(record?.start ?? 0) + (index + 1) * QUARTER_MS,
		).toISOString(),
		measured_w: rounded(record ? measured(record, index) : null, 0),
		forecast_w,
	}));
