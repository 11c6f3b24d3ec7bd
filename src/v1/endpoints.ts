/** The five endpoints and their paths below the base URL. */
export const V1_ENDPOINTS = {
	yield: "/v1/yield/",
	system: "/v1/system/",
	history: "/v1/history/",
	forecast: "/v1/forecast/",
	recent: "/v1/recent/",
} as const;

export type V1Endpoint = keyof typeof V1_ENDPOINTS;
