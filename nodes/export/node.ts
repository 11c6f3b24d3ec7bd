import type { Node, NodeAPI, NodeDef } from "node-red";
import {
	type ExportMessage,
	exportForecast,
	type FormatName,
	HomeAssistant,
	type OptionValues,
	readExportOptions,
	readFormat,
} from "../../src/export";
import { Zone } from "../../src/forecast/zone";
import type { SolarFacts } from "../../src/messages/facts";
import {
	factsFromInput,
	forecastFromInput,
	nowFromInput,
	quotaFromInput,
	readPayload,
} from "../../src/messages/forecast-input";
import { Timer } from "../../src/polling/requests/timer";
import {
	type Clock,
	systemClock,
} from "../../src/polling/schedule/server-clock";
import { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import { handleInput, type Message, ownError } from "../shared/handler";
import { refuseInput } from "../shared/invalid-settings";
import { storeFolder } from "../shared/user-folder";
import { publishedFile } from "./published-entities";
import { type ExportState, exportStatus } from "./status";

// Loaded later by the name of this file: see tools/build.cjs.
export * from "./format-table";

/** Properties of `solar-yield-export` in a flow file (behaviour: Messages); options of other formats are not looked at. */
export type ExportConfig = NodeDef & {
	format: FormatName;
} & Readonly<Record<string, unknown>>;

interface Settings {
	readonly format: FormatName;
	readonly options: OptionValues;
	readonly clock: Clock;
}

/** Wires a `solar-yield-export` node. */
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
	if (settings.format === "home-assistant") {
		openHomeAssistant(RED, node, settings);
	} else openDocuments(RED, node, settings);
}

/** The received message goes on as the first; the others carry copies of its properties. */
function joined(RED: NodeAPI, msg: Message, messages: ExportMessage[]) {
	const { payload: _payload, ...kept } = msg;
	return [
		messages.map((message, index) =>
			index === 0
				? Object.assign(msg, message)
				: { ...RED.util.cloneMessage(kept), ...message },
		),
	];
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
		sent(messages: readonly ExportMessage[]) {
			const solar = messages[0]?.solar;
			if (!solar) return;
			demo = solar.demo;
			show({
				sent: {
					at: clock.now(),
					zone: Zone.of(solar.timezone) ?? Zone.utc,
					filled: Math.max(...messages.map((it) => it.solar.gaps_filled)),
				},
			});
		},
		failed(error: unknown) {
			show({ failure: ownError(error) });
		},
	};
}

/** Wires a node of a format that makes a document of each forecast. */
function openDocuments(RED: NodeAPI, node: Node, settings: Settings): void {
	const { format, options, clock } = settings;
	const status = statusOf(RED, node, settings);
	handleInput(node, (msg, send) => {
		try {
			const { forecast, solar } = forecastFromInput(msg);
			const messages = exportForecast(format, options, {
				forecast,
				facts: solar,
				nowMs: clock.now(),
				topic: msg.topic,
			});
			if (messages.length === 0) throw nothingAhead(solar);
			send(joined(RED, msg, messages));
			status.sent(messages);
		} catch (error) {
			status.failed(error);
			throw error;
		}
	});
}

const nothingAhead = ({ computed_at }: SolarFacts) =>
	new SolarYieldError(
		"RESPONSE",
		`The forecast of ${computed_at ?? "an unknown time"} holds no whole day from today on; nothing is sent until a newer forecast arrives, see the status of the forecast node`,
	);

/** Wires a node for Home Assistant, which also publishes at midnight and remembers what it published over restarts. */
function openHomeAssistant(RED: NodeAPI, node: Node, settings: Settings): void {
	const { options, clock } = settings;
	const prefix = options.prefix as string;
	const status = statusOf(RED, node, settings);
	const file = publishedFile(storeFolder(RED));
	const report = (message: string) => node.warn(message);
	let closed = false;
	let home: HomeAssistant | undefined;
	const ready = file.load(prefix, report).then((published) => {
		home = new HomeAssistant(options, published);
		return home;
	});

	const timer = new Timer(clock, () => {
		try {
			const messages = home?.midnight(clock.now()) ?? [];
			if (messages.length > 0) {
				node.send([messages] as never);
				took(messages);
			}
		} catch (error) {
			node.warn(ownError(error));
		}
		arm();
	});
	const arm = () => {
		const now = clock.now();
		const midnight = home?.nextMidnight(now) ?? null;
		if (midnight !== null && !closed) timer.set(midnight - now);
	};
	const took = (messages: readonly ExportMessage[]) => {
		status.sent(messages);
		if (home) file.save(prefix, home.published, report);
	};
	node.on("close", (done: () => void) => {
		closed = true;
		timer.stop();
		file.flush().finally(done);
	});

	handleInput(node, async (msg, send) => {
		const known = await ready;
		try {
			const messages = answer(known, msg, clock.now());
			if (messages.length === 0) return;
			send(joined(RED, msg, messages));
			took(messages);
			arm();
		} catch (error) {
			status.failed(error);
			throw error;
		}
	});
}

/** Messages to be published after one was received. */
function answer(
	home: HomeAssistant,
	msg: Message,
	nowMs: number,
): ExportMessage[] {
	if (home.isStatus(msg)) return home.isBirth(msg) ? home.birth(nowMs) : [];
	const { topic } = msg;
	const quota = quotaFromInput(msg.quota);
	const payload = readPayload(msg.payload);
	const now = nowFromInput(payload);
	if (now) {
		const every = typeof msg.every === "number" ? msg.every : undefined;
		const facts = factsFromInput(msg);
		return home.update({ now, every, facts, quota, nowMs, topic });
	}
	const { forecast, solar: facts } = forecastFromInput({ ...msg, payload });
	return home.update({ forecast, facts, quota, nowMs, topic });
}
