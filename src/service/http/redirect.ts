import { SolarYieldError } from "../errors/solar-yield-error";
import type { WireRequest } from "./exchange";

const MAX_REDIRECTS = 5;

/**
 * The address a redirect leads to, when the key may go there (behaviour: Failures).
 *
 * @param visited the addresses asked so far
 * @throws SolarYieldError `NETWORK`
 */
export function redirectTarget(
	from: URL,
	location: string,
	method: WireRequest["method"],
	status: number,
	visited: ReadonlySet<string>,
): URL {
	let to: URL | undefined;
	try {
		to = new URL(location, from);
	} catch {}
	const sameOrigin = to?.origin === from.origin;
	const toTls =
		from.protocol === "http:" &&
		to?.protocol === "https:" &&
		to.hostname === from.hostname;
	if (!to || !(sameOrigin || toTls)) {
		throw new SolarYieldError(
			"NETWORK",
			"service.redirects_away",
			{},
			{ status },
		);
	}
	const isEndless = visited.has(to.href) || visited.size > MAX_REDIRECTS;
	if (isEndless || (method !== "GET" && status < 307)) {
		throw new SolarYieldError(
			"NETWORK",
			"service.redirects_endlessly",
			{},
			{ status },
		);
	}
	// A name in the address would be sent in place of the key.
	to.username = "";
	to.password = "";
	return to;
}
