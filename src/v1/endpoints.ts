import type { SolarYieldClient } from "../service/client";
import type { Query } from "../service/http/exchange";

/** The five endpoints and their paths below the base URL. */
export const V1_ENDPOINTS = {
	yield: "/v1/yield/",
	system: "/v1/system/",
	history: "/v1/history/",
	forecast: "/v1/forecast/",
	recent: "/v1/recent/",
} as const;

export type V1Endpoint = keyof typeof V1_ENDPOINTS;

/**
 * One V1 request (spec V1, "Endpoints"): the body as received, parsed.
 *
 * @throws SolarYieldError as the client's methods do
 */
export function requestV1(
	client: SolarYieldClient,
	endpoint: V1Endpoint,
	query: Query,
): Promise<unknown> {
	return client.get(V1_ENDPOINTS[endpoint], query, "V1");
}
