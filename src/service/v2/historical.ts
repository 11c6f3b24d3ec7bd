import { isBlank, isObject } from "../../util/guards";
import { DAY_MS, dateDay, HOUR_MS } from "../../util/time";
import { inputError } from "../errors/solar-yield-error";
import { show } from "./schema-errors";

/**
 * The days of a historical request (behaviour: Where the service's description is silent "historical parameters"): from
 * one site-local date to another, both included, or a period that ends now.
 */
export type HistoricalRange =
	| {
			/** YYYY-MM-DD */
			readonly startDate: string;
			/** YYYY-MM-DD */
			readonly endDate: string;
			readonly period?: undefined;
	  }
	| {
			/** Digits and `d`, `m` or `y`. */
			readonly period: string;
			readonly startDate?: undefined;
			readonly endDate?: undefined;
	  };

/** A range as it stands in a node's settings or in a message; blank means not given. */
export interface RawRange {
	readonly period?: unknown;
	readonly startDate?: unknown;
	readonly endDate?: unknown;
}

/** Largest offset from UTC of any zone. */
const EAST_MS = 14 * HOUR_MS;
/** Query parameters that are set by properties of the node. */
const OWN_PARAMETERS = [
	"start_date",
	"end_date",
	"period",
	"include",
	"timezone",
];

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

function readDay(field: "startDate" | "endDate", value: unknown): string {
	const text = String(value ?? "").trim();
	if (!Number.isNaN(dateDay(text))) return text;
	throw inputError("history.date", { field, value: show(value) });
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
	if ((fromMessage ?? kindOf(settings)) !== "dates") {
		const period = fromMessage ? message.period : settings.period;
		const text = String(period ?? "").trim();
		if (!/^[1-9]\d{0,3}[dmy]$/.test(text)) {
			throw inputError("history.period", { period: show(period) });
		}
		return { period: text };
	}
	const pick = (field: "startDate" | "endDate") =>
		readDay(field, isBlank(message[field]) ? settings[field] : message[field]);
	const startDate = pick("startDate");
	const endDate = pick("endDate");
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
	if (isBlank(value)) return {};
	if (!isObject(value)) {
		throw inputError("history.params", { value: show(value) });
	}
	return Object.fromEntries(
		Object.entries(value).map(([name, it]) => {
			if (OWN_PARAMETERS.includes(name)) {
				throw inputError("history.own_parameter", { name, value: show(it) });
			}
			if (!["string", "number", "boolean"].includes(typeof it)) {
				throw inputError("history.parameter", { name, value: show(it) });
			}
			return [name, String(it)];
		}),
	);
}
