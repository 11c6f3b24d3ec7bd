import { isObject } from "../../util/guards";
import { HEADER, type Query, type WireAnswer } from "../http/exchange";

/** Objects beside a list in which answers tell of further pages. */
const PLACES = ["links", "_links", "pagination", "meta", "page_info"];
const NEXT = ["next", "next_page_url", "next_url"];
const TOTALS = ["total", "total_count", "count", "total_items"];
const MORE = ["has_more", "hasMore", "has_next", "hasNextPage"];

/** What an answer says of the pages of its list. */
interface Pages {
	/** Parameters of the next page; undefined where no address of one is named. */
	readonly next: Query | undefined;
	/** Whether there is more than this page, with or without its address. */
	readonly hasMore: boolean;
}

/** Address behind `rel="next"` of a `Link` header (RFC 8288). */
const linked = (header: string | undefined) =>
	/<([^<>]*)>\s*;[^,]*\brel="?next"?/i.exec(header ?? "")?.[1];

/**
 * What an answer says of further pages of its list: the service's description has
 * none, so the usual forms are looked for.
 *
 * @param path of the request; an address that leads elsewhere is not followed
 * @param known entries of all pages read so far, this one included
 */
export function pagesOf(
	body: unknown,
	headers: WireAnswer["headers"],
	path: string,
	known: number,
): Pages {
	const top = isObject(body) ? body : {};
	const places = [top, ...PLACES.map((name) => top[name])].filter(isObject);
	const values = (names: readonly string[]) =>
		places.flatMap((place) => names.map((name) => place[name]));
	const addresses = [linked(headers[HEADER.link]), ...values(NEXT)].map(
		(value) => (isObject(value) ? value.href : value),
	);
	const address = addresses.find(
		(value) => typeof value === "string" && value !== "",
	);
	const next = typeof address === "string" ? queryOf(address, path) : undefined;
	const total = Math.max(
		0,
		...values(TOTALS).filter((value) => typeof value === "number"),
	);
	return {
		next,
		hasMore:
			address !== undefined || total > known || values(MORE).includes(true),
	};
}

/** Parameters of an address below the same path; the key goes nowhere else. */
function queryOf(address: string, path: string): Query | undefined {
	let url: URL;
	try {
		url = new URL(address, `http://service${path}`);
	} catch {
		return undefined;
	}
	const plain = (text: string) => text.replace(/\/+$/, "");
	if (!plain(url.pathname).endsWith(plain(path))) return undefined;
	const query = [...url.searchParams];
	return query.length > 0 ? query : undefined;
}
