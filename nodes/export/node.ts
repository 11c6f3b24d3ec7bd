import type { Node, NodeAPI, NodeDef, NodeStatus } from "node-red";
import {
	type AnyExporter,
	Documents,
	type ExportMessage,
	FORMATS,
	type FormatName,
	type OptionValues,
	openExporter,
	Published,
	readExportOptions,
	readFormat,
} from "../../src/export";
import type { Removal } from "../../src/messages/removal/read-removal";
import { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import type { Clock } from "../../src/util/clock";
import { jsonFormat } from "../../src/util/disk/store";
import { isObject } from "../../src/util/guards";
import { readInstant } from "../../src/util/time";
import { Zone } from "../../src/util/zone";
import { FollowerNode, opener } from "../shared/follower-node";
import { type Answer, type Message, tellWarning } from "../shared/handler";
import { NodeFile } from "../shared/node-file";
import { messagesAfter } from "./answer";
import { type ExportState, exportStatus } from "./status";

/** Properties of `solar-yield-export` in a flow file (behaviour: Messages); options of other formats are not looked at. */
export type ExportConfig = NodeDef & {
	format: FormatName;
} & Readonly<Record<string, unknown>>;

interface Left {
	readonly exporter: AnyExporter;
	/** What it was made for, as JSON. */
	readonly made: string;
	readonly last: Last;
}

/** What the status says of what was done last. */
type Last = Pick<ExportState, "sent" | "removed"> & { readonly demo: boolean };

/** Whether a message is more than the removal of a retained one. */
const isDocument = ({ payload }: ExportMessage) => payload !== "";

/** A request over HTTP has one answer: what takes a message off a broker is none, but where there is nothing else. */
const answering = (message: ExportMessage, index: number) =>
	index === 0 || isDocument(message)
		? message
		: { ...message, req: undefined, res: undefined };

function nothingAhead(solar: unknown): SolarYieldError {
	const { computed_at, timezone } = isObject(solar) ? solar : {};
	const at = readInstant(String(computed_at));
	const time = Number.isNaN(at)
		? { key: "export.unknown_time" }
		: { at, zone: String(timezone ?? "") };
	return new SolarYieldError("RESPONSE", "export.no_day", { time });
}

/**
 * A node that publishes what messages bring and what time alone makes due, and
 * remembers over restarts what it published.
 */
class Export extends FollowerNode<Left> {
	protected override readonly file = new NodeFile(
		this.RED,
		this.node,
		jsonFormat((json) => Published.parse(json)),
		"store.by_hand",
	);
	protected override readonly failureBody;
	readonly #format: FormatName;
	readonly #options: OptionValues;
	#exporter: AnyExporter;
	#last: Last = { demo: false };

	constructor(RED: NodeAPI, node: Node, config: ExportConfig, clock: Clock) {
		super(RED, node, clock);
		this.#format = readFormat(config.format);
		this.#options = readExportOptions(this.#format, config);
		this.#exporter = openExporter(this.#format, this.#options);
		const { failure, warning } = FORMATS[this.#format];
		this.failureBody = failure;
		const text = warning?.(this.#options);
		if (text !== undefined) tellWarning(RED, node, text);
	}

	protected override async load(): Promise<void> {
		const { before } = this;
		const published = await this.file.load();
		this.#exporter = openExporter(this.#format, this.#options, published);
		if (before?.made !== this.#made) return;
		this.#exporter = before.exporter;
		this.#last = before.last;
	}

	get #made(): string {
		return JSON.stringify([this.#format, this.#options]);
	}

	protected override status(): NodeStatus {
		const { failure, RED } = this;
		const { demo, ...last } = this.#last;
		const { refused } = this.#exporter;
		const format = this.#format;
		const state = failure ? { failure } : { ...last, refused };
		return exportStatus({ format, ...state }, demo, RED._);
	}

	protected override take(
		msg: Message,
		now: number,
		errors: SolarYieldError[],
	): Answer {
		const messages = messagesAfter(this.#exporter, msg, now);
		this.#save();
		if (this.#exporter instanceof Documents && !messages.some(isDocument)) {
			errors.push(nothingAhead(msg.solar));
		} else this.#note(messages, now);
		return [messages.map(answering)];
	}

	protected override remove({ siteId }: Removal): Answer {
		const messages = this.#exporter.remove(siteId);
		this.#save();
		if (messages.length > 0) {
			this.#last = { demo: this.#last.demo, removed: true };
		}
		return [messages.map(answering)];
	}

	protected override next(now: number): number | null {
		return this.#exporter.nextRenewal(now);
	}

	protected override tick(now: number): Answer {
		const messages = this.#exporter.renew(now);
		if (messages.length === 0) return null;
		this.#note(messages, now);
		this.#save();
		return [messages];
	}

	protected override left(): Left {
		return { exporter: this.#exporter, made: this.#made, last: this.#last };
	}

	#save(): void {
		void this.file.save(this.#exporter.published);
	}

	#note(messages: readonly ExportMessage[], now: number): void {
		const { solar } = messages.find((message) => message.solar) ?? {};
		if (!solar) return;
		const filled = messages.map((it) => it.solar?.gaps_filled ?? 0);
		this.#last = {
			demo: solar.demo,
			sent: {
				at: now,
				zone: Zone.of(solar.timezone) ?? Zone.utc,
				filled: Math.max(...filled),
			},
		};
	}
}

/** Wires a `solar-yield-export` node. */
export const openExport = opener(Export);
