import type { ForecastInput } from "../messages/input/forecast-input";
import type { SolarYieldError } from "../service/errors/solar-yield-error";
import type { Clock } from "../util/clock";
import { MINUTE_MS, QUARTER_MS } from "../util/time";
import { type BatteryState, emptyState } from "./battery-state";
import {
	type BatteryKnowledge,
	factsOf,
	learn,
	planOf,
	settingsOf,
	verdictOf,
} from "./knowledge";
import { type BatteryPlan, releasePayload } from "./payload";
import { type Moment, next, type ReleaseVerdict, type State } from "./release";
import type { BatterySettings } from "./settings";
import { expire, notePlan } from "./transitions";

/**
 * Time after a start, in ms, in which nothing is released: forecast and state of
 * charge arrive one after the other.
 */
const GRACE_MS = 5 * MINUTE_MS;

/** What a driver leaves to the next one. */
export interface Driven {
	readonly known: BatteryKnowledge;
	readonly state: State;
}

/** Drives a battery: a plan with each input and each quarter hour, and a release when it knows too little. */
export class BatteryDriver {
	readonly #config: Readonly<Record<string, unknown>>;
	readonly #clock: Clock;
	readonly #started: number;
	#known: BatteryKnowledge;
	#state: State;
	/** The plan that was sent last, undefined after anything else. */
	#plan: BatteryPlan | undefined;
	/** When the last plan was made, epoch ms. */
	#planned: number;

	/** @param config the properties of a flow file by name */
	constructor(
		config: Readonly<Record<string, unknown>>,
		clock: Clock,
		before: Driven | undefined,
	) {
		this.#config = config;
		this.#clock = clock;
		this.#started = clock.now();
		this.#planned = this.#started;
		const kept = emptyState();
		this.#known = before?.known ?? { absent: [], asked: [], kept };
		this.#state = before?.state ?? "start";
	}

	get driven(): Driven {
		return { known: this.#known, state: this.#state };
	}

	get plan(): BatteryPlan | undefined {
		return this.#plan;
	}

	get now(): Moment {
		return { at: this.#clock.now(), monotonic: this.#clock.monotonic() };
	}

	get #settings(): BatterySettings {
		return settingsOf(this.#config, this.#known);
	}

	/** Whether what is known may drive the battery. */
	get verdict(): ReleaseVerdict {
		return verdictOf(this.#known, this.#settings, this.now);
	}

	/** Takes up what was kept over a restart. */
	restore(kept: BatteryState): void {
		this.#known = { ...this.#known, kept };
	}

	/**
	 * Checks the settings. The dialog may have been changed so that what messages had
	 * set no longer fits: then it is taken back.
	 *
	 * @throws SolarYieldError `INPUT` of what no longer fits
	 */
	check(): void {
		try {
			this.#settings;
		} catch (error) {
			this.restore({ ...this.#known.kept, settings: null });
			throw error;
		}
	}

	/** What is to be sent after a message, if anything, and what was wrong in it. */
	take(
		msg: Readonly<Record<string, unknown>>,
		input: ForecastInput | undefined,
	): {
		readonly payload: BatteryPlan | undefined;
		readonly errors: readonly SolarYieldError[];
	} {
		const learnt = learn(this.#known, msg, input, this.#config, this.now);
		this.#known = learnt.known;
		const payload = learnt.isNews ? this.#step() : undefined;
		return { payload, errors: learnt.errors };
	}

	/** What the clock makes due: a new plan at each quarter hour, and a release as soon as one is due. */
	tick(): BatteryPlan | undefined {
		const quarterOf = (at: number) => Math.floor(at / QUARTER_MS);
		const isLive = this.verdict.reason === null || this.#state === "demo";
		const isSame = quarterOf(this.#clock.now()) === quarterOf(this.#planned);
		return isLive && isSame ? undefined : this.#step();
	}

	/** What is to be sent as the last word; undefined where no limit can be in force. Limits sent earlier would stay in the inverter for good. */
	end(reason: string): BatteryPlan | undefined {
		const mayBeLimited = this.#state === "driving" || this.#state === "start";
		const isDemo = this.#known.input?.solar.demo === true;
		return mayBeLimited && !isDemo ? this.#release(reason) : undefined;
	}

	#release(reason: string, limits = true): BatteryPlan {
		const facts = factsOf(this.#known, this.#settings, this.#clock.now());
		return releasePayload(this.#settings, reason, limits, facts);
	}

	#step(): BatteryPlan | undefined {
		const now = this.#clock.now();
		this.restore(expire(this.#known.kept, now));
		const { verdict } = this;
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
			return this.#release(verdict.text ?? "", send === "release");
		}
		this.#plan = planOf(this.#known, this.#settings, now, send === "demo");
		this.restore(notePlan(this.#known.kept, this.#plan));
		return this.#plan;
	}
}
