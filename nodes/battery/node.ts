import type { Node, NodeAPI, NodeDef } from "node-red";
import {
	type Load,
	type Need,
	type PriceRow,
	readLoad,
	readNeed,
	readPrices,
	readSoc,
} from "../../src/battery/inputs";
import { type BatteryPlan, releasePayload } from "../../src/battery/payload";
import { planBattery } from "../../src/battery/plan";
import { quartersAhead } from "../../src/battery/problem";
import {
	judge,
	next,
	type State,
	type Verdict,
} from "../../src/battery/release";
import { type BatterySettings, readSettings } from "../../src/battery/settings";
import { forecastPart } from "../../src/battery/site";
import type { SolarFacts } from "../../src/messages/facts";
import {
	type ForecastInput,
	followSite,
	forecastFromInput,
	readPayload,
} from "../../src/messages/forecast-input";
import { siteTopicOf } from "../../src/messages/topic";
import { Alarm } from "../../src/polling/requests/timer";
import {
	type Clock,
	systemClock,
} from "../../src/polling/schedule/server-clock";
import { QUARTER_MS } from "../../src/util/time";
import { Handover } from "../shared/deploy-handover";
import { handleInput, type Message, ownError } from "../shared/handler";
import { refuseInput } from "../shared/invalid-settings";
import { batteryStatus } from "./status";

/** Properties of `solar-yield-battery` in a flow file: those of `BatterySettings`, as text. */
export type BatteryConfig = NodeDef & Record<keyof BatterySettings, unknown>;

/**
 * After a start the battery is left as it is for this long, ms: a forecast and a
 * state of charge come in one after the other.
 */
const GRACE_MS = 5 * 60_000;

/** What came in and is kept. */
interface Known {
	readonly input?: ForecastInput & { readonly base: string };
	/** State of charge in percent, and when it came in. */
	readonly soc?: { readonly percent: number; readonly at: number };
	readonly load: Load | null;
	readonly prices: readonly PriceRow[] | null;
	readonly need: Need | null;
}

interface BatteryMessage {
	topic: string;
	payload: BatteryPlan;
	solar?: SolarFacts;
}

/** What a node leaves to its successor when only it is deployed anew. */
interface Left {
	readonly known: Known;
	readonly state: State;
}

const handover = new Handover<Left>();

/** The properties that a message may bring besides a forecast. */
const INPUTS = ["soc", "load", "prices", "need"] as const;

/**
 * What is known after a message: the forecast of its payload, and what else it
 * brings. A wrong value changes nothing.
 *
 * @throws SolarYieldError `INPUT` naming field and value
 */
function learn(known: Known, msg: Message, now: number): Known {
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
	// A message that brings nothing we know ends here, in an error that says what to send.
	const input = forecastFromInput({ ...msg, payload });
	followSite(known.input?.solar.site_id, input.solar, msg.siteId);
	return {
		...learnt,
		input: { ...input, base: siteTopicOf(msg.topic, input.solar) },
	};
}

/** Whether what is known may drive the battery. */
function verdictOf(
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

function planOf(
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

/**
 * Wires a `solar-yield-battery` node.
 *
 * @param clock decides what now is, and wakes at each quarter hour
 */
export function openBattery(
	RED: NodeAPI,
	node: Node,
	config: BatteryConfig,
	clock: Clock = systemClock,
): void {
	let settings: BatterySettings;
	try {
		settings = readSettings({ ...config });
	} catch (error) {
		refuseInput(RED, node, error);
		return;
	}
	const started = clock.now();
	const left = handover.take(node);
	let known: Known = left?.known ?? { load: null, prices: null, need: null };
	let state: State = left?.state ?? "start";
	let quarter = Math.floor(clock.now() / QUARTER_MS);
	let closed = false;

	/** What is to be said now, if anything. */
	const step = (now: number): BatteryMessage | undefined => {
		const verdict = verdictOf(known, settings, now);
		const after = next(state, verdict);
		if (
			state === "start" &&
			after.state === "released" &&
			now - started < GRACE_MS
		) {
			return undefined;
		}
		state = after.state;
		quarter = Math.floor(now / QUARTER_MS);
		const { send } = after;
		const payload =
			send === null
				? undefined
				: send === "plan" || send === "demo"
					? planOf(known, settings, now, send === "demo")
					: releasePayload(settings, verdict.text ?? "", send === "release");
		node.status(
			batteryStatus(
				{ verdict, plan: payload, zone: known.input?.forecast.zone, now },
				RED._,
			),
		);
		if (!payload) return undefined;
		const { input } = known;
		return {
			topic: `${input?.base ?? "solar-yield"}/battery`,
			payload,
			...(input && { solar: structuredClone(input.solar) }),
		};
	};
	const alarm = new Alarm(clock, () => {
		try {
			tick();
		} catch (error) {
			node.error(ownError(error), { topic: `${known.input?.base}/battery` });
		}
		arm();
	});
	const arm = () => {
		if (!closed) alarm.set(QUARTER_MS - (clock.now() % QUARTER_MS));
	};
	/** A new plan at each quarter hour, and a release as soon as one is due. */
	const tick = () => {
		const now = clock.now();
		const isDriving = verdictOf(known, settings, now).reason === null;
		if (isDriving && Math.floor(now / QUARTER_MS) === quarter) return;
		const isDemo = state === "demo";
		if (isDemo && Math.floor(now / QUARTER_MS) === quarter) return;
		const message = step(now);
		if (message) node.send(message as never);
	};

	node.on("close", (removed: boolean, done: () => void) => {
		closed = true;
		alarm.stop();
		if (!removed) handover.leave(RED, node, { known, state });
		node.status({});
		done();
	});
	node.status(
		batteryStatus(
			{
				verdict: verdictOf(known, settings, started),
				plan: undefined,
				zone: undefined,
				now: started,
			},
			RED._,
		),
	);
	arm();

	handleInput(node, (msg, send) => {
		const now = clock.now();
		known = learn(known, msg, now);
		const message = step(now);
		if (message) send(Object.assign(msg, message));
		arm();
	});
}
