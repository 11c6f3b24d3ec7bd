import type { Node, NodeAPI, NodeDef } from "node-red";
import {
	type AnyExporter,
	Documents,
	type ExportMessage,
	FORMATS,
	type FormatName,
	type OptionValues,
	openExporter,
	readExportOptions,
	readFormat,
} from "../../src/export";
import { Zone } from "../../src/forecast/zone";
import { readRemoval } from "../../src/messages/removal/read-removal";
import { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import type { Text } from "../../src/texts/texts";
import { type Clock, systemClock } from "../../src/util/clock";
import { isObject } from "../../src/util/guards";
import { Timer } from "../../src/util/timer";
import { readInstant } from "../../src/util/timestamp";
import {
	handleInput,
	type Message,
	ownError,
	refuseInput,
	tellWarning,
} from "../shared/handler";
import { storeFolder } from "../shared/user-folder";
import { messagesAfter } from "./answer";
import { publishedFile } from "./published-file";
import { type ExportState, exportStatus } from "./status";

/** Properties of `solar-yield-export` in a flow file (behaviour: Messages); options of other formats are not looked at. */
export type ExportConfig = NodeDef & {
	format: FormatName;
} & Readonly<Record<string, unknown>>;

interface Settings {
	readonly format: FormatName;
	readonly options: OptionValues;
	readonly clock: Clock;
}

/**
 * Wires a `solar-yield-export` node: it publishes what messages bring and what time
 * alone makes due, and remembers over restarts what it published.
 */
export function openExport(
	RED: NodeAPI,
	node: Node,
	config: ExportConfig,
	clock: Clock = systemClock,
): void {
	let settings: Settings;
	try {
		const format = readFormat(config.format);
		const options = readExportOptions(format, config);
		settings = { format, options, clock };
	} catch (error) {
		refuseInput(RED, node, error);
		return;
	}
	const { format, options } = settings;
	const warning = FORMATS[format].warning?.(options);
	if (warning !== undefined) tellWarning(RED, node, warning);
	const status = statusOf(RED, node, settings);
	const file = publishedFile(storeFolder(RED));
	const report = (text: Text) => tellWarning(RED, node, text);
	let closed = false;
	let exporter: AnyExporter | undefined;
	const ready = file.load(node.id, report).then((published) => {
		exporter = openExporter(format, options, published);
		return exporter;
	});

	const timer = new Timer(clock, () => {
		try {
			const messages = exporter?.renew(clock.now()) ?? [];
			if (messages.length > 0) {
				node.send([messages] as never);
				status.sent(messages, exporter?.refused);
				save();
			}
		} catch (error) {
			tellWarning(RED, node, error);
		}
		arm();
	});
	const arm = () => {
		const now = clock.now();
		const next = exporter?.nextRenewal(now) ?? null;
		if (next === null) timer.stop();
		else if (!closed) timer.set(next - now);
	};
	const save = () => {
		if (exporter) file.save(node.id, exporter.published, report);
	};
	node.on("close", (done: () => void) => {
		closed = true;
		timer.stop();
		file.flush().finally(done);
	});

	handleInput(
		RED,
		node,
		async (msg, send) => {
			const known = await ready;
			try {
				const removal = readRemoval(msg);
				const messages = removal
					? known.remove(removal.siteId)
					: messagesAfter(known, format, msg, clock.now());
				const brought = msg.solar;
				if (messages.length > 0) send(joined(RED, msg, messages));
				if (removal) status.removed();
				else if (known instanceof Documents && !messages.some(isDocument)) {
					throw nothingAhead(brought);
				} else status.sent(messages, known.refused);
			} catch (error) {
				status.failed(error);
				throw error;
			} finally {
				save();
				arm();
			}
		},
		FORMATS[format].failure,
	);
}

/** Whether a message is more than the removal of a retained one. */
const isDocument = ({ payload }: ExportMessage) => payload !== "";

/**
 * The received message goes on as the first; the others carry copies of its properties,
 * removals without the HTTP request, which has one answer only.
 */
function joined(RED: NodeAPI, msg: Message, messages: ExportMessage[]) {
	// Copied before the first one's own properties are put on what was received.
	const copies = messages.slice(1).map((message) => {
		const { payload: _payload, ...kept } = msg;
		if (isDocument(message)) delete kept.solar;
		else {
			delete kept.req;
			delete kept.res;
		}
		return { ...RED.util.cloneMessage(kept), ...message };
	});
	return [[Object.assign(msg, messages[0]), ...copies]];
}

/** Status of an export node; nothing is shown once the node is closed. */
function statusOf(RED: NodeAPI, node: Node, { format, clock }: Settings) {
	let closed = false;
	let demo = false;
	const show = (state: Omit<ExportState, "format">) => {
		if (!closed) node.status(exportStatus({ format, ...state }, demo, RED._));
	};
	node.on("close", () => {
		closed = true;
		node.status({});
	});
	show({});
	return {
		/** @param refused a site that comes beside the one that is sent */
		sent(messages: readonly ExportMessage[], refused: string | undefined) {
			const solar = messages.find((message) => message.solar)?.solar;
			if (!solar) return;
			demo = solar.demo;
			show({
				refused,
				sent: {
					at: clock.now(),
					zone: Zone.of(solar.timezone) ?? Zone.utc,
					filled: Math.max(...messages.map((it) => it.solar?.gaps_filled ?? 0)),
				},
			});
		},
		removed() {
			show({ removed: true });
		},
		failed(error: unknown) {
			show({ failure: ownError(error) });
		},
	};
}

function nothingAhead(solar: unknown): SolarYieldError {
	const { computed_at, timezone } = isObject(solar) ? solar : {};
	const at = readInstant(String(computed_at));
	const time = Number.isNaN(at)
		? { key: "export.unknown_time" }
		: { at, zone: String(timezone ?? "") };
	return new SolarYieldError("RESPONSE", "export.no_day", { time });
}
