import type { Series } from "../../forecast/series";
import { QUARTER_MS, utcText } from "../../util/time";
import type { Curve } from "./curve";
import type { Source } from "./source";
import { watts } from "./units";

export type Scalar = number | string | boolean;

/** A quarter hour with every field that is known of it. */
export interface FieldRow {
	/** Epoch ms. */
	readonly start: number;
	/** Values by the service's names; powers in W, as the curves have them. */
	readonly fields: Readonly<Record<string, Scalar>>;
}

const isScalar = (value: unknown): value is Scalar =>
	typeof value === "number"
		? Number.isFinite(value)
		: typeof value === "string" || typeof value === "boolean";

/**
 * Rows with all their fields, powers made ready (never negative, short gaps
 * interpolated, the band only where it is known). Quarters without power are
 * left out, unless there is no power at all.
 *
 * @param curves by field, each a power of these rows
 */
export function fieldRows(
	series: Series,
	curves: ReadonlyMap<string, Curve>,
): FieldRow[] {
	const power = curves.get("pv_power");
	const starts = power && !power.isEmpty ? power.quarters() : series.starts;
	return [...starts].map((start) => {
		const fields: Record<string, Scalar> = {};
		for (const [field, curve] of curves) {
			const value = curve.at(start);
			if (!Number.isNaN(value)) fields[field] = watts(value);
		}
		for (const [field, value] of Object.entries(series.rowAt(start) ?? {})) {
			if (field === "timestamp" || curves.has(field)) continue;
			if (isScalar(value)) fields[field] = value;
		}
		return { start, fields };
	});
}

/** Rows of the whole site, beside those of its strings. */
export function siteRows({ forecast, curve, curves }: Source): FieldRow[] {
	return fieldRows(forecast.values, new Map([["pv_power", curve], ...curves]));
}

/** Points of a curve, as cards for Home Assistant read them from an attribute: the quarters from one instant to another, each at the middle of its quarter. */
export const curvePoints = (source: Source, from: number, to: number) =>
	source.curve.quarters(from, to).map((start) => ({
		datetime: utcText(start + QUARTER_MS / 2),
		watts: watts(source.curve.at(start)),
	}));
