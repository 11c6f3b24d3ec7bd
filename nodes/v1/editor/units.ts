import type { EditorNode } from "../../shared/editor/editor-api";

/** Units that are words, and so translated. */
const WORDS = ["degrees", "years", "days"];

/** A text with its unit behind it, where it has one. */
export function withUnit(
	text: string,
	unit: string | undefined,
	node: EditorNode,
): string {
	const shown =
		unit !== undefined && WORDS.includes(unit)
			? node._(`solar-yield-v1.unit.${unit}`)
			: unit;
	return [text, shown].filter(Boolean).join(" ");
}
