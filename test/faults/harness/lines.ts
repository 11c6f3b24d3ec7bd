import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { SolarYieldClient } from "../../../src/service/client";
import { SolarYieldError } from "../../../src/service/errors/solar-yield-error";
import { httpExchange } from "../../../src/service/http/axios-exchange";
import { Peer } from "../../service/http/peer";
import { assertNoKey, shownText } from "./leaks";
import type { Attempt } from "./table";
import { Bystander, KEY, SITE } from "./world";

/** What hangs need not last 30 s in a test, ms. */
const PATIENCE_MS = 1500;

/** What stands at an address: bytes for whoever connects, and what is done then. */
type Place = (socket: Socket) => void;

const answers =
	(status: string, headers: Record<string, string>, body = ""): Place =>
	(socket) =>
		socket.end(
			[
				`HTTP/1.1 ${status}`,
				...Object.entries({
					"Content-Length": String(Buffer.byteLength(body)),
					Connection: "close",
					...headers,
				}).map(([name, value]) => `${name}: ${value}`),
				"",
				body,
			].join("\r\n"),
		);
const HTML = { "Content-Type": "text/html" };
const page = (title: string) =>
	`<!doctype html><html><title>${title}</title><body>${"x".repeat(5000)}</body></html>`;

/** How proxies fail before an https service, and the kinds that a request ends in. */
const PROXIES: readonly (readonly [name: string, Place, kinds: string])[] = [
	["forbids", answers("403 Forbidden", HTML, page("Blocked")), "NETWORK"],
	["finds no service", answers("502 Bad Gateway", HTML, ""), "NETWORK"],
	["waits in vain", answers("504 Timeout", HTML, page("504")), "NETWORK"],
	[
		"answers with a page",
		answers("200 OK", HTML, page("Proxy")),
		"NETWORK|RESPONSE",
	],
	[
		"is none",
		(socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n"),
		"NETWORK|RESPONSE",
	],
	["hangs up", (socket) => socket.end(), "NETWORK"],
	["resets", (socket) => socket.resetAndDestroy(), "NETWORK"],
];

const PROXY_NAMES = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"];

/** Runs with an https proxy and no other. */
async function withProxy(
	url: string,
	work: () => Promise<void>,
): Promise<void> {
	const names = PROXY_NAMES.flatMap((name) => [name, name.toUpperCase()]);
	const before = new Map(names.map((name) => [name, process.env[name]]));
	for (const name of names) delete process.env[name];
	process.env.https_proxy = url;
	try {
		await work();
	} finally {
		for (const [name, value] of before) {
			if (value === undefined) delete process.env[name];
			else process.env[name] = value;
		}
	}
}

/** Proxies that fail, and see nothing of the key; no socket stays open. */
export function* lines(): Generator<Attempt> {
	for (const [name, place, kinds] of PROXIES) {
		yield {
			kind: "proxy",
			name: `that ${name}`,
			run: async () => {
				const bystander = new Bystander();
				const peer = await Peer.tcp(place);
				try {
					const client = new SolarYieldClient(
						httpExchange("https://service.invalid", KEY, PATIENCE_MS),
					);
					await withProxy(peer.base, async () => {
						const error = await client.forecast(SITE).then(
							() => assert.fail(`accepted, expected ${kinds}`),
							(thrown) => thrown,
						);
						assert.ok(error instanceof SolarYieldError, shownText(error));
						assert.match(error.kind, new RegExp(`^(${kinds})$`), error.message);
						assert.match(error.message, /; ./);
						assert.ok(error.message.length < 900);
						assertNoKey(KEY, shownText(error), "an error");
					});
					const seen = peer.bytes.toString("latin1");
					assertNoKey(KEY, seen, "what the proxy saw");
					await peer.idle();
				} finally {
					await peer.close();
					bystander.stop();
				}
				assert.deepEqual(bystander.seen, []);
			},
		};
	}
}
