/**
 * The service's client and the arithmetic of its forecasts, for scripts and for
 * function nodes.
 *
 * Instants are epoch milliseconds (UTC), powers W, energies kWh, angles degrees;
 * "spec V2" is the service's description of its interface.
 * Every request of a {@link SolarYieldClient} counts against the month's quota as
 * the service says; nothing here polls, waits or tries again by itself. In a flow
 * the forecast node does all of that: take the client for what it does not do.
 *
 * `import` and `require` both work. In a function node add the module
 * `@solar-yield/node-red-solar-yield` as `solarYield` in the tab _Setup_.
 *
 * @example
 * ```js
 * import {
 *   demoExchange,
 *   httpExchange,
 *   placeForecast,
 *   SolarYieldClient,
 *   SolarYieldError,
 *   windowEnergy,
 * } from "@solar-yield/node-red-solar-yield";
 *
 * // Without SOLAR_YIELD_URL the built-in demo answers.
 * const { SOLAR_YIELD_URL: url, SOLAR_YIELD_API_KEY: key } = process.env;
 * const client = new SolarYieldClient(url ? httpExchange(url, key) : demoExchange());
 * try {
 *   const [site] = await client.sites(); // costs no request of the quota
 *   const { answer } = await client.forecast(site.site_id, { include: ["default"] });
 *   const forecast = placeForecast(answer, { siteZone: site.timezone });
 *   const [, { date: from }, { date: to }] = answer.daily;
 *   const { energy_kwh } = windowEnergy(forecast, { from, to });
 *   console.log(`${site.name}: ${energy_kwh.toFixed(1)} kWh on ${from}`);
 * } catch (error) {
 *   if (!(error instanceof SolarYieldError)) throw error;
 *   console.error(error.code, error.message, error.cause.retry_at);
 * }
 * ```
 *
 * @packageDocumentation
 */
import type { Exchange } from "./service/http/exchange";

export {
	type Forecast,
	type Interval,
	type Placement,
	placeForecast,
	type StringSeries,
	siteDayEnergy,
} from "./forecast/forecast";
export {
	type NowDay,
	type NowPayload,
	type NowString,
	nowValues,
} from "./forecast/now";
export { type Energy, energy, type Series } from "./forecast/series";
export { windowEnergy } from "./forecast/window";
export type { SolarFacts } from "./messages/facts";
export {
	type ForecastInput,
	forecastFromInput,
	type InputMessage,
} from "./messages/input/forecast-input";
export {
	type AnswerFacts,
	type ClientOptions,
	type ForecastParameters,
	type HistoricalParameters,
	type InlineSystem,
	type ReceivedForecast,
	type RequestKind,
	SolarYieldClient,
} from "./service/client";
export {
	type ErrorCause,
	type ErrorKind,
	SolarYieldError,
} from "./service/errors/solar-yield-error";
export { httpExchange } from "./service/http/axios-exchange";
export type {
	Exchange,
	Query,
	WireAnswer,
	WireRequest,
} from "./service/http/exchange";
export type { Quota } from "./service/quota";
export type {
	DailyRow,
	ForecastAnswer,
	Row,
} from "./service/v2/forecast-answer";
export type { HistoricalRange } from "./service/v2/request-parameters";
export type { Site, SiteState, StringMeta } from "./service/v2/sites/site";
export type { Zone } from "./util/zone";

/**
 * Exchanges requests with the built-in demo in place of the service: no
 * network, no key, no quota of yours. Its one site is `site_demo`.
 */
export function demoExchange(): Exchange {
	// Who asks the service needs no demo.
	const { createDemo } =
		require("./simulator/demo") as typeof import("./simulator/demo");
	return createDemo(Date.now).exchange;
}
