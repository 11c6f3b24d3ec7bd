import { baseUrlFault } from "../../../src/service/http/base-url";
import { isBlank } from "../../../src/util/guards";
import type { EditorNode } from "../../shared/editor/editor-api";
import type { Rule } from "../../shared/editor/rules";
import { isApiKey } from "../api-key";

/** Whether the demo is chosen, which needs no service: in the open dialog, else in the node. */
function isDemo(node: EditorNode<{ demo?: unknown }>): boolean {
	const box = $("#node-config-input-demo");
	return box.length > 0 ? box.prop("checked") : node.demo === true;
}

export const baseUrlRule: Rule = (value, node) => {
	if (isDemo(node)) return true;
	if (isBlank(value)) return "missing";
	const text = String(value).trim();
	// Browsers read over blanks; an environment variable stands for all of it or for none.
	if (/\s|\$\{/.test(text)) return "malformed";
	return baseUrlFault(text) ?? true;
};

export const apiKeyRule: Rule = (value, node) => {
	if (isDemo(node)) return true;
	if (isBlank(value)) return "missing";
	return isApiKey(String(value)) || "malformed";
};
