import {
	type Load,
	type Need,
	type PriceRow,
	readLoad,
	readNeed,
	readPrices,
	readSoc,
} from "../../src/battery/inputs";
import type { BatteryPlan } from "../../src/battery/payload";
import { planBattery } from "../../src/battery/plan";
import { quartersAhead } from "../../src/battery/problem";
import { judge, type Verdict } from "../../src/battery/release";
import type { BatterySettings } from "../../src/battery/settings";
import { forecastPart } from "../../src/battery/site";
import {
	type ForecastInput,
	followSite,
	forecastFromInput,
	readPayload,
} from "../../src/messages/forecast-input";
import { siteTopicOf } from "../../src/messages/topic";
import type { Message } from "../shared/handler";

/** The last values received. */
export interface Known {
	readonly input?: ForecastInput & { readonly base: string };
	/** State of charge in percent, and when it came in. */
	readonly soc?: { readonly percent: number; readonly at: number };
	readonly load: Load | null;
	readonly prices: readonly PriceRow[] | null;
	readonly need: Need | null;
}

/** The properties that a message may bring besides a forecast. */
const INPUTS = ["soc", "load", "prices", "need"] as const;

/**
 * The values known after a message: the forecast of its payload, and other inputs it
 * has. One invalid value leaves all as they were.
 *
 * @throws SolarYieldError `INPUT` naming field and value
 */
export function learn(known: Known, msg: Message, now: number): Known {
	const brought = INPUTS.filter((name) => name in msg);
	const payload = readPayload(msg.payload);
	const isForecast =
		typeof payload === "object" && payload !== null && "values" in payload;
	const learnt: Known = {
		...known,
		...(brought.includes("soc") && {
			soc: { percent: readSoc(msg.soc), at: now },
		}),
		...(brought.includes("load") && { load: readLoad(msg.load) }),
		...(brought.includes("prices") && { prices: readPrices(msg.prices) }),
		...(brought.includes("need") && { need: readNeed(msg.need) }),
	};
	if (!isForecast && brought.length > 0) return learnt;
	// A message without any known property ends here, in an error that says what to send.
	const input = forecastFromInput({ ...msg, payload });
	followSite(known.input?.solar.site_id, input.solar, msg.siteId);
	return {
		...learnt,
		input: { ...input, base: siteTopicOf(msg.topic, input.solar) },
	};
}

/** Whether what is known may drive the battery. */
export function verdictOf(
	{ input, soc }: Known,
	settings: BatterySettings,
	now: number,
): Verdict {
	const quarters = input && forecastPart(input.forecast, now).quarters;
	return judge(
		{
			computed_at: input?.forecast.computed_at ?? null,
			row_ahead:
				quarters !== undefined &&
				quartersAhead(quarters, now).quarters.length > 0,
			soc_at: soc?.at ?? null,
			demo: input?.solar.demo ?? false,
			now,
		},
		settings,
	);
}

/** The plan of what is known, when that may drive the battery. */
export function planOf(
	known: Known,
	settings: BatterySettings,
	now: number,
	demo: boolean,
): BatteryPlan {
	const { input, soc, load, prices, need } = known as Required<Known>;
	return planBattery(
		{
			...forecastPart(input.forecast, now),
			now,
			soc: soc.percent,
			load,
			prices,
		},
		settings,
		{ need, demo },
	);
}
