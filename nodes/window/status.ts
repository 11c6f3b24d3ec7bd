import type { NodeStatus } from "node-red";
import type { Zone } from "../../src/util/zone";
import type { Output } from "../../src/window/output";
import {
	absentText,
	clockText,
	makeStatus,
	numberText,
	type Translate,
	textsOf,
} from "../shared/status";
import { reasonOf, reasonText } from "./reason";

const TYPE = "solar-yield-window";

/** What a node of the best time shows. */
interface WindowNodeState {
	/** Undefined before the first tick. */
	readonly output: Output | undefined;
	readonly zone: Zone;
	readonly demo: boolean;
	/** Inputs whose last message had no value. */
	readonly absent?: readonly string[];
	/** Epoch ms. */
	readonly now: number;
}

/** Until when it is on, or when it goes on next, or why it does not (behaviour: The best time). */
export function windowStatus(
	{ output, zone, demo, absent = [], now }: WindowNodeState,
	translate: Translate,
): NodeStatus {
	const say = textsOf(TYPE, translate);
	if (!output) return makeStatus("idle", say("no_forecast"), demo);
	const { why, next, shortage, on, oldHours, lacksPrices } = output;
	const number = (value: number) => numberText(value, translate);
	const time = (instant: number) => clockText(instant, now, zone, translate);
	const parts: string[] = [];
	if (lacksPrices) parts.push(say("no_prices"));
	if (why.code !== "waiting") {
		const [key, values] = reasonOf(why, { time, number });
		parts.push(say(key === "told_done" ? "done" : key, values));
	}
	if (next && !on) {
		const isToday = zone.dayOf(next.start) === zone.dayOf(now);
		const start = zone.format(next.start).slice(11, 16);
		parts.push(say(isToday ? "next" : "tomorrow", { time: start }));
	}
	if (shortage && why.code !== "short") {
		const { wanted, missing, unit } = shortage;
		const found = number(wanted - missing);
		parts.push(say("short", { found, wanted: number(wanted), unit }));
	}
	if (oldHours !== null) parts.push(say("old", { age: number(oldHours) }));
	parts.push(...absentText(absent, say));
	const off = why.code === "short" ? "waiting" : "idle";
	return makeStatus(on ? "fine" : off, parts.join(" · "), demo);
}

/** The reason in `msg.window`, in the server's language. */
export const windowReason = (
	output: Output,
	zone: Zone,
	now: number,
	translate: Translate,
): string =>
	reasonText(output, {
		say: (key, values) =>
			translate(
				`@solar-yield/node-red-solar-yield/${TYPE}:${TYPE}.reason.${key}`,
				values,
			),
		time: (instant) => clockText(instant, now, zone, translate),
		number: (value) => numberText(value, translate),
	});
