import type { SolarFacts } from "../../messages/facts";
import type { StringMeta } from "../../service/v2/sites/site";
import { HOUR_MS, MINUTE_MS, QUARTER_MS, utcText } from "../../util/time";
import {
	choice,
	type Document,
	type Format,
	type OptionValues,
} from "../format";
import { quartersIn } from "../source/curve";
import type { Request } from "../source/request";
import type { Source } from "../source/source";
import {
	firstStep,
	kilowatts,
	utcOffsetText,
	wholeDays,
} from "../source/units";

/** Energies to the milliwatt hour. */
const kilowattHours = (kilowatts: number, ms: number) =>
	Math.round((kilowatts * ms * 1e6) / HOUR_MS) / 1e6;

/**
 * Steps of the curve and its band, in kW or in kWh of the step. All estimates stand
 * in every one, for readers take a missing one for no sun: where a quarter's band is
 * unknown, its least and most are the estimate itself.
 */
function estimatedSteps(
	{ curve, curves }: Source,
	{ step, rows }: OptionValues,
	from: number,
	to: number,
) {
	const stepMs = (step as number) * MINUTE_MS;
	const value = (watts: number) =>
		rows === "kwh" ? kilowattHours(watts / 1000, stepMs) : kilowatts(watts);
	const edge = (field: string, bound: typeof Math.min, start: number) => {
		const sum = quartersIn({ from: start, to: start + stepMs }).reduce(
			(all, at) => {
				const watts = curve.at(at);
				const edge = curves.get(field);
				return all + bound(edge?.knows(at) ? edge.at(at) : watts, watts);
			},
			0,
		);
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
		const sum = rows.reduce(
			(all, { estimates }) => all + estimates.pv_estimate,
			0,
		);
		const kwh =
			options.rows === "kwh" ? sum : (sum * Number(options.step)) / 60;
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

/**
 * An answer of Solcast's API: the steps of a period under a name.
 *
 * @param from an instant in the first step
 * @param end an instant in the step that is no more of it; undefined for all that there is
 */
function api(
	name: string,
	source: Source,
	options: OptionValues,
	from: number,
	end?: number,
): Document[] {
	const { step } = options;
	const stepOf = (instant: number) =>
		firstStep(source, instant, (step as number) * MINUTE_MS);
	const span = {
		from: stepOf(from),
		to: end === undefined ? source.curve.to : stepOf(end),
	};
	const rows = estimatedSteps(source, options, span.from, span.to).map(
		({ end, estimates }) => ({
			...estimates,
			period_end: utcText(end).replace("Z", ".0000000Z"),
			period: `PT${step}M`,
		}),
	);
	return [{ payload: { [name]: rows }, span }];
}

/**
 * What a reader learns of the site; what nobody knows is left out. Tilt and azimuth
 * are means by power; Solcast counts the azimuth from north, east negative, west
 * positive, south 180.
 */
function siteRecord({ site_id, site_name, strings }: SolarFacts) {
	const weighted = (
		all: readonly StringMeta[],
		of: (string: StringMeta) => number,
	) =>
		all.reduce(
			(sum, string) => sum + Math.max(0, string.power_kw ?? 0) * of(string),
			0,
		);
	const placed = strings.filter(
		({ slope, orientation }) => slope !== null && orientation !== null,
	);
	const capacity = Math.round(weighted(strings, () => 1) * 1000) / 1000;
	const power = weighted(placed, () => 1);
	const mean = (of: (string: StringMeta) => number) =>
		weighted(placed, of) / power;
	const angle = ({ orientation }: StringMeta) =>
		(Number(orientation) * Math.PI) / 180;
	const north = mean((string) => Math.cos(angle(string)));
	const east = mean((string) => Math.sin(angle(string)));
	// East and west of equal power have no mean direction on the circle.
	const direction =
		Math.hypot(north, east) > 1e-6 ? Math.atan2(east, north) : mean(angle);
	const azimuth = Math.round(
		(Math.atan2(-Math.sin(direction), Math.cos(direction)) * 180) / Math.PI,
	);
	return {
		name: site_name || site_id,
		resource_id: site_id,
		...(capacity > 0 && { capacity, capacity_dc: capacity }),
		...(power > 0 && {
			tilt: Math.round(mean(({ slope }) => Number(slope))),
			azimuth: azimuth === -180 ? 180 : azimuth + 0,
		}),
	};
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

const SHAPES: Record<string, Format["make"]> = {
	attribute: attributes,
	// From the running step on.
	api: (source, options) => api("forecasts", source, options, source.nowMs),
	// The one site of the forecast.
	sites: ({ facts, curve }) => [
		{
			payload: { sites: [siteRecord(facts)], total_records: 1 },
			span: { from: curve.from, to: curve.from },
		},
	],
	// Today up to the running step, as foreseen.
	actuals: (source, options) =>
		api("estimated_actuals", source, options, source.todayStart, source.nowMs),
};

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
		(SHAPES[options.shape as string] as Format["make"])(source, options),
};
