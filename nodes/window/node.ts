import type { Node, NodeAPI, NodeDef } from "node-red";
import { Zone } from "../../src/forecast/zone";
import { Timer } from "../../src/polling/requests/timer";
import {
	type Clock,
	systemClock,
} from "../../src/polling/schedule/server-clock";
import { MINUTE_MS } from "../../src/util/time";
import type { Output } from "../../src/window/output";
import {
	mergeOverrides,
	readWindowSettings,
	type WindowSetting,
} from "../../src/window/settings";
import { NEW_STATE, readState, type WindowState } from "../../src/window/state";
import {
	noteDone,
	noteFeedIn,
	noteOverrides,
	notePrices,
	noteRun,
	type Step,
	tick,
} from "../../src/window/transitions";
import { Handover } from "../shared/deploy-handover";
import { onceFlowsStarted } from "../shared/flows-started";
import { handleInput, type Message, ownError } from "../shared/handler";
import { refuseInput } from "../shared/invalid-settings";
import { NodeFile, onceDeleted } from "../shared/node-file";
import {
	type Brought,
	handedOn,
	joinErrors,
	type Known,
	readMessage,
} from "./inputs";
import {
	offMessage,
	planMessage,
	type Sender,
	switchMessage,
} from "./messages";
import type { WindowSource } from "./preview";
import { windowReason, windowStatus } from "./status";

// Loaded later by the name of this file: see tools/build.cjs.
export * from "./preview";

/** Properties of `solar-yield-window` in a flow file: those of `WindowSettings`, as text. */
export type WindowConfig = NodeDef & Record<WindowSetting, unknown>;

/** Node-RED's node with what the editor's picture reads; absent while its settings are invalid. */
export interface WindowNode extends Node {
	solarYield?: WindowSource;
}

/** Longest time without a look, ms: the clock may have been set, or the host have slept. */
const LOOK_MS = 5 * MINUTE_MS;

const handover = new Handover<Known>();

/**
 * Wires a `solar-yield-window` node (behaviour: The best time).
 *
 * @param clock decides what now is, and wakes at the edges of windows
 */
export function openWindow(
	RED: NodeAPI,
	node: WindowNode,
	config: WindowConfig,
	clock: Clock = systemClock,
): void {
	const file = new NodeFile(RED, node, "window", readState);
	let closed = false;
	let stopWaiting = () => {};
	const started = new Promise<void>((resolve) => {
		const stop = onceFlowsStarted(RED, resolve);
		stopWaiting = () => {
			stop();
			resolve();
		};
	});
	node.on("close", (_removed: boolean, done: () => void) => {
		closed = true;
		stopWaiting();
		onceDeleted(RED, node, () => void file.remove());
		node.status({});
		void file.idle().finally(done);
	});

	let known = handover.take(node);
	let followed: string | undefined;
	let state: WindowState = NEW_STATE;
	let output: Output | undefined;
	let lookAt = 0;
	let lookedAt = 0;
	/** What was sent last at output 1, and at output 2 as JSON. */
	let sentSwitch: boolean | undefined;
	let sentPlan: string | undefined;
	const name =
		typeof config.name === "string" && config.name !== ""
			? config.name
			: node.id;

	try {
		readWindowSettings({ ...config });
	} catch (error) {
		refuseInput(RED, node, error);
		// What a window switched on before must not stay on.
		const { message } = ownError(error);
		void started.then(() => {
			if (closed) return;
			node.send([offMessage(name, message), null] as never);
		});
		return;
	}
	const inputsWith = (properties: Readonly<Record<string, unknown>>) => ({
		settings: readWindowSettings(properties, state.overrides),
		forecast: known?.window ?? null,
	});
	const inputs = () => inputsWith({ ...config });
	const zoneOf = () => (state.site && Zone.of(state.site.zone)) || Zone.utc;
	const sender = (): Sender => ({
		site: state.site,
		name,
		zone: zoneOf(),
		solar: known?.solar,
	});
	const view = (now: number) => ({
		lacksPrices: output?.rankedBy !== inputs().settings.rank,
		zone: zoneOf(),
		demo: known?.solar.demo ?? false,
		now,
	});

	/** Takes a transition's outcome over; the messages that it calls for. */
	const take = (before: WindowState, step: Step, now: number): Messages => {
		({ state, output } = step);
		if (state !== before) file.save(JSON.stringify(state));
		lookedAt = now;
		lookAt = Math.min(output.lookAt ?? Number.POSITIVE_INFINITY, now + LOOK_MS);
		node.status(windowStatus({ output, ...view(now) }, RED._));
		const messages: Messages = [null, null];
		if (output.on !== sentSwitch) {
			sentSwitch = output.on;
			const reason = windowReason(output, view(now), RED._);
			messages[0] = switchMessage(output, sender(), reason);
		}
		if (known) {
			const plan = planMessage(output, sender());
			const json = JSON.stringify(plan.payload);
			if (json !== sentPlan) {
				sentPlan = json;
				messages[1] = plan;
			}
		}
		return messages;
	};
	let sending: Promise<void> = Promise.resolve();
	/**
	 * Sends once what is decided is on disk, one after the other: whoever is killed
	 * in between says it again after the start, and never begins a second run.
	 */
	const deliver = (
		messages: readonly unknown[],
		send: (messages: readonly unknown[]) => void,
	): Promise<void> => {
		const saved = file.idle();
		sending = sending
			.then(() => saved)
			.then(() => {
				if (!closed && messages.some(Boolean)) send(messages);
			})
			.catch((error) => node.error(ownError(error), { topic: name }));
		return sending;
	};
	const look = () => {
		const now = clock.now();
		const messages = take(state, tick(state, inputs(), now), now);
		void deliver(messages, (sent) => node.send(sent as never));
	};
	const timer = new Timer(clock, () => {
		try {
			const now = clock.now();
			if (now >= lookAt || now < lookedAt) look();
		} catch (error) {
			node.error(ownError(error), { topic: name });
		}
		arm();
	});
	const arm = () => {
		if (!closed) timer.set(lookAt - clock.now());
	};
	node.on("close", (removed: boolean, done: () => void) => {
		timer.stop();
		if (known && !removed) handover.leave(RED, node, known);
		done();
	});
	node.status(
		windowStatus(
			{ output, lacksPrices: false, zone: undefined, demo: false, now: 0 },
			RED._,
		),
	);
	const ready = Promise.all([file.load(), started]).then(([stored]) => {
		if (closed) return;
		if (stored) {
			// A later version may have other bounds.
			const { overrides } = mergeOverrides({}, stored.overrides);
			state = { ...stored, overrides };
		}
		look();
		arm();
	});
	ready.catch((error) => node.error(ownError(error), { topic: name }));

	/** The state after what a message brought, and the transition that follows. */
	const step = (brought: Brought, now: number): Step => {
		const { overrides, prices, feedIn, ran, done } = brought;
		if (overrides) state = noteOverrides(state, overrides);
		if (prices) state = notePrices(state, prices, now);
		if (feedIn !== undefined) state = noteFeedIn(state, feedIn, now);
		let next = tick(state, inputs(), now);
		if (ran !== undefined) next = noteRun(next.state, inputs(), now, ran);
		if (done) next = noteDone(next.state, inputs(), now);
		return next;
	};

	handleInput(node, async (msg, send) => {
		await ready;
		if (closed) return;
		const now = clock.now();
		const before = state;
		const { overrides } = state;
		const brought = readMessage(msg, { overrides, followed }, now);
		if (brought.forecast) {
			known = brought.forecast;
			followed = known.solar.site_id;
		}
		const messages = take(before, step(brought, now), now);
		arm();
		await deliver(withProperties(messages, handedOn(msg), RED), send);
		if (brought.errors.length > 0) throw joinErrors(brought.errors);
	});

	node.solarYield = {
		idle: () => ready.then(() => sending),
		now: () => clock.now(),
		known: () => known,
		state: () => state,
		/** What would hold with other settings; nothing changes. */
		outputWith: (properties = { ...config }) => {
			const given = inputsWith(properties);
			return {
				output: tick(state, given, clock.now()).output,
				rank: given.settings.rank,
			};
		},
	};
}

type Messages = [
	ReturnType<typeof switchMessage> | null,
	ReturnType<typeof planMessage> | null,
];

/** The messages with the properties of the one that caused them. */
function withProperties(
	messages: Messages,
	kept: Record<string, unknown>,
	RED: NodeAPI,
): (object | null)[] {
	const [first, second] = messages;
	return [
		first && { ...kept, ...first },
		second && {
			...(first ? RED.util.cloneMessage(kept as never) : (kept as Message)),
			...second,
		},
	];
}
