import { INPUT_NAMES } from "../../src/battery/inputs";
import type { BatteryPlan } from "../../src/battery/payload";
import type { SolarFacts } from "../../src/messages/facts";
import type { Message } from "../shared/handler";

/** What a battery node sends. */
export interface BatteryMessage {
	readonly topic: string;
	readonly payload: BatteryPlan;
	/** A plan that a broker kept would drive an inverter long after it is dead. */
	readonly retain: false;
	readonly solar?: SolarFacts;
}

/** Properties that a forecast, its source or its way over a broker put on a message. */
const OF_FORECASTS = [
	"payload",
	"topic",
	"retain",
	"parts",
	"solar",
	"quota",
	"siteId",
	"include",
	"forecastDays",
	"pastDays",
	"timezone",
	"refresh",
] as const;

const OURS: readonly string[] = [...OF_FORECASTS, ...INPUT_NAMES];

/**
 * The answer to a message. Of what came in it keeps `_msgid` and what this node
 * does not know: inputs that went on to a second battery would be taken for its own.
 */
export function answerTo(msg: Message, message: BatteryMessage): object {
	const kept = Object.entries(msg).filter(([name]) => !OURS.includes(name));
	return { ...Object.fromEntries(kept), ...message };
}
