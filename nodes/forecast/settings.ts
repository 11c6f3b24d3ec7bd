import type { Node, NodeAPI, NodeDef } from "node-red";
import {
	readSelection,
	readSiteId,
	type Selection,
} from "../../src/messages/selection";
import { readTopicPrefix } from "../../src/messages/topic";
import {
	type ForecastSource,
	siteSource,
} from "../../src/polling/source/source";
import {
	inputError,
	type SolarYieldError,
} from "../../src/service/errors/solar-yield-error";
import { show } from "../../src/service/v2/schema-errors";
import { readInlineSystem } from "../../src/service/v2/sites/site-input";
import { HOUR_MS } from "../../src/util/time";
import { type Account, accountOf } from "../shared/account-lookup";
import { noSiteError } from "../shared/setup-error";
import { INTERVAL_HOURS } from "./interval-hours";

/** Properties of `solar-yield-forecast` in a flow file (behaviour: Messages). */
export interface ForecastConfig extends NodeDef {
	account: string;
	siteId: string;
	source: "site" | "inline";
	inline: string;
	intervalHours: string | number;
	include: string[];
	forecastDays: string | number;
	pastDays: string | number;
	timezone: "local" | "utc";
	poll: "auto" | "manual";
	topic: string;
}

/** Settings of a node, read from its properties. */
export interface Settings {
	readonly account: Account;
	readonly source: ForecastSource;
	readonly selection: Selection;
	readonly auto: boolean;
	readonly topic: string;
}

/** Node-RED's node with what the editor's preview reads. */
export interface ForecastNode extends Node {
	/** Ids of the nodes behind each output. */
	readonly wires: readonly (readonly string[])[];
	solarYield: { settings?: Settings; problem?: SolarYieldError };
}

/** @throws SolarYieldError `INPUT` naming field and value */
export function readForecastSettings(
	RED: NodeAPI,
	node: Node,
	config: ForecastConfig,
): Settings {
	const account = accountOf(RED, config.account);
	return {
		account,
		source: readSource(account, node, config),
		selection: readSelection(config),
		auto: config.poll !== "manual",
		topic: readTopicPrefix(config.topic),
	};
}

function readSource(
	account: Account,
	node: Node,
	config: ForecastConfig,
): ForecastSource {
	if (config.source === "inline") {
		const hours = String(config.intervalHours ?? "").trim();
		const interval = hours === "" ? INTERVAL_HOURS.default : Number(hours);
		if (
			!(interval >= INTERVAL_HOURS.least && interval <= INTERVAL_HOURS.most)
		) {
			throw inputError("forecast.interval_hours", {
				value: show(config.intervalHours),
				least: INTERVAL_HOURS.least,
			});
		}
		return {
			kind: "inline",
			key: `inline-${node.id}`,
			system: readInlineSystem(config.inline),
			intervalMs: interval * HOUR_MS,
		};
	}
	const siteId = readSiteId(config.siteId) ?? account.siteId;
	if (siteId === undefined) throw noSiteError();
	return siteSource(siteId);
}
