import type { Node, NodeAPI, NodeDef } from "node-red";
import { SolarYieldClient } from "../../src/service/client";
import {
	inputError,
	type SolarYieldError,
} from "../../src/service/errors/solar-yield-error";
import { show } from "../../src/service/v2/schema-errors";
import { type Text, textIn } from "../../src/texts/texts";
import { type Clock, systemClock } from "../../src/util/clock";
import { isBlank, isObject } from "../../src/util/guards";
import { Timer } from "../../src/util/timer";
import { Zone } from "../../src/util/zone";
import {
	checkV1Parameters,
	problemsError,
	readV1Parameters,
	v1Endpoint,
} from "../../src/v1/check-parameters";
import type { V1Endpoint } from "../../src/v1/parameters";
import { V1Requests } from "../../src/v1/requests";
import { normaliseV1Rows } from "../../src/v1/rows";
import { v1Phase, v1PhaseRemaining } from "../../src/v1/shutdown";
import { moveToV2, type V1Set } from "../../src/v1/to-v2";
import { type Account, accountOf, perHub } from "../shared/account-lookup";
import {
	handleInput,
	type Message,
	ownError,
	tellWarning,
} from "../shared/handler";
import { variableOf } from "../shared/variable";
import { v1Status } from "./status";

/** Properties of `solar-yield-v1` in a flow file (behaviour: Messages). */
export interface V1Config extends NodeDef {
	account: string;
	endpoint: V1Endpoint;
	params: V1Params;
}

/** Values by V1 parameter name, typed or as text; null and blank mean "not set". */
type V1Params = Readonly<Record<string, unknown>>;

/** Distinct warnings that a node remembers having said. */
const MOST_WARNINGS = 100;

/** One for all nodes of a base URL and key. */
const requestsOf = perHub(
	(_account, clock: Clock) => new V1Requests(() => clock.now()),
);

let demoV1: SolarYieldClient | undefined;
/** V1 of the demo account; one for all nodes. */
function demoClient(clock: Clock): SolarYieldClient {
	// Real accounts need no demo.
	const { answerV1Demo } =
		require("../../src/v1/demo") as typeof import("../../src/v1/demo");
	demoV1 ??= new SolarYieldClient(async (request) =>
		answerV1Demo(request, clock.now()),
	);
	return demoV1;
}

/** The node's parameters with those that a payload overrides; anything but an object overrides none. */
function merged(params: V1Params, payload: unknown): V1Params {
	return isObject(payload) ? { ...params, ...payload } : params;
}

/** The parameter sets of a move: the node's own, or one per entry of a list. */
function setsOf(
	endpoint: V1Endpoint,
	params: V1Params,
	payload: unknown,
): V1Set[] {
	const overrides: unknown[] = Array.isArray(payload) ? payload : [payload];
	return overrides.map((override, index) => {
		if (Array.isArray(payload) && !isObject(override)) {
			throw inputError("v1.payload_entry", { index, value: show(override) });
		}
		return { endpoint, params: merged(params, override) };
	});
}

const zoneOf = (name: unknown) =>
	typeof name === "string" ? Zone.of(name.trim()) : undefined;

/** The parameters as they stand in the node, where their variables are set. */
function readParams(value: unknown): V1Params {
	if (isBlank(value)) return {};
	if (!isObject(value)) {
		throw inputError("v1.params", { value: show(value) });
	}
	for (const [name, given] of Object.entries(value)) {
		const variable = variableOf(given);
		if (variable) {
			throw inputError("v1.variable", { name, variable });
		}
	}
	return value;
}

/**
 * Wires a `solar-yield-v1` node.
 *
 * @param clock decides how close the end of V1 is, and when a minute is over
 */
export function openV1(
	RED: NodeAPI,
	node: Node,
	config: V1Config,
	clock: Clock = systemClock,
): void {
	const account = () => accountOf(RED, config.account);
	const settings = () => ({
		endpoint: v1Endpoint(config.endpoint),
		params: readParams(config.params),
	});
	let demo = false;
	/** What is wrong with the node as it stands; what is missing a message may bring. */
	let problem: SolarYieldError | undefined;
	try {
		demo = account().demo;
		const { endpoint, params } = settings();
		const { problems } = readV1Parameters(endpoint, params);
		if (problems.length > 0) throw problemsError(problems);
	} catch (error) {
		problem = ownError(error);
	}

	let closed = false;
	let asking = 0;
	let last: { rows?: number | undefined; failure?: SolarYieldError } = {};
	const phase = () => v1Phase(clock.now());
	const showStatus = () => {
		if (closed) return;
		const state = { phase: phase(), asking: asking > 0, problem, ...last };
		node.status(v1Status(state, demo, RED._));
	};

	// The status changes with the phase also while no message comes.
	let shown = phase();
	const timer = new Timer(clock, () => {
		if (phase() !== shown) showStatus();
		watch();
	});
	const watch = () => {
		shown = phase();
		const remaining = v1PhaseRemaining(clock.now());
		if (Number.isFinite(remaining)) timer.set(remaining);
	};
	watch();
	showStatus();
	node.on("close", () => {
		closed = true;
		timer.stop();
		node.status({});
	});

	const said = new Set<string>();
	const warn = (warnings: readonly Text[]) => {
		for (const warning of warnings) {
			const text = textIn(warning);
			if (said.has(text)) continue;
			if (said.size >= MOST_WARNINGS) said.clear();
			said.add(text);
			tellWarning(RED, node, warning);
		}
	};

	/** Asks, unless an answer is at hand, and puts body and rows on the message. */
	const ask = async (
		account: Account,
		endpoint: V1Endpoint,
		query: [name: string, value: string][],
		msg: Message,
	) => {
		const { client, demo } = account;
		const body = await requestsOf(account, clock).ask(
			demo ? demoClient(clock) : client,
			endpoint,
			query,
		);
		const asked = query.find(([parameter]) => parameter === "timezone")?.[1];
		// What the answer says of itself counts before what was asked for.
		const said = isObject(body) ? body.data_timezone : undefined;
		const zone = zoneOf(said) ?? zoneOf(asked) ?? Zone.utc;
		const rows = normaliseV1Rows(body, (time) => zone.instantsOf(time));
		msg.payload = body;
		msg.solar = { demo };
		if (rows) msg.rows = rows;
		else delete msg.rows;
		return rows?.length;
	};

	handleInput(RED, node, async (msg, send) => {
		const { endpoint, params } = settings();
		if (msg.operation === "to-v2") {
			msg.payload = moveToV2(setsOf(endpoint, params, msg.payload), {
				nowMs: clock.now(),
				...(node.name ? { name: node.name } : {}),
			});
			send(msg);
			return;
		}
		if (Array.isArray(msg.payload)) {
			throw inputError("v1.payload_list");
		}
		const { query, warnings } = checkV1Parameters(
			endpoint,
			merged(params, msg.payload),
		);
		warn(warnings);
		const usable = account();
		asking += 1;
		showStatus();
		try {
			last = { rows: await ask(usable, endpoint, query, msg) };
		} catch (error) {
			last = { failure: ownError(error) };
			throw error;
		} finally {
			asking -= 1;
			showStatus();
		}
		send(msg);
	});
}
