import type { NodeAPI } from "node-red";
import {
	inputError,
	SolarYieldError,
} from "../../src/service/errors/solar-yield-error";
import { show } from "../../src/service/v2/schema-errors";
import { createExactly } from "../../src/service/v2/sites/create-site";
import type { Text } from "../../src/texts/texts";
import type { Language } from "../../src/util/language";
import { readV1Parameters, v1Endpoint } from "../../src/v1/check-parameters";
import {
	V1_ENDPOINTS,
	V1_GROUPS,
	V1_PARAMETERS,
	type V1Endpoint,
} from "../../src/v1/parameters";
import { V1_SHUTDOWN, v1Phase } from "../../src/v1/shutdown";
import { moveToV2, type V1Move } from "../../src/v1/to-v2";
import { accountOf } from "../shared/account-lookup";
import { ownError } from "../shared/handler";
import { variableOf } from "../shared/variable";
import type { V1Creation, V1Findings, V1Table } from "./dialog-answers";

/** The table from which the dialog makes its form. */
export function v1Table(): V1Table {
	return {
		endpoints: Object.keys(V1_ENDPOINTS) as V1Endpoint[],
		groups: V1_GROUPS,
		parameters: V1_PARAMETERS,
		end: {
			lastDay: V1_SHUTDOWN.lastDay,
			isOver: v1Phase(Date.now()) === "ended",
		},
	};
}

/** What the dialog sends: the node as it is being edited, deployed or not. */
interface SetBody {
	/** The node's id, in whose environment variables are looked up. */
	readonly id?: unknown;
	readonly endpoint?: unknown;
	readonly params?: unknown;
	/** Label of the site. */
	readonly name?: unknown;
	/** Id of the account's config node. */
	readonly account?: unknown;
}

/**
 * The parameters as the deployed node would see them, each `${VARIABLE}` with its value.
 *
 * @param found gets the texts that came from variables, by the variable's name
 * @param unset gets the variables that have no value here, by the parameter's name; without it one is an error
 */
function resolved(
	RED: NodeAPI,
	{ id, params }: SetBody,
	found: Map<string, string> = new Map(),
	unset?: Map<string, string>,
): object {
	if (typeof params !== "object" || params === null) {
		throw inputError("v1.params", { value: show(params) });
	}
	const node = RED.nodes.getNode(String(id)) ?? {};
	return Object.fromEntries(
		Object.entries(params).flatMap(([name, value]) => {
			const variable = variableOf(value);
			if (!variable) return [[name, value]];
			const content = RED.util.evaluateNodeProperty(
				variable,
				"env",
				node as never,
				{},
			);
			if (content === undefined || content === "") {
				if (unset) {
					unset.set(name, variable);
					return [];
				}
				throw inputError("v1.variable", { name, variable });
			}
			if (typeof content === "string" && Number.isNaN(Number(content))) {
				found.set(variable, content);
			}
			return [[name, content]];
		}),
	);
}

/** As much of a long value as a message shows at least (`show`). */
const SHOWN = 50;
/** From this length on a text can hardly be part of another by chance. */
const SECRET_LENGTH = 12;

/**
 * An answer for the editor with the names of variables in place of their values: a
 * variable that holds a key may be named by mistake.
 */
function withoutContents<T>(answer: T, found: ReadonlyMap<string, string>): T {
	let text = JSON.stringify(answer);
	for (const [variable, content] of found) {
		const plain = JSON.stringify(content).slice(1, -1);
		// The form it has in this JSON when a message quotes it.
		const quoted = JSON.stringify(plain).slice(1, -1);
		const forms =
			content.length < SECRET_LENGTH
				? [`"${plain}"`, `\\"${quoted}\\"`]
				: [quoted, plain, quoted.slice(0, SHOWN), plain.slice(0, SHOWN)];
		for (const form of forms) {
			const [mark = ""] = /^\\?"/.exec(form) ?? [];
			text = text.replaceAll(form, () => `${mark}\${${variable}}${mark}`);
		}
	}
	return JSON.parse(text);
}

/** What is wrong, missing and doubtful about a set, as the node itself would find it. */
export function checkSet(RED: NodeAPI, body: SetBody): V1Findings<Text> {
	const found = new Map<string, string>();
	const unset = new Map<string, string>();
	const { missing, problems, warnings } = readV1Parameters(
		v1Endpoint(body.endpoint),
		resolved(RED, body, found, unset) as Record<string, unknown>,
	);
	const findings: V1Findings<Text> = {
		missing: missing.filter((name) => !unset.has(name)),
		problems,
		warnings: [
			...warnings,
			...[...unset].map(([name, variable]) => ({
				key: "v1.variable_later",
				values: { name, variable },
			})),
		],
	};
	return withoutContents(findings, found);
}

/** The V2 site of a set and what becomes of each parameter; no request. */
export function moveSet(
	RED: NodeAPI,
	body: SetBody,
	language?: Language,
): V1Move {
	const found = new Map<string, string>();
	return withoutContents(moveOf(RED, body, found, language), found);
}

function moveOf(
	RED: NodeAPI,
	body: SetBody,
	found: Map<string, string>,
	language?: Language,
): V1Move {
	const name = String(body.name ?? "").trim();
	try {
		return moveToV2(
			[
				{
					endpoint: v1Endpoint(body.endpoint),
					params: resolved(RED, body, found) as Record<string, unknown>,
				},
			],
			{ nowMs: Date.now(), language, ...(name === "" ? {} : { name }) },
		);
	} catch (error) {
		const { kind, text } = ownError(error);
		const { key, values } = withoutContents(text, found);
		throw new SolarYieldError(kind, key, values);
	}
}

/** Creates the site that `moveSet` shows. */
export async function createMovedSite(
	RED: NodeAPI,
	body: SetBody,
): Promise<V1Creation<Text>> {
	const { site } = moveOf(RED, body, new Map());
	const unpowered = site.strings.findIndex(({ power_kw }) => !(power_kw > 0));
	if (unpowered >= 0) {
		throw inputError("v1.unpowered", {
			index: unpowered,
			power: String(site.strings[unpowered]?.power_kw),
		});
	}
	const account = String(body.account ?? "");
	if (!RED.nodes.getNode(account)) {
		throw inputError("account.not_deployed");
	}
	const { client } = accountOf(RED, account);
	try {
		const { site: created, removed } = await createExactly(client, site);
		const { site_id, name, strings } = created;
		return { site_id, name, strings, removed };
	} catch (error) {
		if (error instanceof SolarYieldError && error.kind === "PLAN") {
			return { plan: error.text };
		}
		throw error;
	}
}
