import { utcText } from "../forecast/zone";
import type { Document, Format, Source } from "./format";
import {
	firstStep,
	kilowatts,
	MINUTE_MS,
	utcOffsetText,
	wholeDays,
} from "./values";

interface Estimate {
	readonly start: number;
	readonly end: number;
	readonly kw: {
		readonly pv_estimate: number;
		readonly pv_estimate10?: number;
		readonly pv_estimate90?: number;
	};
}

/** Steps in kW. The band stands in all of them or in none: readers take the first for the rule. */
function estimates(
	{ curve, curves }: Source,
	from: number,
	to: number,
	stepMs: number,
): Estimate[] {
	const low = curves.get("pv_power_min");
	const high = curves.get("pv_power_max");
	const steps = curve.steps(from, to, stepMs).map(({ start, end, watts }) => ({
		start,
		end,
		watts,
		low: low?.mean(start, end) ?? Number.NaN,
		high: high?.mean(start, end) ?? Number.NaN,
	}));
	const banded = !steps.some((step) => Number.isNaN(step.low + step.high));
	return steps.map((step) => ({
		start: step.start,
		end: step.end,
		kw: {
			pv_estimate: kilowatts(step.watts),
			...(banded && {
				pv_estimate10: kilowatts(step.low),
				pv_estimate90: kilowatts(step.high),
			}),
		},
	}));
}

/** `today`, `tomorrow`, `d3` … */
const dayName = (index: number) =>
	["today", "tomorrow"][index] ?? `d${index + 1}`;

/**
 * One message per day for a sensor with attributes, as Predbat reads them:
 * `state` is the kWh of the very rows beside it, so that their ratio is 60/step.
 */
function attributes(source: Source, stepMs: number): Document[] {
	return wholeDays(source, source.today).map((span) => {
		const rows = estimates(source, span.from, span.to, stepMs);
		const kwh = rows.reduce(
			(sum, { kw, start, end }) =>
				sum + (kw.pv_estimate * (end - start)) / 3_600_000,
			0,
		);
		return {
			path: dayName(span.day - source.today),
			payload: {
				state: Math.round(kwh * 1e6) / 1e6,
				detailedForecast: rows.map(({ start, kw }) => ({
					period_start: utcOffsetText(start),
					...kw,
				})),
			},
			span,
		};
	});
}

/** The answer of Solcast's `/rooftop_sites/{id}/forecasts`, from the running step on. */
function api(source: Source, stepMs: number): Document[] {
	const { curve, nowMs } = source;
	const from = firstStep(source, nowMs, stepMs);
	return [
		{
			payload: {
				forecasts: estimates(source, from, curve.to, stepMs).map(
					({ end, kw }) => ({
						...kw,
						period_end: utcText(end).replace("Z", ".0000000Z"),
						period: `PT${stepMs / MINUTE_MS}M`,
					}),
				),
			},
			span: { from, to: curve.to },
		},
	];
}

export const solcast: Format = {
	help: "For readers of Solcast: per-day attributes as Predbat reads them, or the JSON of Solcast's API.",
	label: "attribute: start of a step (period_start); api: its end (period_end)",
	contentType: "application/json",
	options: [
		{
			kind: "choice",
			name: "shape",
			help: "attribute: one message per day {state, detailedForecast}; api: {forecasts}.",
			values: ["attribute", "api"],
			default: "attribute",
		},
		{
			kind: "choice",
			name: "step",
			help: "Minutes of one step.",
			values: [15, 30],
			default: 30,
		},
	],
	make(source, { shape, step }) {
		const stepMs = (step as number) * MINUTE_MS;
		return shape === "api" ? api(source, stepMs) : attributes(source, stepMs);
	},
};
