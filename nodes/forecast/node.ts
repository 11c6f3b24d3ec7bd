import type { NodeAPI } from "node-red";
import type { Forecast } from "../../src/forecast/forecast";
import {
	dayMessages,
	forecastMessages,
	type Outputs,
	type Presentation,
	type SolarMessage,
} from "../../src/messages/forecast-messages";
import type { Selection } from "../../src/messages/selection";
import {
	type RawSelection,
	readSelection,
	readSiteId,
} from "../../src/messages/selection";
import { siteTopic } from "../../src/messages/topic";
import { missingGroups } from "../../src/messages/view";
import { siteSource } from "../../src/polling/account/forecast-source";
import type { ForecastSnapshot } from "../../src/polling/account/snapshots";
import type { Wants } from "../../src/polling/account/subscriber";
import { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import { yieldToEventLoop } from "../../src/util/yield-to-event-loop";
import { carrier, handleInput, ownError } from "../shared/handler";
import { refuseInput } from "../shared/invalid-settings";
import {
	type ForecastConfig,
	type ForecastNode,
	readSettings,
	type Settings,
} from "./settings";
import { forecastStatus } from "./status";

// Loaded later by the name of this file: see tools/build.cjs.
export * from "./preview";

const wantsOf = ({ pastDays, include }: Selection): Wants => ({
	pastDays,
	variability: include.includes("variability"),
});

/** Wires a `solar-yield-forecast` node. */
export function openForecast(
	RED: NodeAPI,
	node: ForecastNode,
	config: ForecastConfig,
): void {
	node.solarYield = {};
	let settings: Settings;
	try {
		settings = readSettings(RED, node, config);
	} catch (error) {
		const problem = ownError(error);
		node.solarYield.problem = problem;
		refuseInput(RED, node, problem);
		return;
	}
	node.solarYield = { settings };
	const { account, source, selection, auto } = settings;
	const { hub, demo, interval } = account;
	const presentation: Presentation = {
		key: source.key,
		selection,
		topic: settings.topic,
		demo,
	};
	const partsId = () => RED.util.generateId();
	/** Number of input messages that wait for a running request. */
	let waiting = 0;
	let reportedEmpty = false;

	let closed = false;
	/** Forecasts are sent one after the other, including those that input messages ask for. */
	let sending = Promise.resolve();
	const inTurn = (work: () => Promise<void>) => {
		sending = sending.then(work, work);
		return sending;
	};
	const sendAll = (state: ForecastSnapshot, outputs: Outputs) => {
		const _msgid = RED.util.generateId();
		return inTurn(() =>
			sendEach(
				(messages) => {
					if (!closed) node.send(messages as never);
				},
				state.forecast,
				outputs,
				(message) => Object.assign(message, { _msgid }),
			),
		);
	};
	const showStatus = () =>
		node.status(forecastStatus(hub.state(source, interval), demo, RED._));
	const report = (error: SolarYieldError) =>
		node.error(error, {
			topic: `${siteTopic(settings.topic, { site_id: source.key, demo })}/forecast`,
		});

	const stop = hub.subscribe(source, {
		...wantsOf(selection),
		auto,
		interval,
		onForecast(state, cached) {
			// The waiting input message sends it.
			if (waiting > 0) return;
			const nothing = nothingToShow(state, selection);
			if (nothing && !reportedEmpty) report(nothing);
			reportedEmpty = nothing !== undefined;
			if (nothing) return;
			return sendAll(
				state,
				forecastMessages(state, presentation, cached, partsId),
			);
		},
		onFailure: report,
		onChange: showStatus,
		onMidnight() {
			const state = hub.state(source, interval);
			if (!auto || !state.forecast || !state.head) return;
			const known = state as ForecastSnapshot;
			const days = dayMessages(known, presentation, true, partsId());
			return sendAll(known, [[], days, []]);
		},
	});
	node.on("close", () => {
		closed = true;
		stop();
		node.status({});
	});
	showStatus();

	handleInput(node, async (msg, send) => {
		const override = readSiteId(msg.siteId);
		const asked: Presentation = {
			...presentation,
			key: override ?? source.key,
			selection: readSelection(config, msg as RawSelection),
		};
		const target = override === undefined ? source : siteSource(override);
		const plain =
			target.key === source.key &&
			JSON.stringify(asked.selection) === JSON.stringify(selection);
		if (plain) waiting += 1;
		const { state, error, cached } = await hub
			.ask(target, wantsOf(asked.selection), msg.refresh === true, interval)
			.finally(() => {
				if (plain) waiting -= 1;
			});
		const nothing = state && nothingToShow(state, asked.selection);
		// A message that asks for a new forecast gets the error alone, and no old forecast.
		if (state && !nothing && !(error && msg.refresh === true)) {
			const outputs = forecastMessages(state, asked, cached, partsId);
			const finish = carrier(RED, msg);
			await inTurn(() => sendEach(send, state.forecast, outputs, finish));
		}
		if (error ?? nothing) throw error ?? nothing;
	});
}

/** Approximate length of a row in an answer, characters. */
const ROW_LENGTH = 100;

/**
 * Sends messages one by one: of several in one call Node-RED would clone all but the
 * first, which is needless since each has objects of its own. Between those of a
 * large forecast other flows may run.
 *
 * @param finish what is still to be done to a message
 */
async function sendEach(
	send: (messages: unknown) => void,
	{ values, strings = [], daily }: Forecast,
	outputs: Outputs,
	finish: (message: SolarMessage) => object,
): Promise<void> {
	const rows = (values.rows.length + daily.length) * (1 + strings.length);
	const length = rows * ROW_LENGTH;
	for (const [port, messages] of outputs.entries()) {
		for (const message of messages) {
			const ports: unknown[] = outputs.map(() => null);
			ports[port] = finish(message);
			send(ports);
			await yieldToEventLoop(length);
		}
	}
}

/** The error `_PLAN` when the answer has none of the groups that the node shows (behaviour: Messages). */
function nothingToShow(
	{ forecast }: ForecastSnapshot,
	{ include }: Selection,
): SolarYieldError | undefined {
	const missing = missingGroups(forecast, include);
	return missing.length < include.length
		? undefined
		: new SolarYieldError(
				"PLAN",
				`The forecast has none of the groups this node shows (${missing.join(", ")}); choose other groups or a plan that has them`,
			);
}
