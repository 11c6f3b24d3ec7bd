import { HttpError } from "./answers/http-error";
import type { Variants } from "./answers/variants";
import type { Places } from "./physics/place";
import type { Plan } from "./plans";
import type { QuotaKind, RequestCounts } from "./request-counts";
import type { SiteBook } from "./site-book";

/** A request as a server hears it. Header names in lower case. */
export interface SimulatorRequest {
	readonly method: string;
	/** Path with encoded segments, without the query. */
	readonly path: string;
	readonly query: URLSearchParams;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

export interface SimulatedAccount {
	/** Number of the account in the order of `addAccount`. */
	readonly index: number;
	plan: Plan;
	readonly counts: RequestCounts;
}

/** State shared by all endpoints. */
export interface ServiceState {
	readonly places: Places;
	readonly sites: SiteBook;
	readonly variants: Variants;
}

/** A request that is being answered. */
export interface Call {
	readonly state: ServiceState;
	readonly now: number;
	readonly request: SimulatorRequest;
	readonly account: SimulatedAccount;
	/** Decoded variable segment of the path. */
	readonly id: string;
	/** Whether it was counted against a monthly limit. */
	counted: boolean;
}

export interface Reply {
	readonly status: number;
	/** Sent as JSON unless it is text; undefined for none. */
	readonly body: unknown;
}

export interface Route {
	readonly method: string;
	/** Path below the root; `{id}` stands for one segment. A trailing slash does not matter. */
	readonly path: string;
	/** Metered endpoints carry the quota headers. */
	readonly kind?: QuotaKind;
	readonly run: (call: Call) => Reply;
}

export function ok(body: unknown): Reply {
	return { status: 200, body };
}

/** The route of a request and its decoded `{id}`; 405 for another method, 404 for another path. */
export function findRoute(
	routes: readonly Route[],
	request: SimulatorRequest,
): { route: Route; id: string } {
	const path = request.path.replace(/\/$/, "");
	const matches = routes.flatMap((route) => {
		const id = matchPath(route.path, path);
		return id === null ? [] : [{ route, id }];
	});
	const match = matches.find(({ route }) => route.method === request.method);
	if (match) return match;
	throw matches.length > 0
		? new HttpError(405, "Method Not Allowed")
		: new HttpError(404, "Not Found");
}

/** The decoded `{id}` segment, "" for a path without one, null when the path is another. */
function matchPath(pattern: string, path: string): string | null {
	const wanted = pattern.split("/");
	const given = path.split("/");
	if (wanted.length !== given.length) return null;
	let id = "";
	for (const [k, segment] of wanted.entries()) {
		if (segment !== "{id}") {
			if (segment !== given[k]) return null;
			continue;
		}
		try {
			id = decodeURIComponent(given[k] as string);
		} catch {
			return null;
		}
		if (id === "") return null;
	}
	return id;
}
