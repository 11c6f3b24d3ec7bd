import type { Request, RequestHandler } from "express";
import type { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import { type Language, languageFor } from "../../src/util/language";
import { EDITOR_HEADER } from "./editor-header";

/** The language of the editor that asks, as far as there are texts in it. */
export const editorLanguage = (request: Request): Language =>
	languageFor(request.get(EDITOR_HEADER));

/** A body with its texts as the person at the editor that asks reads them. */
export function spoken<Body>(body: Body, request: Request): Body {
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
