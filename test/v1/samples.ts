import {
	V1_PARAMETERS,
	type V1Endpoint,
	type V1Limits,
	type V1Parameter,
	type V1Type,
	type V1Value,
} from "../../src/v1/parameters";

export const ENDPOINTS: readonly V1Endpoint[] = [
	"yield",
	"system",
	"history",
	"forecast",
	"recent",
];

/** One good value of every type without bounds. */
const GOOD: Record<Exclude<V1Type, "number" | "azimuth">, V1Value> = {
	integer: 3,
	boolean: true,
	enum: "",
	date: "2026-02-28",
	months: "000001111000",
	obstructions: "90:120:12.5",
	tracker: "180:0:60:T",
	soiling: "2:2:0.11:0.5",
	columns: "spec_watts,some_new_column",
	timezone: "Europe/Berlin",
	text: "1;0 0;1",
};

/** A good value, away from the default where there is a choice. */
export function goodValue(parameter: V1Parameter, limits: V1Limits): V1Value {
	const { type, values } = parameter;
	const { min, max } = limits;
	if (type === "enum") return values?.at(-1) ?? "";
	if (type !== "number" && type !== "azimuth" && type !== "integer")
		return GOOD[type];
	if (min === undefined) return 3;
	return max === undefined ? min + 7.5 : type === "integer" ? 1 : max;
}

/** Exactly what an endpoint requires. */
export function requiredFor(endpoint: V1Endpoint): Record<string, unknown> {
	return {
		latitude: 48.5,
		longitude: 9.25,
		slope: 30,
		orientation: 180,
		...(endpoint === "history"
			? { start_date: "2026-01-01", end_date: "2026-03-31" }
			: {}),
	};
}

/** Every parameter that an endpoint takes, with a good value each. */
export function everythingFor(endpoint: V1Endpoint): Record<string, V1Value> {
	return Object.fromEntries(
		V1_PARAMETERS.flatMap((parameter) =>
			parameter.limits
				.filter((it) => it.endpoints.includes(endpoint))
				.map((limits) => [parameter.name, goodValue(parameter, limits)]),
		),
	);
}
