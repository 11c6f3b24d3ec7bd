import { ZodError } from "zod";
import type { Variants } from "./variants";

/** A bad parameter, in the form that FastAPI made common. */
interface Problem {
	readonly loc: readonly PropertyKey[];
	readonly msg: string;
}

/** An answer other than 2xx. */
export class HttpError extends Error {
	constructor(
		readonly status: number,
		message: string,
		readonly problems: readonly Problem[] = [],
	) {
		super(message);
	}
}

/** 422 for a bad parameter. */
export const invalid = (loc: readonly PropertyKey[], msg: string) =>
	new HttpError(422, `${loc.join(".")}: ${msg}`, [{ loc, msg }]);

/** What an endpoint threw as an answer; anything unforeseen is a fault of this service. */
export function refusalOf(error: unknown): HttpError {
	if (error instanceof HttpError) return error;
	if (!(error instanceof ZodError))
		return new HttpError(500, `Internal error: ${(error as Error).stack}`);
	const problems = error.issues.map(({ path, message }) => ({
		loc: ["body", ...path],
		msg: message,
	}));
	return new HttpError(
		422,
		problems.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; "),
		problems,
	);
}

/** The body of an error in one of the forms that servers use; HTML is text. */
export function errorBody(
	{ status, message, problems }: HttpError,
	form: Variants["errorBody"],
): unknown {
	const entries = problems.length > 0 ? problems : [{ loc: [], msg: message }];
	return {
		message: { message },
		error: { error: message },
		"error.message": { error: { code: status, message } },
		"loc-msg": { detail: entries },
		html: `<html><head><title>${status} ${message}</title></head><body></body></html>`,
		detail: { detail: problems.length > 0 ? problems : message },
	}[form];
}
