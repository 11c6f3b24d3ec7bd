import { STRING_BOUNDS } from "../../../src/service/v2/sites/site-bounds";
import type { DialogString } from "../dialog-answers";
import { localNumber, markNumber, numberOf } from "./numbers";
import { drawString } from "./string-drawing";
import { say } from "./words";

/** What a string is set by: angles in degrees, power in kW above 0. */
const FIELDS = {
	slope: STRING_BOUNDS.slope,
	orientation: STRING_BOUNDS.orientation,
	power_kw: { least: Number.MIN_VALUE, most: Number.MAX_VALUE },
} as const;
type Field = keyof typeof FIELDS;

/** A string's row. */
interface Row {
	read(): DialogString;
	/** Says which string it is, from 1 on, and marks what is wrong in it; the first such field. */
	check(number: number): Field | undefined;
}

/**
 * Makes a list of strings to edit: a row each, with a compass and its tilt.
 *
 * @param onChange is called when a string was added, changed or taken out
 */
export function stringsList(list: JQuery, onChange: () => void) {
	let isFilling = false;
	const changed = () => {
		if (isFilling) return;
		check();
		onChange();
	};
	const rows = (): Row[] =>
		list
			.editableList("items")
			.map((_index, item) => $(item).data("string-row"))
			.get();
	/** The first fault in words, blank where there is none. */
	function check(): string {
		const faults = rows().flatMap((row, index) => {
			const field = row.check(index + 1);
			const string = say("common.strings.number", { number: index + 1 });
			return field ? [say(`common.strings.fault.${field}`, { string })] : [];
		});
		return faults[0] ?? "";
	}

	function addItem(row: JQuery, _index: number, stored: DialogString): void {
		// A tag with attributes: jQuery makes any other an element of HTML.
		const svg = $(
			'<svg class="solar-yield-string-drawing" viewBox="0 0 104 52"></svg>',
		);
		const inputs = (Object.keys(FIELDS) as Field[]).map((field) => ({
			field,
			input: $("<input>", { type: "text", inputmode: "decimal" }).val(
				localNumber(stored[field]),
			),
		}));
		const heading = $("<span>", { class: "solar-yield-string-name" });
		const read = (): DialogString => {
			const values = inputs.map(({ field, input }) => [
				field,
				numberOf(String(input.val())),
			]);
			const { orientation, slope, power_kw, ...rest } = stored;
			return {
				...rest,
				...Object.fromEntries(values.filter(([, value]) => value !== "")),
			};
		};
		row.addClass("solar-yield-string").append(
			heading,
			...inputs.map(({ field, input }) =>
				$("<label>")
					.text(say(`common.strings.field.${field}`))
					.append(input),
			),
			svg,
		);
		const draw = () => drawString(svg[0] as unknown as Element, read());
		for (const { input } of inputs) {
			input.on("input", () => {
				draw();
				changed();
			});
		}
		draw();
		row.data("string-row", {
			read,
			check(number) {
				heading.text(
					[say("common.strings.number", { number }), stored.id]
						.filter(Boolean)
						.join(" · "),
				);
				return inputs
					.filter(({ field, input }) => markNumber(input, FIELDS[field]))
					.map(({ field }) => field)[0];
			},
		} satisfies Row);
		row
			.siblings(".red-ui-editableList-item-remove")
			.attr("aria-label", say("common.strings.take_out"));
		changed();
	}
	$("<div>", { class: "solar-yield-strings-hint" })
		.text(say("common.strings.hint"))
		.insertBefore(list);
	list.editableList({
		height: "auto",
		addButton: say("common.strings.add"),
		removable: true,
		addItem,
		removeItem: changed,
	});

	return {
		/** The strings as they stand; what is blank is left out. */
		strings: (): DialogString[] => rows().map((row) => row.read()),
		/** What is wrong with the first string that cannot be used, blank where all can. */
		fault: check,
		/** Replaces the strings of the list. */
		show(strings: readonly DialogString[]): void {
			isFilling = true;
			list.editableList("empty");
			for (const string of strings) list.editableList("addItem", string);
			isFilling = false;
			check();
		},
	};
}
