import { isObject } from "../../util/guards";

/** As much of an HTTP request (`msg.req` of an `http in` node) as formats answer to. */
export interface Request {
	/** Path of the URL, `/` where it is not known. */
	readonly path: string;
	/** Parameters of the URL as text; of one that is given twice, the last. */
	readonly query: Readonly<Record<string, string>>;
}

const NONE: Request = { path: "/", query: {} };

/**
 * The request that a message answers, an empty one where it answers none.
 *
 * @param req `msg.req`; what is unreadable in it counts as not given
 */
export function readRequest(req: unknown): Request {
	if (!isObject(req)) return NONE;
	const { path, url, originalUrl, query } = req;
	const given = [originalUrl, url, path].find(
		(text): text is string => typeof text === "string",
	);
	const parameters = Object.entries(isObject(query) ? query : {})
		.map(([name, value]) => [name, [value].flat().at(-1)] as const)
		.filter(([, last]) => ["string", "number"].includes(typeof last))
		.map(([name, last]) => [name, String(last)]);
	return {
		path: given?.split("?")[0] || "/",
		query: Object.fromEntries(parameters),
	};
}
