import type { Variants } from "./variants";

/** One bad parameter, in the form FastAPI made common. */
export interface InvalidField {
	/** Where it is: `["body", "strings", 0, "slope"]`. */
	readonly loc: readonly (string | number)[];
	readonly msg: string;
}

/** An answer other than 2xx. Thrown by any part, written by the simulator in the error form of its variants. */
export class HttpError extends Error {
	constructor(
		readonly status: number,
		message: string,
		readonly problems: readonly InvalidField[] = [],
	) {
		super(message);
	}
}

/** 422 for one bad parameter. */
export function invalid(
	loc: readonly (string | number)[],
	msg: string,
): HttpError {
	return unprocessable([{ loc, msg }]);
}

/** 422 for all that was found. */
export function unprocessable(problems: readonly InvalidField[]): HttpError {
	return new HttpError(
		422,
		problems.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; "),
		problems,
	);
}

/** The body of an error in one of the forms that servers use; HTML as text, JSON as an object. */
export function errorBody(
	{ status, message, problems }: HttpError,
	form: Variants["errorBody"],
): unknown {
	const entries = (
		problems.length > 0 ? problems : [{ loc: [], msg: message }]
	).map((problem) => ({ ...problem, type: "value_error" }));
	switch (form) {
		case "message":
			return { message };
		case "error":
			return { error: message };
		case "error.message":
			return { error: { code: status, message } };
		case "loc-msg":
			return { detail: entries };
		case "html":
			return `<!doctype html>\n<html><head><title>${status} ${escapeHtml(message)}</title></head><body><h1>${status}</h1></body></html>\n`;
		case "detail":
			return { detail: problems.length > 0 ? entries : message };
	}
}

function escapeHtml(text: string): string {
	return text.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`);
}
