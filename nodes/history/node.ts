import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Node, NodeAPI, NodeDef } from "node-red";
import { siteDayEnergy } from "../../src/forecast/forecast";
import {
	type HistoryPresentation,
	historyMessages,
} from "../../src/messages/history-messages";
import { readSelection, readSiteId } from "../../src/messages/selection";
import { DEFAULT_PREFIX } from "../../src/messages/topic";
import { readFlag } from "../../src/messages/value-readers";
import { type History, historyDays } from "../../src/polling/historical-reader";
import {
	type ForecastSource,
	siteSource,
} from "../../src/polling/source/source";
import { inputError } from "../../src/service/errors/solar-yield-error";
import {
	readHistoricalParams,
	readHistoricalRange,
} from "../../src/service/v2/historical";
import { show } from "../../src/service/v2/schema-errors";
import { readInlineSystem } from "../../src/service/v2/sites/site-input";
import { type Account, accountOf } from "../shared/account-lookup";
import {
	answerTo,
	handleInput,
	type Message,
	ownError,
	refuseInput,
} from "../shared/handler";
import { historyOf } from "../shared/history-reader";
import { noSiteError } from "../shared/setup-error";
import { type HistoryNodeState, historyStatus } from "./status";

/** Properties of `solar-yield-history` in a flow file (behaviour: Messages). */
export interface HistoryConfig extends NodeDef {
	account: string;
	siteId: string;
	source: "site" | "inline";
	/** JSON text: latitude, longitude, strings, config. */
	inline: string;
	include: string[];
	period: string;
	startDate: string;
	endDate: string;
	timezone: "local" | "utc";
	split: boolean;
}

const isGiven = (value: unknown) =>
	value !== undefined && value !== null && value !== "";

/** The source that a message names, property by property, else the node's. */
function readSource(
	account: Account,
	node: Node,
	config: HistoryConfig,
	msg: Partial<Message>,
): ForecastSource {
	const source = isGiven(msg.source)
		? msg.source
		: isGiven(msg.siteId)
			? "site"
			: isGiven(msg.inline)
				? "inline"
				: config.source || "site";
	if (source === "inline") {
		return {
			kind: "inline",
			key: `inline-${node.id}`,
			system: readInlineSystem(msg.inline ?? config.inline),
			intervalMs: Number.POSITIVE_INFINITY,
		};
	}
	if (source !== "site") {
		throw inputError("history.source", { value: show(source) });
	}
	const siteId =
		readSiteId(msg.siteId) ?? readSiteId(config.siteId) ?? account.siteId;
	if (siteId === undefined) throw noSiteError();
	return siteSource(siteId);
}

/** Energy of all days in kWh, null when one of them is not known. */
function totalEnergy({ forecast }: History, days: readonly number[]) {
	let total: number | null = 0;
	for (const day of days) {
		const energy = siteDayEnergy(forecast, day);
		total = energy === null || total === null ? null : total + energy;
	}
	return total;
}

/** Wires a `solar-yield-history` node. */
export function openHistory(
	RED: NodeAPI,
	node: Node,
	config: HistoryConfig,
): void {
	let account: Account;
	try {
		account = accountOf(RED, config.account);
		// Properties that a message may complete or replace are checked with the message.
		if (config.source === "inline" && isGiven(config.inline)) {
			readInlineSystem(config.inline);
		}
		readSelection({ include: config.include, timezone: config.timezone });
	} catch (error) {
		refuseInput(RED, node, error);
		return;
	}
	const { hub, demo } = account;
	let closed = false;
	const showStatus = (state: HistoryNodeState) => {
		if (!closed) node.status(historyStatus(state, demo, RED._));
	};
	node.status({});
	node.on("close", () => {
		closed = true;
		node.status({});
	});

	/** Sends the days one by one, or all at once, and shows the progress. */
	const sendAll = async (
		history: History,
		presentation: HistoryPresentation,
		split: boolean,
		msg: Message,
		send: (messages: unknown) => void,
	) => {
		const days = historyDays(history);
		const count = days.length;
		const { cached } = history;
		const steps = split
			? days.map((day) => ({ first: day, last: day }))
			: [{ first: days[0] as number, last: days[count - 1] as number }];
		const id = RED.util.generateId();
		for (const [index, step] of steps.entries()) {
			if (closed) return;
			const [rows, ...strings] = historyMessages(
				history,
				presentation,
				step,
				!split,
				RED.util.generateId(),
			);
			const parts = { id, type: "array", index, count };
			const first = { ...rows, ...(split && { parts }) };
			send(answerTo(RED, msg, [[first, ...strings]]));
			if (!split) break;
			showStatus({ sent: index + 1, count, kwh: null, cached });
			// Other flows may run between two days.
			await yieldToEventLoop();
		}
		const kwh = totalEnergy(history, days);
		showStatus({ sent: count, count, kwh, cached });
	};

	handleInput(RED, node, async (msg, send) => {
		showStatus({ asking: true });
		try {
			const { now } = await hub.account("historical");
			const source = readSource(account, node, config, msg);
			const selection = readSelection(
				{ include: config.include, timezone: config.timezone },
				{ include: msg.include, timezone: msg.timezone },
			);
			const split = readFlag(
				"split",
				isGiven(msg.split) ? msg.split : config.split,
			);
			const { period, startDate, endDate } = msg;
			const range = readHistoricalRange(
				config,
				{ period, startDate, endDate },
				now,
			);
			const params = readHistoricalParams(msg.params);
			const { include } = selection;
			const history = await historyOf(account).ask(
				{ source, range, include, params, interval: account.interval },
				readFlag("refresh", msg.refresh),
			);
			const presentation = { selection, topic: DEFAULT_PREFIX, demo };
			await sendAll(history, presentation, split, msg, send);
		} catch (error) {
			showStatus({ failure: ownError(error) });
			throw error;
		}
	});
}
