import type { EditorNode } from "../../shared/editor/editor-api";
import type { StoredString } from "../dialog-answers";
import { drawString } from "./drawing";

/** What a string is set by: angles in degrees, power in kW. */
const FIELDS = ["slope", "orientation", "power_kw"] as const;

/** A number as a person types it; what is none stays text, for the service's own words. */
function numberOf(text: string): number | string {
	const value = Number(text.trim().replace(",", "."));
	return text.trim() === "" || Number.isNaN(value) ? text : value;
}

/**
 * Makes a list of strings to edit.
 *
 * @param drawing is copied for each string
 * @param onChange is called when a string was added or taken out
 */
export function stringsList(
	list: JQuery,
	drawing: Element | undefined,
	node: EditorNode,
	onChange: () => void,
) {
	function addItem(row: JQuery, _index: number, stored: StoredString): void {
		const svg = drawing?.cloneNode() as Element;
		svg.removeAttribute("id");
		svg.removeAttribute("hidden");
		const inputs = FIELDS.map((field) => ({
			field,
			input: $("<input>", { type: "text", inputmode: "decimal" }).val(
				stored[field] ?? "",
			),
		}));
		const read = (): StoredString => ({
			...stored,
			...Object.fromEntries(
				inputs.map(({ field, input }) => [
					field,
					numberOf(String(input.val())),
				]),
			),
		});
		row.addClass("solar-yield-site-string").append(
			$("<span>", { class: "solar-yield-site-id" }).text(
				stored.id ?? node._("solar-yield-site.new_string"),
			),
			...inputs.map(({ field, input }) =>
				$("<label>")
					.text(node._(`solar-yield-site.field.${field}`))
					.append(input),
			),
			svg,
		);
		for (const { input } of inputs) {
			input.on("input", () => drawString(svg, read(), node));
		}
		drawString(svg, read(), node);
		row.data("string", read);
		row
			.siblings(".red-ui-editableList-item-remove")
			.attr("aria-label", node._("solar-yield-site.take_out"));
		onChange();
	}
	list.editableList({
		height: "auto",
		addButton: node._("solar-yield-site.add"),
		removable: true,
		addItem,
		removeItem: onChange,
	});

	return {
		/** The strings as they would be stored. */
		strings: (): StoredString[] =>
			list
				.editableList("items")
				.map((_index, item) => $(item).data("string")())
				.get(),
		/** Replaces the strings of the list. */
		show(strings: readonly StoredString[]): void {
			list.editableList("empty");
			for (const string of strings) list.editableList("addItem", string);
		},
	};
}
