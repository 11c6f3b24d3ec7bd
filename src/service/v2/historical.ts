import { isObject } from "../../util/guards";
import { DAY_MS, HOUR_MS } from "../../util/time";
import { dateDay } from "../../util/timestamp";
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

const given = (value: unknown) =>
	value !== undefined && value !== null && String(value).trim() !== "";

/** Kind of range that raw values give, undefined for none. */
function kindOf(raw: RawRange): "period" | "dates" | undefined {
	const dates = given(raw.startDate) || given(raw.endDate);
	if (given(raw.period) && dates) {
		throw inputError("history.period_and_date", {
			period: show(raw.period),
			field: given(raw.startDate) ? "startDate" : "endDate",
		});
	}
	return given(raw.period) ? "period" : dates ? "dates" : undefined;
}

function readDay(field: "startDate" | "endDate", value: unknown): string {
	const text = given(value) ? String(value).trim() : undefined;
	if (text === undefined || Number.isNaN(dateDay(text))) {
		throw inputError("history.date", { field, value: show(value) });
	}
	return text;
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
		readDay(field, given(message[field]) ? message[field] : settings[field]);
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
	if (!given(value)) return {};
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
