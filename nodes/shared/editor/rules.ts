import { isBlank } from "../../../src/util/guards";
import type { EditorNode } from "./editor-api";

/**
 * `true`, `false`, or which fault it is: a name, or name and values of the text.
 * The text is `<type>.invalid.<property>`, of a fault
 * `<type>.invalid.<property>.<fault>`.
 */
export type RuleVerdict =
	| boolean
	| string
	| readonly [fault: string, values: object];

/** Judges a property's value; `node` has the other settings. */
export type Rule = (value: unknown, node: EditorNode) => RuleVerdict;

export const isNumber = (
	value: unknown,
	least: number,
	most: number,
): value is number =>
	typeof value === "number" && value >= least && value <= most;

/** Whether the runtime takes a value: its own readers throw where they do not. */
export function takes(read: () => unknown): boolean {
	try {
		read();
		return true;
	} catch {
		return false;
	}
}

/** Rule: blank or a whole number. */
export const isCount: Rule = (value) =>
	isBlank(value) ||
	(/^\s*\d+\s*$/.test(String(value)) &&
		Number(value) <= Number.MAX_SAFE_INTEGER);

/** Rule: blank or one of those allowed. */
export const oneOf =
	(...allowed: readonly unknown[]): Rule =>
	(value) =>
		isBlank(value) || allowed.includes(value);

/** Rule: a value of a tick box; a flow file may lack it. */
export const isSwitch: Rule = (value) =>
	value == null || typeof value === "boolean";

/** A setting as it stands in the open dialog, else in the node. */
export function chosen(node: EditorNode, name: string): unknown {
	const field = $(`#node-input-${name}`);
	return field.length > 0
		? field.val()
		: (node as unknown as Record<string, unknown>)[name];
}
