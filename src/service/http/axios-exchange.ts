import * as plainHttp from "node:http";
import * as https from "node:https";
import type { Readable } from "node:stream";
import type { AxiosInstance } from "axios";
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
import { proxyFor } from "./proxy";
import { redirectTarget } from "./redirect";
import { Tunnel } from "./tunnel";
import { USER_AGENT } from "./user-agent";

/** Time for one whole exchange, redirects and body included, in ms (behaviour: Failures). */
const EXCHANGE_TIMEOUT_MS = 30 * SECOND_MS;
/** Largest answer, unpacked, in bytes (behaviour: Failures). */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
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
		maxRedirects: 0,
		maxBodyLength: MAX_ANSWER_BYTES,
	});
	return instance;
}

/**
 * Exchanges requests with the service over HTTP. This file alone knows axios,
 * and nothing of axios leaves it: no error, no request, no header.
 *
 * Proxies come from `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` (`proxy.ts`), private
 * authorities from `NODE_EXTRA_CA_CERTS`. Of an error's body the beginning is kept.
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
			throw new SolarYieldError("INPUT", "service.key_characters");
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
				? new SolarYieldError("TIMEOUT", "service.timeout", {
						seconds: timeoutMs / SECOND_MS,
					})
				: transportError(error, new URL(base).host);
		} finally {
			clearTimeout(timer);
			signal?.removeEventListener("abort", onAbort);
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
	let url = new URL(base + request.path);
	for (const [name, value] of request.query ?? []) {
		url.searchParams.append(name, value);
	}
	const visited = new Set<string>();
	for (;;) {
		visited.add(url.href);
		const proxy = proxyFor(url);
		const isTunnel = proxy !== false && url.protocol === "https:";
		/** What went wrong on the connection, also after the last byte that was announced. */
		let broken: Error | undefined;
		const response = await http().request<Readable>({
			url: url.href,
			transport: {
				request: (
					options: plainHttp.RequestOptions,
					done: (response: plainHttp.IncomingMessage) => void,
				) =>
					(options.protocol === "https:" ? https : plainHttp)
						.request(options, done)
						.on("error", (error) => {
							broken = error;
						}),
			},
			proxy: isTunnel ? false : proxy,
			...(isTunnel && { httpsAgent: new Tunnel(proxy, signal, LINES) }),
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
		const { status, data } = response;
		const { location } = headers;
		if (![301, 302, 303, 307, 308].includes(status) || !location) {
			const isError = status < 200 || status > 299;
			const bytes = isError
				? await beginningOf(data, MOST_ERROR_BYTES)
				: await wholeOf(data);
			if (!isError && broken) throw broken;
			const text = bytes.toString("utf8");
			return {
				status,
				headers,
				body: withoutKey(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text),
			};
		}
		data.destroy();
		url = redirectTarget(url, location, request.method, status, visited);
	}
}

/** First bytes of a body; the rest is not waited for, nor kept. */
async function beginningOf(body: Readable, most: number): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of body as AsyncIterable<Buffer>) {
		chunks.push(chunk);
		length += chunk.length;
		if (length >= most) break;
	}
	return Buffer.concat(chunks).subarray(0, most);
}

/**
 * A whole body, unpacked.
 *
 * @throws SolarYieldError `RESPONSE` when it is too large
 */
async function wholeOf(body: Readable): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of body as AsyncIterable<Buffer>) {
		chunks.push(chunk);
		length += chunk.length;
		if (length > MAX_ANSWER_BYTES) throw tooLarge();
	}
	return Buffer.concat(chunks);
}
