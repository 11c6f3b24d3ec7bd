import type { Request, RequestHandler } from "express";

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
					const { ownError } =
						require("./handler") as typeof import("./handler");
					const { code, message } = ownError(error);
					response.status(400).json({ code, message });
				},
			);
	};
}
