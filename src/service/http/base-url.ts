import { SolarYieldError } from "../errors/solar-yield-error";

/** What is wrong with a text as the address of a service: it is none, or it is more than that. */
type BaseUrlFault = "malformed" | "excess";

function read(text: string): URL | BaseUrlFault {
	let url: URL;
	try {
		url = new URL(text.trim());
	} catch {
		return "malformed";
	}
	if (!/^https?:$/.test(url.protocol)) return "malformed";
	return url.username || url.password || url.search || url.hash
		? "excess"
		: url;
}

/** What is wrong with a base URL; undefined when nothing is. */
export function baseUrlFault(text: string): BaseUrlFault | undefined {
	const url = read(text);
	return typeof url === "string" ? url : undefined;
}

/** What may follow the base URL in an address that was copied from a request or the description. */
const ENDPOINT = /\/v2(\/(sites|forecast|historical)(\/.*)?)?$/;

/**
 * The base URL as it is used and compared: without a trailing `/`, `/v2` or a path of the service
 * below that.
 *
 * @throws SolarYieldError `INPUT` when it is no http or https URL
 */
export function normaliseBaseUrl(text: string): string {
	const url = read(text);
	if (url === "malformed") {
		throw new SolarYieldError("INPUT", "url.no_address", {
			quoted: quoted(text),
		});
	}
	if (url === "excess") {
		throw new SolarYieldError("INPUT", "url.excess");
	}
	const path = url.pathname.replace(/\/+$/, "").replace(ENDPOINT, "");
	return `${url.origin}${path.replace(/\/+$/, "")}`;
}

/** A text that is meant for an address; a key in the wrong field is not repeated. */
const quoted = (text: string) =>
	/^[a-z]*:?\/{0,2}[\w.:[\]-]*\.[a-z]{2,}(:\d+)?$/i.test(text.trim())
		? ` ${JSON.stringify(text.trim().slice(0, 80))}`
		: "";
