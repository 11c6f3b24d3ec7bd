import type { Request, RequestHandler } from "express";

/** Code and text of an error as a Catch node gets them; those of a fault that is not told apart for any other. */
function errorBody(error: { code?: unknown; message?: unknown }) {
	return String(error?.code).startsWith("SOLAR_YIELD_")
		? { code: error.code, message: error.message }
		: {
				code: "SOLAR_YIELD_INPUT",
				message: `The request could not be handled (${String(error?.message ?? error).slice(0, 200)}); check what is sent`,
			};
}

/**
 * An admin route that answers with what the work gives, 404 when it gives
 * undefined, and on failure 400 with the same code and text as a Catch node gets.
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
					else response.json(body);
				},
				(error) => {
					response.status(400).json(errorBody(error));
				},
			);
	};
}
