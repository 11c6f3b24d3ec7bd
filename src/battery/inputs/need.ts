import {
	type ClockOrInstant,
	type ReadResult,
	readClockOrInstant,
	reading,
	readNumber,
	refuseUnknownKeys,
} from "../../messages/value-readers";
import { inputError } from "../../service/errors/solar-yield-error";
import { show } from "../../service/v2/schema-errors";
import { isBlank, isObject } from "../../util/guards";
import type { RunNeed } from "../../window/proposals";

/** What an appliance needs, by its name, and when. */
export interface Need extends RunNeed {
	/** Null for the only need of a message that gives it none. */
	readonly name: string | null;
	/** It runs not before and not beyond these times. */
	readonly earliest: ClockOrInstant | null;
	readonly latest: ClockOrInstant | null;
}

const KEYS = ["name", "kwh", "hours", "earliest", "latest"] as const;
const MOST_NEEDS = 20;

function readOne(at: string, value: unknown, name: string | null): Need {
	if (!isObject(value)) {
		throw inputError("battery.need", { name: at, value: show(value) });
	}
	refuseUnknownKeys(at, value, KEYS);
	const { kwh, hours, earliest, latest } = value;
	if (isBlank(kwh) && isBlank(hours)) {
		throw inputError("battery.need", { name: at, value: show(value) });
	}
	const time = (key: "earliest" | "latest", given: unknown) =>
		isBlank(given) ? null : readClockOrInstant(`${at}.${key}`, given);
	return {
		name,
		kwh: isBlank(kwh)
			? null
			: readNumber(`${at}.kwh`, kwh, { unit: "kWh", above: 0 }),
		hours: isBlank(hours)
			? null
			: readNumber(`${at}.hours`, hours, {
					unit: { key: "unit.hours" },
					above: 0,
					most: 168,
				}),
		earliest: time("earliest", earliest),
		latest: time("latest", latest),
	};
}

function readName(at: string, value: unknown, isOnly: boolean): string | null {
	const name = isObject(value) ? value.name : undefined;
	if (isBlank(name)) {
		if (isOnly) return null;
		throw inputError("battery.need_unnamed", { at, name: show(name) });
	}
	if (typeof name !== "string" && typeof name !== "number") {
		throw inputError("battery.need_name", { at, name: show(name) });
	}
	return String(name);
}

/**
 * `msg.need`: `{kwh}`, `{hours}` or both, with `earliest` and `latest` if you
 * like (`HH:MM` of each day, or an instant), or several of them, each with its `name`.
 *
 * @returns an empty list where nothing is given
 */
export function readNeeds(value: unknown): ReadResult<readonly Need[]> {
	if (isBlank(value)) return { value: [], errors: [] };
	const list = Array.isArray(value) ? value : [value];
	if (list.length > MOST_NEEDS) {
		return {
			errors: [
				inputError("battery.most_entries", {
					name: "need",
					count: list.length,
					most: MOST_NEEDS,
				}),
			],
		};
	}
	const names = new Set<string | null>();
	const read = list.map((each, index) =>
		reading(() => {
			const at = Array.isArray(value) ? `need[${index}]` : "need";
			const name = readName(at, each, list.length === 1);
			const need = readOne(at, each, name);
			if (names.has(name)) {
				throw inputError("battery.need_twice", { at, name: show(name) });
			}
			names.add(name);
			return need;
		}),
	);
	const needs = read.flatMap(({ value: need }) => (need ? [need] : []));
	return {
		...((needs.length > 0 || list.length === 0) && { value: needs }),
		errors: read.flatMap(({ errors }) => errors),
	};
}
