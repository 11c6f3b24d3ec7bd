import * as plainHttp from "node:http";
import * as https from "node:https";
import type { Readable } from "node:stream";
import type { AxiosInstance, AxiosRequestConfig } from "axios";
import { SECOND_MS } from "../../util/time";
import { SolarYieldError } from "../errors/solar-yield-error";
import { tooLarge, transportError } from "../errors/transport-error";
import { normaliseBaseUrl } from "./base-url";
import {
	type Exchange,
	MOST_ERROR_BYTES,
	type WireAnswer,
	type WireRequest,
} from "./exchange";
import { keyRemover } from "./key-remover";
import { USER_AGENT } from "./user-agent";

/** Time for one whole exchange, redirects and body included, in ms (behaviour: Failures). */
const EXCHANGE_TIMEOUT_MS = 30 * SECOND_MS;
/** Largest answer, unpacked, in bytes (behaviour: Failures). */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** More characters than the key takes in any form: so much is left away where an answer is cut. */
const CUT_LENGTH = 4096;
/**
 * Time for the connection to one address of several, ms. Node.js gives each 250 ms
 * and calls that a time-out: less than a line by satellite or a weak mobile network
 * takes. An address that cannot be reached at all fails at once, whatever this is.
 */
const LINES = { autoSelectFamilyAttemptTimeout: 5 * SECOND_MS };

let instance: AxiosInstance | undefined;

/**
 * An instance of its own, so that interceptors of other packages never see the key.
 * Axios is loaded with the first request: it is half of what an account costs at the
 * start of Node-RED, and the demo account needs none.
 */
function http(): AxiosInstance {
	if (instance) return instance;
	const axios = require("axios") as typeof import("axios");
	instance = axios.create({
		adapter: "http",
		httpAgent: new plainHttp.Agent(LINES),
		httpsAgent: new https.Agent(LINES),
		responseType: "stream",
		transformResponse: (data) => data,
		validateStatus: () => true,
		maxRedirects: 5,
	});
	return instance;
}

/**
 * Exchanges requests with the service over HTTP. This file alone knows axios,
 * and nothing of axios leaves it: no error, no request, no header.
 *
 * Private authorities come from `NODE_EXTRA_CA_CERTS`. Of an error's body the
 * beginning is kept.
 */
export function httpExchange(
	baseUrl: string,
	apiKey: string,
	timeoutMs = EXCHANGE_TIMEOUT_MS,
): Exchange {
	const base = normaliseBaseUrl(baseUrl);
	const key = apiKey.trim();
	const isSendable = /^[\x20-\x7e]*$/.test(key);
	const withoutKey = keyRemover(key);

	return async (request) => {
		if (!isSendable) {
			throw new SolarYieldError("INPUT", "service.key_characters");
		}
		const abort = new AbortController();
		let timedOut = false;
		const timer = setTimeout(() => {
			timedOut = true;
			abort.abort();
		}, timeoutMs);
		try {
			return await exchange(base, key, request, abort.signal, withoutKey);
		} catch (error) {
			throw timedOut
				? new SolarYieldError("TIMEOUT", "service.timeout", {
						seconds: timeoutMs / SECOND_MS,
					})
				: transportError(error, new URL(base).host);
		} finally {
			clearTimeout(timer);
			// Nothing is waited for any more, a proxy that is silent included.
			abort.abort();
		}
	};
}

async function exchange(
	base: string,
	apiKey: string,
	request: WireRequest,
	signal: AbortSignal,
	withoutKey: (text: string) => string,
): Promise<WireAnswer> {
	const { method, path, query = [], body } = request;
	const url = new URL(base + path);
	for (const [name, value] of query) url.searchParams.append(name, value);
	const authorization = `Bearer ${apiKey}`;
	const response = await http().request<Readable>({
		url: url.href,
		method,
		...(body !== undefined && { data: JSON.stringify(body) }),
		headers: {
			Authorization: authorization,
			"User-Agent": USER_AGENT,
			Accept: "application/json",
			// A poll each quarter of an hour gains nothing from an open socket.
			Connection: "close",
			...(body !== undefined && { "Content-Type": "application/json" }),
		},
		signal,
		...(await wayTo(url, signal)),
		beforeRedirect: (next, { statusCode }, from) => {
			checkRedirect(new URL(from.url), new URL(next.href), method, statusCode);
			// Where protocol or port change it has been taken out.
			next.headers.Authorization = authorization;
		},
	});
	const { status, data } = response;
	const isError = status < 200 || status > 299;
	const headers = Object.entries(response.headers)
		.filter(([, value]) => value != null)
		.map(([name, value]) => [name.toLowerCase(), withoutKey(String(value))]);
	return {
		status,
		headers: Object.fromEntries(headers),
		body: await textOf(data, isError, withoutKey),
	};
}

/** A whole body as text, unpacked; of an error's its beginning, the rest of which is not waited for. */
async function textOf(
	body: Readable,
	isError: boolean,
	withoutKey: (text: string) => string,
): Promise<string> {
	const chunks: Buffer[] = [];
	let length = 0;
	let isCut = false;
	for await (const chunk of body as AsyncIterable<Buffer>) {
		chunks.push(chunk);
		length += chunk.length;
		if (length > MAX_ANSWER_BYTES && !isError) throw tooLarge();
		isCut = isError && length > MOST_ERROR_BYTES;
		if (isCut) break;
	}
	const bytes = Buffer.concat(chunks);
	const text = withoutKey(new TextDecoder().decode(bytes));
	// At the cut may be a part of the key, which is not found.
	return isCut ? text.slice(0, -CUT_LENGTH) : text;
}

/**
 * Refuses a redirect with which the key would leave, or a change become a read
 * (behaviour: Failures).
 */
function checkRedirect(
	from: URL,
	to: URL,
	method: WireRequest["method"],
	status: number,
): void {
	const isSafe =
		to.origin === from.origin ||
		(from.protocol === "http:" &&
			to.protocol === "https:" &&
			to.hostname === from.hostname);
	if (!isSafe) {
		throw new SolarYieldError(
			"NETWORK",
			"service.redirects_away",
			{},
			{ status },
		);
	}
	if (method !== "GET" && status < 307) {
		throw new SolarYieldError(
			"NETWORK",
			"service.redirects_endlessly",
			{},
			{ status },
		);
	}
}

/** The proxy that the environment names for an address: `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY`, unless `NO_PROXY` excepts it. */
function proxyFor(url: URL): URL | undefined {
	const { getProxyForUrl } = require("proxy-from-env") as {
		getProxyForUrl(url: string): string;
	};
	if (getProxyForUrl(url.href) === "") return undefined;
	const scheme = url.protocol.slice(0, -1);
	const text = [`${scheme}_proxy`, "all_proxy"]
		.flatMap((name) => [name, name.toUpperCase()])
		.map((name) => process.env[name])
		.find((value) => value) as string;
	try {
		const proxy = new URL(text.includes("://") ? text : `http://${text}`);
		// What is not percent-encoded stands for itself.
		proxy.username = encodeURIComponent(decoded(proxy.username));
		proxy.password = encodeURIComponent(decoded(proxy.password));
		if (/^https?:$/.test(proxy.protocol)) return proxy;
	} catch {}
	throw new SolarYieldError("NETWORK", "proxy.unusable", {
		scheme,
		variable: `${scheme.toUpperCase()}_PROXY`,
	});
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** How an address is reached: straight, or by a proxy, which sees nothing of what goes to an https service. */
async function wayTo(
	url: URL,
	signal: AbortSignal,
): Promise<Pick<AxiosRequestConfig, "proxy" | "httpsAgent">> {
	const proxy = proxyFor(url);
	if (!proxy) return { proxy: false };
	const { protocol, hostname, port, username, password } = proxy;
	if (url.protocol === "http:") {
		return {
			proxy: {
				protocol,
				host: hostname,
				port: Number(port) || (protocol === "https:" ? 443 : 80),
				...((username || password) && {
					auth: { username: decoded(username), password: decoded(password) },
				}),
			},
		};
	}
	const { HttpsProxyAgent } = await import("https-proxy-agent");
	const tunnel = new HttpsProxyAgent(proxy, { ...LINES, signal });
	tunnel.on("proxyConnect", ({ statusCode }: { statusCode: number }) => {
		if (statusCode !== 200) throw refusal(statusCode);
	});
	return { proxy: false, httpsAgent: tunnel };
}

/** The error for a proxy that does not let a connection through. */
const refusal = (status: number): SolarYieldError =>
	new SolarYieldError(
		"NETWORK",
		status === 407 ? "proxy.wants_name" : "proxy.refuses",
		{ status },
		{ status },
	);
