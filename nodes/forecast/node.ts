import type { NodeAPI, NodeStatus } from "node-red";
import {
	dayMessages,
	forecastMessages,
	type Outputs,
	type Presentation,
	type SolarMessage,
} from "../../src/messages/forecast-messages";
import { PublishedMessages } from "../../src/messages/removal/published-messages";
import type { Selection } from "../../src/messages/selection";
import {
	type RawSelection,
	readSelection,
	readSiteId,
} from "../../src/messages/selection";
import { siteOfTopic, siteTopic, topicLevel } from "../../src/messages/topic";
import { readFlag } from "../../src/messages/value-readers";
import { missingGroups } from "../../src/messages/view";
import type { Hub } from "../../src/polling/hub";
import type {
	ForecastSnapshot,
	SourceSnapshot,
	Wants,
} from "../../src/polling/source/snapshots";
import { siteSource } from "../../src/polling/source/source";
import { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import { Queue } from "../../src/util/queue";
import { Handover } from "../shared/deploy-handover";
import {
	onceFlowsStarted,
	onFlowsStarted,
	onStartedBehind,
} from "../shared/flows-started";
import {
	answerTo,
	handleInput,
	ownError,
	refuseInput,
	tellError,
} from "../shared/handler";
import { sendEach } from "./send-each";
import {
	type ForecastConfig,
	type ForecastNode,
	readForecastSettings,
	type Settings,
} from "./settings";
import { forecastStatus, statusFacts } from "./status";

const wantsOf = ({ pastDays, include }: Selection): Wants => ({
	pastDays,
	variability: include.includes("variability"),
});

/** What a node has published, for its successor in a deploy: brokers keep it. */
const handover = new Handover<{
	readonly hub: Hub;
	readonly state: ForecastSnapshot;
	readonly presentation: Presentation;
	readonly published: PublishedMessages;
}>(true);

const siteOf = ({ topic, key, demo }: Presentation) =>
	siteTopic(topic, { site_id: key, demo });

/** Wires a `solar-yield-forecast` node. */
export function openForecast(
	RED: NodeAPI,
	node: ForecastNode,
	config: ForecastConfig,
): void {
	node.solarYield = {};
	let settings: Settings;
	try {
		settings = readForecastSettings(RED, node, config);
	} catch (error) {
		const problem = ownError(error);
		node.solarYield.problem = problem;
		refuseInput(RED, node, problem);
		return;
	}
	node.solarYield = { settings };
	const { account, source, selection, auto } = settings;
	const { hub, demo } = account;
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
	const sending = new Queue();
	const sendInTurn = (
		send: (messages: unknown) => void,
		{ forecast }: ForecastSnapshot,
		outputs: Outputs,
		finish: (message: SolarMessage) => object,
	) => sending.add(() => sendEach(send, node.wires, forecast, outputs, finish));
	const sendAll = (state: ForecastSnapshot, outputs: Outputs) => {
		const _msgid = RED.util.generateId();
		const send = (messages: unknown) => {
			if (!closed) node.send(messages as never);
		};
		return sendInTurn(send, state, outputs, (message) =>
			Object.assign(message, { _msgid }),
		);
	};
	const known = handover.take(node);
	const left = known?.hub === hub ? known : undefined;
	const isMoved = left && siteOf(left.presentation) !== siteOf(presentation);
	const published = (!isMoved && left?.published) || new PublishedMessages();
	if (isMoved) {
		// What stands under another site or prefix would stay on brokers for good.
		const { state, presentation, published } = left;
		const started = new Promise<void>((resolve) => {
			onceFlowsStarted(RED, resolve);
		});
		void sending.add(() => started);
		void sendAll(state, published.removeAll(state, presentation));
	}
	let isRemoved = false;
	/** What was published of a site that was deleted is taken off brokers, once. */
	const removeDeleted = (state: SourceSnapshot) => {
		const wasRemoved = isRemoved;
		isRemoved = isDeleted(state);
		if (!isRemoved || wasRemoved || !hasForecast(state)) return;
		void sendAll(state, published.removeAll(state, presentation));
	};
	const showStatus = () => {
		const state = hub.state(source);
		node.status({
			...forecastStatus(state, demo, RED._, selection.include),
			solar: statusFacts(state, source.key, demo),
		} as NodeStatus);
		removeDeleted(state);
	};
	const report = (error: SolarYieldError) =>
		tellError(RED, node, error, `${siteOf(presentation)}/forecast`);

	const sendForecast = (state: ForecastSnapshot, cached: boolean) => {
		// The waiting input message sends it.
		if (waiting > 0 || isDeleted(state)) return;
		const nothing = nothingToShow(state, selection);
		// What only comes later is said by the status.
		const isAwaited = selection.include.some((it) =>
			state.awaited.includes(it),
		);
		if (nothing && !reportedEmpty && !isAwaited) report(nothing);
		reportedEmpty = nothing !== undefined && !isAwaited;
		if (nothing) return;
		return sendAll(
			state,
			published.withRemovals(
				state,
				presentation,
				forecastMessages(state, presentation, cached, partsId),
			),
		);
	};
	onStartedBehind(RED, node, () => {
		const state = hub.state(source);
		if (auto && hasForecast(state)) void sendForecast(state, true);
	});

	// Status nodes hear of nothing before.
	const stopShowing = onFlowsStarted(RED, showStatus);
	const stop = hub.subscribe(source, {
		...wantsOf(selection),
		auto,
		onForecast: sendForecast,
		onFailure: report,
		onChange: showStatus,
		onMidnight() {
			const state = hub.state(source);
			if (!auto || !hasForecast(state) || isDeleted(state)) return;
			const days = dayMessages(state, presentation, true, partsId());
			return sendAll(state, [
				[],
				published.daysWithRemovals(state, presentation, days),
				[],
			]);
		},
	});
	node.on("close", (removed: boolean, done: () => void) => {
		closed = true;
		stopShowing();
		stop();
		const state = hub.state(source);
		if (!removed && hasForecast(state)) {
			handover.leave(RED, node, { hub, state, presentation, published });
		}
		node.status({});
		done();
	});
	showStatus();

	handleInput(RED, node, async (msg, send) => {
		const override = readSiteId(msg.siteId);
		const button = siteOfTopic(msg.topic, ["refresh"])?.site_id;
		// Another site's button; the topic of all of them may be led to each node.
		if (button !== undefined && button !== topicLevel(override ?? source.key)) {
			return;
		}
		const answer = (message: SolarMessage) =>
			answerTo(RED, msg, message) as object;
		const asked: Presentation = {
			...presentation,
			key: override ?? source.key,
			selection: readSelection(config, msg as RawSelection),
		};
		const target = override === undefined ? source : siteSource(override);
		if (msg.operation === "remove") {
			const state = hub.state(target);
			if (!hasForecast(state)) return;
			const own = target === source ? published : new PublishedMessages();
			const outputs = own.removeAll(state, asked);
			await sendInTurn(send, state, outputs, answer);
			return;
		}
		const plain =
			target.key === source.key &&
			JSON.stringify(asked.selection) === JSON.stringify(selection);
		const refresh = readFlag("refresh", msg.refresh) || button !== undefined;
		if (plain) waiting += 1;
		const { state, error, cached } = await hub
			.ask(target, wantsOf(asked.selection), refresh)
			.finally(() => {
				if (plain) waiting -= 1;
			});
		const nothing =
			state && (deletedSite(state) ?? nothingToShow(state, asked.selection));
		// A message that asks for a new forecast gets the error alone, and no old forecast.
		if (state && !nothing && !(error && refresh)) {
			const messages = forecastMessages(state, asked, cached, partsId);
			const outputs = plain
				? published.withRemovals(state, asked, messages)
				: messages;
			await sendInTurn(send, state, outputs, answer);
		}
		if (error ?? nothing) throw error ?? nothing;
	});
}

const hasForecast = (state: SourceSnapshot): state is ForecastSnapshot =>
	state.forecast !== undefined && state.head !== undefined;

const isDeleted = ({ site }: SourceSnapshot) => site?.state === "deleted";

/** The error `_NOT_FOUND` for a site that was deleted: its last forecast must not come back. */
const deletedSite = (state: SourceSnapshot): SolarYieldError | undefined =>
	isDeleted(state)
		? new SolarYieldError("NOT_FOUND", "forecast.site_deleted")
		: undefined;

/** The error `_PLAN` when the answer has none of the groups that the node shows (behaviour: Messages). */
function nothingToShow(
	{ forecast }: ForecastSnapshot,
	{ include }: Selection,
): SolarYieldError | undefined {
	const missing = missingGroups(forecast, include);
	return missing.length < include.length
		? undefined
		: new SolarYieldError("PLAN", "forecast.no_groups", { groups: missing });
}
