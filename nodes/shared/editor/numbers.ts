import { isNumber } from "./rules";

/** Where a number must lie, bounds included. */
export interface NumberBounds {
	readonly least: number;
	readonly most: number;
}

/** A number as a person types it; what is none stays text. */
export function numberOf(text: string): number | string {
	const value = Number(text.trim().replace(",", "."));
	return text.trim() === "" || Number.isNaN(value) ? text.trim() : value;
}

/** Marks a field for eye and ear while its number is missing or out of bounds; whether it is. */
export function markNumber(
	field: JQuery,
	{ least, most }: NumberBounds,
	isOptional = false,
): boolean {
	const value = numberOf(String(field.val()));
	const isWrong =
		!isNumber(value, least, most) && !(isOptional && value === "");
	field
		.toggleClass("input-error", isWrong)
		.attr("aria-invalid", String(isWrong));
	return isWrong;
}
