import type { AxiosInstance } from "axios";
import { type ErrorKind, SolarYieldError } from "../errors/solar-yield-error";
import { normaliseBaseUrl } from "./base-url";
import type { Exchange, WireAnswer, WireRequest } from "./exchange";
import { USER_AGENT } from "./user-agent";

/** Time for one whole exchange, redirects and body included, in ms (behaviour: Failures). */
export const EXCHANGE_TIMEOUT_MS = 30_000;
/** Largest answer, unpacked, in bytes (behaviour: Failures). */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const MAX_REDIRECTS = 5;
/** A shorter key guards nothing, and as a word it may be part of any answer. */
const MIN_KEY_LENGTH = 6;

let instance: AxiosInstance | undefined;

/**
 * An instance of its own: what other packages hook into axios never sees the key.
 * Loaded with the first request, since to load it is half of what an account costs
 * at the start of Node-RED, and the demo account makes none.
 */
function http(): AxiosInstance {
	if (instance) return instance;
	const axios = require("axios") as typeof import("axios");
	instance = axios.create({
		adapter: "http",
		responseType: "arraybuffer",
		transformResponse: (data) => data,
		validateStatus: () => true,
		maxRedirects: 0,
		maxContentLength: MAX_ANSWER_BYTES,
		maxBodyLength: MAX_ANSWER_BYTES,
	});
	return instance;
}

/**
 * Exchanges requests with the service over HTTP. This file alone knows axios,
 * and nothing of axios leaves it: no error, no request, no header.
 *
 * Proxies come from `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, private
 * authorities from `NODE_EXTRA_CA_CERTS`.
 */
export function httpExchange(
	baseUrl: string,
	apiKey: string,
	timeoutMs = EXCHANGE_TIMEOUT_MS,
): Exchange {
	const base = normaliseBaseUrl(baseUrl);
	const key = apiKey.trim();
	const isSendable = /^[\x20-\x7e]*$/.test(key);
	const withoutKey = keyRemover(isSendable ? key : "");

	return async (request, signal) => {
		if (!isSendable) {
			throw new SolarYieldError(
				"INPUT",
				"The API key holds characters that no key has; enter it again as the service shows it",
			);
		}
		const abort = new AbortController();
		let timedOut = false;
		const timer = setTimeout(() => {
			timedOut = true;
			abort.abort();
		}, timeoutMs);
		const onAbort = () => abort.abort();
		if (signal?.aborted) abort.abort();
		signal?.addEventListener("abort", onAbort, { once: true });
		try {
			return await exchange(base, key, request, abort.signal, withoutKey);
		} catch (error) {
			throw timedOut
				? new SolarYieldError(
						"TIMEOUT",
						`The service did not answer within ${timeoutMs / 1000} s; nothing needs to be done if it is rare, else check the network and the base URL`,
					)
				: transportError(error, new URL(base).host);
		} finally {
			clearTimeout(timer);
			signal?.removeEventListener("abort", onAbort);
		}
	};
}

/** How JSON, URLs and HTML write a character, and where it stands in the match. */
const ESCAPES: readonly {
	/** Without it there are none. */
	readonly sign: string;
	readonly pattern: RegExp;
	readonly read: (found: string) => string;
}[] = [
	{ sign: "\\u", pattern: /\\u([0-9a-f]{4})/gi, read: characterOf(16) },
	{ sign: "%", pattern: /%([0-9a-f]{2})/gi, read: characterOf(16) },
	{ sign: "&#", pattern: /&#x0*([0-9a-f]{1,6});/gi, read: characterOf(16) },
	{ sign: "&#", pattern: /&#0*([0-9]{1,7});/g, read: characterOf(10) },
	{
		sign: "&",
		pattern: /&(amp|lt|gt|quot|apos);/gi,
		read: (name) => ENTITIES[name.toLowerCase()] as string,
	},
	{ sign: "\\", pattern: /\\(["\\/])/g, read: (character) => character },
];
const ENTITIES: Readonly<Record<string, string>> = {
	amp: "&",
	lt: "<",
	gt: ">",
	quot: '"',
	apos: "'",
};
/** One of these is in whatever is escaped. */
const SIGNS = ["\\", "%", "&"] as const;
/** So often what is escaped may be escaped again; each time is another look at all of a text. */
const layersOf = (text: string) => (text.length < 1_000_000 ? 4 : 1);

function characterOf(radix: number): (code: string) => string {
	return (code) => String.fromCharCode(Number.parseInt(code, radix));
}

/** A text with one way of escaping undone. */
const unescaped = (
	text: string,
	{ sign, pattern, read }: (typeof ESCAPES)[0],
) =>
	text.includes(sign)
		? text.replace(pattern, (_all, found: string) => read(found))
		: text;

/**
 * Takes the key out of a text: a server that echoes what it was sent must not
 * put it into a message. Plain, in hexadecimal digits, in base64 wherever it
 * stands in what was encoded, and all that as JSON, URLs and HTML escape it, one
 * within another as well.
 */
function keyRemover(key: string): (text: string) => string {
	if (key.length < MIN_KEY_LENGTH) return (text) => text;
	const hex = Buffer.from(key).toString("hex");
	const base64 = [0, 1, 2].map((before) => {
		const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(key)]);
		// Without the characters that the neighbours of the key have a part in.
		return bytes
			.toString("base64")
			.slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
	});
	const json = JSON.stringify(key).slice(1, -1);
	const forms = new Set([
		key,
		json,
		json.replaceAll("/", "\\/"),
		hex,
		hex.toUpperCase(),
		...base64,
		...base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
	]);
	const remove = (text: string) => {
		let clean = text;
		for (const form of forms) {
			if (clean.includes(form)) clean = clean.replaceAll(form, "[key]");
		}
		return clean;
	};
	return (text) => {
		let clean = remove(text);
		if (!SIGNS.some((sign) => clean.includes(sign))) return clean;
		// First each way for itself, which leaves the most of the text as it was.
		for (const way of ESCAPES) clean = withoutIn(clean, [way]);
		return withoutIn(clean, ESCAPES);
	};

	/** The text, unescaped if that is what it takes to find the key in it. */
	function withoutIn(text: string, escapes: typeof ESCAPES): string {
		let plain = text;
		for (let layer = layersOf(text); layer > 0; layer -= 1) {
			const before = plain;
			plain = escapes.reduce(unescaped, plain);
			if (plain === before) break;
			const without = remove(plain);
			if (without !== plain) return withoutIn(without, escapes);
		}
		return text;
	}
}

async function exchange(
	base: string,
	apiKey: string,
	request: WireRequest,
	signal: AbortSignal,
	withoutKey: (text: string) => string,
): Promise<WireAnswer> {
	let url = new URL(base + request.path);
	for (const [name, value] of request.query ?? []) {
		url.searchParams.append(name, value);
	}
	const visited = new Set<string>();
	for (;;) {
		visited.add(url.href);
		const response = await http().request<Buffer>({
			url: url.href,
			method: request.method,
			...(request.body === undefined
				? {}
				: { data: JSON.stringify(request.body) }),
			headers: {
				Authorization: `Bearer ${apiKey}`,
				"User-Agent": USER_AGENT,
				Accept: "application/json",
				// A poll each quarter of an hour gains nothing from an open socket.
				Connection: "close",
				...(request.body === undefined
					? {}
					: { "Content-Type": "application/json" }),
			},
			signal,
		});
		const headers: Record<string, string> = {};
		for (const [name, value] of Object.entries(response.headers)) {
			if (value != null)
				headers[name.toLowerCase()] = withoutKey(String(value));
		}
		const { status } = response;
		const { location } = headers;
		if (![301, 302, 303, 307, 308].includes(status) || !location) {
			const text = response.data.toString("utf8");
			return {
				status,
				headers,
				body: withoutKey(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text),
			};
		}
		url = redirected(url, location, request.method, status, visited);
	}
}

/** The address a redirect leads to, when the key may go there (behaviour: Failures). */
function redirected(
	from: URL,
	location: string,
	method: WireRequest["method"],
	status: number,
	visited: ReadonlySet<string>,
): URL {
	let to: URL | undefined;
	try {
		to = new URL(location, from);
	} catch {}
	const sameOrigin = to?.origin === from.origin;
	const toTls =
		from.protocol === "http:" &&
		to?.protocol === "https:" &&
		to.hostname === from.hostname;
	if (!to || !(sameOrigin || toTls)) {
		throw new SolarYieldError(
			"NETWORK",
			"The service redirects to another host or from https to http, where the key must not go; check the base URL of the account",
			{ status },
		);
	}
	const isEndless = visited.has(to.href) || visited.size > MAX_REDIRECTS;
	if (isEndless || (method !== "GET" && status < 307)) {
		throw new SolarYieldError(
			"NETWORK",
			"The service redirects without end or away from a change; check the base URL of the account",
			{ status },
		);
	}
	// A name in the address would be sent in place of the key.
	to.username = "";
	to.password = "";
	return to;
}

/** What the codes of the network and of axios mean; the first that fits counts. */
const FAULTS: readonly (readonly [
	code: RegExp,
	kind: ErrorKind,
	what: string,
	remedy: string,
])[] = [
	[
		/^(ENOTFOUND|EAI_AGAIN)$/,
		"NETWORK",
		"is a name that nobody knows",
		"check the base URL and the network",
	],
	[
		/^ECONNREFUSED$/,
		"NETWORK",
		"refuses connections",
		"check the base URL and its port",
	],
	[
		/^(ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL)$/,
		"NETWORK",
		"cannot be reached",
		"check the network",
	],
	[
		/CERT|SIGNATURE|ALTNAME/,
		"NETWORK",
		"has a certificate that is not trusted",
		"for a private authority set NODE_EXTRA_CA_CERTS",
	],
	[
		/^EPROTO$|SSL/,
		"NETWORK",
		"does not speak https",
		"check whether the base URL begins with http or https as the service does",
	],
	[
		/^(ETIMEDOUT|ECONNABORTED)$/,
		"TIMEOUT",
		"did not answer in time",
		"check the network and the base URL",
	],
	[
		/^ERR_CANCELED$/,
		"NETWORK",
		"is no longer waited for",
		"nothing needs to be done",
	],
	[
		/^(Z_|ERR__ERROR_|HPE_(?!INVALID_EOF))/,
		"RESPONSE",
		"sent an answer that cannot be read",
		"check whether the base URL begins with http or https as the service does",
	],
	[
		/^ERR_BAD_RESPONSE$/,
		"NETWORK",
		"broke off in the middle of its answer",
		"nothing needs to be done if it is rare",
	],
	[
		/^/,
		"NETWORK",
		"broke the connection",
		"nothing needs to be done if it is rare",
	],
];

function transportError(error: unknown, host: string): SolarYieldError {
	if (error instanceof SolarYieldError) return error;
	const { code, message } = error as { code?: unknown; message?: unknown };
	if (/maxContentLength/.test(String(message))) {
		return new SolarYieldError(
			"RESPONSE",
			"The service's answer is over 32 MB and was refused; ask for fewer days or groups, or tell the service",
		);
	}
	const name = typeof code === "string" ? code : "no code";
	const [, kind, what, remedy] = FAULTS.find(([pattern]) =>
		pattern.test(name),
	) as (typeof FAULTS)[number];
	return new SolarYieldError(kind, `${host} ${what} (${name}); ${remedy}`, {
		detail: name,
	});
}
