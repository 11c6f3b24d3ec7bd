import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { SolarYieldClient } from "../../../src/service/client";
import { SolarYieldError } from "../../../src/service/errors/solar-yield-error";
import { httpExchange } from "../../../src/service/http/axios-exchange";
import { onSlowLine, Peer } from "../../service/http/peer";
import { resolveAsBefore, resolveTo } from "../../support/addresses";
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
const JSON_TYPE = { "Content-Type": "application/json" };
const page = (title: string) =>
	`<!doctype html><html><title>${title}</title><body>${"x".repeat(5000)}</body></html>`;

/** Address, what is there, and the kinds that a forecast and the list of sites end in. */
const ADDRESSES: readonly (readonly [
	name: string,
	place: Place,
	forecast: string,
	sites?: string,
])[] = [
	["a router's page", answers("200 OK", HTML, page("Router")), "RESPONSE"],
	[
		"a page of another site",
		answers("404 Not Found", HTML, page("Gone")),
		"NOT_FOUND",
		"RESPONSE",
	],
	[
		"a hotel's login",
		answers("302 Found", { Location: "http://login.invalid/" }),
		"NETWORK",
	],
	[
		"a login on the same host",
		answers("302 Found", { Location: "/login" }),
		"NETWORK",
	],
	[
		"a hotel that refuses",
		answers("403 Forbidden", HTML, page("Log in, please")),
		"NETWORK",
	],
	[
		"a network that wants a login",
		answers("511 Login", HTML, page("Log in")),
		"SERVICE",
	],
	[
		"a password of a web server",
		answers(
			"401 Unauthorized",
			{ "WWW-Authenticate": "Basic", ...HTML },
			page("401"),
		),
		"RESPONSE",
	],
	[
		"another API",
		answers("200 OK", JSON_TYPE, '{"hello":"world"}'),
		"RESPONSE",
	],
	["another API's list", answers("200 OK", JSON_TYPE, '["a","b"]'), "RESPONSE"],
	["another API's number", answers("200 OK", JSON_TYPE, "42"), "RESPONSE"],
	[
		"an https service",
		(socket) => socket.end(Buffer.from([0x15, 3, 1, 0, 2, 2, 70])),
		"RESPONSE|NETWORK",
	],
	["SSH", (socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n"), "RESPONSE"],
	[
		"MQTT",
		(socket) => socket.end(Buffer.from([0x20, 2, 0, 5])),
		"RESPONSE|NETWORK",
	],
	["Modbus, which is silent", () => {}, "TIMEOUT"],
	["what hangs up", (socket) => socket.end(), "NETWORK"],
	["what resets", (socket) => socket.resetAndDestroy(), "NETWORK"],
	[
		"a web socket",
		answers("426 Upgrade Required", { Upgrade: "websocket" }),
		"INPUT",
	],
];

/** How proxies fail, for an http and for an https service. */
const PROXIES: readonly (readonly [
	name: string,
	place: Place,
	http: string,
	https: string,
])[] = [
	[
		"wants a password",
		answers("407 Who?", HTML, page("407")),
		"NETWORK",
		"NETWORK",
	],
	[
		"forbids",
		answers("403 Forbidden", HTML, page("Blocked by policy")),
		"NETWORK",
		"NETWORK",
	],
	[
		"finds no service",
		answers("502 Bad Gateway", HTML, page("502")),
		"SERVICE",
		"NETWORK",
	],
	[
		"waits in vain",
		answers("504 Gateway Timeout", HTML, page("504")),
		"SERVICE",
		"NETWORK",
	],
	[
		"answers with a page",
		answers("200 OK", HTML, page("Proxy")),
		"RESPONSE",
		"NETWORK|RESPONSE",
	],
	[
		"is none",
		(socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n"),
		"RESPONSE",
		"NETWORK|RESPONSE",
	],
	["hangs", () => {}, "TIMEOUT", "TIMEOUT"],
	["hangs up", (socket) => socket.end(), "NETWORK", "NETWORK"],
	["resets", (socket) => socket.resetAndDestroy(), "NETWORK", "NETWORK"],
];

/** Both calls end as expected, in one of our errors, without the key and in time. */
async function endsIn(
	base: string,
	forecast: string,
	sites = forecast,
): Promise<void> {
	const client = new SolarYieldClient(httpExchange(base, KEY, PATIENCE_MS));
	for (const [call, kinds] of [
		[() => client.forecast(SITE), forecast],
		[() => client.sites(), sites],
	] as const) {
		const error = await call().then(
			() => assert.fail(`accepted, expected ${kinds}`),
			(thrown) => thrown,
		);
		assert.ok(error instanceof SolarYieldError, shownText(error).slice(0, 300));
		assert.match(error.kind, new RegExp(`^(${kinds})$`), error.message);
		assert.match(error.message, /; ./);
		assert.ok(error.message.length < 900);
		assertNoKey(KEY, shownText(error), "an error");
	}
}

const PROXY_NAMES = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"];

/** Runs with these variables and no other about proxies. */
async function withProxies(
	variables: Readonly<Record<string, string>>,
	work: () => Promise<void>,
): Promise<void> {
	const names = PROXY_NAMES.flatMap((name) => [name, name.toUpperCase()]);
	const before = new Map(names.map((name) => [name, process.env[name]]));
	for (const name of names) delete process.env[name];
	Object.assign(process.env, variables);
	try {
		await work();
	} finally {
		for (const [name, value] of before) {
			if (value === undefined) delete process.env[name];
			else process.env[name] = value;
		}
	}
}

/** Lets every name stand for these addresses. */
async function withAddresses(
	addresses: readonly string[],
	work: () => Promise<void>,
): Promise<void> {
	resolveTo(...addresses);
	try {
		await work();
	} finally {
		resolveAsBefore();
	}
}

/** An attempt with a peer, in which nothing may go wrong outside and no socket stays open. */
function attempt(
	kind: string,
	name: string,
	place: Place,
	work: (peer: Peer) => Promise<void>,
): Attempt {
	return {
		kind,
		name,
		run: async () => {
			const bystander = new Bystander();
			const peer = await Peer.tcp(place);
			try {
				await withProxies({}, () => work(peer));
				await peer.idle();
			} finally {
				await peer.close();
				bystander.stop();
			}
			assert.deepEqual(bystander.seen, []);
		},
	};
}

/** Addresses that are no such service, proxies that fail, names with several addresses. */
export function* lines(): Generator<Attempt> {
	for (const [name, place, forecast, sites] of ADDRESSES) {
		yield attempt("address of no such service", name, place, (peer) =>
			endsIn(peer.base, forecast, sites),
		);
	}
	yield attempt(
		"address of no such service",
		"https where http is spoken",
		answers("400 Bad", {}),
		(peer) => endsIn(peer.base.replace("http:", "https:"), "NETWORK"),
	);
	yield attempt(
		"address of no such service",
		"a name that is none",
		() => {},
		() => endsIn("http://no-such-name.invalid", "NETWORK"),
	);
	for (const [name, place, http, https] of PROXIES) {
		for (const [scheme, kinds] of [
			["http", http],
			["https", https],
		] as const) {
			yield attempt("proxy", `for ${scheme} that ${name}`, place, (peer) =>
				withProxies({ [`${scheme}_proxy`]: peer.base }, async () => {
					await endsIn(`${scheme}://service.invalid`, kinds);
					if (scheme === "https") {
						assertNoKey(
							KEY,
							peer.bytes.toString("latin1"),
							"what the proxy saw",
						);
					}
				}),
			);
		}
	}
	const sites = answers("200 OK", JSON_TYPE, `[{"id":"${SITE}"}]`);
	/** What answers on the last of several addresses is found. */
	for (const addresses of [
		["127.0.0.1"],
		["127.0.0.9", "127.0.0.1"],
		["2001:db8::1", "127.0.0.1"],
		["2001:db8::1", "127.0.0.9", "127.0.0.1"],
		["::1", "127.0.0.1"],
	]) {
		yield attempt("line", `by ${addresses.join(", ")}`, sites, (peer) =>
			withAddresses(addresses, async () => {
				const base = `http://several.invalid:${peer.port}`;
				const client = new SolarYieldClient(httpExchange(base, KEY));
				const [site] = await client.sites();
				assert.equal(site?.site_id, SITE);
			}),
		);
	}
	yield attempt("line", "by addresses of which none answers", sites, (peer) =>
		withAddresses(["2001:db8::1", "127.0.0.9"], () =>
			endsIn(`http://several.invalid:${peer.port}`, "NETWORK|TIMEOUT"),
		),
	);
	yield attempt("line", "on which a connection takes a second", sites, () =>
		onSlowLine(900, (port) =>
			withAddresses(["127.0.0.1", "127.0.0.9"], async () => {
				const base = `http://slow.invalid:${port}`;
				const { body } = await httpExchange(
					base,
					KEY,
				)({
					method: "GET",
					path: "/v2/sites/",
				});
				assert.equal(body, "slow");
			}),
		),
	);
	yield attempt(
		"line",
		"that carries a byte at a time",
		(socket) => {
			const bytes = Buffer.from(
				`HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n[ ]\n`,
			);
			let at = 0;
			const timer = setInterval(() => {
				if (at < bytes.length) socket.write(bytes.subarray(at, ++at));
				else {
					clearInterval(timer);
					socket.end();
				}
			}, 5);
			socket.on("close", () => clearInterval(timer));
		},
		async (peer) => {
			const client = new SolarYieldClient(httpExchange(peer.base, KEY));
			assert.deepEqual(await client.sites(), []);
		},
	);
}
