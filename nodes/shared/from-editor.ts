import type { Request, RequestHandler } from "express";
import type { Text } from "../../src/texts/texts";
import { spoken } from "./admin-answer";
import { EDITOR_HEADER } from "./editor-header";

/** Host and port of an address, without the port that its protocol implies. */
function hostOf(address: string): string | undefined {
	try {
		return new URL(address).host;
	} catch {
		return undefined;
	}
}

/**
 * Whether a request comes from a page of another origin. A browser that says so
 * itself is believed. Else the page's address is in `Origin`, and the server's in
 * `Host` or, where a proxy has changed that, in `X-Forwarded-Host`.
 */
function isForeign({ headers }: Request): boolean {
	const site = headers["sec-fetch-site"];
	if (site !== undefined) return site !== "same-origin" && site !== "none";
	const { origin } = headers;
	if (origin === undefined) return false;
	const page = hostOf(origin);
	const protocol = origin.slice(0, origin.indexOf("//"));
	const hosts = [headers.host, headers["x-forwarded-host"]]
		.flatMap((value) => String(value ?? "").split(","))
		.map((host) => hostOf(`${protocol}//${host.trim()}`));
	return !page || !hosts.includes(page);
}

/** Status and message for a request that no dialog sends; undefined when one may have. */
function refusal(request: Request): [number, Text] | undefined {
	if (isForeign(request)) {
		return [403, { key: "nodes.other_page" }];
	}
	if (request.get(EDITOR_HEADER) === undefined) {
		return [403, { key: "nodes.no_header", values: { name: EDITOR_HEADER } }];
	}
	const type = request.get("Content-Type") ?? "";
	if (request.method !== "GET" && !/^application\/json\s*(;|$)/i.test(type)) {
		return [415, { key: "nodes.no_json" }];
	}
	return undefined;
}

/**
 * Guard of each admin route that asks the service, reads a variable or changes
 * something (behaviour: The key): without a login, any web page could have the
 * browser call it. A form can neither send the header nor JSON. A script can, since
 * Node-RED allows every origin; so the origin is looked at as well.
 */
export const fromEditor: RequestHandler = (request, response, next) => {
	const refused = refusal(request);
	if (!refused) return next();
	const [status, message] = refused;
	response
		.status(status)
		.json(spoken({ code: "SOLAR_YIELD_INPUT", message }, request));
};
