import { inputError } from "../service/errors/solar-yield-error";
import { show } from "../service/v2/schema-errors";
import { readNumber, readSpans, type Span } from "./read";

/** Consumption of the house: one power, one per hour of the site's day, or spans of time. */
export type Load =
	| { readonly kind: "constant"; readonly power_w: number }
	/** 24 powers in W; index 0 is the hour that begins at site-local midnight. */
	| { readonly kind: "hourly"; readonly power_w: readonly number[] }
	/** Powers over spans; outside of them the default profile holds. */
	| { readonly kind: "spans"; readonly rows: readonly LoadRow[] };

export interface LoadRow extends Span {
	readonly power_w: number;
}

/** Price of a kWh from the grid over a span; may be negative. */
export interface PriceRow extends Span {
	readonly price: number;
}

/** What an appliance needs: energy, hours of running, or both. */
export interface Need {
	readonly kwh: number | null;
	readonly hours: number | null;
}

const POWER = { unit: "W", least: 0 };

/**
 * State of charge in percent.
 *
 * @throws SolarYieldError `INPUT`
 */
export function readSoc(value: unknown): number {
	return readNumber("soc", value, { unit: "percent", least: 0, most: 100 });
}

/**
 * `msg.load`: a number, 24 hourly values, or an array of `{start, end, power_w}`.
 *
 * @returns null where nothing is given: the default profile holds
 * @throws SolarYieldError `INPUT` naming field and value
 */
export function readLoad(value: unknown): Load | null {
	if (value === undefined || value === null || value === "") return null;
	if (!Array.isArray(value)) {
		if (typeof value === "object") {
			throw inputError(
				`load is ${show(value)}; give a power in W, 24 hourly values, or an array of {start, end, power_w}`,
			);
		}
		return { kind: "constant", power_w: readNumber("load", value, POWER) };
	}
	if (value.length > 0 && value.every((row) => typeof row === "object")) {
		return {
			kind: "spans",
			rows: readSpans("load", value, (row, at) => ({
				power_w: readNumber(`${at}.power_w`, row.power_w, POWER),
			})),
		};
	}
	if (value.length !== 24) {
		throw inputError(
			`load has ${value.length} values; give 24, one per hour of the site's day from midnight on`,
		);
	}
	return {
		kind: "hourly",
		power_w: value.map((power, hour) =>
			readNumber(`load[${hour}]`, power, POWER),
		),
	};
}

/**
 * `msg.prices`: an array of `{start, end, price}` per kWh, in any one currency.
 *
 * @returns null where no price is given
 * @throws SolarYieldError `INPUT` naming field and value
 */
export function readPrices(value: unknown): readonly PriceRow[] | null {
	if (value === undefined || value === null || value === "") return null;
	if (!Array.isArray(value)) {
		throw inputError(
			`prices is ${show(value)}; give an array of {start, end, price}`,
		);
	}
	if (value.length === 0) return null;
	return readSpans("prices", value, (row, at) => ({
		price: readNumber(`${at}.price`, row.price, { unit: "per kWh" }),
	}));
}

/**
 * `msg.need`: `{kwh}`, `{hours}` or both.
 *
 * @returns null where nothing is given
 * @throws SolarYieldError `INPUT` naming field and value
 */
export function readNeed(value: unknown): Need | null {
	if (value === undefined || value === null || value === "") return null;
	const { kwh = null, hours = null } = (
		typeof value === "object" ? value : {}
	) as Record<string, unknown>;
	if (kwh === null && hours === null) {
		throw inputError(
			`need is ${show(value)}; give {"kwh": 1.2}, {"hours": 2} or both`,
		);
	}
	return {
		kwh:
			kwh === null
				? null
				: readNumber("need.kwh", kwh, { unit: "kWh", above: 0 }),
		hours:
			hours === null
				? null
				: readNumber("need.hours", hours, {
						unit: "hours",
						above: 0,
						most: 168,
					}),
	};
}
