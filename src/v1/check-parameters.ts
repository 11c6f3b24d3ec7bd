/** Whether a set of V1 parameters can succeed, and the query it makes. */

import { inputError } from "../service/errors/solar-yield-error";
import { isObject } from "../util/guards";
import { dateDay } from "../util/timestamp";
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
	type V1Parameter,
	type V1ParameterName,
	type V1Value,
	v1Limits,
	v1Parameter,
} from "./parameters";

/** A set of V1 parameters as read: everything that is good and everything that is not. */
interface V1Reading {
	/** What is set and valid, in table order. */
	readonly values: ReadonlyMap<V1ParameterName, V1Value>;
	/** Required by the endpoint, but not set. */
	readonly missing: readonly V1ParameterName[];
	/** One sentence each: parameter, value, what it should be. */
	readonly problems: readonly string[];
	/** What is sent although it may not be understood. */
	readonly warnings: readonly string[];
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

function join(names: readonly string[]): string {
	return names.length < 2
		? names.join("")
		: `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function wordsOnEveryEndpoint(parameter: V1Parameter): string {
	return parameter.limits
		.map(
			(it) => `${it.endpoints.join(", ")} (${expectedV1Value(parameter, it)})`,
		)
		.join(", ");
}

/** The period of `history` and `recent`; a default start counts as well. */
function periodProblem(
	values: ReadonlyMap<V1ParameterName, V1Value>,
	endpoint: V1Endpoint,
): string | undefined {
	const start =
		values.get("start_date") ??
		v1Limits(v1Parameter("start_date"), endpoint)?.default;
	const end = values.get("end_date");
	if (start === undefined || end === undefined) return undefined;
	const source = values.has("start_date") ? "" : " (the service's default)";
	return dateDay(String(end)) < dateDay(String(start))
		? `end_date ${shown(end)} is before start_date ${shown(start)}${source}; give an end_date on or after start_date`
		: undefined;
}

/** The endpoint of that name; INPUT when V1 has none. */
export function v1Endpoint(name: unknown): V1Endpoint {
	if (typeof name === "string" && Object.hasOwn(V1_ENDPOINTS, name))
		return name as V1Endpoint;
	throw inputError(
		`endpoint ${shown(name)} does not exist in V1; give one of ${Object.keys(V1_ENDPOINTS).join(", ")}`,
	);
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
		throw inputError(
			`V1 parameters ${shown(params)} are not an object; give an object of parameter names and values`,
		);

	const problems: string[] = [];
	for (const name of Object.keys(params))
		if (v1Parameter(name) === undefined)
			problems.push(
				// Without its value: under a foreign name it may be a secret.
				`${shown(name)} is not a V1 parameter; remove it, or write ${nearest(name)} if that is meant`,
			);

	const values = new Map<V1ParameterName, V1Value>();
	const missing: V1ParameterName[] = [];
	const warnings: string[] = [];
	for (const parameter of V1_PARAMETERS) {
		const { name } = parameter;
		const given = Object.hasOwn(params, name) ? params[name] : undefined;
		const limits = v1Limits(parameter, endpoint);
		if (isUnset(given)) {
			if (limits?.required) missing.push(name);
		} else if (limits === undefined) {
			problems.push(
				`${name} ${shown(given)} is not taken by the ${endpoint} endpoint; remove it, or use one that takes it: ${wordsOnEveryEndpoint(parameter)}`,
			);
		} else {
			const reading = readV1Value(given, parameter, limits);
			if ("problem" in reading)
				problems.push(`${name} ${shown(given)} ${reading.problem}`);
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
	missing: readonly V1ParameterName[],
): string {
	const expected = missing.map((name) => {
		const parameter = v1Parameter(name);
		const limits = v1Limits(parameter, endpoint);
		return limits ? `${name} (${expectedV1Value(parameter, limits)})` : name;
	});
	return `${join(missing)} ${missing.length === 1 ? "is" : "are"} missing on the ${endpoint} endpoint; give ${join(expected)}`;
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
): { query: [name: string, value: string][]; warnings: string[] } {
	const { values, missing, problems, warnings } = readV1Parameters(
		endpoint,
		params,
	);
	const all =
		missing.length === 0
			? problems
			: [missingProblem(endpoint, missing), ...problems];
	if (all.length > 0) throw inputError(all.join(". "));
	return {
		query: [...values].map(([name, value]) => [name, String(value)]),
		warnings: [...warnings],
	};
}
