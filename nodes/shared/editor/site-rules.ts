import { readSiteId } from "../../../src/messages/selection";
import {
	SITE_BOUNDS,
	STRING_BOUNDS,
} from "../../../src/service/v2/sites/site-bounds";
import { isBlank, isObject } from "../../../src/util/guards";
import type { EditorNode } from "./editor-api";
import type { FieldBounds } from "./numbers";
import { chosen, isNumber, type Rule, type RuleVerdict, takes } from "./rules";

const isInline = (node: EditorNode) => chosen(node, "source") === "inline";

/** Rule of a site's id; blank means that another decides. */
export const siteIdRule: Rule = (value) => takes(() => readSiteId(value));

/** Rule of a site that messages are about: its own, else its account's. */
export const siteRule: Rule = (value, node) => {
	if (isInline(node)) return true;
	if (siteIdRule(value, node) !== true) return "malformed";
	const account = RED.nodes.node(chosen(node, "account"));
	return isBlank(value) && account && !account.demo && isBlank(account.siteId)
		? "missing"
		: true;
};

/** The first field of an object that is no number within its bounds, as a verdict. */
function outOfBounds(
	object: unknown,
	path: string,
	bounds: Readonly<Record<string, FieldBounds>>,
): RuleVerdict {
	for (const [name, { least, most }] of Object.entries(bounds)) {
		const value = isObject(object) ? object[name] : undefined;
		if (isNumber(value, least, most)) continue;
		return ["field", { field: path + name, least, most }];
	}
	return true;
}

function stringFault(string: unknown, path: string): RuleVerdict {
	const { gcr, ...needed } = STRING_BOUNDS;
	const fault = outOfBounds(string, path, needed);
	if (fault !== true || !isObject(string)) return fault;
	if (!isNumber(string.power_kw, Number.MIN_VALUE, Number.MAX_VALUE)) {
		return ["power", { field: `${path}power_kw` }];
	}
	return string.gcr == null || outOfBounds(string, path, { gcr });
}

/**
 * The first fault of a system's JSON text, as a verdict.
 *
 * @param isSite whether it is a site to be created, whose strings may be left out
 */
export function systemFault(text: unknown, isSite = false): RuleVerdict {
	let system: unknown;
	try {
		system = JSON.parse(String(text));
	} catch {
		return "json";
	}
	if (!isObject(system)) return "json";
	const { strings, config } = system;
	const fault = outOfBounds(system, "", SITE_BOUNDS);
	if (fault !== true) return fault;
	const list = strings ?? (isSite ? [] : undefined);
	if (!Array.isArray(list) || (list.length === 0 && !isSite)) return "strings";
	for (const [index, string] of list.entries()) {
		const fault = stringFault(string, `strings[${index}].`);
		if (fault !== true) return fault;
	}
	return config == null || isObject(config) || "config";
}

/** Rule of the system that a node is about; it says the first fault. */
export const systemRule: Rule = (text, node) =>
	!isInline(node) || (isBlank(text) ? "missing" : systemFault(text));
