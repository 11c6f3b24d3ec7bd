import { inputError } from "../service/errors/solar-yield-error";
import { GROUP_NAMES, type Group, resolveGroups } from "../service/v2/groups";
import { show } from "../service/v2/schema-errors";
import { isSiteId } from "../service/v2/sites/site-id";
import { isBlank } from "../util/guards";
import { readChoice } from "./value-readers";

/** What one node shows of a forecast. */
export interface Selection {
	readonly include: readonly Group[];
	/** Days after today, null for all there is. */
	readonly forecastDays: number | null;
	/** Days before today. */
	readonly pastDays: number;
	/** How stamps are written. */
	readonly timezone: "local" | "utc";
}

/** Hard limits of the service (spec V2, "Limits"), in days. */
const MAX_FORECAST_DAYS = 7;
const MAX_PAST_DAYS = 30;

/** Settings as they stand in a flow file, or in a message that overrides them. */
export interface RawSelection {
	readonly include?: unknown;
	readonly forecastDays?: unknown;
	readonly pastDays?: unknown;
	readonly timezone?: unknown;
}

function readDays(field: string, value: unknown, most: number): number | null {
	if (isBlank(value)) return null;
	const days = typeof value === "string" ? Number(value) : (value as number);
	if (Number.isInteger(days) && days >= 0 && days <= most) return days;
	throw inputError("forecast.days", { field, value: show(value), most });
}

function readInclude(value: unknown): Group[] {
	if (isBlank(value)) return ["default"];
	const names =
		typeof value === "string"
			? value.split(",").map((name) => name.trim())
			: value;
	const known = [...GROUP_NAMES, "all"];
	if (
		!Array.isArray(names) ||
		names.length === 0 ||
		!names.every((name) => known.includes(name))
	) {
		throw inputError("forecast.include", { value: show(value), groups: known });
	}
	return resolveGroups(names);
}

/**
 * What a node shows, from its settings and from a message that overrides single
 * ones (behaviour: Messages `solar-yield-forecast`); blank means not given.
 *
 * @throws SolarYieldError `INPUT` naming field, value and what to give
 */
export function readSelection(
	settings: RawSelection,
	message: RawSelection = {},
): Selection {
	const given = (name: keyof RawSelection) =>
		isBlank(message[name]) ? settings[name] : message[name];
	const days = (name: "forecastDays" | "pastDays", most: number) =>
		readDays(name, given(name), most);
	return {
		include: readInclude(given("include")),
		forecastDays: days("forecastDays", MAX_FORECAST_DAYS),
		pastDays: days("pastDays", MAX_PAST_DAYS) ?? 0,
		timezone: readChoice(
			"timezone",
			given("timezone"),
			["local", "utc"],
			"forecast.timezone",
		),
	};
}

/**
 * A site id from a setting or a message.
 *
 * @returns undefined when blank
 * @throws SolarYieldError `INPUT` when it is no text, no id or an unset `${VARIABLE}`
 */
export function readSiteId(value: unknown): string | undefined {
	if (isBlank(value)) return undefined;
	const isId =
		typeof value === "string" ||
		(Number.isSafeInteger(value) && Number(value) >= 0);
	if (!isId) {
		throw inputError("value.site_id", { value: show(value) });
	}
	const id = String(value).trim();
	const variable = /^\$\{(.+)\}$/.exec(id)?.[1];
	if (variable !== undefined) {
		throw inputError("value.site_variable", { variable });
	}
	if (!isSiteId(id)) {
		throw inputError("value.no_site_id", { id: show(id) });
	}
	return id;
}
