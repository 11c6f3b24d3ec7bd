import type { Node, NodeAPI, NodeDef, NodeStatus } from "node-red";
import {
	type BatteryState,
	isSameInput,
	restoreState,
} from "../../src/battery/battery-state";
import { BatteryDriver, type Driven } from "../../src/battery/driver";
import { INPUT_NAMES } from "../../src/battery/inputs";
import type { BatteryPlan } from "../../src/battery/payload";
import { type BatterySettings, readSettings } from "../../src/battery/settings";
import { copyOf } from "../../src/messages/facts";
import type { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import type { Clock } from "../../src/util/clock";
import { jsonFormat } from "../../src/util/disk/store";
import { QUARTER_MS } from "../../src/util/time";
import { FollowerNode, nextOf, opener } from "../shared/follower-node";
import { type Message, ownError, tellWarning } from "../shared/handler";
import { NodeFile } from "../shared/node-file";
import { isLeaving, watchStops } from "./departure";
import type { BatteryView, PlanAnswer } from "./dialog-answers";
import { type BatteryMessage, ENDS } from "./outgoing";
import { batteryView, planAnswer } from "./preview";
import { batteryStatus } from "./status";

/** Properties of `solar-yield-battery` in a flow file: those of `BatterySettings`, as text. */
export type BatteryConfig = NodeDef & Record<keyof BatterySettings, unknown>;

/** Node-RED's node with what the editor's dialog reads. */
export interface BatteryNode extends Node {
	solarYield?: {
		view(): BatteryView;
		/** The plan with other properties. */
		planWith(properties: object): PlanAnswer;
	};
}

/** A node that sends a plan with each forecast and input and each quarter hour, and lets go of the battery when it knows too little. */
class Battery extends FollowerNode<Driven> {
	protected override readonly ends = ENDS;
	protected override readonly file = new NodeFile(
		this.RED,
		this.node,
		jsonFormat((json) => this.#restore(json)),
	);
	readonly #driver: BatteryDriver;
	#saved: BatteryState;
	#savedAt = 0;

	constructor(RED: NodeAPI, node: Node, config: BatteryConfig, clock: Clock) {
		super(RED, node, clock);
		const own = { ...config };
		readSettings(own);
		watchStops(RED);
		this.#driver = new BatteryDriver(own, clock, this.before);
		this.#saved = this.#kept;
		const planWith = (properties = {}) =>
			planAnswer(
				this.#driver.driven.known,
				{ ...own, ...properties },
				this.#driver.now,
			);
		(node as BatteryNode).solarYield = {
			view: () =>
				batteryView(this.#driver.driven.known, planWith(), clock.now()),
			planWith,
		};
	}

	get #kept(): BatteryState {
		return this.#driver.driven.known.kept;
	}

	protected override async load(): Promise<void> {
		const kept = await this.file.load();
		if (!this.before && kept) this.#driver.restore(kept);
		this.#saved = this.#kept;
		try {
			this.#driver.check();
		} catch (error) {
			this.#warn("battery.taken_back", { error: ownError(error).text });
		}
	}

	protected override status(now: number): NodeStatus {
		const { verdict, plan, driven } = this.#driver;
		const { input, absent } = driven.known;
		const zone = input?.forecast.zone;
		const hasTold = driven.state !== "start";
		const shown = { verdict, plan, absent, zone, hasTold, now };
		return batteryStatus(shown, this.RED._);
	}

	protected override take(
		msg: Message,
		_now: number,
		errors: SolarYieldError[],
	): BatteryMessage | undefined {
		const read = this.followBeside(msg, INPUT_NAMES);
		const taken = this.#driver.take(msg, read.value);
		errors.push(...read.errors, ...taken.errors);
		return this.#saidAndSaved(taken.payload);
	}

	/** A site that is no more: its last forecast runs out by itself. */
	protected override remove(): undefined {}

	protected override next(now: number): number {
		return nextOf(QUARTER_MS, now);
	}

	protected override tick(): BatteryMessage | undefined {
		return this.#saidAndSaved(this.#driver.tick());
	}

	protected override left(): Driven {
		return this.#driver.driven;
	}

	protected override close(removed: boolean): void {
		if (removed || isLeaving(this.node.id)) {
			const reason = "the node was deleted, disabled or stopped";
			const payload = this.#driver.end(reason);
			if (payload) this.node.send(this.#message(payload) as never);
		}
		this.#save(true);
	}

	#message(payload: BatteryPlan): BatteryMessage {
		const { input } = this.#driver.driven.known;
		const solar = input && { solar: copyOf(input.solar) };
		return { topic: this.topic, payload, retain: false, ...solar };
	}

	#saidAndSaved(payload: BatteryPlan | undefined): BatteryMessage | undefined {
		this.#save();
		return payload && this.#message(copyOf(payload));
	}

	/** Saves inputs that have changed, and anything else once in a quarter hour: a state of charge that comes each second must not wear out an SD card. */
	#save(isLast = false): void {
		const kept = this.#kept;
		const until = nextOf(QUARTER_MS, this.clock.now());
		const isDue = isLast || until !== this.#savedAt;
		if (kept === this.#saved) return;
		if (!isDue && isSameInput(this.#saved, kept)) return;
		this.#savedAt = until;
		this.#saved = kept;
		void this.file.save(kept);
	}

	#restore(json: unknown): BatteryState {
		const { state, damaged } = restoreState(json);
		if (damaged.includes("version")) throw new Error("none of this node's");
		if (damaged.length > 0) this.#warn("battery.forgotten", { what: damaged });
		return state;
	}

	#warn(key: string, values: Readonly<Record<string, unknown>>): void {
		tellWarning(this.RED, this.node, { key, values });
	}
}

/** Wires a `solar-yield-battery` node. */
export const openBattery = opener(Battery);
