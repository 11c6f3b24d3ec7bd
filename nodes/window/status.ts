import type { NodeStatus } from "node-red";
import { Zone } from "../../src/util/zone";
import type { Output } from "../../src/window/output";
import {
	absentText,
	clockText,
	type Look,
	makeStatus,
	numberText,
	type Translate,
	textsOf,
} from "../shared/status";
import { KEYS, reasonText, type Words } from "./reason";

const TYPE = "solar-yield-window";

/** What a node of the best time shows. */
interface WindowNodeState {
	/** Undefined before the first tick. */
	readonly output: Output | undefined;
	readonly lacksPrices: boolean;
	readonly zone: Zone | undefined;
	readonly demo: boolean;
	/** Inputs whose last message had no value. */
	readonly absent?: readonly string[];
	/** Epoch ms. */
	readonly now: number;
}

const LOOKS: Partial<Record<Output["why"]["code"], Look>> = {
	running: "fine",
	waiting: "idle",
	done: "idle",
	"told-done": "idle",
	"no-forecast": "idle",
};

/** Until when it is on, or when it goes on next, or why it does not (behaviour: The best time). */
export function windowStatus(
	{
		output,
		lacksPrices,
		zone = Zone.utc,
		demo,
		absent = [],
		now,
	}: WindowNodeState,
	translate: Translate,
): NodeStatus {
	const say = textsOf(TYPE, translate);
	if (!output) return makeStatus("idle", say("no_forecast"), demo);
	const { why, next, shortage } = output;
	const hours = (value: number) => numberText(value, translate);
	const parts: string[] = [];
	const isToday = next && zone.dayOf(next.start) === zone.dayOf(now);
	if (why.code === "running") {
		parts.push(
			say("running", { time: clockText(why.until, now, zone, translate) }),
		);
	} else if (why.code !== "waiting") {
		parts.push(say(why.code === "told-done" ? "done" : KEYS[why.code]));
	}
	if (next && why.code !== "running") {
		const time = zone.format(next.start).slice(11, 16);
		parts.push(say(isToday ? "next" : "tomorrow", { time }));
	}
	if (shortage && shortage.code !== why.code) {
		const found = hours(shortage.wanted_hours - shortage.missing_hours);
		parts.push(say("short", { found, wanted: hours(shortage.wanted_hours) }));
	}
	if (lacksPrices) parts.push(say("no_prices"));
	parts.push(...absentText(absent, say));
	return makeStatus(LOOKS[why.code] ?? "waiting", parts.join(" · "), demo);
}

/** The reason in `msg.window`, in the server's language. */
export function windowReason(
	output: Output,
	{
		lacksPrices,
		zone = Zone.utc,
		now,
	}: Pick<WindowNodeState, "lacksPrices" | "zone" | "now">,
	translate: Translate,
): string {
	const words: Words = {
		say: (key, values) =>
			translate(
				`@solar-yield/node-red-solar-yield/${TYPE}:${TYPE}.reason.${key}`,
				values,
			),
		time: (instant) => clockText(instant, now, zone, translate),
		number: (value) => numberText(value, translate),
	};
	return reasonText(output, lacksPrices, words);
}
