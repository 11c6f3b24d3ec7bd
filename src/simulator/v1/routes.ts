import { HttpError } from "../answers/http-error";
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

/** The interface ends with 2026, epoch ms. */
const END_MS = Date.UTC(2027, 0, 1);

/**
 * The five endpoints (spec, V1): each answers an object with `values[]`, and 422
 * for bad parameters; from 2027 on 410. The simulator finds them by the name of this file.
 */
export const routes: readonly Route[] = (
	Object.keys(BODIES) as EndpointName[]
).map((endpoint) => ({
	method: "GET",
	path: `/v1/${endpoint}`,
	run: ({ state, request, now }) => {
		if (now >= END_MS) throw new HttpError(410, "V1 has ended; use V2");
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
