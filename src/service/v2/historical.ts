import { z } from "zod";
import { isBlank } from "../../util/guards";
import { DAY_MS, dateDay, HOUR_MS } from "../../util/time";
import { inputError } from "../errors/solar-yield-error";
import { type HistoricalRange, PERIOD } from "./request-parameters";
import { firstIssue, show, zodText } from "./schema-errors";

/** A range as it stands in a node's settings or in a message; blank means not given. */
export interface RawRange {
	readonly period?: unknown;
	readonly startDate?: unknown;
	readonly endDate?: unknown;
}

/** Largest offset from UTC of any zone. */
const EAST_MS = 14 * HOUR_MS;

/** Whether a text is what a field wants. */
const isDate = (text: string) => !Number.isNaN(dateDay(text));
const FIELDS = {
	period: (text: string) => PERIOD.test(text),
	startDate: isDate,
	endDate: isDate,
};

/** Query parameters that are set by properties of the node. */
const own = (name: string) => [
	name,
	z.undefined(zodText("history.own_parameter")).optional(),
];
const Params = z
	.object(
		Object.fromEntries(
			["start_date", "end_date", "period", "include", "timezone"].map(own),
		),
		zodText("history.params"),
	)
	.catchall(
		z
			.union(
				[z.string(), z.number(), z.boolean()],
				zodText("history.parameter"),
			)
			.transform(String),
	);

/** Kind of range that raw values give, undefined for none. */
function kindOf(raw: RawRange): "period" | "dates" | undefined {
	const field = (["startDate", "endDate"] as const).find(
		(name) => !isBlank(raw[name]),
	);
	if (isBlank(raw.period)) return field && "dates";
	if (!field) return "period";
	throw inputError("history.period_and_date", {
		period: show(raw.period),
		field,
	});
}

/**
 * The range that a node asks for. A message that names a period or a date
 * replaces the node's kind of range; of two dates it may give one alone.
 *
 * @param now epoch ms
 * @throws SolarYieldError `INPUT` naming the field
 */
export function readHistoricalRange(
	settings: RawRange,
	message: RawRange,
	now: number,
): HistoricalRange {
	const fromMessage = kindOf(message);
	const read = (field: keyof typeof FIELDS) => {
		const value = isBlank(message[field]) ? settings[field] : message[field];
		const text = typeof value === "string" ? value.trim() : "";
		if (FIELDS[field](text)) return text;
		const key = field === "period" ? "history.period" : "history.date";
		throw inputError(key, { field, value: show(value) });
	};
	if ((fromMessage ?? kindOf(settings)) !== "dates") {
		return { period: read("period") };
	}
	const startDate = read("startDate");
	const endDate = read("endDate");
	if (dateDay(endDate) < dateDay(startDate)) {
		throw inputError("history.order", { end: endDate, start: startDate });
	}
	if (dateDay(startDate) * DAY_MS > now + EAST_MS) {
		throw inputError("history.future", { start: startDate });
	}
	return { startDate, endDate };
}

/**
 * Further query parameters, which the service may have although its description
 * does not show them.
 *
 * @throws SolarYieldError `INPUT` naming the parameter
 */
export function readHistoricalParams(value: unknown): Record<string, string> {
	const result = Params.safeParse(isBlank(value) ? {} : value);
	if (result.success) return result.data as Record<string, string>;
	const { path: name, value: found, words } = firstIssue(result.error, value);
	throw inputError(words.key, { name, value: found });
}
