import { ok, type Route } from "../routes";
import { type EndpointName, V1Parameters } from "./request-parameters";
import { forecastBody, historyBody, recentBody } from "./series";
import { System } from "./system";
import { systemBody, yieldBody } from "./year";

const BODIES: Readonly<
	Record<
		EndpointName,
		(system: System, parameters: V1Parameters, now: number) => object
	>
> = {
	yield: yieldBody,
	system: systemBody,
	history: historyBody,
	forecast: forecastBody,
	recent: recentBody,
};

/**
 * The five endpoints (spec, V1): each answers an object with `values[]`, and 422
 * for bad parameters. The simulator finds them by the name of this file.
 */
export const routes: readonly Route[] = (
	Object.keys(BODIES) as EndpointName[]
).map((endpoint) => ({
	method: "GET",
	path: `/v1/${endpoint}`,
	run: ({ state, request, now }) => {
		const parameters = V1Parameters.read(endpoint, request.query);
		const system = new System(parameters, state.places);
		return ok({
			data: endpoint,
			latitude: parameters.number("latitude"),
			longitude: parameters.number("longitude"),
			elevation: system.place.elevation,
			slope: parameters.number("slope"),
			orientation: parameters.number("orientation"),
			...BODIES[endpoint](system, parameters, now),
		});
	},
}));
