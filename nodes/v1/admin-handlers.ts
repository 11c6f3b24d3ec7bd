import type { NodeAPI } from "node-red";
import {
	inputError,
	SolarYieldError,
} from "../../src/service/errors/solar-yield-error";
import { show } from "../../src/service/v2/schema-errors";
import { creationNotes } from "../../src/service/v2/sites/site-changes";
import type { Text } from "../../src/texts/texts";
import { isObject } from "../../src/util/guards";
import type { Language } from "../../src/util/language";
import { readV1Parameters, v1Endpoint } from "../../src/v1/check-parameters";
import { V1_GROUPS, V1_PARAMETERS, type V1Move } from "../../src/v1/parameters";
import { V1_SHUTDOWN, v1Phase } from "../../src/v1/shutdown";
import { moveToV2 } from "../../src/v1/to-v2";
import { accountOf } from "../shared/account-lookup";
import { ownError } from "../shared/handler";
import { variableOf } from "../shared/variable";
import type { V1Creation, V1Findings, V1Table } from "./dialog-answers";

/** The table from which the dialog makes its form. */
export const v1Table = (): V1Table => ({
	groups: V1_GROUPS,
	parameters: V1_PARAMETERS,
	end: {
		lastDay: V1_SHUTDOWN.lastDay,
		isOver: v1Phase(Date.now()) === "ended",
	},
});

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

/** As much of a long value as a message shows at least (`show`). */
const SHOWN = 50;
/** From this length on a text can hardly be part of another by chance. */
const SECRET_LENGTH = 12;

/** The parameters as the deployed node would see them, each `${VARIABLE}` with its value. */
function resolved(RED: NodeAPI, { id, params: given }: SetBody) {
	if (!isObject(given)) throw inputError("v1.params", { value: show(given) });
	const node = RED.nodes.getNode(String(id)) ?? {};
	const params: Record<string, unknown> = {};
	/** Variables that have no value here, by the parameter's name. */
	const unset = new Map<string, string>();
	/** Texts that came from variables, by what stands for them. */
	const found = new Map<string, string>();
	for (const [name, value] of Object.entries(given)) {
		const variable = variableOf(value);
		const content = variable
			? RED.util.evaluateNodeProperty(variable, "env", node as never, {})
			: value;
		if (variable && (content === undefined || content === "")) {
			unset.set(name, variable);
			continue;
		}
		params[name] = content;
		if (variable && Number.isNaN(Number(content)))
			found.set(`\${${variable}}`, String(content));
	}

	/** An answer with the names of variables in place of their texts: one that holds a key may be named by mistake. */
	const hidden = <T>(answer: T): T =>
		JSON.parse(JSON.stringify(answer), (_name, value) => {
			if (typeof value !== "string") return value;
			let text = value;
			for (const [name, content] of found) {
				const quoted = JSON.stringify(content);
				if (text === content) text = name;
				text = text.replaceAll(quoted, () => `"${name}"`);
				if (content.length < SECRET_LENGTH) continue;
				for (const part of [content, quoted.slice(1, -1)])
					text = text
						.replaceAll(part, () => name)
						.replaceAll(part.slice(0, SHOWN), () => name);
			}
			return text;
		});
	return { params, unset, hidden };
}

/** The V2 site of a set and what becomes of each parameter; no request. */
function moveOf(
	{ endpoint, name = "" }: SetBody,
	{ params, unset, hidden }: ReturnType<typeof resolved>,
	language: Language,
): V1Move {
	for (const [parameter, variable] of unset)
		throw inputError("v1.variable", { name: parameter, variable });
	try {
		return moveToV2([{ endpoint: v1Endpoint(endpoint), params }], {
			nowMs: Date.now(),
			language,
			name: String(name).trim() || undefined,
		});
	} catch (error) {
		const { kind, text } = ownError(error);
		const { key, values } = hidden(text);
		throw new SolarYieldError(kind, key, values);
	}
}

/** What the dialog has done, by the name of its route. */
export const V1_ACTIONS = {
	/** What is wrong, missing and doubtful about a set, as the node itself would find it. */
	check(RED: NodeAPI, body: SetBody): V1Findings<Text> {
		const { params, unset, hidden } = resolved(RED, body);
		const found = readV1Parameters(v1Endpoint(body.endpoint), params);
		const later = [...unset].map(([name, variable]) => ({
			key: "v1.variable_later",
			values: { name, variable },
		}));
		return hidden({
			missing: found.missing.filter((name) => !unset.has(name)),
			problems: found.problems,
			warnings: [...found.warnings, ...later],
		});
	},

	move(RED: NodeAPI, body: SetBody, language: Language): V1Move {
		const set = resolved(RED, body);
		return set.hidden(moveOf(body, set, language));
	},

	/** Creates the site that `move` shows. */
	async "create-site"(
		RED: NodeAPI,
		body: SetBody,
		language: Language,
	): Promise<V1Creation<Text>> {
		const { site } = moveOf(body, resolved(RED, body), language);
		const index = site.strings.findIndex(({ power_kw }) => !(power_kw > 0));
		if (index >= 0) {
			const power = String(site.strings[index]?.power_kw);
			throw inputError("v1.unpowered", { index, power });
		}
		const account = String(body.account ?? "");
		if (!RED.nodes.getNode(account)) throw inputError("account.not_deployed");
		try {
			const made = await accountOf(RED, account).client.createSite(site);
			const { site_id, name, strings } = made;
			return { site_id, name, strings, notes: creationNotes(made, site) };
		} catch (error) {
			if (error instanceof SolarYieldError && error.kind === "PLAN") {
				return { plan: error.text };
			}
			throw error;
		}
	},
};
