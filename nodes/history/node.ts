import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Node, NodeAPI, NodeDef } from "node-red";
import { siteDayEnergy } from "../../src/forecast/forecast";
import { added } from "../../src/forecast/series";
import { historyMessages } from "../../src/messages/history-messages";
import { readSelection, readSiteId } from "../../src/messages/selection";
import { DEFAULT_PREFIX } from "../../src/messages/topic";
import { readChoice, readFlag } from "../../src/messages/value-readers";
import { historyDays } from "../../src/polling/historical-reader";
import {
	type ForecastSource,
	siteSource,
} from "../../src/polling/source/source";
import {
	readHistoricalParams,
	readHistoricalRange,
} from "../../src/service/v2/historical";
import { readInlineSystem } from "../../src/service/v2/sites/site-input";
import { isBlank } from "../../src/util/guards";
import { type Account, accountOf } from "../shared/account-lookup";
import {
	answerTo,
	handleRequests,
	type Message,
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

/** The source that a message names, property by property, else the node's. */
function readSource(
	account: Account,
	node: Node,
	config: HistoryConfig,
	msg: Partial<Message>,
): ForecastSource {
	const named = [
		msg.source,
		!isBlank(msg.siteId) && "site",
		!isBlank(msg.inline) && "inline",
		config.source,
	];
	const source = readChoice(
		"source",
		named.find((name) => name && !isBlank(name)),
		["site", "inline"],
		"history.source",
	);
	if (source === "inline") {
		return {
			kind: "inline",
			key: `inline-${node.id}`,
			system: readInlineSystem(msg.inline ?? config.inline),
			intervalMs: Number.POSITIVE_INFINITY,
		};
	}
	const siteId =
		readSiteId(msg.siteId) ?? readSiteId(config.siteId) ?? account.siteId;
	if (siteId === undefined) throw noSiteError();
	return siteSource(siteId);
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
		if (config.source === "inline" && !isBlank(config.inline)) {
			readInlineSystem(config.inline);
		}
		readSelection({ include: config.include, timezone: config.timezone });
	} catch (error) {
		refuseInput(RED, node, error);
		return;
	}
	const { hub, demo } = account;
	const statusOf = (state: HistoryNodeState) =>
		historyStatus(state, demo, RED._);
	handleRequests(RED, node, statusOf, async (msg, send, show, isClosed) => {
		const { now } = await hub.account("historical");
		const source = readSource(account, node, config, msg);
		const selection = readSelection(
			{ include: config.include, timezone: config.timezone },
			{ include: msg.include, timezone: msg.timezone },
		);
		const split = readFlag(
			"split",
			isBlank(msg.split) ? config.split : msg.split,
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

		// The days one by one, or all at once.
		const days = historyDays(history);
		const count = days.length;
		const { cached } = history;
		const steps = split
			? days.map((day) => ({ first: day, last: day }))
			: [{ first: days[0] as number, last: days[count - 1] as number }];
		const id = RED.util.generateId();
		for (const [index, step] of steps.entries()) {
			if (isClosed()) return;
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
			show({ sent: index + 1, count, kwh: null, cached });
			// Other flows may run between two days.
			await yieldToEventLoop();
		}
		const kwh = added(days.map((day) => siteDayEnergy(history.forecast, day)));
		show({ sent: count, count, kwh, cached });
	});
}
