import type { Request, RequestHandler } from "express";
import { isObject } from "../../src/util/guards";
import type { Language } from "../../src/util/language";
import { EDITOR_HEADER } from "./editor-header";

/** The language of the editor that asks, as far as there are texts in it. */
const languageOf = (request: Request): Language =>
	request.get(EDITOR_HEADER)?.startsWith("de") ? "de" : "en-US";

/** A text for the person at the editor that asks. */
export function spoken(text: string, request: Request): string {
	const { inLanguage } = require("./node") as typeof import("./node");
	return inLanguage(text, languageOf(request));
}

/** An answer with what its `notes` say, for that person. */
function withNotes(body: unknown, request: Request): unknown {
	if (!isObject(body) || !Array.isArray(body.notes)) return body;
	const notes = body.notes.map((note) =>
		typeof note === "string" ? spoken(note, request) : note,
	);
	return { ...body, notes };
}

/** Code and message of an error as a Catch node gets them; any error that is not ours becomes `INPUT`. */
function errorBody(error: { code?: unknown; message?: unknown }) {
	return String(error?.code).startsWith("SOLAR_YIELD_")
		? { code: error.code, message: String(error.message) }
		: {
				code: "SOLAR_YIELD_INPUT",
				message: `The request could not be handled (${String(error?.message ?? error).slice(0, 200)}); check what is sent`,
			};
}

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
					else response.json(withNotes(body, request));
				},
				(error) => {
					const { code, message } = errorBody(error);
					response
						.status(400)
						.json({ code, message: spoken(message, request) });
				},
			);
	};
}
