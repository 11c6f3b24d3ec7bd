import type { NodeAPI } from "node-red";
import { readRemoval } from "../../src/messages/removal/read-removal";
import { joinErrors } from "../../src/messages/value-readers";
import { type Clock, systemClock } from "../../src/util/clock";
import { MINUTE_MS } from "../../src/util/time";
import { Timer } from "../../src/util/timer";
import { Zone } from "../../src/util/zone";
import type { Output } from "../../src/window/output";
import { siteZone } from "../../src/window/plan";
import { mergeOverrides, readWindowSettings } from "../../src/window/settings";
import {
	noteDone,
	noteFeedIn,
	noteOverrides,
	notePrices,
	noteRun,
	type Step,
	tick,
} from "../../src/window/transitions";
import {
	NEW_STATE,
	readState,
	type WindowState,
} from "../../src/window/window-state";
import { Handover } from "../shared/deploy-handover";
import { onceFlowsStarted } from "../shared/flows-started";
import {
	handleInput,
	ownError,
	refuseInput,
	tellError,
} from "../shared/handler";
import { NodeFile, onceDeleted } from "../shared/node-file";
import {
	type Brought,
	handedOn,
	type LastForecast,
	readMessage,
} from "./inputs";
import { offMessage, type Sender } from "./messages";
import { type Messages, WindowOutputs, withProperties } from "./outputs";
import { windowReason, windowStatus } from "./status";
import type { WindowConfig, WindowNode } from "./window-node";

/** Longest time between two ticks, ms: the clock may have been set, or the host have slept. */
const LONGEST_TICK_MS = 5 * MINUTE_MS;

const handover = new Handover<LastForecast>();

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
	/** Inputs whose last message had no value. */
	let absent: readonly string[] = [];
	let tickAt = 0;
	let tickedAt = 0;
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
	const zone = () => siteZone(state, inputs()) ?? Zone.utc;
	const sender = (): Sender => ({
		site: state.site,
		name,
		zone: zone(),
		solar: known?.solar,
	});
	const view = (now: number) => ({
		lacksPrices: output?.rankedBy !== inputs().settings.rank,
		zone: zone(),
		demo: known?.solar.demo ?? false,
		absent,
		now,
	});

	const outputs = new WindowOutputs((messages) => {
		if (!closed) node.send(messages as never);
	});
	const report = (error: unknown) => tellError(RED, node, error, name);

	/** Takes a transition's outcome over; the messages that it calls for. */
	const take = (before: WindowState, step: Step, now: number): Messages => {
		({ state, output } = step);
		if (state !== before) file.save(JSON.stringify(state));
		tickedAt = now;
		tickAt = Math.min(
			output.tickAt ?? Number.POSITIVE_INFINITY,
			now + LONGEST_TICK_MS,
		);
		node.status(windowStatus({ output, ...view(now) }, RED._));
		const reason = windowReason(output, view(now), RED._);
		return outputs.next(output, sender(), reason);
	};
	const runTick = () => {
		const now = clock.now();
		const messages = take(state, tick(state, inputs(), now), now);
		outputs.deliver(messages, file.idle()).catch(report);
	};
	const timer = new Timer(clock, () => {
		try {
			const now = clock.now();
			if (now >= tickAt || now < tickedAt) runTick();
		} catch (error) {
			report(error);
		}
		arm();
	});
	const arm = () => {
		if (!closed) timer.set(tickAt - clock.now());
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
		runTick();
		arm();
	});
	ready.catch(report);

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

	handleInput(RED, node, async (msg, send) => {
		// A site that is no more: its last forecast runs out by itself.
		if (readRemoval(msg)) return;
		await ready;
		if (closed) return;
		const now = clock.now();
		const before = state;
		const { overrides, site } = state;
		const zone = site ? Zone.of(site.zone) : undefined;
		const brought = readMessage(msg, { overrides, followed, zone }, now);
		const still = absent.filter((name) => !(name in msg));
		absent = [...still, ...brought.absent];
		if (brought.forecast) {
			known = brought.forecast;
			followed = known.solar.site_id;
		}
		const errors = [...brought.errors];
		if (brought.question && !state.unitAsked) {
			errors.push(brought.question);
			state = { ...state, unitAsked: true };
		}
		const messages = take(before, step(brought, now), now);
		arm();
		await outputs.deliver(
			withProperties(RED, messages, handedOn(msg)),
			file.idle(),
			send,
		);
		if (errors.length > 0) throw joinErrors(errors);
	});

	node.solarYield = {
		idle: () => ready.then(() => outputs.idle()),
		now: () => clock.now(),
		known: () => known,
		state: () => state,
		outputWith: (properties) => {
			const given = inputsWith({ ...config, ...properties });
			return {
				output: tick(state, given, clock.now()).output,
				rank: given.settings.rank,
			};
		},
	};
}
