import type { NodeAPI, NodeStatus } from "node-red";
import type { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import type { Clock } from "../../src/util/clock";
import { jsonFormat } from "../../src/util/disk/store";
import { Queue } from "../../src/util/queue";
import { QUARTER_MS } from "../../src/util/time";
import { Zone } from "../../src/util/zone";
import type { Output } from "../../src/window/output";
import { readWindowSettings } from "../../src/window/settings";
import {
	NEW_STATE,
	readState,
	siteZone,
	type WindowForecast,
	type WindowInputs,
	windowForecast,
} from "../../src/window/state";
import { type Step, stepAfter, tick } from "../../src/window/transitions";
import { onceFlowsStarted } from "../shared/flows-started";
import { FollowerNode, opener } from "../shared/follower-node";
import type { Message } from "../shared/handler";
import { NodeFile } from "../shared/node-file";
import { INPUTS, readBrought, TAKEN } from "./inputs";
import { type Messages, Sent } from "./messages";
import { switchOff } from "./off";
import { windowReason, windowStatus } from "./status";
import {
	nameOf,
	type WindowConfig,
	type WindowNode,
	type WindowSource,
} from "./window-node";

/** A node that switches an appliance on in the best time (behaviour: The best time). */
class Window extends FollowerNode<{
	readonly forecast: WindowForecast | null;
}> {
	protected override readonly ends = TAKEN;
	protected override readonly file = new NodeFile(
		this.RED,
		this.node,
		jsonFormat(readState),
	);
	readonly #config: WindowConfig;
	/** Inputs whose last message had no value: a sensor that is unavailable. */
	#absent: readonly string[] = [];
	#forecast = this.before?.forecast ?? null;
	#state = NEW_STATE;
	#asked: readonly string[] = [];
	#output: Output | undefined;
	#tickAt = 0;
	#tickedAt = 0;
	readonly #sent = new Sent();
	readonly #sending = new Queue();

	constructor(
		RED: NodeAPI,
		node: WindowNode,
		config: WindowConfig,
		clock: Clock,
	) {
		super(RED, node, clock);
		this.#config = { ...config };
		this.#inputs();
		node.solarYield = this.#source();
	}

	protected override async load(): Promise<void> {
		const started = new Promise<void>((resolve) => {
			const stop = onceFlowsStarted(this.RED, resolve);
			this.node.on("close", () => stop());
		});
		const [stored] = await Promise.all([this.file.load(), started]);
		if (stored) this.#state = stored;
		if (!this.isClosed) this.tick(this.clock.now());
	}

	protected override status(now: number): NodeStatus {
		const output = this.#output;
		return windowStatus({ output, ...this.#view(now) }, this.RED._);
	}

	protected override async take(
		msg: Message,
		now: number,
		errors: SolarYieldError[],
	): Promise<Messages> {
		const before = this.#state;
		const { value, errors: wrong } = this.followBeside(msg, INPUTS);
		if (value) {
			this.#forecast = windowForecast(value, `${value.base}/forecast`, now);
		}
		const zone = siteZone(before, { forecast: this.#forecast });
		const brought = readBrought(
			msg,
			before.overrides,
			this.#inputs().settings.loadW,
			zone,
			this.#asked,
		);
		errors.push(...brought.errors, ...wrong);
		const still = this.#absent.filter((name) => !(name in msg));
		this.#absent = [...still, ...brought.absent];
		this.#asked = brought.asked;
		const step = stepAfter(
			this.#state,
			brought,
			(state) => this.#inputs(state),
			now,
		);
		const messages = this.#take(before, step, now);
		await this.#saved();
		return messages;
	}

	/** A site that is no more: its last forecast runs out by itself. */
	protected override remove(): undefined {}

	protected override next(): number {
		return this.#tickAt;
	}

	protected override tick(now: number): undefined {
		if (now < this.#tickAt && now >= this.#tickedAt) return;
		const step = tick(this.#state, this.#inputs(), now);
		const messages = this.#take(this.#state, step, now);
		this.#saved()
			.then(() => {
				if (!this.isClosed) this.node.send(messages as never);
			})
			.catch((error) => this.tell(error));
	}

	protected override left() {
		return { forecast: this.#forecast };
	}

	#inputs(state = this.#state, more: object = {}): WindowInputs {
		const properties = { ...this.#config, ...more };
		return {
			settings: readWindowSettings(properties, state.overrides),
			forecast: this.#forecast,
		};
	}

	/** Takes a transition's outcome over; the messages that it calls for. */
	#take(before: typeof NEW_STATE, step: Step, now: number): Messages {
		const { state, output } = step;
		this.#state = state;
		this.#output = output;
		if (state !== before) void this.file.save(state);
		this.#tickedAt = now;
		this.#tickAt = Math.min(
			output.tickAt ?? Number.POSITIVE_INFINITY,
			(Math.floor(now / QUARTER_MS) + 1) * QUARTER_MS,
		);
		const solar = this.followed?.solar;
		const name = nameOf(this.#config, this.node);
		const view = this.#view(now);
		const sender = { site: state.site, name, zone: view.zone, solar };
		const reason = windowReason(output, view, this.RED._);
		return this.#sent.news(output, sender, reason);
	}

	/** What was decided is sent once it is on disk: whoever is killed in between says it again after the start, and begins no second run. */
	#saved(): Promise<void> {
		return this.#sending.add(() => this.file.idle());
	}

	#view(now: number) {
		const inputs = this.#inputs();
		const { rank } = inputs.settings;
		return {
			lacksPrices: this.#output !== undefined && this.#output.rankedBy !== rank,
			zone: siteZone(this.#state, inputs) ?? Zone.utc,
			demo: this.followed?.solar.demo ?? false,
			absent: this.#absent,
			now,
		};
	}

	#source(): WindowSource {
		return {
			idle: () => this.ready.then(() => this.#sending.idle()),
			now: () => this.clock.now(),
			known: () => this.followed?.forecast,
			state: () => this.#state,
			outputWith: (properties) => {
				const inputs = this.#inputs(this.#state, properties);
				const { output } = tick(this.#state, inputs, this.clock.now());
				return { output, rank: inputs.settings.rank };
			},
		};
	}
}

/** Wires a `solar-yield-window` node. */
export const openWindow = opener(Window, switchOff);
