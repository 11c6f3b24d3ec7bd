import type { Forecast } from "../../src/forecast/forecast";
import type { SolarFacts } from "../../src/messages/facts";
import {
	followSite,
	forecastFromInput,
	readPayload,
} from "../../src/messages/forecast-input";
import { PRICE_BOUNDS, readPriceRows } from "../../src/messages/price-rows";
import {
	absentInputs,
	isBlank,
	type Reading,
	readFlag,
	reading,
	readNumber,
} from "../../src/messages/value-readers";
import {
	inputError,
	type SolarYieldError,
} from "../../src/service/errors/solar-yield-error";
import { isObject } from "../../src/util/guards";
import { type WindowForecast, windowForecast } from "../../src/window/plan";
import type { FeedIn, PriceRow } from "../../src/window/prices";
import {
	mergeOverrides,
	type Overrides,
	readRunMinutes,
	WINDOW_SETTINGS,
} from "../../src/window/settings";
import type { Message } from "../shared/handler";

/** The last forecast that a node received. */
export interface Known {
	readonly window: WindowForecast;
	readonly forecast: Forecast;
	readonly solar: SolarFacts;
}

/** What a message brought; what it did not bring, or wrongly, is absent. */
export interface Brought {
	readonly forecast?: Known;
	readonly overrides?: Overrides;
	readonly prices?: readonly PriceRow[];
	readonly feedIn?: FeedIn;
	/** What the appliance ran today, ms. */
	readonly ran?: number;
	readonly done?: true;
	/** What it had no value for: a sensor that is unavailable. */
	readonly absent: readonly string[];
	readonly errors: readonly SolarYieldError[];
}

/** What a message may bring besides a forecast. */
const INPUTS = [
	...WINDOW_SETTINGS,
	"prices",
	"feedIn",
	"run_minutes",
	"done",
] as const;

/** Those that a meter gives. */
const READINGS = ["run_minutes"] as const;

/** Properties of a message that end here: what is sent has its own, or none. */
const TAKEN = [
	...INPUTS,
	...["payload", "topic", "window", "solar", "quota", "siteId", "refresh"],
	...["retain", "parts"],
];

/** The properties of a message that are handed on. */
export const handedOn = (msg: Message): Record<string, unknown> =>
	Object.fromEntries(
		Object.entries(msg).filter(([name]) => !TAKEN.includes(name)),
	);

const isNothing = (value: unknown) =>
	isBlank(value) || (Array.isArray(value) && value.length === 0);

function readPrices(value: unknown): Reading<readonly PriceRow[]> {
	if (isNothing(value)) return { value: [], errors: [] };
	const { value: read, errors } = readPriceRows("prices", value);
	return { ...(read && { value: read.rows }), errors };
}

function readFeedIn(value: unknown): Reading<FeedIn> {
	if (isNothing(value)) return { value: 0, errors: [] };
	if (
		typeof value === "number" ||
		(typeof value === "string" && /^[\s\d.,+-]/.test(value))
	) {
		return reading(() => readNumber("feedIn", value, PRICE_BOUNDS));
	}
	const { value: read, errors } = readPriceRows("feedIn", value);
	return { ...(read && { value: read.rows }), errors };
}

/**
 * What a message brings, each property read by itself: what is wrong in one never
 * discards another (behaviour: The best time).
 *
 * @param before settings of earlier messages, and the site that is followed
 * @param now epoch ms
 */
export function readMessage(
	received: Message,
	before: {
		readonly overrides: Overrides;
		readonly followed: string | undefined;
	},
	now: number,
): Brought {
	const absent = absentInputs(received, INPUTS, READINGS);
	const msg: Message = { ...received };
	for (const name of absent) delete msg[name];
	const { overrides, errors: wrong } = mergeOverrides(before.overrides, msg);
	const errors = [...wrong];
	const take = <Value>(read: Reading<Value>): Value | undefined => {
		errors.push(...read.errors);
		return read.value;
	};
	const prices = "prices" in msg ? take(readPrices(msg.prices)) : undefined;
	const feedIn = "feedIn" in msg ? take(readFeedIn(msg.feedIn)) : undefined;
	const ran =
		"run_minutes" in msg
			? take(reading(() => readRunMinutes(msg.run_minutes)))
			: undefined;
	const done = take(reading(() => readFlag("done", msg.done)));
	const forecast = take(
		reading(() => readForecastPart(received, before.followed, now)),
	);
	return {
		...(forecast && { forecast }),
		...(JSON.stringify(overrides) !== JSON.stringify(before.overrides) && {
			overrides,
		}),
		...(prices && { prices }),
		...(feedIn !== undefined && { feedIn }),
		...(ran !== undefined && { ran }),
		// False, which an appliance that still runs may say, is nothing.
		...(done && { done }),
		absent,
		errors,
	};
}

/** The forecast of a message; undefined for a message that means something else. */
function readForecastPart(
	msg: Message,
	followed: string | undefined,
	now: number,
): Known | undefined {
	const meansOther = INPUTS.some((name) => name in msg);
	let payload: unknown;
	try {
		payload = readPayload(msg.payload);
	} catch (error) {
		if (meansOther) return undefined;
		throw error;
	}
	const isForecast = isObject(payload) && "values" in payload;
	if (meansOther && !isForecast) return undefined;
	const input = forecastFromInput({ ...msg, payload });
	followSite(followed, input.solar, msg.siteId);
	return {
		...input,
		window: windowForecast(input, msg.topic, now),
	};
}

/** One error for all faults of a message. */
export function joinErrors(errors: readonly SolarYieldError[]): Error {
	const [first, ...more] = errors;
	return first && more.length === 0
		? first
		: inputError(errors.map(({ message }) => message).join(" · "));
}
