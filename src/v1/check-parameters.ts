/** Whether a set of V1 parameters can succeed, and the query it makes. */

import {
	inputError,
	type SolarYieldError,
} from "../service/errors/solar-yield-error";
import { joinTexts, type Text, type Value } from "../texts/texts";
import { isObject } from "../util/guards";
import { dateDay } from "../util/time";
import {
	expectedV1Value,
	isUnset,
	readV1Value,
	shown,
} from "./parameter-values";
import {
	V1_ENDPOINTS,
	V1_PARAMETERS,
	type V1Endpoint,
	type V1Limits,
	type V1Parameter,
	type V1Value,
	v1Limits,
	v1Parameter,
} from "./parameters";

/** A set of V1 parameters as read: everything that is good and everything that is not. */
interface V1Reading {
	/** What is set and valid, in table order. */
	readonly values: ReadonlyMap<string, V1Value>;
	/** Required by the endpoint, but not set. */
	readonly missing: readonly string[];
	/** One sentence each: parameter, value, what it should be. */
	readonly problems: readonly Text[];
	/** What is sent although it may not be understood. */
	readonly warnings: readonly Text[];
}

/** Edits (one character each) that turn one name into the other. */
function distance(a: string, b: string): number {
	let row = Array.from({ length: b.length + 1 }, (_, index) => index);
	for (let i = 1; i <= a.length; i++) {
		const next = [i];
		for (let j = 1; j <= b.length; j++) {
			const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
			next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced));
		}
		row = next;
	}
	return row[b.length] ?? 0;
}

function nearest(name: string): string {
	const asked = name.slice(0, 60).toLowerCase();
	return V1_PARAMETERS.map((it) => ({
		name: it.name,
		edits: distance(asked, it.name),
	})).reduce((best, it) => (it.edits < best.edits ? it : best)).name;
}

/** Several as one, the last behind "and". */
const and = (all: readonly Value[]): Value =>
	all.length < 2
		? all
		: {
				key: "v1.and",
				values: { all: all.slice(0, -1), last: all.at(-1) as Value },
			};

/** The error that tells all problems. */
export function problemsError(problems: readonly Text[]): SolarYieldError {
	const { key, values } = joinTexts("v1.several", problems);
	return inputError(key, values);
}

/** A parameter, or the endpoints that take it, with what it takes. */
const withExpected = (
	names: readonly string[],
	parameter: V1Parameter,
	limits: V1Limits,
): Text => ({
	key: "v1.with_expected",
	values: { names, expected: expectedV1Value(parameter, limits) },
});

/** The period of `history` and `recent`; a default start counts as well. */
function periodProblem(
	values: ReadonlyMap<string, V1Value>,
	endpoint: V1Endpoint,
): Text | undefined {
	const start =
		values.get("start_date") ??
		v1Limits(v1Parameter("start_date"), endpoint)?.default;
	const end = values.get("end_date");
	if (start === undefined || end === undefined) return undefined;
	if (dateDay(String(end)) >= dateDay(String(start))) return undefined;
	return {
		key: values.has("start_date") ? "v1.period" : "v1.period_default",
		values: { end: shown(end), start: shown(start) },
	};
}

/** The endpoint of that name; INPUT when V1 has none. */
export function v1Endpoint(name: unknown): V1Endpoint {
	if (typeof name === "string" && Object.hasOwn(V1_ENDPOINTS, name))
		return name as V1Endpoint;
	throw inputError("v1.endpoint", {
		name: shown(name),
		choices: Object.keys(V1_ENDPOINTS),
	});
}

/**
 * Reads a set of parameters against an endpoint's limits without throwing for
 * what it holds. Null, undefined, blank text and empty lists are "not set".
 * Unknown names are a problem even when blank, so that no misspelling goes
 * unseen.
 *
 * @throws SolarYieldError INPUT for an unknown endpoint or when `params` is no object
 */
export function readV1Parameters(
	endpoint: V1Endpoint,
	params: Readonly<Record<string, unknown>>,
): V1Reading {
	v1Endpoint(endpoint);
	if (!isObject(params))
		throw inputError("v1.no_object", { value: shown(params) });

	const problems: Text[] = [];
	for (const name of Object.keys(params))
		if (v1Parameter(name) === undefined)
			problems.push(
				// Without its value: under a foreign name it may be a secret.
				{
					key: "v1.unknown",
					values: { name: shown(name), nearest: nearest(name) },
				},
			);

	const values = new Map<string, V1Value>();
	const missing: string[] = [];
	const warnings: Text[] = [];
	for (const parameter of V1_PARAMETERS) {
		const { name } = parameter;
		const given = Object.hasOwn(params, name) ? params[name] : undefined;
		const limits = v1Limits(parameter, endpoint);
		if (isUnset(given)) {
			if (limits?.required) missing.push(name);
		} else if (limits === undefined) {
			problems.push({
				key: "v1.not_taken",
				values: {
					name,
					value: shown(given),
					endpoint,
					endpoints: parameter.limits.map((it) =>
						withExpected(it.endpoints, parameter, it),
					),
				},
			});
		} else {
			const reading = readV1Value(given, parameter, limits);
			if ("problem" in reading)
				problems.push({
					key: "v1.problem",
					values: { name, value: shown(given), problem: reading.problem },
				});
			else {
				values.set(name, reading.value);
				if (reading.warning !== undefined) warnings.push(reading.warning);
			}
		}
	}

	const period = periodProblem(values, endpoint);
	if (period !== undefined) problems.push(period);
	return { values, missing, problems, warnings };
}

/** One sentence that names every missing parameter and what it takes. */
export function missingProblem(
	endpoint: V1Endpoint,
	missing: readonly string[],
): Text {
	const expected = missing.map((name) => {
		const parameter = v1Parameter(name);
		const limits = v1Limits(parameter, endpoint);
		return parameter && limits ? withExpected([name], parameter, limits) : name;
	});
	return {
		key: missing.length === 1 ? "v1.missing" : "v1.several_missing",
		values: { names: and(missing), endpoint, expected: and(expected) },
	};
}

/**
 * Checks a set of V1 parameters against type, bounds and endpoint (V1
 * description, "Endpoints") and makes the query of it: exactly what is set, in
 * table order, booleans as `true` and `false`.
 *
 * @param endpoint one of the five endpoints
 * @param params values by V1 parameter name, typed or as text; unset ones may be null or blank
 * @returns the query, and warnings about what is sent although it may not be understood
 * @throws SolarYieldError INPUT, one for all that is wrong, naming parameter, value, bounds and what to do
 */
export function checkV1Parameters(
	endpoint: V1Endpoint,
	params: Readonly<Record<string, unknown>>,
): { query: [name: string, value: string][]; warnings: Text[] } {
	const { values, missing, problems, warnings } = readV1Parameters(
		endpoint,
		params,
	);
	const all =
		missing.length === 0
			? problems
			: [missingProblem(endpoint, missing), ...problems];
	if (all.length > 0) throw problemsError(all);
	return {
		query: [...values].map(([name, value]) => [name, String(value)]),
		warnings: [...warnings],
	};
}
