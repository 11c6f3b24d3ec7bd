import { DateTime } from "luxon";
import { ZodError } from "zod";
import {
	type Exchange,
	HEADER,
	type WireRequest,
} from "../service/http/exchange";
import { isoText } from "./answer-rows";
import { demoForecast, demoHistory, Refusal } from "./answers";
import { DemoSites, SiteBody, SitePatch } from "./sites";

/** Requests of each kind that the demo's plan has a calendar month. */
const MONTHLY = 3000;

/** A request that is being answered. */
interface Call {
	readonly sites: DemoSites;
	/** Epoch ms. */
	readonly now: number;
	/** The id in the path. */
	readonly id: string;
	readonly query: URLSearchParams;
	readonly body: unknown;
}

/** Answers by method and path, `*` for an id (spec V2, "Endpoints"). */
const ENDPOINTS: Readonly<Record<string, (call: Call) => unknown>> = {
	"GET /v2/sites": ({ sites }) => sites.list(),
	"GET /v2/sites/*": ({ sites, id }) => sites.record(sites.find(id)),
	"POST /v2/sites": ({ sites, body }) =>
		sites.record(sites.create(SiteBody.parse(body))),
	"PATCH /v2/sites/*": ({ sites, id, body }) =>
		sites.record(sites.change(sites.find(id, true), SitePatch.parse(body))),
	"DELETE /v2/sites/*": ({ sites, id }) =>
		sites.record(sites.delete(sites.find(id))),
	"POST /sites/*/restore": ({ sites, id }) =>
		sites.record(sites.restore(sites.find(id))),
	"GET /v2/forecast/*": ({ sites, id, query, now }) =>
		demoForecast(sites.find(id, true), query, now),
	"POST /v2/forecast/inline": ({ body, query, now }) =>
		demoForecast(SiteBody.parse(body), query, now),
	"GET /v2/historical/*": ({ sites, id, query, now }) =>
		demoHistory(sites.find(id, true), query, now),
	"POST /v2/historical/inline": ({ body, query, now }) =>
		demoHistory(SiteBody.parse(body), query, now),
};
const WITH_ID = /^(.*\/(?:sites|forecast|historical))\/([^/]+)(\/restore)?$/;
const COUNTED = /^\/v2\/(forecast|historical)\//;

/** The demo in place of the service, and what leads to its one house. */
export interface Demo {
	readonly exchange: Exchange;
	/** Opens nothing but the demo. */
	readonly apiKey: string;
	readonly siteId: string;
}

/**
 * The built-in demo: one account with a house in Berlin that has modules to the
 * east and to the west, under weather that is the same for the same date. It has
 * the endpoints of the service's description; changes of its sites last as long as it.
 *
 * @param now the demo's clock, epoch ms
 */
export function createDemo(now: () => number): Demo {
	const sites = new DemoSites(now);
	const { id: siteId } = sites.create(
		{
			name: "Demo house",
			latitude: 52.52,
			longitude: 13.41,
			strings: [
				{ id: "str_demo_east", slope: 35, orientation: 90, power_kw: 4.8 },
				{ id: "str_demo_west", slope: 35, orientation: 270, power_kw: 5.2 },
			],
		},
		"site_demo",
	);
	/** Requests counted, by kind and month. */
	const used = new Map<string, number>();

	/** The body of an answer; adds to the headers. */
	function answer(
		{ method, path, query, body }: WireRequest,
		headers: Record<string, string>,
	): unknown {
		const plain = path.replace(/\/$/, "");
		const [, before, id = "", after = ""] = WITH_ID.exec(plain) ?? [];
		const run =
			ENDPOINTS[`${method} ${plain}`] ??
			ENDPOINTS[`${method} ${before}/*${after}`];
		if (!run) throw new Refusal(404, "Not found");
		const call: Call = {
			sites,
			now: now(),
			id: decodeURIComponent(id),
			query: new URLSearchParams(
				query?.map(([name, value]): [string, string] => [name, value]),
			),
			body,
		};
		const kind = COUNTED.exec(plain)?.[1];
		if (!kind) return run(call);
		const month = DateTime.fromMillis(now(), { zone: "utc" }).startOf("month");
		const counter = `${kind} ${month.toISODate()}`;
		let count = used.get(counter) ?? 0;
		try {
			if (count >= MONTHLY)
				throw new Refusal(429, `Monthly ${kind} request limit exceeded`);
			const answered = run(call);
			count += 1;
			used.set(counter, count);
			return answered;
		} finally {
			headers[HEADER.limit] = String(MONTHLY);
			headers[HEADER.used] = String(count);
			headers[HEADER.remaining] = String(MONTHLY - count);
			headers[HEADER.reset] = isoText(
				month.plus({ months: 1 }).toMillis(),
				"utc",
			);
		}
	}

	return {
		apiKey: "demo",
		siteId,
		exchange: async (request) => {
			const headers = { [HEADER.date]: new Date(now()).toUTCString() };
			try {
				const body = JSON.stringify(answer(request, headers));
				return { status: 200, headers, body };
			} catch (error) {
				const { status, detail } = refusalOf(error);
				return { status, headers, body: JSON.stringify({ detail }) };
			}
		},
	};
}

function refusalOf(error: unknown): { status: number; detail: unknown } {
	if (error instanceof ZodError)
		return {
			status: 422,
			detail: error.issues.map(({ path, message }) => ({
				loc: ["body", ...path],
				msg: message,
			})),
		};
	if (error instanceof Refusal)
		return { status: error.status, detail: error.message };
	throw error;
}
