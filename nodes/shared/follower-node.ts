import type { Node, NodeAPI, NodeStatus } from "node-red";
import {
	type ForecastInput,
	followSite,
	forecastFromInput,
	readPayload,
} from "../../src/messages/input/forecast-input";
import {
	type Removal,
	readRemoval,
} from "../../src/messages/removal/read-removal";
import { DEFAULT_PREFIX, siteTopicOf } from "../../src/messages/topic";
import {
	joinErrors,
	type ReadResult,
	reading,
} from "../../src/messages/value-readers";
import type { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import { type Clock, systemClock } from "../../src/util/clock";
import { isObject } from "../../src/util/guards";
import { Timer } from "../../src/util/timer";
import { Handover } from "./deploy-handover";
import {
	type Answer,
	answerTo,
	handleInput,
	type Message,
	ownError,
	refuseInput,
	tellError,
} from "./handler";
import type { FailureBody } from "./http-failure";
import { type NodeFile, retireOnceDeleted } from "./node-file";

/** A forecast that a node received. */
export interface Followed extends ForecastInput {
	/** `<prefix>/<site_id>`. */
	readonly base: string;
}

/**
 * The forecast of a message, under the topic of its site's last one where the message
 * has none of ours.
 *
 * @param known the last forecasts
 * @throws SolarYieldError `INPUT`
 */
export function receiveForecast(
	msg: Message,
	known: readonly Followed[],
): Followed {
	const input = forecastFromInput(msg);
	const { site_id } = input.solar;
	const last = known.find(({ solar }) => solar.site_id === site_id);
	return { ...input, base: siteTopicOf(msg.topic, input.solar, last?.base) };
}

/** What nodes leave to the next ones of their ids; of another type that is nothing. */
const handover = new Handover<{
	readonly type: string;
	readonly followed: Followed | undefined;
	readonly own: unknown;
}>();

/** What takes a message off a broker. */
const gone = (base: string, leaf: string) => ({
	topic: `${base}/${leaf}`,
	payload: "",
	retain: true,
});

/** The next instant of the clock's grid, epoch ms: the same in all zones, whose offsets are multiples of 15 minutes. */
export const nextOf = (gridMs: number, now: number): number =>
	(Math.floor(now / gridMs) + 1) * gridMs;

/**
 * What all nodes behind a forecast node have in common: they take its output 1, reckon
 * on with it as the clock goes, forget a site that is no more, and hand over what they
 * know in a deploy. What a node does with all that stands in its own class.
 */
export abstract class FollowerNode<Left extends object = object> {
	protected readonly RED: NodeAPI;
	protected readonly node: Node;
	protected readonly clock: Clock;
	/** The last forecast of the site that the node follows. */
	protected followed: Followed | undefined;
	/** What the predecessor left in a deploy, besides the forecast. */
	protected readonly before: Left | undefined;
	/** Why the last message led to nothing. */
	protected failure: SolarYieldError | undefined;
	/** Properties of a message that go no further: what is sent has its own, or none. */
	protected readonly ends: readonly string[] = [];
	/** Topics below the site's under which brokers keep a message of the node, by output. */
	protected readonly leaves: readonly string[] = [];
	/** Body of an HTTP answer that is an error. */
	protected readonly failureBody: FailureBody | undefined;
	/** What the node keeps on disk, if anything. */
	protected readonly file: Pick<NodeFile<unknown>, "idle"> | undefined;
	protected isClosed = false;
	/** Resolves when what was on disk is known. */
	protected ready = Promise.resolve();
	/** Whether what was on disk is known. */
	#isReady = false;
	readonly #timer: Timer;
	/** Id of the site that is followed since the start. */
	#site: string | undefined;
	/** The status, as JSON. */
	#shown = "";

	constructor(RED: NodeAPI, node: Node, clock: Clock) {
		this.RED = RED;
		this.node = node;
		this.clock = clock;
		const left = handover.take(node);
		if (left?.type === node.type) {
			this.followed = left.followed;
			this.before = left.own as Left;
		}
		this.#timer = new Timer(clock, () => this.#wake());
	}

	protected abstract status(now: number): NodeStatus;

	/**
	 * Takes a message in that is no removal; the answers get the properties of the message.
	 *
	 * @param now epoch ms
	 * @param errors faults of parts of the message, told once the rest is answered
	 */
	protected abstract take(
		msg: Message,
		now: number,
		errors: SolarYieldError[],
	): Answer | Promise<Answer>;

	/** What is to be sent when a site is no more: by default what takes the node's own messages off brokers. */
	protected remove(removal: Removal, _now: number): Answer {
		const { followed } = this;
		const { topic } = removal;
		if (followed && !removal.names(followed.solar.site_id)) return null;
		this.followed = undefined;
		// After a start the node does not know what it published before.
		const base = followed?.base ?? topic?.replace(/\/[^/]+$/, "");
		if (base === undefined) return null;
		// The nodes behind the first output learn of the removal from the message.
		const [first, ...more] = this.leaves.map((leaf) => gone(base, leaf));
		return [first, ...more.map((it) => ({ ...it, operation: undefined }))];
	}

	/** When `tick` is to be called next, epoch ms; null while nothing depends on time. */
	protected next(_now: number): number | null {
		return null;
	}

	/** What time alone makes due; called after jumps of the clock too, and once a minute. */
	protected tick(_now: number): Answer {
		return null;
	}

	/** What the successor in a deploy needs besides the forecast. */
	protected abstract left(): Left;

	/** Takes up what is on disk. */
	protected async load(): Promise<void> {}

	/** What is to be done before the node is gone; `removed` as Node-RED says it. */
	protected close(_removed: boolean): void {}

	/** Wires the node. */
	open(): void {
		const { RED, node } = this;
		this.#goOn();
		this.ready = this.load()
			.catch((error) => this.tell(error))
			.then(() => {
				this.#isReady = true;
				this.#goOn();
			});
		node.on("close", (removed: boolean, done: () => void) => {
			this.isClosed = true;
			this.#timer.stop();
			if (this.#isReady) this.close(removed);
			if (!removed) {
				const own = this.#isReady ? this.left() : this.before;
				const { followed } = this;
				handover.leave(RED, node, { type: node.type, followed, own });
			}
			node.status({});
			(this.file?.idle() ?? Promise.resolve()).finally(done);
		});
		const work = async (msg: Message, send: (messages: unknown) => void) => {
			await this.ready;
			if (this.isClosed) return;
			const errors: SolarYieldError[] = [];
			try {
				const now = this.clock.now();
				const removal = readRemoval(msg);
				const before = this.followed;
				if (before && removal?.names(before.solar.site_id)) {
					// Another account's site may follow, also behind what the node keeps.
					this.#site = undefined;
				}
				const answer = removal
					? this.remove(removal, now)
					: this.#behindGone(before, await this.take(msg, now, errors));
				if (answer) send(answerTo(RED, msg, answer, this.ends));
				if (errors.length > 0) throw joinErrors(errors);
				this.failure = undefined;
			} catch (error) {
				this.failure = ownError(error);
				throw error;
			} finally {
				this.#goOn();
			}
		};
		handleInput(RED, node, work, this.failureBody);
	}

	/** Hands an error to Catch nodes that no input brought about. */
	protected tell(error: unknown): void {
		tellError(this.RED, this.node, error, this.topic);
	}

	/** `<prefix>/<site_id>/<kind of node>`. */
	protected get topic(): string {
		const kind = this.node.type.replace("solar-yield-", "");
		return `${this.followed?.base ?? DEFAULT_PREFIX}/${kind}`;
	}

	/** As `follow`; nothing where the message brings other inputs alone. */
	protected followBeside(
		msg: Message,
		inputs: readonly string[],
	): ReadResult<Followed | undefined> {
		return reading(() => {
			const bringsOther = inputs.some((name) => name in msg);
			let payload: unknown;
			try {
				payload = readPayload(msg.payload);
			} catch (error) {
				if (!bringsOther) throw error;
			}
			const isForecast = isObject(payload) && "values" in payload;
			if (bringsOther && !isForecast) return undefined;
			return this.follow({ ...msg, payload });
		});
	}

	/**
	 * Follows the forecast of a message from now on: that of the first site since the
	 * start, or of one that `msg.siteId` names.
	 *
	 * @throws SolarYieldError `INPUT`
	 */
	protected follow(msg: Message): Followed {
		const input = receiveForecast(msg, this.followed ? [this.followed] : []);
		this.#site = followSite(this.#site, input.solar, msg.siteId);
		this.followed = input;
		return input;
	}

	/** An answer, behind what takes the node's messages off brokers where they were under another topic. */
	#behindGone(before: Followed | undefined, answer: Answer): Answer {
		const { followed, leaves } = this;
		const isMoved =
			before?.solar.site_id === followed?.solar.site_id &&
			before?.base !== followed?.base;
		if (!before || !isMoved || leaves.length === 0) return answer;
		const outputs = Array.isArray(answer) ? answer : [answer];
		return leaves.map((leaf, output) =>
			[gone(before.base, leaf), outputs[output]].flat(),
		);
	}

	#wake(): void {
		try {
			const answer = this.#isReady && this.tick(this.clock.now());
			if (answer) this.node.send(answer as never);
		} catch (error) {
			this.tell(error);
		}
		this.#goOn();
	}

	/** Shows the status, where it has changed, and waits for the next tick. */
	#goOn(): void {
		if (this.isClosed) return;
		const now = this.clock.now();
		const status = this.status(now);
		const shown = JSON.stringify(status);
		if (shown !== this.#shown) this.node.status(status);
		this.#shown = shown;
		const next = this.next(now);
		if (next === null) this.#timer.stop();
		else this.#timer.set(next - now);
	}
}

/**
 * What a type of nodes calls for each of its nodes: wires it, or refuses its settings.
 *
 * @param refused what is to be done besides then
 */
export const opener =
	<Config>(
		Type: new (
			RED: NodeAPI,
			node: Node,
			config: Config,
			clock: Clock,
		) => FollowerNode,
		refused?: (
			RED: NodeAPI,
			node: Node,
			config: Config,
			error: unknown,
		) => void,
	) =>
	(RED: NodeAPI, node: Node, config: Config, clock = systemClock): void => {
		node.on("close", () => retireOnceDeleted(RED, node));
		let opened: FollowerNode;
		try {
			opened = new Type(RED, node, config, clock);
		} catch (error) {
			refuseInput(RED, node, error);
			refused?.(RED, node, config, error);
			return;
		}
		opened.open();
	};
