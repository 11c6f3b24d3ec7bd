import type { NodeAPI, NodeStatus } from "node-red";
import type { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import type { Clock } from "../../src/util/clock";
import { jsonFormat } from "../../src/util/disk/store";
import { Queue } from "../../src/util/queue";
import { HOUR_MS } from "../../src/util/time";
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
import { FollowerNode, nextOf, opener } from "../shared/follower-node";
import { type Message, ownError } from "../shared/handler";
import { NodeFile } from "../shared/node-file";
import { INPUTS, NOTHING_HEARD, readBrought, TAKEN } from "./inputs";
import { type Messages, offMessage, Sent } from "./messages";
import { windowReason, windowStatus } from "./status";
import { nameOf, type WindowConfig, type WindowNode } from "./window-node";

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
	#forecast = this.before?.forecast ?? null;
	#state = NEW_STATE;
	#output: Output | undefined;
	/** When the output was made, epoch ms. */
	#madeAt = 0;
	#heard = NOTHING_HEARD;
	readonly #sent = new Sent();
	readonly #sending = new Queue();

	constructor(
		RED: NodeAPI,
		node: WindowNode,
		config: WindowConfig,
		clock: Clock,
	) {
		super(RED, node, clock);
		this.#config = config;
		this.#inputs();
		node.solarYield = {
			idle: () => this.ready.then(() => this.#sending.idle()),
			now: () => clock.now(),
			known: () => this.followed?.forecast,
			state: () => this.#state,
			outputWith: (properties) =>
				tick(this.#state, this.#inputs(properties), clock.now()).output,
		};
	}

	protected override async load(): Promise<void> {
		const started = new Promise<void>((resolve) => {
			onceFlowsStarted(this.RED, resolve);
		});
		this.#state = (await this.file.load()) ?? NEW_STATE;
		await started;
		if (!this.isClosed) this.tick(this.clock.now());
	}

	protected override status(now: number): NodeStatus {
		const shown = {
			output: this.#output,
			zone: this.#zone ?? Zone.utc,
			demo: this.followed?.solar.demo ?? false,
			absent: this.#heard.absent,
			now,
		};
		return windowStatus(shown, this.RED._);
	}

	protected override async take(
		msg: Message,
		now: number,
		errors: SolarYieldError[],
	): Promise<Messages> {
		const { value, errors: wrong } = this.followBeside(msg, INPUTS);
		if (value) this.#forecast = windowForecast(value, now);
		const { overrides } = this.#state;
		const { loadW } = this.#inputs().settings;
		const read = readBrought(
			msg,
			{ overrides, loadW },
			this.#zone,
			this.#heard,
		);
		errors.push(...read.errors, ...wrong);
		this.#heard = read.heard;
		const inputs = (state: typeof NEW_STATE) => this.#inputs({}, state);
		return this.#become(stepAfter(this.#state, read.brought, inputs, now), now);
	}

	/** A site that is no more: its last forecast runs out by itself. */
	protected override remove(): undefined {}

	/** What is due, and once an hour, for the age of the forecast. */
	protected override next(now: number): number {
		const { tickAt } = this.#output ?? { tickAt: 0 };
		return Math.min(tickAt ?? now + HOUR_MS, nextOf(HOUR_MS, this.#madeAt));
	}

	protected override tick(now: number): undefined {
		if (now < this.next(now) && now >= this.#madeAt) return;
		this.#become(tick(this.#state, this.#inputs(), now), now)
			.then((messages) => {
				if (!this.isClosed) this.node.send(messages as never);
			})
			.catch((error) => this.tell(error));
	}

	protected override left() {
		return { forecast: this.#forecast };
	}

	get #zone(): Zone | undefined {
		return siteZone(this.#state, { forecast: this.#forecast });
	}

	/** @param more properties in place of those of the node */
	#inputs(more: object = {}, { overrides } = this.#state): WindowInputs {
		return {
			settings: readWindowSettings({ ...this.#config, ...more }, overrides),
			forecast: this.#forecast,
		};
	}

	/**
	 * Takes a transition's outcome over. What it calls for is sent once it is on disk:
	 * whoever is killed in between says it again after the start, and begins no second run.
	 */
	#become({ state, output }: Step, now: number): Promise<Messages> {
		if (state !== this.#state) void this.file.save(state);
		this.#state = state;
		this.#output = output;
		this.#madeAt = now;
		const name = nameOf(this.#config, this.node);
		const zone = this.#zone ?? Zone.utc;
		const { solar } = this.followed ?? {};
		const sender = { site: state.site, name, zone, solar };
		const reason = windowReason(output, zone, now, this.RED._);
		const news = this.#sent.news(output, sender, reason);
		return this.#sending.add(async () => {
			await this.file.idle();
			return news;
		});
	}
}

/** Wires a `solar-yield-window` node; what one switched on before whose settings cannot be used must not stay on. */
export const openWindow = opener(
	Window,
	(RED, node, config: WindowConfig, error) => {
		const off = offMessage(nameOf(config, node), ownError(error).message);
		const send = () => node.send([off, null] as never);
		node.on("close", onceFlowsStarted(RED, send));
	},
);
