import type { Node, NodeAPI, NodeDef, NodeStatus } from "node-red";
import {
	emptyState,
	isSameInput,
	restoreState,
} from "../../src/battery/battery-state";
import { learnedWeek } from "../../src/battery/house/learned-load";
import { INPUT_NAMES } from "../../src/battery/inputs";
import {
	type BatteryKnowledge,
	factsOf,
	learn,
	planOf,
	settingsOf,
	verdictOf,
} from "../../src/battery/knowledge";
import { type BatteryPlan, releasePayload } from "../../src/battery/payload";
import { type Moment, next, type State } from "../../src/battery/release";
import { type BatterySettings, readSettings } from "../../src/battery/settings";
import { expire, notePlan } from "../../src/battery/transitions";
import { copyOf } from "../../src/messages/facts";
import type { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import type { Clock } from "../../src/util/clock";
import { jsonFormat } from "../../src/util/disk/store";
import { MINUTE_MS, QUARTER_MS } from "../../src/util/time";
import { FollowerNode, nextOf, opener } from "../shared/follower-node";
import { type Message, ownError, tellWarning } from "../shared/handler";
import { NodeFile } from "../shared/node-file";
import { priceDays } from "../shared/two-days";
import { isLeaving, watchStops } from "./departure";
import type { BatteryView, PlanAnswer } from "./dialog-answers";
import { type BatteryMessage, ENDS } from "./outgoing";
import { planAnswer } from "./preview";
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

/**
 * Time after a start, in ms, in which nothing is released: forecast and state of
 * charge arrive one after the other.
 */
const GRACE_MS = 5 * MINUTE_MS;

interface Left {
	readonly known: BatteryKnowledge;
	readonly state: State;
}

/** A node that sends a plan with each forecast and input and each quarter hour, and lets go of the battery when it knows too little. */
class Battery extends FollowerNode<Left> {
	protected override readonly ends = ENDS;
	protected override readonly file = new NodeFile(
		this.RED,
		this.node,
		jsonFormat((json) => this.#restore(json)),
	);
	readonly #config: Readonly<Record<string, unknown>>;
	readonly #started = this.clock.now();
	#known = this.before?.known ?? {
		absent: [],
		asked: [],
		kept: emptyState(),
	};
	#state = this.before?.state ?? "start";
	/** The plan that was sent last, undefined after anything else. */
	#plan: BatteryPlan | undefined;
	/** When the last plan was made. */
	#planned = this.#started;
	#saved = this.#known.kept;
	#savedAt = 0;

	constructor(RED: NodeAPI, node: Node, config: BatteryConfig, clock: Clock) {
		super(RED, node, clock);
		this.#config = { ...config };
		readSettings(this.#config);
		watchStops(RED);
		(node as BatteryNode).solarYield = {
			view: () => this.#view(),
			planWith: (properties) => this.#planWith(properties),
		};
	}

	protected override async load(): Promise<void> {
		const kept = await this.file.load();
		if (!this.before && kept) this.#known = { ...this.#known, kept };
		this.#saved = this.#known.kept;
		try {
			this.#settings;
		} catch (error) {
			// The dialog was changed, and what messages had set no longer fits.
			const kept = { ...this.#known.kept, settings: null };
			this.#known = { ...this.#known, kept };
			tellWarning(this.RED, this.node, {
				key: "battery.taken_back",
				values: { error: ownError(error).text },
			});
		}
	}

	protected override status(now: number): NodeStatus {
		const { input, absent } = this.#known;
		return batteryStatus(
			{
				verdict: verdictOf(this.#known, this.#settings, this.#moment(now)),
				plan: this.#plan,
				absent,
				zone: input?.forecast.zone,
				hasTold: this.#state !== "start",
				now,
			},
			this.RED._,
		);
	}

	protected override take(
		msg: Message,
		now: number,
		errors: SolarYieldError[],
	): BatteryMessage | undefined {
		const read = this.followBeside(msg, INPUT_NAMES);
		const learnt = learn(
			this.#known,
			msg,
			read.value,
			this.#config,
			this.#moment(now),
		);
		errors.push(...read.errors, ...learnt.errors);
		this.#known = learnt.known;
		const message = learnt.isNews ? this.#step(now) : undefined;
		this.#save(now);
		return message;
	}

	/** A site that is no more: its last forecast runs out by itself. */
	protected override remove(): undefined {}

	protected override next(now: number): number {
		return nextOf(QUARTER_MS, now);
	}

	/** A new plan at each quarter hour, and a release as soon as one is due. */
	protected override tick(now: number): BatteryMessage | undefined {
		const isSameQuarter =
			nextOf(QUARTER_MS, now) === nextOf(QUARTER_MS, this.#planned);
		const moment = this.#moment(now);
		const { reason } = verdictOf(this.#known, this.#settings, moment);
		const isLive = reason === null || this.#state === "demo";
		if (isLive && isSameQuarter) return undefined;
		const message = this.#step(now);
		this.#save(now);
		return message;
	}

	protected override left(): Left {
		return { known: this.#known, state: this.#state };
	}

	protected override close(removed: boolean): void {
		// Limits sent earlier would stay in the inverter for good.
		const mayBeLimited = this.#state === "driving" || this.#state === "start";
		const isDemo = this.#known.input?.solar.demo === true;
		if ((removed || isLeaving(this.node.id)) && mayBeLimited && !isDemo) {
			const reason = "the node was deleted, disabled or stopped";
			const payload = this.#release(reason, this.clock.now());
			this.node.send(this.#message(payload) as never);
		}
		this.#save(this.clock.now(), true);
	}

	get #settings(): BatterySettings {
		return settingsOf(this.#config, this.#known);
	}

	#moment(at: number): Moment {
		return { at, monotonic: this.clock.monotonic() };
	}

	#message(payload: BatteryPlan): BatteryMessage {
		const { input } = this.#known;
		const solar = input && { solar: copyOf(input.solar) };
		return { topic: this.topic, payload, retain: false, ...solar };
	}

	#release(reason: string, now: number, limits = true): BatteryPlan {
		const settings = this.#settings;
		const facts = factsOf(this.#known, settings, now);
		return releasePayload(settings, reason, limits, facts);
	}

	/** The message that is due now, if any. */
	#step(now: number): BatteryMessage | undefined {
		this.#known = { ...this.#known, kept: expire(this.#known.kept, now) };
		const settings = this.#settings;
		const verdict = verdictOf(this.#known, settings, this.#moment(now));
		const { state, send } = next(this.#state, verdict);
		const isEarly = now - this.#started < GRACE_MS;
		if (this.#state === "start" && state === "released" && isEarly) {
			return undefined;
		}
		this.#state = state;
		this.#planned = now;
		this.#plan = undefined;
		if (send === null) return undefined;
		if (send !== "plan" && send !== "demo") {
			const isRelease = send === "release";
			return this.#message(this.#release(verdict.text ?? "", now, isRelease));
		}
		this.#plan = planOf(this.#known, settings, now, send === "demo");
		const kept = notePlan(this.#known.kept, this.#plan);
		this.#known = { ...this.#known, kept };
		return this.#message(copyOf(this.#plan));
	}

	/** Saves inputs that have changed, and anything else once in a quarter hour: a state of charge that comes each second must not wear out an SD card. */
	#save(now: number, isLast = false): void {
		const { kept } = this.#known;
		const isLater = nextOf(QUARTER_MS, now) !== this.#savedAt;
		if (kept === this.#saved) return;
		if (!isLast && !isLater && isSameInput(this.#saved, kept)) return;
		this.#savedAt = nextOf(QUARTER_MS, now);
		this.#saved = kept;
		void this.file.save(kept);
	}

	#restore(json: unknown) {
		const { state, damaged } = restoreState(json);
		if (damaged.includes("version")) throw new Error("none of this node's");
		if (damaged.length > 0) {
			tellWarning(this.RED, this.node, {
				key: "battery.forgotten",
				values: { what: damaged },
			});
		}
		return state;
	}

	#planWith(properties?: object): PlanAnswer {
		const config = properties
			? { ...this.#config, ...properties }
			: this.#config;
		return planAnswer(this.#known, config, this.#moment(this.clock.now()));
	}

	#view(): BatteryView {
		const { input, kept } = this.#known;
		const zone = input?.forecast.zone;
		const prices = kept.prices?.value ?? [];
		return {
			week: kept.house && learnedWeek(kept.house),
			prices: zone ? priceDays(prices, zone, this.clock.now()) : null,
			plan: this.#planWith(),
		};
	}
}

/** Wires a `solar-yield-battery` node. */
export const openBattery = opener(Battery);
