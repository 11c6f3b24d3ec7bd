import {
	absentInputs,
	newQuestions,
	type ReadResult,
	readFlag,
	reading,
} from "../../src/messages/value-readers";
import { readFeedIn, readPrices } from "../../src/prices/reader";
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

/** What earlier messages leave to be told. */
interface Heard {
	/** Inputs whose last message had no value: a sensor that is unavailable. */
	readonly absent: readonly string[];
	/** Inputs that were asked about (`newQuestions`). */
	readonly asked: readonly string[];
}

export const NOTHING_HEARD: Heard = { absent: [], asked: [] };

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
	"payload",
	"topic",
	"retain",
	"parts",
	"siteId",
	"refresh",
	"window",
	"solar",
	"quota",
];

/**
 * What a message brings besides a forecast, each property read by itself: what is
 * wrong in one never discards another (behaviour: The best time).
 *
 * @param before settings of earlier messages, and the power of the appliance
 * @param zone the site's; undefined before its forecast
 */
export function readBrought(
	received: Message,
	before: { readonly overrides: Overrides; readonly loadW: number | null },
	zone: Zone | undefined,
	heard: Heard,
) {
	const absent = absentInputs(received, INPUTS, READINGS);
	const msg: Message = { ...received };
	for (const name of absent) delete msg[name];
	const { overrides, errors } = mergeOverrides(before.overrides, msg);
	const reads: Record<string, ReadResult<unknown>> = {};
	/** Undefined where the message says nothing of it, or wrongly. */
	const take = <Value>(
		name: (typeof INPUTS)[number],
		read: (value: unknown) => ReadResult<Value>,
	): Value | undefined => {
		if (!(name in msg)) return undefined;
		const result = read(msg[name]);
		errors.push(...result.errors);
		reads[name] = result;
		return result.value;
	};
	const takeFlag = (name: "done" | "override") =>
		take(name, (value) => reading(() => readFlag(name, value)));
	const prices = take("prices", (value) => readPrices("prices", value, zone));
	const feedIn = take("feedIn", (value) => readFeedIn(value, zone));
	const brought: Brought = {
		overrides,
		prices: prices === null ? [] : prices?.rows,
		feedIn: feedIn === null ? 0 : feedIn,
		ran: take("run_minutes", (value) => reading(() => readRunMinutes(value))),
		lackingKwh: take("energy_kwh", (value) =>
			reading(() => readLacking(value, before.loadW)),
		),
		override: msg.override === null ? null : takeFlag("override"),
		done: takeFlag("done"),
	};
	const { asked, told } = newQuestions(heard.asked, reads);
	const still = heard.absent.filter((name) => !(name in received));
	return {
		brought,
		heard: { absent: [...still, ...absent], asked },
		errors: [...errors, ...told],
	};
}
