import type { SolarFacts } from "../../messages/facts";
import { HOUR_MS, MINUTE_MS, QUARTER_MS, utcText } from "../../util/time";
import {
	choice,
	type Document,
	type Format,
	type OptionValues,
} from "../format";
import type { Request } from "../source/request";
import type { Source } from "../source/source";
import {
	firstStep,
	kilowatts,
	utcOffsetText,
	wholeDays,
} from "../source/units";

/** The estimates of one step in kW, or in kWh of the step. */
interface Estimates {
	readonly pv_estimate: number;
	readonly pv_estimate10: number;
	readonly pv_estimate90: number;
}

/** A step; all estimates stand in every one, for readers take a missing one for no sun. */
interface EstimatedStep {
	readonly start: number;
	readonly end: number;
	readonly estimates: Estimates;
}

/** Energies to the milliwatt hour. */
const kilowattHours = (kilowatts: number, ms: number) =>
	Math.round((kilowatts * ms * 1e6) / HOUR_MS) / 1e6;

/**
 * Steps of the curve and its band. Where a quarter's band is unknown, its least
 * and most are the estimate itself.
 */
function estimatedSteps(
	{ curve, curves }: Source,
	{ step, rows }: OptionValues,
	from: number,
	to: number,
): EstimatedStep[] {
	const stepMs = (step as number) * MINUTE_MS;
	const value = (watts: number) =>
		rows === "kwh" ? kilowattHours(watts / 1000, stepMs) : kilowatts(watts);
	const edge = (field: string, bound: typeof Math.min, start: number) => {
		const sum = [...Array(stepMs / QUARTER_MS).keys()].reduce((all, index) => {
			const at = start + index * QUARTER_MS;
			const watts = curve.at(at);
			const known = curves.get(field)?.at(at) ?? Number.NaN;
			return all + bound(Number.isNaN(known) ? watts : known, watts);
		}, 0);
		return value((sum * QUARTER_MS) / stepMs);
	};
	return curve.steps(from, to, stepMs).map(({ start, end, watts }) => ({
		start,
		end,
		estimates: {
			pv_estimate: value(watts),
			pv_estimate10: edge("pv_power_min", Math.min, start),
			pv_estimate90: edge("pv_power_max", Math.max, start),
		},
	}));
}

/** `today`, `tomorrow`, `d3` … */
const dayName = (index: number) =>
	["today", "tomorrow"][index] ?? `d${index + 1}`;

/**
 * One message per day for a sensor with attributes, as Predbat reads them:
 * `state` is the kWh of the very rows beside it.
 */
function attributes(source: Source, options: OptionValues): Document[] {
	return wholeDays(source, source.today).map((span) => {
		const rows = estimatedSteps(source, options, span.from, span.to);
		const kwh = rows.reduce(
			(sum, { estimates, start, end }) =>
				sum +
				(options.rows === "kwh"
					? estimates.pv_estimate
					: (estimates.pv_estimate * (end - start)) / HOUR_MS),
			0,
		);
		return {
			path: dayName(span.day - source.today),
			payload: {
				state: Math.round(kwh * 1e6) / 1e6,
				detailedForecast: rows.map(({ start, estimates }) => ({
					period_start: utcOffsetText(start),
					...estimates,
				})),
			},
			span,
		};
	});
}

/** Steps as Solcast's API writes them. */
const apiRows = (steps: readonly EstimatedStep[]) =>
	steps.map(({ start, end, estimates }) => ({
		...estimates,
		period_end: utcText(end).replace("Z", ".0000000Z"),
		period: `PT${(end - start) / MINUTE_MS}M`,
	}));

/** The answer of `/rooftop_sites/{id}/forecasts`: from the running step on. */
function forecasts(source: Source, options: OptionValues): Document[] {
	const { curve, nowMs } = source;
	const from = firstStep(source, nowMs, (options.step as number) * MINUTE_MS);
	const span = { from, to: curve.to };
	const steps = estimatedSteps(source, options, from, curve.to);
	return [{ payload: { forecasts: apiRows(steps) }, span }];
}

/** The answer of `/rooftop_sites/{id}/estimated_actuals`: today up to the running step, as foreseen. */
function actuals(source: Source, options: OptionValues): Document[] {
	const stepMs = (options.step as number) * MINUTE_MS;
	const from = firstStep(source, source.todayStart, stepMs);
	const to = firstStep(source, source.nowMs, stepMs);
	const steps = estimatedSteps(source, options, from, to);
	return [
		{ payload: { estimated_actuals: apiRows(steps) }, span: { from, to } },
	];
}

/**
 * What a reader learns of the site; what nobody knows is left out. Tilt and azimuth
 * are means by power; Solcast counts the azimuth from north, east negative, west
 * positive, south 180.
 */
function siteRecord({ site_id, site_name, strings }: SolarFacts) {
	let capacity = 0;
	const mean = { power: 0, tilt: 0, north: 0, east: 0, arithmetic: 0 };
	for (const { slope, orientation, power_kw } of strings) {
		if (power_kw === null || !(power_kw > 0)) continue;
		capacity += power_kw;
		if (slope === null || orientation === null) continue;
		const angle = (orientation * Math.PI) / 180;
		mean.power += power_kw;
		mean.tilt += power_kw * slope;
		mean.north += power_kw * Math.cos(angle);
		mean.east += power_kw * Math.sin(angle);
		mean.arithmetic += power_kw * orientation;
	}
	const { power, tilt, north, east, arithmetic } = mean;
	// East and west of equal power have no mean direction on the circle.
	const direction =
		Math.hypot(north, east) > 1e-6 * power
			? (Math.atan2(east, north) * 180) / Math.PI
			: arithmetic / power;
	const azimuth = Math.round(((((-direction + 180) % 360) + 360) % 360) - 180);
	const rounded = Math.round(capacity * 1000) / 1000;
	return {
		name: site_name || site_id,
		resource_id: site_id,
		...(capacity > 0 && { capacity: rounded, capacity_dc: rounded }),
		...(power > 0 && {
			tilt: Math.round(tilt / power),
			azimuth: azimuth === -180 ? 180 : azimuth + 0,
		}),
	};
}

/** The answer of `/rooftop_sites`: the one site of the forecast. */
function sites({ facts, curve }: Source): Document[] {
	return [
		{
			payload: { sites: [siteRecord(facts)], total_records: 1 },
			span: { from: curve.from, to: curve.from },
		},
	];
}

/** The id in `/rooftop_sites/{id}/…`, wherever these addresses begin. */
function siteOf({ path }: Request): string | undefined {
	const id = /\/rooftop_sites\/([^/]+)/.exec(path)?.[1];
	try {
		return id && decodeURIComponent(id);
	} catch {
		return id;
	}
}

/** Solcast's own words for a status. */
const ERROR_CODES: Readonly<Record<number, string>> = {
	404: "NotFound",
	503: "Unavailable",
};

const SHAPES: Readonly<
	Record<string, (source: Source, options: OptionValues) => Document[]>
> = { attribute: attributes, api: forecasts, sites, actuals };

/**
 * Solcast's rooftop API (docs.solcast.com.au) and the attributes of its Home
 * Assistant integration, which Predbat reads (apps/predbat/solcast.py).
 */
export const solcast: Format = {
	contentType: "application/json",
	options: [
		choice("shape", Object.keys(SHAPES)),
		choice("step", [15, 30], 30),
		choice("rows", ["kw", "kwh"]),
	],
	failure: (message, status) => ({
		response_status: {
			error_code: ERROR_CODES[status] ?? "InvalidRequest",
			message,
			errors: [],
		},
	}),
	siteOf,
	daily: ({ shape }) => shape === "attribute",
	make: (source, options) =>
		(SHAPES[options.shape as string] as (typeof SHAPES)[string])(
			source,
			options,
		),
};
