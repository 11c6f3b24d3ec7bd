import type { Node, NodeAPI, NodeDef } from "node-red";
import { emptyState } from "../../src/battery/battery-state";
import { learnedWeek } from "../../src/battery/house/learned-load";
import { type BatteryPlan, releasePayload } from "../../src/battery/payload";
import { type Moment, next, type State } from "../../src/battery/release";
import { type BatterySettings, readSettings } from "../../src/battery/settings";
import { expire, notePlan } from "../../src/battery/transitions";
import { copyOf } from "../../src/messages/facts";
import { readRemoval } from "../../src/messages/removal/read-removal";
import { joinErrors } from "../../src/messages/value-readers";
import { type Clock, systemClock } from "../../src/util/clock";
import { MINUTE_MS, QUARTER_MS } from "../../src/util/time";
import { Timer } from "../../src/util/timer";
import { Handover } from "../shared/deploy-handover";
import {
	answerTo,
	handleInput,
	ownError,
	refuseInput,
	tellError,
	tellWarning,
} from "../shared/handler";
import { onceDeleted } from "../shared/node-file";
import { priceDays } from "../shared/two-days";
import { isLeaving, watchStops } from "./departure";
import type { BatteryView } from "./dialog-answers";
import { KeptState } from "./kept-state";
import {
	type BatteryKnowledge,
	factsOf,
	learn,
	planOf,
	settingsOf,
	verdictOf,
} from "./known";
import { type BatteryMessage, ENDS } from "./outgoing";
import { batteryStatus } from "./status";

/** Properties of `solar-yield-battery` in a flow file: those of `BatterySettings`, as text. */
export type BatteryConfig = NodeDef & Record<keyof BatterySettings, unknown>;

/** Node-RED's node with what the editor's dialog reads. */
export interface BatteryNode extends Node {
	solarYield?: { view(): BatteryView };
}

/**
 * Time after a start, in ms, in which nothing is released: forecast and state of
 * charge arrive one after the other.
 */
const GRACE_MS = 5 * MINUTE_MS;

/** State that is handed over when only this node is deployed anew. */
interface Left {
	readonly known: BatteryKnowledge;
	readonly state: State;
}

const handover = new Handover<Left>();

/** Wires a `solar-yield-battery` node, or refuses its settings. */
export function openBattery(
	RED: NodeAPI,
	node: Node,
	config: BatteryConfig,
	clock: Clock = systemClock,
): void {
	try {
		readSettings({ ...config });
	} catch (error) {
		refuseInput(RED, node, error);
		return;
	}
	new Battery(RED, node, config, clock).open();
}

/** A node at work. */
class Battery {
	readonly #RED: NodeAPI;
	readonly #node: BatteryNode;
	readonly #config: Readonly<Record<string, unknown>>;
	readonly #clock: Clock;
	readonly #timer: Timer;
	readonly #kept: KeptState;
	readonly #started: number;
	#known: BatteryKnowledge = { absent: [], kept: emptyState() };
	#state: State = "start";
	/** The plan that was sent last, undefined after anything else. */
	#plan: BatteryPlan | undefined;
	/** Number of the quarter hour of the last plan. */
	#quarter: number;
	#isLoaded = false;
	#isClosed = false;

	/** @param clock decides what now is, and wakes at each quarter hour */
	constructor(RED: NodeAPI, node: Node, config: BatteryConfig, clock: Clock) {
		this.#RED = RED;
		this.#node = node;
		this.#config = { ...config };
		this.#clock = clock;
		this.#started = clock.now();
		this.#quarter = Math.floor(this.#started / QUARTER_MS);
		this.#kept = new KeptState(RED, node);
		this.#timer = new Timer(clock, () => this.#wake());
	}

	open(): void {
		const node = this.#node;
		watchStops(this.#RED);
		const ready = this.#load();
		node.solarYield = {
			view: () => {
				const { input, kept } = this.#known;
				const zone = input?.forecast.zone;
				const prices = kept.prices?.value ?? [];
				return {
					week: kept.house && learnedWeek(kept.house),
					prices: zone ? priceDays(prices, zone, this.#clock.now()) : null,
				};
			},
		};
		this.#showStatus();
		this.#arm();
		handleInput(this.#RED, node, async (msg, send) => {
			await ready;
			// A site that is no more: its last forecast runs out by itself.
			if (readRemoval(msg)) return;
			const now = this.#moment();
			const { absent } = this.#known;
			const { known, isNews, errors } = learn(
				this.#known,
				msg,
				this.#config,
				now,
			);
			this.#known = known;
			const message = isNews ? this.#step(now) : undefined;
			if (!isNews && String(absent) !== String(known.absent)) {
				this.#showStatus();
			}
			if (message) send(answerTo(this.#RED, msg, message, ENDS));
			this.#kept.save(this.#known.kept, now.at);
			this.#arm();
			if (errors.length > 0) throw joinErrors(errors);
		});
		node.on("close", (removed: boolean, done: () => void) => {
			this.#close(removed);
			this.#kept.idle().finally(done);
		});
	}

	/** Takes up what a predecessor or an earlier process knew. */
	async #load(): Promise<void> {
		const left = handover.take(this.#node);
		if (left) {
			this.#known = left.known;
			this.#state = left.state;
		} else {
			this.#known = { absent: [], kept: await this.#kept.load() };
		}
		this.#isLoaded = true;
		try {
			settingsOf(this.#config, this.#known);
		} catch (error) {
			// The dialog was changed, and what messages had set no longer fits.
			const kept = { ...this.#known.kept, settings: null };
			this.#known = { ...this.#known, kept };
			tellWarning(this.#RED, this.#node, {
				key: "battery.taken_back",
				values: { error: ownError(error).text },
			});
		}
	}

	#moment(): Moment {
		return { at: this.#clock.now(), monotonic: this.#clock.monotonic() };
	}

	#settings(): BatterySettings {
		return settingsOf(this.#config, this.#known);
	}

	#showStatus(): void {
		const now = this.#moment();
		this.#node.status(
			batteryStatus(
				{
					verdict: verdictOf(this.#known, this.#settings(), now),
					plan: this.#plan,
					absent: this.#known.absent,
					zone: this.#known.input?.forecast.zone,
					hasTold: this.#state !== "start",
					now: now.at,
				},
				this.#RED._,
			),
		);
	}

	#message(payload: BatteryPlan): BatteryMessage {
		const { input } = this.#known;
		return {
			topic: `${input?.base ?? "solar-yield"}/battery`,
			payload,
			retain: false,
			...(input && { solar: copyOf(input.solar) }),
		};
	}

	#release(reason: string, limits = true): BatteryPlan {
		const settings = this.#settings();
		const facts = factsOf(this.#known, settings, this.#clock.now());
		return releasePayload(settings, reason, limits, facts);
	}

	/** The message that is due now, if any. */
	#step(moment: Moment): BatteryMessage | undefined {
		const { at } = moment;
		this.#known = { ...this.#known, kept: expire(this.#known.kept, at) };
		const settings = this.#settings();
		const verdict = verdictOf(this.#known, settings, moment);
		const { state, send } = next(this.#state, verdict);
		if (
			this.#state === "start" &&
			state === "released" &&
			at - this.#started < GRACE_MS
		) {
			this.#showStatus();
			return undefined;
		}
		this.#state = state;
		this.#quarter = Math.floor(at / QUARTER_MS);
		this.#plan = undefined;
		let payload: BatteryPlan | undefined;
		if (send === "plan" || send === "demo") {
			payload = planOf(this.#known, settings, at, send === "demo");
			const kept = notePlan(this.#known.kept, payload, at);
			this.#known = { ...this.#known, kept };
			this.#plan = payload;
		} else if (send !== null) {
			payload = this.#release(verdict.text ?? "", send === "release");
		}
		this.#showStatus();
		return payload && this.#message(payload);
	}

	#arm(): void {
		if (this.#isClosed) return;
		this.#timer.set(QUARTER_MS - (this.#clock.now() % QUARTER_MS));
	}

	#wake(): void {
		try {
			if (this.#isLoaded) this.#tick();
		} catch (error) {
			const { input } = this.#known;
			const topic = `${input?.base ?? "solar-yield"}/battery`;
			tellError(this.#RED, this.#node, error, topic);
		}
		this.#arm();
	}

	/** A new plan at each quarter hour, and a release as soon as one is due. */
	#tick(): void {
		const now = this.#moment();
		const isSameQuarter = Math.floor(now.at / QUARTER_MS) === this.#quarter;
		const { reason } = verdictOf(this.#known, this.#settings(), now);
		const isLive = reason === null || this.#state === "demo";
		if (isLive && isSameQuarter) return;
		const message = this.#step(now);
		this.#kept.save(this.#known.kept, now.at);
		if (message) this.#node.send(message as never);
	}

	#close(removed: boolean): void {
		this.#isClosed = true;
		this.#timer.stop();
		// Limits sent earlier would stay in the inverter for good.
		const mayBeLimited = this.#state === "driving" || this.#state === "start";
		const isDemo = this.#known.input?.solar.demo === true;
		if ((removed || isLeaving(this.#node.id)) && mayBeLimited && !isDemo) {
			const reason = "the node was deleted, disabled or stopped";
			this.#node.send(this.#message(this.#release(reason)) as never);
		}
		if (!removed) {
			handover.leave(this.#RED, this.#node, {
				known: this.#known,
				state: this.#state,
			});
		}
		this.#node.status({});
		if (this.#isLoaded) this.#kept.saveNow(this.#known.kept);
		onceDeleted(this.#RED, this.#node, () => void this.#kept.remove());
	}
}
