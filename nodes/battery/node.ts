import type { Node, NodeAPI, NodeDef } from "node-red";
import { type BatteryPlan, releasePayload } from "../../src/battery/payload";
import { next, type State } from "../../src/battery/release";
import { type BatterySettings, readSettings } from "../../src/battery/settings";
import type { SolarFacts } from "../../src/messages/facts";
import { readRemoval } from "../../src/messages/removal/read-removal";
import { Timer } from "../../src/polling/requests/timer";
import {
	type Clock,
	systemClock,
} from "../../src/polling/schedule/server-clock";
import { QUARTER_MS } from "../../src/util/time";
import { Handover } from "../shared/deploy-handover";
import { handleInput, ownError } from "../shared/handler";
import { refuseInput } from "../shared/invalid-settings";
import { type Known, learn, planOf, verdictOf } from "./known";
import { batteryStatus } from "./status";

/** Properties of `solar-yield-battery` in a flow file: those of `BatterySettings`, as text. */
export type BatteryConfig = NodeDef & Record<keyof BatterySettings, unknown>;

/**
 * Time after a start, in ms, in which nothing is released: forecast and state of
 * charge arrive one after the other.
 */
const GRACE_MS = 5 * 60_000;

interface BatteryMessage {
	topic: string;
	payload: BatteryPlan;
	solar?: SolarFacts;
}

/** State that is handed over when only this node is deployed anew. */
interface Left {
	readonly known: Known;
	readonly state: State;
}

const handover = new Handover<Left>();

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

	/** The message that is due now, if any. */
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
	const timer = new Timer(clock, () => {
		try {
			tick();
		} catch (error) {
			node.error(ownError(error), { topic: `${known.input?.base}/battery` });
		}
		arm();
	});
	const arm = () => {
		if (!closed) timer.set(QUARTER_MS - (clock.now() % QUARTER_MS));
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
		timer.stop();
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
		// A site that is no more: its last forecast runs out by itself.
		if (readRemoval(msg)) return;
		const now = clock.now();
		known = learn(known, msg, now);
		const message = step(now);
		if (message) send(Object.assign(msg, message));
		arm();
	});
}
