import { joinTexts, type Text, textIn, type Value } from "../texts/texts";
import type { Language } from "../util/language";
/** The way from V1 parameters to a V2 site, with a report of every parameter. */

import { inputError } from "../service/errors/solar-yield-error";
import {
	missingProblem,
	problemsError,
	readV1Parameters,
	v1Endpoint,
} from "./check-parameters";
import {
	type ConfigGroup,
	DESTINATIONS,
	type Destination,
	type MovedString,
} from "./destinations";
import { shown, unitText } from "./parameter-values";
import {
	type NamedV1Parameter,
	V1_PARAMETERS,
	type V1Endpoint,
	type V1Parameter,
	type V1ParameterName,
	type V1Value,
	v1Limits,
	v1Parameter,
} from "./parameters";

/** The parameters of one V1 node or request. */
export interface V1Set {
	/** Decides the bounds that are checked; `forecast` when absent. */
	readonly endpoint?: V1Endpoint;
	/** Values by V1 parameter name, typed or as text. */
	readonly params: Readonly<Record<string, unknown>>;
}

type MovedConfig = Partial<Record<ConfigGroup, Record<string, V1Value>>>;

/** What `POST /v2/sites` takes (V2 description, "POST /v2/sites"). */
interface MovedSite {
	latitude: number;
	longitude: number;
	name?: string;
	strings: MovedString[];
	/** Holds only what was set; absent when nothing was. */
	config?: MovedConfig;
}

/**
 * What became of one parameter: `carried` is in the site; `default` was not set
 * and follows V2's system default; `none` has no place in a V2 site.
 */
export interface MoveEntry {
	parameter: V1ParameterName;
	/** As read; for an unset one the V1 default when it is carried, else null. */
	value: V1Value | null;
	result: "carried" | "default" | "none";
	note: string;
	/** Index of the set it belongs to, when there are several. */
	set?: number;
}

export interface V1Move {
	site: MovedSite;
	report: MoveEntry[];
}

/** A checked set with what the report and the site need of it. */
interface ReadSet {
	readonly endpoint: V1Endpoint;
	readonly values: ReadonlyMap<V1ParameterName, V1Value>;
	/** "sets[1] " when there are several, for messages. */
	readonly label: string;
}

/** What V1 reckoned with: the value set, else the default of the set's endpoint. */
function effective(set: ReadSet, name: V1ParameterName): V1Value | undefined {
	return (
		set.values.get(name) ?? v1Limits(v1Parameter(name), set.endpoint)?.default
	);
}

function hasSecondArray(set: ReadSet): boolean {
	return Number(effective(set, "second_array_power_kw")) > 0;
}

/** A text about one set of several. */
const ofSet = (label: string, text: Value): Text => ({
	key: "v1.of_set",
	values: { label, text },
});

function readSets(sets: readonly V1Set[]): ReadSet[] {
	if (!Array.isArray(sets) || sets.length === 0)
		throw inputError("v1.no_sets", { value: shown(sets) });
	const problems: Text[] = [];
	const read = sets.map((set, index): ReadSet => {
		const label = sets.length > 1 ? `sets[${index}] ` : "";
		const endpoint = v1Endpoint(set?.endpoint ?? "forecast");
		const reading = readV1Parameters(endpoint, set?.params);
		// A period belongs to a request, so the move does not ask for one.
		const missing = reading.missing.filter(
			(name) => DESTINATIONS[name].to !== "none",
		);
		const found =
			missing.length === 0
				? reading.problems
				: [missingProblem(endpoint, missing), ...reading.problems];
		problems.push(...found.map((problem) => ofSet(label, problem)));
		return { endpoint, values: reading.values, label };
	});
	if (problems.length > 0) throw problemsError(problems);
	return read;
}

/** What a parameter puts where the whole site shares it, as comparable text. */
function siteWide(set: ReadSet, name: V1ParameterName, nowMs: number): string {
	const destination = DESTINATIONS[name];
	const value = effective(set, name) ?? "";
	return JSON.stringify(
		destination.to === "config" ? destination.leaves(value, nowMs) : value,
	);
}

function refuseConflicts(sets: readonly ReadSet[], nowMs: number): void {
	const conflicts = V1_PARAMETERS.filter(({ name }) => {
		const { to } = DESTINATIONS[name];
		return (
			(to === "site" || to === "config") &&
			new Set(sets.map((set) => siteWide(set, name, nowMs))).size > 1
		);
	}).map(({ name }) => {
		const values = sets.map((set) => {
			const value = shown(effective(set, name));
			return ofSet(
				set.label,
				set.values.has(name)
					? value
					: { key: "v1.by_default", values: { value } },
			);
		});
		return { key: "v1.conflict", values: { name, values } };
	});
	if (conflicts.length > 0)
		throw inputError("v1.sets_differ", {
			conflicts: joinTexts("v1.both_conflicts", conflicts),
		});
}

function stringOf(set: ReadSet, array: 1 | 2): MovedString {
	const fields = Object.entries(DESTINATIONS).flatMap(([name, destination]) => {
		if (destination.to !== "string" || destination.array !== array) return [];
		const value =
			destination.field === "gcr"
				? set.values.get(name as V1ParameterName)
				: effective(set, name as V1ParameterName);
		return value === undefined ? [] : [[destination.field, value]];
	});
	return Object.fromEntries(fields);
}

function configOf(sets: readonly ReadSet[], nowMs: number): MovedConfig {
	const config: MovedConfig = {};
	for (const { name } of V1_PARAMETERS) {
		const destination = DESTINATIONS[name];
		const value = sets
			.map((it) => it.values.get(name))
			.find((it) => it != null);
		if (destination.to !== "config" || value === undefined) continue;
		const { group, leaves } = destination;
		config[group] = { ...config[group], ...leaves(value, nowMs) };
	}
	return config;
}

function followsDefault(parameter: V1Parameter, endpoint: V1Endpoint): Text {
	const value = v1Limits(parameter, endpoint)?.default;
	const number = String(value);
	const unit = unitText(parameter.unit);
	return {
		key: "v1.follows_default",
		values: {
			value:
				typeof value === "boolean"
					? { key: value ? "v1.on" : "v1.off" }
					: value === ""
						? { key: "v1.empty" }
						: unit === undefined
							? number
							: { key: "v1.with_unit", values: { bounds: number, unit } },
		},
	};
}

type Outcome = Pick<MoveEntry, "value" | "result"> & { readonly note: Text };
type Of<To extends Destination["to"]> = Extract<Destination, { to: To }>;

function stringOutcome(
	parameter: NamedV1Parameter,
	{ array, field }: Of<"string">,
	set: ReadSet,
	firstString: number,
): Outcome {
	const given = set.values.get(parameter.name);
	if (array === 2 && !hasSecondArray(set))
		return {
			value: given ?? null,
			result: "none",
			note: {
				key: given === undefined ? "v1.no_second_array" : "v1.second_array_0",
			},
		};
	if (given === undefined && field === "gcr")
		return {
			value: null,
			result: "default",
			note: followsDefault(parameter, set.endpoint),
		};
	const value = effective(set, parameter.name) ?? null;
	const lacksPower = field === "power_kw" && value === 0;
	const key =
		given === undefined
			? lacksPower
				? "v1.written_out_0"
				: "v1.written_out"
			: lacksPower
				? "v1.string_0"
				: "v1.of_string";
	const index = firstString + array - 1;
	return { value, result: "carried", note: { key, values: { index, field } } };
}

function configOutcome(
	parameter: NamedV1Parameter,
	{ note }: Of<"config">,
	set: ReadSet,
	sets: readonly ReadSet[],
	nowMs: number,
): Outcome {
	const value = set.values.get(parameter.name);
	if (value !== undefined)
		return { value, result: "carried", note: note(value, nowMs) };
	const setter = sets.find((it) => it.values.has(parameter.name));
	return setter === undefined
		? {
				value: null,
				result: "default",
				note: followsDefault(parameter, set.endpoint),
			}
		: {
				value: effective(set, parameter.name) ?? null,
				result: "carried",
				note: { key: "v1.set_elsewhere", values: { set: setter.label } },
			};
}

function noneOutcome(
	parameter: NamedV1Parameter,
	{ note }: Of<"none">,
	set: ReadSet,
): Outcome {
	const say = (value: V1Value) =>
		typeof note === "function" ? note(value) : note;
	const value = set.values.get(parameter.name);
	if (value !== undefined) return { value, result: "none", note: say(value) };
	const limits = v1Limits(parameter, set.endpoint);
	const unset =
		limits === undefined
			? { key: "v1.unset_untaken", values: { endpoint: set.endpoint } }
			: typeof note !== "function" || limits.default === undefined
				? { key: "v1.unset" }
				: {
						key: "v1.unset_default",
						values: {
							value: String(limits.default),
							note: note(limits.default),
						},
					};
	return { value: null, result: "none", note: unset };
}

function outcome(
	parameter: NamedV1Parameter,
	set: ReadSet,
	sets: readonly ReadSet[],
	firstString: number,
	nowMs: number,
): Outcome {
	const destination = DESTINATIONS[parameter.name];
	switch (destination.to) {
		case "site":
			return {
				value: set.values.get(parameter.name) ?? null,
				result: "carried",
				note: { key: "v1.of_site", values: { name: parameter.name } },
			};
		case "string":
			return stringOutcome(parameter, destination, set, firstString);
		case "config":
			return configOutcome(parameter, destination, set, sets, nowMs);
		case "none":
			return noneOutcome(parameter, destination, set);
	}
}

/**
 * Makes the V2 site of one or more V1 parameter sets, without any request
 * (V2 description, "Versioning", "Site" and "Config").
 *
 * Each set becomes one string, and a second one when `second_array_power_kw` is
 * above 0. Power, slope and orientation that V1 took by default are written out,
 * because strings have no published defaults; config holds only what was set.
 * Sets must agree in location and in every site-wide setting, counted with V1's
 * defaults, since that is what V1 reckoned with.
 *
 * @param sets at least one; each is checked against the bounds of its endpoint
 * @param options.nowMs epoch milliseconds, from which the installation year is counted back
 * @param options.name label of the site
 * @param options.language of the notes
 * @returns the body for creating the site, and for each set one entry per V1 parameter in table order
 * @throws SolarYieldError INPUT naming every bad parameter, or every field in which the sets differ
 */
export function moveToV2(
	sets: readonly V1Set[],
	options: { nowMs: number; name?: string; language?: Language | undefined },
): V1Move {
	const { nowMs, name, language } = options;
	const read = readSets(sets);
	refuseConflicts(read, nowMs);

	const strings: MovedString[] = [];
	const report: MoveEntry[] = [];
	for (const [index, set] of read.entries()) {
		const firstString = strings.length;
		strings.push(stringOf(set, 1));
		if (hasSecondArray(set)) strings.push(stringOf(set, 2));
		for (const parameter of V1_PARAMETERS) {
			const { value, result, note } = outcome(
				parameter,
				set,
				read,
				firstString,
				nowMs,
			);
			report.push({
				parameter: parameter.name,
				value,
				result,
				note: textIn(note, language),
				...(read.length > 1 ? { set: index } : {}),
			});
		}
	}

	const config = configOf(read, nowMs);
	const first = read[0] as ReadSet;
	return {
		site: {
			latitude: Number(first.values.get("latitude")),
			longitude: Number(first.values.get("longitude")),
			...(name === undefined ? {} : { name }),
			strings,
			...(Object.keys(config).length === 0 ? {} : { config }),
		},
		report,
	};
}
