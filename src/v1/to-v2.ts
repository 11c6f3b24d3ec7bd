/** The way from V1 parameters to a V2 site, with a report of every parameter. */

import { inputError } from "../service/errors/solar-yield-error";
import { joinTexts, type Text, textIn, type Value } from "../texts/texts";
import type { Language } from "../util/language";
import { DAY_MS } from "../util/time";
import {
	missingProblem,
	problemsError,
	readV1Parameters,
	v1Endpoint,
} from "./check-parameters";
import { readTracker, shown, unitText } from "./parameter-values";
import {
	type MovedConfig,
	type MovedString,
	type MoveEntry,
	V1_PARAMETERS,
	type V1Endpoint,
	type V1Move,
	type V1Parameter,
	type V1Value,
	type V2Place,
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

/** A checked set with what the report and the site need of it. */
interface ReadSet {
	readonly endpoint: V1Endpoint;
	readonly values: ReadonlyMap<string, V1Value>;
	/** "sets[1] " when there are several, for messages. */
	readonly label: string;
}

const defaultOf = (set: ReadSet, parameter: V1Parameter | undefined) =>
	v1Limits(parameter, set.endpoint)?.default;

/** What V1 reckoned with: the value set, else the default of the set's endpoint. */
const effective = (set: ReadSet, parameter: V1Parameter) =>
	set.values.get(parameter.name) ?? defaultOf(set, parameter);

const hasSecondArray = (set: ReadSet) =>
	Number(set.values.get("second_array_power_kw") ?? 0) > 0;

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
			(name) => v1Parameter(name)?.v2.to !== "none",
		);
		if (missing.length > 0)
			problems.push(ofSet(label, missingProblem(endpoint, missing)));
		problems.push(...reading.problems.map((problem) => ofSet(label, problem)));
		return { endpoint, values: reading.values, label };
	});
	if (problems.length > 0) throw problemsError(problems);
	return read;
}

/** Refuses sets that differ in what a V2 site has only once. */
function refuseConflicts(sets: readonly ReadSet[], nowMs: number): void {
	const conflicts = V1_PARAMETERS.filter((parameter) => {
		const { name, v2 } = parameter;
		if (v2.to !== "site" && v2.to !== "config") return false;
		const placed = sets.map((set) => {
			const value = effective(set, parameter) ?? "";
			return JSON.stringify(
				v2.to === "site" ? value : leavesOf(name, v2, value, nowMs),
			);
		});
		return new Set(placed).size > 1;
	}).map((parameter) => {
		const { name } = parameter;
		const values = sets.map((set) => {
			const value = shown(effective(set, parameter));
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

const TRACKER_TYPES = ["fixed", "single_axis", "dual_axis"] as const;

/** The year (UTC) in which modules of that age were installed. */
function installationYear(age: number, nowMs: number): number {
	// Whole years by the calendar, so that leap days cannot shift them.
	const day = new Date(nowMs);
	const whole = Math.floor(age);
	day.setUTCFullYear(day.getUTCFullYear() - whole);
	return new Date(
		day.getTime() - (age - whole) * 365.25 * DAY_MS,
	).getUTCFullYear();
}

/** What a value puts into the config; nothing for text that is empty. */
function leavesOf(
	name: string,
	{ field = name }: Extract<V2Place, { to: "config" }>,
	value: V1Value,
	nowMs: number,
): Record<string, V1Value> {
	if (name === "single_axis_tracker_config") return { ...readTracker(value) };
	if (name === "tracker_system_type")
		return { [field]: TRACKER_TYPES[Number(value)] ?? "fixed" };
	if (name === "panel_age_years")
		return { installation_year: installationYear(Number(value), nowMs) };
	return value === "" ? {} : { [field]: value };
}

function stringOf(set: ReadSet, array: 1 | 2): MovedString {
	const fields = V1_PARAMETERS.flatMap((parameter) => {
		const { name, v2 } = parameter;
		if (v2.to !== "string" || v2.array !== array) return [];
		const value =
			v2.field === "gcr" ? set.values.get(name) : effective(set, parameter);
		return value === undefined ? [] : [[v2.field, value]];
	});
	return Object.fromEntries(fields);
}

function configOf(sets: readonly ReadSet[], nowMs: number): MovedConfig {
	const config: MovedConfig = {};
	for (const { name, v2 } of V1_PARAMETERS) {
		const value = sets
			.map((it) => it.values.get(name))
			.find((it) => it != null);
		if (v2.to !== "config" || value === undefined) continue;
		config[v2.group] = {
			...config[v2.group],
			...leavesOf(name, v2, value, nowMs),
		};
	}
	return config;
}

function followsDefault(set: ReadSet, parameter: V1Parameter): Text {
	const value = defaultOf(set, parameter);
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

/** The `include` groups in which V2 shows what a V1 column held. */
const INCLUDE_GROUPS: Readonly<Record<string, string>> = {
	default: "dtm spec_watts pv_watts",
	irradiance: "ghi dhi bni",
	weather: "temp weather_code",
	clearsky: "spec_watts_clearsky pv_watts_clearsky",
	strings: "gti gti_shaded",
};

/** Which include groups show the columns that V1 was asked for. */
function includeNote(columns: string): Text {
	const unknown: string[] = [];
	const groups = new Set<string>();
	for (const name of columns.split(",")) {
		const group = Object.keys(INCLUDE_GROUPS).find((it) =>
			INCLUDE_GROUPS[it]?.split(" ").includes(name.toLowerCase()),
		);
		if (group === undefined) unknown.push(name);
		else groups.add(group);
	}
	return {
		key: unknown.length > 0 ? "v1.columns_unknown" : "v1.columns",
		values: {
			use:
				groups.size > 0
					? { key: "v1.use_groups", values: { groups: [...groups] } }
					: { key: "v1.no_groups" },
			unknown,
		},
	};
}

/** What takes the place of a parameter that has none in V2; by its value where that decides. */
function noneNote(key: string, given: V1Value): Text {
	const value = String(given);
	if (key === "columns") return includeNote(value);
	if (key !== "timezone") return { key: `v1.${key}` };
	const isUtc = value.toLowerCase() === "utc";
	return { key: isUtc ? "v1.timezone_utc" : "v1.timezone_local" };
}

type Outcome = [V1Value | null, MoveEntry["result"], Text];

/** What becomes of a parameter of one set. */
function outcome(
	parameter: V1Parameter,
	set: ReadSet,
	sets: readonly ReadSet[],
	firstString: number,
	nowMs: number,
): Outcome {
	const { name, v2 } = parameter;
	const given = set.values.get(name);
	const value = given ?? null;
	const reckoned = effective(set, parameter) ?? null;
	const byDefault = (): Outcome => [
		null,
		"default",
		followsDefault(set, parameter),
	];

	switch (v2.to) {
		case "site":
			return [value, "carried", { key: "v1.of_site", values: { name } }];
		case "string": {
			const { array, field } = v2;
			if (array === 2 && !hasSecondArray(set)) {
				const why = given === undefined ? "no_second_array" : "second_array_0";
				return [value, "none", { key: `v1.${why}` }];
			}
			if (given === undefined && field === "gcr") return byDefault();
			const said = given === undefined ? "written_out" : "of_string";
			const lacksPower = field === "power_kw" && reckoned === 0;
			const key = `v1.${said}${lacksPower ? "_0" : ""}`;
			const index = firstString + array - 1;
			return [reckoned, "carried", { key, values: { index, field } }];
		}
		case "config": {
			if (given !== undefined) {
				const { group, field = "", note } = v2;
				const [made = ""] = Object.values(leavesOf(name, v2, given, nowMs));
				const values = {
					group,
					field,
					given: String(given),
					made: String(made),
				};
				return [given, "carried", { key: `v1.${note}`, values }];
			}
			const setter = sets.find((it) => it.values.has(name));
			if (!setter) return byDefault();
			const values = { set: setter.label };
			return [reckoned, "carried", { key: "v1.set_elsewhere", values }];
		}
		case "none": {
			const { endpoint } = set;
			if (given !== undefined) return [given, "none", noneNote(v2.note, given)];
			const limits = v1Limits(parameter, endpoint);
			if (limits === undefined)
				return [
					null,
					"none",
					{ key: "v1.unset_untaken", values: { endpoint } },
				];
			// Of what the value decides the default is worth telling.
			if (name !== "required_data" && name !== "timezone")
				return [null, "none", { key: "v1.unset" }];
			const standard = String(limits.default);
			const values = { value: standard, note: noneNote(v2.note, standard) };
			return [null, "none", { key: "v1.unset_default", values }];
		}
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
	options: { nowMs: number; name?: string | undefined; language?: Language },
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
			const [value, result, note] = outcome(
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
				...(read.length > 1 && { set: index }),
			});
		}
	}

	const config = configOf(read, nowMs);
	const { values } = read[0] as ReadSet;
	return {
		site: {
			latitude: Number(values.get("latitude")),
			longitude: Number(values.get("longitude")),
			...(name !== undefined && { name }),
			strings,
			...(Object.keys(config).length > 0 && { config }),
		},
		report,
	};
}
