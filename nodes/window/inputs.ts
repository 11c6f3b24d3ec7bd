import {
	absentInputs,
	newQuestions,
	type ReadResult,
	readFlag,
	reading,
} from "../../src/messages/value-readers";
import { readFeedIn, readPrices } from "../../src/prices/reader";
import type { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import type { Zone } from "../../src/util/zone";
import {
	mergeOverrides,
	type Overrides,
	readLacking,
	readRunMinutes,
	WINDOW_SETTINGS,
} from "../../src/window/settings";
import type { Brought } from "../../src/window/transitions";
import type { Message } from "../shared/handler";

/** What a message brought, and what is to be said of it. */
interface Read extends Brought {
	/** What it had no value for: a sensor that is unavailable. */
	readonly absent: readonly string[];
	readonly errors: readonly SolarYieldError[];
	/** Inputs that were asked about (`newQuestions`). */
	readonly asked: readonly string[];
}

/** What a message may bring besides a forecast. */
export const INPUTS = [
	...WINDOW_SETTINGS,
	"prices",
	"feedIn",
	"run_minutes",
	"energy_kwh",
	"done",
	"override",
] as const;

/** Those that a meter gives. */
const READINGS = ["run_minutes", "energy_kwh"] as const;

/** Properties of a message that end here: what is sent has its own, or none. */
export const TAKEN = [
	...INPUTS,
	...["payload", "topic", "window", "solar", "quota", "siteId", "refresh"],
	...["retain", "parts"],
];

/**
 * What a message brings besides a forecast, each property read by itself: what is
 * wrong in one never discards another (behaviour: The best time).
 *
 * @param before settings of earlier messages
 * @param loadW power of the appliance
 * @param zone the site's; undefined before its forecast
 * @param askedBefore inputs that were asked about
 */
export function readBrought(
	received: Message,
	before: Overrides,
	loadW: number | null,
	zone: Zone | undefined,
	askedBefore: readonly string[],
): Read {
	const absent = absentInputs(received, INPUTS, READINGS);
	const msg: Message = { ...received };
	for (const name of absent) delete msg[name];
	const { overrides, errors: wrong } = mergeOverrides(before, msg);
	const errors = [...wrong];
	const take = <Value>(read: ReadResult<Value>): Value | undefined => {
		errors.push(...read.errors);
		return read.value;
	};
	const read = {
		prices:
			"prices" in msg ? readPrices("prices", msg.prices, zone) : undefined,
		feedIn: "feedIn" in msg ? readFeedIn(msg.feedIn, zone) : undefined,
	};
	const prices = read.prices && take(read.prices);
	const feedIn = read.feedIn && take(read.feedIn);
	const ran =
		"run_minutes" in msg
			? take(reading(() => readRunMinutes(msg.run_minutes)))
			: undefined;
	const lackingKwh =
		"energy_kwh" in msg
			? take(reading(() => readLacking(msg.energy_kwh, loadW)))
			: undefined;
	const override =
		msg.override === null
			? null
			: "override" in msg
				? take(reading(() => readFlag("override", msg.override)))
				: undefined;
	const done = take(reading(() => readFlag("done", msg.done)));
	const { asked, told } = newQuestions(askedBefore, read);
	return {
		...(JSON.stringify(overrides) !== JSON.stringify(before) && {
			overrides,
		}),
		...(prices !== undefined && { prices: prices?.rows ?? [] }),
		...(feedIn !== undefined && { feedIn: feedIn ?? 0 }),
		...(ran !== undefined && { ran }),
		...(lackingKwh !== undefined && { lackingKwh }),
		...(override !== undefined && { override }),
		// False, which an appliance that still runs may say, is nothing.
		...(done && { done }),
		absent,
		errors: [...errors, ...told],
		asked,
	};
}
