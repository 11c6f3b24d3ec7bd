import type { Forecast } from "../../src/forecast/forecast";
import type { Zone } from "../../src/forecast/zone";
import type { SolarFacts } from "../../src/messages/facts";
import {
	followSite,
	forecastFromInput,
	readPayload,
} from "../../src/messages/input/forecast-input";
import {
	absentInputs,
	type ReadResult,
	readFlag,
	reading,
} from "../../src/messages/value-readers";
import {
	type FeedIn,
	type PriceRow,
	readFeedIn,
	readPrices,
} from "../../src/prices/reader";
import type { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import { isObject } from "../../src/util/guards";
import { type WindowForecast, windowForecast } from "../../src/window/plan";
import {
	mergeOverrides,
	type Overrides,
	readRunMinutes,
	WINDOW_SETTINGS,
} from "../../src/window/settings";
import type { Message } from "../shared/handler";

/** The last forecast that a node received. */
export interface LastForecast {
	readonly window: WindowForecast;
	readonly forecast: Forecast;
	readonly solar: SolarFacts;
}

/** What a message brought; what it did not bring, or wrongly, is absent. */
export interface Brought {
	readonly forecast?: LastForecast;
	readonly overrides?: Overrides;
	readonly prices?: readonly PriceRow[];
	readonly feedIn?: FeedIn;
	/** What the appliance ran today, ms. */
	readonly ran?: number;
	readonly done?: true;
	/** What it had no value for: a sensor that is unavailable. */
	readonly absent: readonly string[];
	readonly errors: readonly SolarYieldError[];
	/** What is to be asked once. */
	readonly question: SolarYieldError | undefined;
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

/**
 * What a message brings, each property read by itself: what is wrong in one never
 * discards another (behaviour: The best time).
 *
 * @param before settings of earlier messages, the site that is followed, and its zone
 * @param now epoch ms
 */
export function readMessage(
	received: Message,
	before: {
		readonly overrides: Overrides;
		readonly followed: string | undefined;
		readonly zone: Zone | undefined;
	},
	now: number,
): Brought {
	const absent = absentInputs(received, INPUTS, READINGS);
	const msg: Message = { ...received };
	for (const name of absent) delete msg[name];
	const { overrides, errors: wrong } = mergeOverrides(before.overrides, msg);
	const errors = [...wrong];
	const take = <Value>(read: ReadResult<Value>): Value | undefined => {
		errors.push(...read.errors);
		return read.value;
	};
	const forecast = take(
		reading(() => readForecastPart(received, before.followed, now)),
	);
	const zone = forecast?.forecast.zone ?? before.zone;
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
	const done = take(reading(() => readFlag("done", msg.done)));
	return {
		...(forecast && { forecast }),
		...(JSON.stringify(overrides) !== JSON.stringify(before.overrides) && {
			overrides,
		}),
		...(prices !== undefined && { prices: prices?.rows ?? [] }),
		...(feedIn !== undefined && { feedIn: feedIn ?? 0 }),
		...(ran !== undefined && { ran }),
		// False, which an appliance that still runs may say, is nothing.
		...(done && { done }),
		absent,
		errors,
		question: read.prices?.question ?? read.feedIn?.question,
	};
}

/** The forecast of a message; undefined for a message that means something else. */
function readForecastPart(
	msg: Message,
	followed: string | undefined,
	now: number,
): LastForecast | undefined {
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
