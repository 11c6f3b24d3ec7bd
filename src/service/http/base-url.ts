import { SolarYieldError } from "../errors/solar-yield-error";

/**
 * The base URL as it is used and compared: without a trailing `/` or `/v2`.
 *
 * @throws SolarYieldError `INPUT` when it is no http or https URL
 */
export function normaliseBaseUrl(text: string): string {
	let url: URL | undefined;
	try {
		url = new URL(text.trim());
	} catch {}
	if (!url || !/^https?:$/.test(url.protocol)) {
		throw new SolarYieldError(
			"INPUT",
			`The base URL${quoted(text)} is no web address; enter the service's address, beginning with https://`,
		);
	}
	if (url.username || url.password || url.search || url.hash) {
		throw new SolarYieldError(
			"INPUT",
			"The base URL holds a user name, a query or a fragment; enter the service's address alone, the key has a field of its own",
		);
	}
	const path = url.pathname.replace(/\/+$/, "").replace(/\/v2$/, "");
	return `${url.origin}${path.replace(/\/+$/, "")}`;
}

/** A text that is meant for an address; a key in the wrong field is not repeated. */
const quoted = (text: string) =>
	/^[a-z]*:?\/{0,2}[\w.:[\]-]*\.[a-z]{2,}(:\d+)?$/i.test(text.trim())
		? ` ${JSON.stringify(text.trim().slice(0, 80))}`
		: "";
