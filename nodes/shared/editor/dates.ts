import { isBlank } from "../../../src/util/guards";
import { dateDay } from "../../../src/util/time";

/** The type of a date's field: one of text keeps what is no date, such as a variable. */
export const dateFieldType = (value: unknown): "date" | "text" =>
	isBlank(value) || !Number.isNaN(dateDay(String(value))) ? "date" : "text";
