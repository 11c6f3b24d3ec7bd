import { INPUT_NAMES } from "../../src/battery/inputs";
import type { BatteryPlan } from "../../src/battery/payload";
import type { SolarFacts } from "../../src/messages/facts";

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

/**
 * Properties of a message that go no further: inputs that went on to a second battery
 * would be taken for its own.
 */
export const ENDS: readonly string[] = [...OF_FORECASTS, ...INPUT_NAMES];
