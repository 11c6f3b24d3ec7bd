import { isNumber } from "./rules";
import { number } from "./words";

/** Where a number must lie, bounds included. */
export interface FieldBounds {
	readonly least: number;
	readonly most: number;
}

/** Whether numbers have a comma for decimals in the editor's language. */
const hasComma = () => number(0.5, 1).includes(",");

/** A number as flows hold it, with a point for decimals: people may type a comma, but not for thousands. */
export function plainNumber(typed: unknown): string {
	const text = String(typed ?? "").trim();
	const isDecimal =
		/^[+-]?\d*,\d+$/.test(text) &&
		(hasComma() || !/^[+-]?[1-9]\d{0,2},\d{3}$/.test(text));
	return isDecimal ? text.replace(",", ".") : text;
}

/**
 * Whether a number has points as thousands have, where the language has a comma for
 * decimals: "2.000" may be 2 or 2000.
 */
export const hasThousands = (typed: unknown): boolean =>
	hasComma() && /^\s*[+-]?[1-9]\d{0,2}(\.\d{3})+\s*$/.test(String(typed ?? ""));

/** A power in W as flows hold it: its points are of thousands, for nobody types mW. */
export const plainPower = (typed: unknown): string =>
	hasThousands(typed)
		? String(typed).trim().replaceAll(".", "")
		: plainNumber(typed);

/** A number of a flow as the editor's language writes it. */
export function localNumber(plain: unknown): string {
	const text = String(plain ?? "");
	return hasComma() && /^\s*[+-]?\d*\.\d+\s*$/.test(text)
		? text.replace(".", ",")
		: text;
}

/** A number as a person types it; what is none stays text. */
export function numberOf(typed: string): number | string {
	const text = plainNumber(typed);
	return text === "" || Number.isNaN(Number(text)) ? text : Number(text);
}

/** Marks a field for eye and ear while its number is missing or out of bounds; whether it is. */
export function markNumber(
	field: JQuery,
	{ least, most }: FieldBounds,
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
