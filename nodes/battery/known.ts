import type { BatteryState } from "../../src/battery/battery-state";
import {
	forecastPart,
	todaysQuarters,
} from "../../src/battery/forecast-adapter";
import { inputFacts } from "../../src/battery/input-facts";
import { INPUT_NAMES, readInputs } from "../../src/battery/inputs";
import { learnedMargin, noteForeseen } from "../../src/battery/learned-margin";
import type { BatteryPlan, InputFacts } from "../../src/battery/payload";
import { planBattery } from "../../src/battery/plan";
import {
	judge,
	type Moment,
	type ReleaseVerdict,
} from "../../src/battery/release";
import { type BatterySettings, readSettings } from "../../src/battery/settings";
import { takeInputs } from "../../src/battery/transitions";
import {
	type ForecastInput,
	followSite,
	forecastFromInput,
	readPayload,
} from "../../src/messages/input/forecast-input";
import { siteTopicOf } from "../../src/messages/topic";
import { reading } from "../../src/messages/value-readers";
import type { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import { isObject } from "../../src/util/guards";
import { QUARTER_MS } from "../../src/util/time";
import type { Message } from "../shared/handler";

/** What came in and is kept. */
export interface BatteryKnowledge {
	readonly input?: ForecastInput & { readonly base: string };
	/** When the forecast came in. */
	readonly received?: Moment;
	/** When the state of charge came in, on the monotonic clock. */
	readonly socMonotonic?: number;
	/** Inputs whose last message had no value: a sensor that is unavailable. */
	readonly absent: readonly string[];
	/** What outlives the process. */
	readonly kept: BatteryState;
}

/** What a message has changed. */
interface Learnt {
	readonly known: BatteryKnowledge;
	/** Whether it brought anything a plan is made of. */
	readonly isNews: boolean;
	readonly errors: readonly SolarYieldError[];
}

/** The properties of a flow file by name. */
type Config = Readonly<Record<string, unknown>>;

/** The last settings of each node, and the changes that they were read with. */
const settingsRead = new WeakMap<
	Config,
	{ readonly changes: unknown; readonly settings: BatterySettings }
>();

/** Settings in force: the node's own, and what messages have changed. */
export function settingsOf(
	config: Config,
	{ kept }: BatteryKnowledge,
): BatterySettings {
	const changes = kept.settings?.value;
	let read = settingsRead.get(config);
	if (!read || read.changes !== changes) {
		read = { changes, settings: readSettings({ ...config, ...changes }) };
		settingsRead.set(config, read);
	}
	return read.settings;
}

/** The forecast of a message; undefined where it brings something else alone. */
function forecastOf(
	msg: Message,
	known: BatteryKnowledge,
	bringsElse: boolean,
): BatteryKnowledge["input"] | undefined {
	const payload = readPayload(msg.payload);
	if (bringsElse && !(isObject(payload) && "values" in payload)) {
		return undefined;
	}
	// A message without any known property ends here, in an error that says what to send.
	const input = forecastFromInput({ ...msg, payload });
	followSite(known.input?.solar.site_id, input.solar, msg.siteId);
	return { ...input, base: siteTopicOf(msg.topic, input.solar) };
}

/**
 * What is known after a message: the forecast of its payload, and what else it
 * brings. What is wrong changes nothing, and takes nothing else with it.
 */
export function learn(
	known: BatteryKnowledge,
	msg: Message,
	config: Config,
	now: Moment,
): Learnt {
	const bringsElse = INPUT_NAMES.some((name) => name in msg);
	const { value: input, errors: ofForecast } = reading(() =>
		forecastOf(msg, known, bringsElse),
	);
	const zone = (input ?? known.input)?.forecast.zone;
	const { values, absent, errors, question } = readInputs(msg, {
		configured: config,
		changes: known.kept.settings?.value ?? {},
		zone,
	});
	const told = [...ofForecast, ...errors];
	const still = known.absent.filter((name) => !(name in values));
	const before = { ...known, absent: [...new Set([...still, ...absent])] };
	if (!input && Object.keys(values).length === 0 && !question) {
		return { known: before, isNews: false, errors: told };
	}
	let { kept } = known;
	if (input) {
		const { forecast } = input;
		const today = todaysQuarters(forecast, now.at);
		const margin = noteForeseen(kept.margin, today, now.at, forecast.zone);
		kept = { ...kept, margin };
	}
	const taken = takeInputs(kept, values, {
		now: now.at,
		zone,
		settings: settingsOf(config, known),
		question,
	});
	const { house_w, soc, ...others } = values;
	const isNewSoc = taken.state.soc !== kept.soc;
	return {
		known: {
			...before,
			...(input && { input, received: now }),
			...(isNewSoc && now.monotonic != null && { socMonotonic: now.monotonic }),
			kept: taken.state,
		},
		// A meter tells the house's power every few seconds.
		isNews: input !== undefined || isNewSoc || Object.keys(others).length > 0,
		errors: [...told, ...taken.errors],
	};
}

/** Whether what is known may drive the battery. */
export function verdictOf(
	{ input, received, socMonotonic, kept }: BatteryKnowledge,
	settings: BatterySettings,
	now: Moment,
): ReleaseVerdict {
	const [running] = input ? forecastPart(input.forecast, now.at).quarters : [];
	return judge(
		{
			computed_at: input?.forecast.computed_at ?? null,
			received: received ?? null,
			row_ahead: running !== undefined && running.pv_w !== null,
			soc_at: kept.soc?.at ?? null,
			soc_monotonic: socMonotonic ?? null,
			soc_steady_until: kept.soc?.steady_until ?? null,
			demo: input?.solar.demo ?? false,
			now: now.at,
			monotonic: now.monotonic ?? null,
		},
		settings,
	);
}

/** What a plan is made of, as `payload.inputs`; null before the first forecast, whose zone its times are in. */
export function factsOf(
	{ input, received, kept }: BatteryKnowledge,
	settings: BatterySettings,
	now: number,
): InputFacts | null {
	if (!input) return null;
	const { computed_at, values, zone } = input.forecast;
	const last = values.starts[values.starts.length - 1];
	return inputFacts(
		kept,
		{
			computed_at,
			received_at: received?.at ?? now,
			until: last === undefined ? null : last + QUARTER_MS,
		},
		settings,
		now,
		zone,
	);
}

/** The plan of what is known, when that may drive the battery. */
export function planOf(
	known: BatteryKnowledge,
	settings: BatterySettings,
	now: number,
	demo: boolean,
): BatteryPlan {
	const { input, kept } = known as Required<BatteryKnowledge>;
	return planBattery(
		{
			...forecastPart(input.forecast, now),
			now,
			soc: kept.soc?.percent as number,
			load: kept.load?.value ?? null,
			prices: kept.prices?.value ?? null,
			feedIn: kept.feedIn?.value ?? null,
			targets: kept.targets?.value ?? null,
			learnedLoad: kept.house,
			learnedMargin: learnedMargin(kept.margin),
		},
		settings,
		{
			need: kept.need?.value ?? null,
			begun: kept.begun,
			demo,
			inputs: factsOf(known, settings, now),
		},
	);
}
