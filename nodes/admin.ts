import type { Request, RequestHandler } from "express";
import type { SolarYieldError } from "../src/service/errors/solar-yield-error";
import type { Text } from "../src/texts/texts";
import { EDITOR_HEADER } from "./shared/editor-header";
import { editorLanguage } from "./shared/editor-language";

/** A body with its texts as the person at the editor that asks reads them. */
function spoken<Body>(body: Body, request: Request): Body {
	const { isText, textIn } = require("./node") as typeof import("./node");
	const language = editorLanguage(request);
	return JSON.parse(JSON.stringify(body), (_name, value) =>
		isText(value) ? textIn(value, language) : value,
	);
}

/** Code and message of an error as a Catch node gets them; any error that is not ours becomes `INPUT`. */
const errorBody = (error: Partial<SolarYieldError> | undefined) =>
	error?.text
		? { code: error.code, message: error.text }
		: {
				code: "SOLAR_YIELD_INPUT",
				message: {
					key: "nodes.request",
					values: { reason: String(error?.message ?? error).slice(0, 200) },
				},
			};

/**
 * Handler of an admin route: answers with the result of `work`, with 404 when that
 * is undefined, and on failure with 400, code and message.
 */
export function answer(
	work: (request: Request) => Promise<unknown> | unknown,
): RequestHandler {
	return (request, response) => {
		Promise.resolve()
			.then(() => work(request))
			.then(
				(body) => {
					if (body === undefined) response.status(404).json({});
					else response.json(spoken(body, request));
				},
				(error) => response.status(400).json(spoken(errorBody(error), request)),
			);
	};
}

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
