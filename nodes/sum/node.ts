import type { Node, NodeAPI, NodeDef, NodeStatus } from "node-red";
import type { Removal } from "../../src/messages/removal/read-removal";
import { siteOfTopic, siteTopicOf } from "../../src/messages/topic";
import {
	type RawSumSettings,
	readSumSettings,
	SumParts,
	type SumSettings,
	sumForecasts,
} from "../../src/sum";
import type { Clock } from "../../src/util/clock";
import { forecastsBefore, onFlowsStarted } from "../shared/flows-started";
import {
	type Followed,
	FollowerNode,
	opener,
	receiveForecast,
} from "../shared/follower-node";
import { type Answer, type Message, ownError } from "../shared/handler";
import { type SumState, sumStatus } from "./status";

/** What a forecast node tells of itself. */
interface ForecastNode extends Node {
	readonly solarYield?: {
		readonly settings?: {
			readonly auto: boolean;
			readonly source: { readonly key: string };
		};
	};
}

/** Properties of `solar-yield-sum` in a flow file (behaviour: Messages). */
export interface SumConfig extends NodeDef, Omit<RawSumSettings, "name"> {}

interface Left {
	/** The last forecast of each site. */
	readonly parts: readonly Followed[];
	/** Topic of the sum, undefined before the first. */
	readonly topic: string | undefined;
	readonly expected: readonly string[];
}

/** A node that sends, with each forecast of a site, that of all sites together, once all are known. */
class Sum extends FollowerNode<Left> {
	// Of a part; nodes behind would take it for the site that they are to show.
	protected override readonly ends = ["siteId", "operation"];
	readonly #settings: SumSettings;
	readonly #parts: SumParts<Followed>;
	#topic = this.before?.topic;
	/** What the status says of a sum, undefined while there is none. */
	#shown: NodeStatus | undefined;
	#heard = this.before !== undefined;

	constructor(RED: NodeAPI, node: Node, config: SumConfig, clock: Clock) {
		super(RED, node, clock);
		this.#settings = readSumSettings({ ...config });
		this.#parts = new SumParts(this.#settings);
		this.#parts.expected = this.before?.expected ?? [];
		const stop = onFlowsStarted(RED, (start) => {
			this.#parts.expected = forecastsBefore(start, node.id).flatMap((id) => {
				const { settings } =
					(RED.nodes.getNode(id) as ForecastNode | null)?.solarYield ?? {};
				return settings?.auto ? settings.source.key : [];
			});
		});
		node.on("close", stop);
		try {
			for (const part of this.before?.parts ?? []) this.#parts.take(part);
			this.#add(clock.now());
		} catch (error) {
			// The new settings may not fit what came before.
			this.failure = ownError(error);
		}
	}

	protected override status(now: number): NodeStatus {
		const { failure } = this;
		if (this.#shown && !failure) return this.#shown;
		return this.#status(now, failure && { failure });
	}

	#status(now: number, more?: Partial<SumState>): NodeStatus {
		const { missing, all } = this.#parts;
		const known = { missing, heard: this.#heard, count: all.length };
		return sumStatus({ ...known, ...more }, now, this.RED._);
	}

	protected override take(msg: Message, now: number): Answer {
		const part = receiveForecast(msg, this.#parts.all);
		this.#heard = true;
		return this.#parts.take(part) && this.#answer(now);
	}

	protected override remove({ names, topic }: Removal, now: number): Answer {
		const isFresh = this.#parts.all.length === 0;
		// After a start the node does not know what it published before.
		if (isFresh && topic)
			this.#topic = this.#topicBeside(topic, siteOfTopic(topic)?.demo);
		if (!this.#parts.forget(names) && !isFresh) return null;
		return this.#answer(now);
	}

	/** The topic of the sum, with the prefix of a part's. */
	#topicBeside(topic: string, demo = false): string {
		const site_id = this.#settings.sumId;
		return `${siteTopicOf(topic, { site_id, demo })}/forecast`;
	}

	/** The sum where all is known, behind what takes it off brokers where it had another topic or is no more. */
	#answer(now: number): Answer {
		const before = this.#topic;
		const sum = this.#add(now);
		this.#topic = sum?.topic;
		const gone = {
			topic: before,
			payload: "",
			retain: true,
			operation: "remove",
			siteId: this.#settings.sumId,
		};
		return [[before !== undefined && before !== this.#topic && gone, sum]];
	}

	protected override left(): Left {
		const { all, expected } = this.#parts;
		return { parts: all, topic: this.#topic, expected };
	}

	/** The message of the sum, undefined while a site is missing. */
	#add(now: number) {
		const parts = this.#parts.complete();
		const sum = parts && sumForecasts(parts, this.#settings, now);
		this.#shown = sum && this.#status(now, { sum });
		if (!sum) return undefined;
		const topic = this.#topicBeside(
			`${parts[0].base}/forecast`,
			sum.solar.demo,
		);
		return { topic, ...sum, retain: true };
	}
}

/** Wires a `solar-yield-sum` node. */
export const openSum = opener(Sum);
