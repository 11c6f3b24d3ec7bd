import { readSelection } from "../../../src/messages/selection";
import {
	GROUP_NAMES,
	type Group,
	resolveGroups,
} from "../../../src/service/v2/groups";
import { variableOf } from "../variable";
import type { NodeType } from "./node-type";
import { type Rule, takes } from "./rules";
import { note } from "./words";

/** A group as the forecast's dialog names it, with its name in flows and messages. */
export function groupName(group: string): string {
	const key = `@solar-yield/node-red-solar-yield/solar-yield-forecast:solar-yield-forecast.group.${group}`;
	return GROUP_NAMES.some((name) => name === group)
		? `${RED._(key)} (${group})`
		: group;
}

/** Rule of `include`; a variable may stand for some of the groups. */
export const areGroups: Rule = (include) =>
	takes(() =>
		readSelection({
			include: Array.isArray(include)
				? include.filter((group) => variableOf(group) === undefined)
				: include,
		}),
	);

/** The groups of `include`, which may stand as text or as `all` in a flow file. */
function groupsOf(include: unknown): Group[] {
	const names = Array.isArray(include)
		? include
		: String(include ?? "default").split(",");
	return resolveGroups(names.map((name) => String(name).trim()));
}

/**
 * Ticks the boxes of `include`.
 *
 * @param ifNone is said when none is ticked
 */
export function prepareGroups(
	{ part }: NodeType,
	{ include }: { readonly include?: unknown },
	ifNone: string,
): JQuery<HTMLInputElement> {
	const boxes = part("include").find("input") as JQuery<HTMLInputElement>;
	const included: readonly string[] = groupsOf(include);
	boxes.each((_index, box) => {
		box.checked = included.includes(box.value);
	});
	boxes.on("change", () => {
		note(part("include-note"), boxes.is(":checked") ? "" : ifNone, true);
	});
	boxes.first().trigger("change");
	return boxes;
}

/** Puts the ticked groups into `include`. */
export function saveGroups(
	{ part }: NodeType,
	node: { include?: unknown },
): void {
	const boxes = part("include").find("input:checked");
	const ticked = boxes
		.map((_index, box) => (box as HTMLInputElement).value)
		.get();
	// A selection that was written otherwise (`all`) and not changed stays as it is.
	if (ticked.join() !== groupsOf(node.include).join()) node.include = ticked;
}
