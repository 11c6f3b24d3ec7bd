import type { NowPayload } from "../../forecast/now";
import type { QuotaFacts, SolarFacts } from "../../messages/facts";
import { isObject } from "../../util/guards";
import { utcText } from "../../util/time";
import type { DatedValues } from "../live-site";
import {
	daySensor,
	keyOf,
	SENSORS,
	type Sensor,
	stringSensors,
} from "./entities";
import { slug } from "./slug";

/** The state of a site: one flat object, a field per sensor. */
type State = Record<string, unknown>;

/** Names of the strings that templates can hold, none twice, by string id. */
type StringLabels = ReadonlyMap<string, string>;

export function stringLabels({ strings }: NowPayload): StringLabels {
	const labels = new Map<string, string>();
	for (const { string_id } of strings) {
		const wanted = slug(string_id) || "string";
		const taken = [...labels.values()];
		let label = wanted;
		for (let next = 2; taken.includes(label); next += 1)
			label = `${wanted}_${next}`;
		labels.set(string_id, label);
	}
	return labels;
}

/** Peak power of the strings that have one, kW. */
function installedPower({ strings }: SolarFacts): number | null {
	const sum = strings.reduce((kw, { power_kw }) => kw + (power_kw ?? 0), 0);
	return sum > 0 ? Math.round(sum * 1000) / 1000 : null;
}

/** Days of readings in a forecast that `solar-yield-learn` has corrected. */
function learnedDays(facts: SolarFacts & { learned?: unknown }): number | null {
	const { learned } = facts;
	return isObject(learned) && typeof learned.days === "number"
		? learned.days
		: null;
}

/**
 * The state that values make.
 *
 * @param labels of the strings in the values
 */
export function stateOf(
	{ values, at }: DatedValues,
	labels: StringLabels,
	facts: SolarFacts,
	quota: QuotaFacts | undefined,
): State {
	const { days, strings, ...flat } = values;
	const state: State = {
		...flat,
		weather_code_now:
			flat.weather_code_now === null ? null : String(flat.weather_code_now),
		demo: facts.demo,
		installed_power_kw: installedPower(facts),
		learned_days: learnedDays(facts),
		sent_at: utcText(at),
	};
	for (const [index, day] of days.entries()) {
		if (index > 1) state[daySensor(index).field] = day.pv_energy_kwh;
	}
	for (const { string_id, ...fields } of strings) {
		for (const [field, value] of Object.entries(fields)) {
			state[`string_${labels.get(string_id)}_${field}`] = value;
		}
	}
	for (const [field, value] of Object.entries(quota ?? {})) {
		state[`requests_${field}`] = value;
	}
	return state;
}

/**
 * The sensors that a state has; an optional one from its first value on.
 *
 * @param isPublished whether a sensor was ever published, by its key
 */
export function sensorsOf(
	{ days }: NowPayload,
	labels: StringLabels,
	state: State,
	isPublished: (key: string) => boolean,
): Sensor[] {
	const all = [
		...SENSORS,
		...days.flatMap((_, index) => (index > 1 ? [daySensor(index)] : [])),
		...[...labels].flatMap(([id, label]) => stringSensors(label, id)),
	];
	return all.filter(
		(sensor) =>
			!sensor.optional ||
			state[sensor.field] != null ||
			isPublished(keyOf(sensor)),
	);
}
