import { isBlank } from "../../../src/util/guards";
import type { EditorNode } from "../../shared/editor/editor-api";
import { request } from "../../shared/editor/request";
import type { Rule } from "../../shared/editor/rules";
import { siteNames } from "../../shared/editor/site-label";
import type { AccountsInEditor } from "../dialog-answers";

const TYPE = "solar-yield-account";

/** Deployed accounts that have a key, undefined until the server has told. */
let withKey: ReadonlySet<string> | undefined;

type KeyedAccount = EditorNode<{
	readonly demo?: unknown;
	/** What was entered since the last deploy, or what the dialog has loaded. */
	readonly credentials?: {
		readonly apiKey?: unknown;
		readonly has_apiKey?: boolean;
	};
}>;

/** Rule of an account outside of its dialog, where its key has no field: flows come without keys. */
export const hasKey: Rule = (_value, node) => {
	const { id, demo, credentials } = node as KeyedAccount;
	if (demo === true || $("#node-config-input-apiKey").length > 0) return true;
	const isThere =
		credentials?.apiKey !== undefined
			? !isBlank(credentials.apiKey)
			: credentials?.has_apiKey || (withKey?.has(id) ?? true);
	return isThere || "missing";
};

/** Judges the accounts anew, and the nodes that use them. */
function judge(): void {
	const accounts: string[] = [];
	RED.nodes.eachConfig((config) => {
		if (config.type === TYPE) {
			accounts.push(config.id);
			RED.editor.validateNode(config);
		}
		return true;
	});
	RED.nodes.eachNode((node) => {
		if (!accounts.includes(String(node.account))) return;
		RED.editor.validateNode(node);
		node.dirty = true;
		node.resize = true;
	});
	RED.view.redraw();
}

function load(): void {
	request<AccountsInEditor>("GET", "accounts").then(
		({ keys, site_names }) => {
			withKey = new Set(keys);
			Object.assign(siteNames(), site_names);
			judge();
		},
		// Without the right to read nothing is known, and nothing is held against a node.
		() => {},
	);
}

/** Keeps known which accounts have a key, and what sites are called; asks nothing while there is no account. */
export function watchAccounts(): void {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const soon = (work: () => void) => {
		clearTimeout(timer);
		timer = setTimeout(work, 0);
	};
	RED.events.on("nodes:add", ({ type }) => {
		if (type !== TYPE) return;
		// Many may come at once, and their users before or after them: those that were
		// judged before are right at once, and not when the server has answered.
		soon(() => {
			judge();
			if (!withKey) load();
		});
	});
	RED.events.on("editor:close", () => soon(judge));
	RED.events.on("deploy", () => {
		withKey = undefined;
		soon(load);
	});
}
