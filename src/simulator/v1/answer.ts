import type { Places } from "../physics/place";
import { forecastBody, historyBody, recentBody } from "./series";
import { System } from "./system";
import { type V1Endpoint, V1Parameters } from "./v1-parameters";
import { systemBody, yieldBody } from "./year";

const BODIES: Readonly<
	Record<
		V1Endpoint,
		(system: System, parameters: V1Parameters, now: number) => object
	>
> = {
	yield: yieldBody,
	system: systemBody,
	history: historyBody,
	forecast: forecastBody,
	recent: recentBody,
};

/** Body of a V1 endpoint (spec, V1): an object with `values[]`; throws a `Refusal` of 422 for bad parameters. */
export function answerV1(
	endpoint: V1Endpoint,
	query: URLSearchParams,
	places: Places,
	now: number,
): unknown {
	const parameters = V1Parameters.read(endpoint, query);
	const system = new System(parameters, places);
	const body = BODIES[endpoint](system, parameters, now);
	return {
		data: endpoint,
		latitude: parameters.number("latitude"),
		longitude: parameters.number("longitude"),
		elevation: system.place.elevation,
		slope: parameters.number("slope"),
		orientation: parameters.number("orientation"),
		...body,
	};
}
