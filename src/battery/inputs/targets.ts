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
import { DAY_MS } from "../../util/time";
import type { Zone } from "../../util/zone";

const MOST_TARGETS = 20;

/** A state of charge, in percent, that is to be reached by a time of each day or an instant. */
export interface Target {
	readonly soc: number;
	readonly by: ClockOrInstant;
}

/**
 * `msg.targets`: `[{soc, by}]`; a single one may stand without the array.
 *
 * @returns an empty list where nothing is given
 */
export function readTargets(value: unknown): ReadResult<readonly Target[]> {
	if (isBlank(value)) return { value: [], errors: [] };
	const list = Array.isArray(value) ? value : [value];
	if (list.length > MOST_TARGETS) {
		return {
			errors: [
				inputError("battery.most_entries", {
					name: "targets",
					count: list.length,
					most: MOST_TARGETS,
				}),
			],
		};
	}
	const read = list.map((each, index) =>
		reading(() => {
			const at = Array.isArray(value) ? `targets[${index}]` : "targets";
			if (!isObject(each)) {
				throw inputError("battery.target", { name: at, value: show(each) });
			}
			refuseUnknownKeys(at, each, ["soc", "by"]);
			return {
				soc: readNumber(`${at}.soc`, each.soc, {
					unit: { key: "unit.percent" },
					least: 0,
					most: 100,
				}),
				by: readClockOrInstant(`${at}.by`, each.by),
			};
		}),
	);
	const targets = read.flatMap(({ value: target }) => (target ? [target] : []));
	return {
		...((targets.length > 0 || list.length === 0) && { value: targets }),
		errors: read.flatMap(({ errors }) => errors),
	};
}

/**
 * The instants after `now` and up to `until` at which targets are due, in
 * ascending order. A time of day that spring skips is due at the change; of the
 * two in autumn the first counts.
 */
export function targetTimes(
	targets: readonly Target[],
	now: number,
	until: number,
	zone: Zone,
): { readonly target: Target; readonly by: number }[] {
	const due: { target: Target; by: number }[] = [];
	for (const target of targets) {
		if ("instant" in target.by) {
			due.push({ target, by: target.by.instant });
			continue;
		}
		for (let day = zone.dayOf(now) - 1; day <= zone.dayOf(until); day += 1) {
			due.push({
				target,
				by: zone.firstInstantFrom(day * DAY_MS + target.by.clock),
			});
		}
	}
	return due
		.filter(({ by }) => by > now && by <= until)
		.sort((a, b) => a.by - b.by);
}
