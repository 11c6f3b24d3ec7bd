import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import type { Socket } from "node:net";
import { inspect } from "node:util";
import {
	brotliCompressSync,
	constants,
	deflateSync,
	gzipSync,
} from "node:zlib";
import axios from "axios";
import fc from "fast-check";
import { failureOf } from "../../../src/service/answer-error";
import { SolarYieldError } from "../../../src/service/errors/solar-yield-error";
import {
	httpExchange,
	MAX_ANSWER_BYTES,
} from "../../../src/service/http/axios-exchange";
import type { WireRequest } from "../../../src/service/http/exchange";
import { USER_AGENT } from "../../../src/service/http/user-agent";
import { resolveAsBefore, resolveTo } from "../../support/addresses";
import { onSlowLine, Peer } from "./peer";

/** With every character that JSON, URLs and base64 write otherwise. */
const KEY = "sk/live+CANARY=0123456789/abc~-Z";
const GET: WireRequest = { method: "GET", path: "/v2/sites/" };
const POST: WireRequest = {
	method: "POST",
	path: "/v2/forecast/inline",
	query: [["include", "all"]],
	body: { latitude: 52.5, name: "Größe" },
};

/** All ways in which the key may stand in a text. */
const KEY_FORMS = [
	KEY,
	encodeURIComponent(KEY),
	encodeURIComponent(KEY).toLowerCase(),
	KEY.replaceAll("/", "\\/"),
	"CANARY",
	...["", "x", "xy", "Bearer "].map((before) =>
		// Without the last characters, which depend on what follows.
		Buffer.from(`${before}${KEY}`).toString("base64").slice(-24, -4),
	),
];

function assertNoKey(value: unknown): void {
	const texts = [
		inspect(value, {
			depth: Number.POSITIVE_INFINITY,
			showHidden: true,
			maxStringLength: null,
			maxArrayLength: null,
		}),
		String(value),
		JSON.stringify(value),
	];
	if (value instanceof Error) {
		texts.push(value.message, value.stack ?? "", JSON.stringify(value.cause));
	}
	for (const text of texts) {
		for (const form of KEY_FORMS) assert.ok(!text.includes(form), form);
	}
}

/** The error that a request ends in: one of ours, without a trace of axios or of the key. */
async function rejection(promise: Promise<unknown>): Promise<SolarYieldError> {
	try {
		await promise;
	} catch (error) {
		assert.ok(error instanceof SolarYieldError, inspect(error));
		assert.equal(error.constructor, SolarYieldError);
		assert.equal(
			Object.getPrototypeOf(error.cause),
			Object.prototype,
			"a plain cause",
		);
		assert.doesNotMatch(
			inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true }),
			/AxiosError|isAxiosError|ClientRequest \{|authorization|bearer/i,
		);
		assertNoKey(error);
		assert.match(error.message, /; ./);
		return error;
	}
	assert.fail("resolved");
}

describe("httpExchange", () => {
	const PROXY_NAMES = ["http_proxy", "https_proxy", "no_proxy", "all_proxy"];
	const names = PROXY_NAMES.flatMap((name) => [name, name.toUpperCase()]);
	const before = new Map(names.map((name) => [name, process.env[name]]));
	const peers: Peer[] = [];

	beforeEach(() => {
		for (const name of names) delete process.env[name];
	});
	afterEach(async () => {
		for (const [name, value] of before) {
			if (value === undefined) delete process.env[name];
			else process.env[name] = value;
		}
		// An exchange leaves no socket behind, however it ended.
		try {
			for (const peer of peers) await peer.idle();
		} finally {
			for (const peer of peers.splice(0)) await peer.close();
		}
	});

	const http = async (answer: RequestListener) => {
		const peer = await Peer.http(answer);
		peers.push(peer);
		return peer;
	};
	const tcp = async (answer: (socket: Socket) => void) => {
		const peer = await Peer.tcp(answer);
		peers.push(peer);
		return peer;
	};
	const says = (body: string | Buffer, headers: Record<string, string> = {}) =>
		http((_request, response) => {
			response.writeHead(200, headers);
			response.end(body);
		});

	describe("sends", () => {
		it("key, name and version, and the query in order", async () => {
			const peer = await says("{}");
			const answer = await httpExchange(
				`${peer.base}/v2/`,
				` ${KEY}\n`,
			)({
				...GET,
				query: [
					["include", "all"],
					["include", "variability"],
					["x", "a b&c"],
				],
			});
			assert.equal(answer.status, 200);
			const [heard] = peer.heard;
			assert.equal(heard?.method, "GET");
			assert.equal(heard?.headers.authorization, `Bearer ${KEY}`);
			assert.equal(heard?.headers["user-agent"], USER_AGENT);
			assert.match(
				USER_AGENT,
				/^@solar-yield\/node-red-solar-yield\/\d+\.\d+\./,
			);
			assert.match(heard?.headers.accept ?? "", /application\/json/);
			const { pathname, searchParams } = new URL(heard?.url ?? "", peer.base);
			assert.equal(pathname, "/v2/sites/");
			assert.deepEqual(
				[...searchParams],
				[
					["include", "all"],
					["include", "variability"],
					["x", "a b&c"],
				],
			);
			assert.equal(heard?.body, "");
		});

		it("bodies as JSON in UTF-8", async () => {
			const peer = await says("{}");
			await httpExchange(peer.base, KEY)(POST);
			const [heard] = peer.heard;
			assert.equal(heard?.method, "POST");
			assert.match(heard?.headers["content-type"] ?? "", /^application\/json/);
			assert.deepEqual(JSON.parse(heard?.body ?? ""), POST.body);
		});

		it("below a base path", async () => {
			const peer = await says("{}");
			await httpExchange(`${peer.base}/solar/v2`, KEY)(GET);
			assert.equal(peer.heard[0]?.url, "/solar/v2/sites/");
		});

		it("no key that no header can hold", async () => {
			const peer = await says("{}");
			for (const key of [
				"a\r\nHost: evil",
				"käse-käse-käse",
				"a\u0000b",
				"\ud800-half",
			]) {
				const error = await rejection(httpExchange(peer.base, key)(GET));
				assert.equal(error.kind, "INPUT");
				assert.match(error.message, /key/);
				assert.ok(!error.message.includes(key));
			}
			assert.equal(peer.heard.length, 0);
		});
	});

	describe("receives", () => {
		it("status, headers in lower case and body, whatever the status", async () => {
			for (const status of [200, 201, 204, 304, 400, 401, 404, 429, 500, 503]) {
				const peer = await http((_request, response) => {
					response.writeHead(status, { "RequestLimit-Used": "7" });
					response.end(status === 204 || status === 304 ? undefined : "text");
				});
				const answer = await httpExchange(peer.base, KEY)(GET);
				assert.equal(answer.status, status);
				assert.equal(answer.headers["requestlimit-used"], "7");
				assert.equal(
					answer.body,
					status === 204 || status === 304 ? "" : "text",
				);
			}
		});

		it("UTF-8 with and without a byte order mark", async () => {
			for (const mark of ["", "\ufeff"]) {
				const peer = await says(`${mark}{"name":"Größe €"}`);
				const { body } = await httpExchange(peer.base, KEY)(GET);
				assert.equal(body, '{"name":"Größe €"}');
			}
		});

		it("a character cut in two by the network", async () => {
			const peer = await http((_request, response) => {
				const bytes = Buffer.from('{"a":"€"}');
				response.write(bytes.subarray(0, 7), () =>
					setImmediate(() => response.end(bytes.subarray(7))),
				);
			});
			assert.equal((await httpExchange(peer.base, KEY)(GET)).body, '{"a":"€"}');
		});

		it("packed bodies", async () => {
			const text = '{"a":1}';
			for (const [encoding, pack] of [
				["gzip", gzipSync],
				["deflate", deflateSync],
				["br", brotliCompressSync],
			] as const) {
				const peer = await says(pack(text), { "Content-Encoding": encoding });
				assert.equal((await httpExchange(peer.base, KEY)(GET)).body, text);
			}
		});

		it("a whole answer of just under 16 MB", async () => {
			const peer = await says(Buffer.alloc(MAX_ANSWER_BYTES, 0x20));
			const { body } = await httpExchange(peer.base, KEY)(GET);
			assert.equal(body.length, MAX_ANSWER_BYTES);
		});
	});

	describe("of an error", () => {
		it("keeps the beginning alone, and the words that stand there", async () => {
			const filler = "x".repeat(16 * 1024 * 1024);
			for (const [text, detail] of [
				[`<title>Gone</title>${filler}`, "Gone"],
				[`Gone ${filler}`, /^Gone x+$/],
				[`{"detail":"Gone","more":"${filler}"}`, /Gone/],
			] as const) {
				const peer = await http((_request, response) => {
					response.writeHead(500);
					response.end(text);
				});
				const answer = await httpExchange(peer.base, KEY)(GET);
				assert.ok(answer.body.length < 256 * 1024);
				const error = failureOf(answer, "forecasts", 0);
				assert.match(error.cause.detail ?? "", new RegExp(detail));
			}
		});

		it("leaves no key at the place where it is cut", async () => {
			for (const left of [1, 8, 16, 24, KEY.length]) {
				const peer = await http((_request, response) => {
					response.writeHead(500);
					response.end(" ".repeat(64 * 1024 - left) + KEY.repeat(3));
				});
				const { body } = await httpExchange(peer.base, KEY)(GET);
				const cut = KEY.slice(0, left);
				assert.ok(left < KEY.length / 2 || !body.includes(cut), cut);
				assert.ok(body.trim().length <= KEY.length / 2);
			}
		});
	});

	describe("on a slow line", () => {
		afterEach(resolveAsBefore);

		it("gives each address more than the time of a near one", async () => {
			await onSlowLine(900, async (port) => {
				resolveTo("127.0.0.1", "127.0.0.9");
				const asked = httpExchange(`http://slow.example:${port}`, KEY)(GET);
				assert.equal((await asked).body, "slow");
			});
		});

		it("falls back where there is no route to the first address", async () => {
			const peer = await says("straight");
			resolveTo("2001:db8::1", "127.0.0.1");
			const { body } = await httpExchange(
				`http://both.example:${peer.port}`,
				KEY,
			)(GET);
			assert.equal(body, "straight");
		});
	});

	describe("refuses", () => {
		it("an answer of 17 MB, with its length said before or not", async () => {
			const body = Buffer.alloc(17 * 1024 * 1024, 0x20);
			for (const headers of [{ "Content-Length": String(body.length) }, {}]) {
				const peer = await says(body, headers);
				const error = await rejection(httpExchange(peer.base, KEY)(GET));
				assert.equal(error.kind, "RESPONSE");
				assert.match(error.message, /16 MB/);
			}
		});

		it("a small answer that unpacks to more", async () => {
			const zeros = Buffer.alloc(17 * 1024 * 1024);
			const quality = { [constants.BROTLI_PARAM_QUALITY]: 0 };
			for (const [encoding, packed] of [
				["gzip", gzipSync(zeros, { level: 1 })],
				["br", brotliCompressSync(zeros, { params: quality })],
			] as const) {
				assert.ok(packed.length < 1_000_000);
				const peer = await says(packed, { "Content-Encoding": encoding });
				const error = await rejection(httpExchange(peer.base, KEY)(GET));
				assert.equal(error.kind, "RESPONSE");
				assert.match(error.message, /16 MB/);
			}
		});

		it("an answer that cannot be unpacked", async () => {
			for (const encoding of ["gzip", "deflate", "br"]) {
				const peer = await says("no such thing, and not at all packed", {
					"Content-Encoding": encoding,
				});
				const error = await rejection(httpExchange(peer.base, KEY)(GET));
				assert.equal(error.kind, "RESPONSE", error.message);
			}
		});

		it("an answer that is no HTTP", async () => {
			const peer = await tcp((socket) => socket.end("SSH-2.0-OpenSSH\r\n"));
			const error = await rejection(httpExchange(peer.base, KEY)(GET));
			assert.equal(error.kind, "RESPONSE");
			assert.match(error.message, /http or https/);
		});
	});

	describe("when the network fails", () => {
		it("says that nobody listens", async () => {
			const peer = await Peer.http(() => {});
			const { base } = peer;
			await peer.close();
			const error = await rejection(httpExchange(base, KEY)(GET));
			assert.equal(error.kind, "NETWORK");
			assert.equal(error.cause.status, null);
			assert.match(error.message, /^127\.0\.0\.1:\d+ refuses connections/);
			const named = base.replace("127.0.0.1", "localhost");
			assert.match(
				(await rejection(httpExchange(named, KEY)(GET))).message,
				/refuses connections/,
			);
		});

		it("says that a name is unknown", async () => {
			// Too long for any name: it is refused without asking the network.
			const host = `${"x".repeat(64)}.invalid`;
			const error = await rejection(httpExchange(`http://${host}`, KEY)(GET));
			assert.equal(error.kind, "NETWORK");
			assert.match(error.message, /^x+\.invalid is a name that nobody knows/);
		});

		const breaks: [what: string, answer: (socket: Socket) => void][] = [
			["a reset before any answer", (socket) => socket.resetAndDestroy()],
			["an end before any answer", (socket) => socket.end()],
			[
				"a reset in the headers",
				(socket) =>
					socket.write("HTTP/1.1 200 OK\r\nContent-", () =>
						socket.resetAndDestroy(),
					),
			],
			[
				"an end in the headers",
				(socket) => socket.end("HTTP/1.1 200 OK\r\nContent-"),
			],
			[
				"a reset in the body",
				(socket) =>
					socket.write(
						'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"a":',
						() => setImmediate(() => socket.resetAndDestroy()),
					),
			],
			[
				"a body shorter than its length",
				(socket) =>
					socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"a":1}'),
			],
			[
				"a chunked body without its end",
				(socket) =>
					socket.end(
						'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n{"a":1}\r\n',
					),
			],
			[
				"a packed body without its end",
				(socket) => {
					const packed = gzipSync('{"a":1}');
					socket.write(
						`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`,
					);
					socket.end(packed.subarray(0, 12));
				},
			],
		];
		for (const [what, answer] of breaks) {
			it(`ends in NETWORK after ${what}`, async () => {
				const peer = await tcp(answer);
				const error = await rejection(httpExchange(peer.base, KEY)(GET));
				assert.equal(error.kind, "NETWORK", error.message);
			});
		}
	});

	describe("waits no longer than it was told", () => {
		const hangs: [what: string, answer: (socket: Socket) => void][] = [
			["before the headers", () => {}],
			[
				"in the headers",
				(socket) => drip(socket, "HTTP/1.1 200 OK\r\n", "X-Drip: 1\r\n"),
			],
			[
				"in the body",
				(socket) =>
					drip(
						socket,
						"HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n",
						" ",
					),
			],
			[
				"in a chunked body",
				(socket) =>
					drip(
						socket,
						"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
						"1\r\n \r\n",
					),
			],
		];
		/** Sends a little, again and again, as long as the other side is there. */
		function drip(socket: Socket, first: string, drop: string): void {
			socket.write(first);
			const timer = setInterval(() => socket.write(drop), 5);
			socket.on("close", () => clearInterval(timer));
		}
		for (const [what, answer] of hangs) {
			it(`for a service that hangs ${what}`, async () => {
				const peer = await tcp(answer);
				const error = await rejection(httpExchange(peer.base, KEY, 100)(GET));
				assert.equal(error.kind, "TIMEOUT");
				assert.match(error.message, /0\.1 s/);
				assert.equal(error.cause.status, null);
			});
		}

		it("for a proxy that hangs, before a tunnel and in it", async () => {
			for (const answer of [
				() => {},
				(socket: Socket) => socket.write("HTTP/1.1 200 Connected\r\n\r\n"),
			]) {
				const proxy = await tcp(answer);
				process.env.HTTPS_PROXY = proxy.base;
				const error = await rejection(
					httpExchange("https://service.example", KEY, 100)(GET),
				);
				assert.equal(error.kind, "TIMEOUT");
			}
		});

		it("for a service that redirects again and again, slowly", async () => {
			const peer = await http((request, response) => {
				setTimeout(() => {
					response.writeHead(302, { Location: `${request.url}x` });
					response.end();
				}, 60);
			});
			const error = await rejection(httpExchange(peer.base, KEY, 150)(GET));
			assert.equal(error.kind, "TIMEOUT");
			assert.ok(peer.heard.length < 6);
		});
	});

	describe("redirects", () => {
		const redirects = (
			to: (base: string, url: string) => string,
			status = 302,
		): RequestListener =>
			function answer(request, response) {
				const base = `http://${request.headers.host}`;
				if (request.url?.includes("/moved")) {
					response.end("there");
					return;
				}
				response.writeHead(status, {
					Location: to(base, request.url ?? ""),
				});
				response.end("moved");
			};

		for (const status of [301, 302, 303, 307, 308]) {
			it(`follows ${status} on the same origin with the key`, async () => {
				for (const to of [
					(base: string) => `${base}/moved?a=1`,
					() => "/moved?a=1",
					() => "/x/../moved?a=1",
				]) {
					const peer = await http(redirects(to, status));
					const answer = await httpExchange(peer.base, KEY)(GET);
					assert.equal(answer.body, "there");
					assert.equal(peer.heard[1]?.url, "/moved?a=1");
					assert.equal(peer.heard[1]?.headers.authorization, `Bearer ${KEY}`);
				}
			});
		}

		it("do not lead to another host, port or protocol: the key stays", async () => {
			const other = await says("caught");
			for (const to of [
				() => `${other.base}/moved`,
				() => `//127.0.0.1:${other.port}/moved`,
				() => `http://127.0.0.1:${other.port}@127.0.0.1:${other.port}/moved`,
				() => `http:\\\\127.0.0.1:${other.port}\\moved`,
				(base: string) => `${base.replace("127.0.0.1", "localhost")}/moved`,
				() => "file:///etc/passwd",
				() => "ftp://127.0.0.1/",
				() => "data:text/plain,x",
			]) {
				for (const status of [301, 307]) {
					const peer = await http(redirects(to, status));
					const error = await rejection(httpExchange(peer.base, KEY)(GET));
					assert.equal(error.kind, "NETWORK");
					assert.equal(error.cause.status, status);
					assert.match(error.message, /another host/);
					assert.equal(peer.heard.length, 1);
				}
			}
			assert.deepEqual(other.heard, []);
		});

		it("to no address are refused", async () => {
			const peer = await http(redirects(() => "http://"));
			const error = await rejection(httpExchange(peer.base, KEY)(GET));
			assert.equal(error.kind, "NETWORK");
			assert.match(error.message, /no address/);
		});

		it("may lead from http to https of the same host", async () => {
			// It cannot speak TLS; that a handshake comes in shows that it was called.
			const tls = await tcp((socket) => socket.destroy());
			const peer = await http(
				redirects(() => `https://127.0.0.1:${tls.port}/moved`),
			);
			const error = await rejection(httpExchange(peer.base, KEY)(GET));
			assert.equal(error.kind, "NETWORK");
			assert.equal(tls.bytes[0], 0x16);
			assert.ok(!tls.bytes.includes(KEY));
		});

		it("keep a name in the address from taking the key's place", async () => {
			const peer = await http(
				redirects((base) => `${base.replace("//", "//user:pass@")}/moved`),
			);
			await httpExchange(peer.base, KEY)(GET);
			assert.equal(peer.heard[1]?.headers.authorization, `Bearer ${KEY}`);
		});

		for (const status of [307, 308]) {
			it(`repeat a change as it was at ${status}`, async () => {
				const peer = await http(redirects(() => "/moved", status));
				await httpExchange(peer.base, KEY)(POST);
				assert.equal(peer.heard[1]?.method, "POST");
				assert.deepEqual(JSON.parse(peer.heard[1]?.body ?? ""), POST.body);
			});
		}

		for (const status of [301, 302, 303]) {
			it(`do not make a read of a change at ${status}`, async () => {
				for (const method of ["POST", "PATCH", "DELETE"] as const) {
					const peer = await http(redirects(() => "/moved", status));
					const error = await rejection(
						httpExchange(peer.base, KEY)({ ...POST, method }),
					);
					assert.equal(error.kind, "NETWORK");
					assert.equal(peer.heard.length, 1);
				}
			});
		}

		it("end after five", async () => {
			const peer = await http(redirects((_base, url) => `${url}x`));
			const error = await rejection(httpExchange(peer.base, KEY)(GET));
			assert.equal(error.kind, "NETWORK");
			assert.match(error.message, /without end/);
			assert.equal(peer.heard.length, 6);
		});

		it("without an address are an answer like others", async () => {
			const peer = await http((_request, response) => {
				response.writeHead(302);
				response.end("where?");
			});
			const { status, body } = await httpExchange(peer.base, KEY)(GET);
			assert.deepEqual([status, body], [302, "where?"]);
		});
	});

	describe("proxies", () => {
		it("come from HTTP_PROXY", async () => {
			const proxy = await says("by proxy");
			process.env.HTTP_PROXY = proxy.base;
			const { body } = await httpExchange("http://service.example", KEY)(GET);
			assert.equal(body, "by proxy");
			assert.equal(proxy.heard[0]?.url, "http://service.example/v2/sites/");
			assert.equal(proxy.heard[0]?.headers.host, "service.example");
		});

		const credentials: [written: string, sent: string][] = [
			["user:pass", "user:pass"],
			[
				"me%40house.example:p%40ss%3Aw%2Frd%23%25",
				"me@house.example:p@ss:w/rd#%",
			],
			["j%C3%BCrgen:gr%C3%BC%C3%9Fe", "jürgen:grüße"],
			// Not all write what they should.
			["user:50%off", "user:50%off"],
			["user:a|b", "user:a|b"],
			["user", "user:"],
		];
		for (const [written, sent] of credentials) {
			it(`get name and password as they are meant: ${written}`, async () => {
				const basic = `Basic ${Buffer.from(sent).toString("base64")}`;
				const proxy = await says("by proxy");
				process.env.http_proxy = proxy.base.replace("//", `//${written}@`);
				await httpExchange("http://service.example", KEY)(GET);
				const [heard] = proxy.heard;
				assert.equal(heard?.headers["proxy-authorization"], basic);
				assert.equal(heard?.headers.authorization, `Bearer ${KEY}`);
				const tunnel = await tcp((socket) =>
					socket.end("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n"),
				);
				process.env.https_proxy = tunnel.base.replace("//", `//${written}@`);
				await httpExchange("https://service.example", KEY)(GET).catch(() => {});
				assert.ok(
					tunnel.bytes.toString().includes(`Proxy-Authorization: ${basic}\r\n`),
				);
			});
		}

		const variables: [name: string, isUsed: boolean][] = [
			["HTTP_PROXY", true],
			["http_proxy", true],
			["ALL_PROXY", true],
			["all_proxy", true],
			["HTTPS_PROXY", false],
			["https_proxy", false],
		];
		for (const [name, isUsed] of variables) {
			it(`${isUsed ? "come" : "do not come"} from ${name} for http`, async () => {
				const proxy = await says("by proxy");
				const peer = await says("straight");
				process.env[name] = proxy.base;
				assert.equal(
					(await httpExchange(peer.base, KEY)(GET)).body,
					isUsed ? "by proxy" : "straight",
				);
			});
		}

		it("may be named without a protocol", async () => {
			const proxy = await says("by proxy");
			process.env.HTTP_PROXY = proxy.base.replace("http://", "");
			const { body } = await httpExchange("http://service.example", KEY)(GET);
			assert.equal(body, "by proxy");
			const tunnel = await tcp((socket) =>
				socket.end("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n"),
			);
			process.env.HTTPS_PROXY = tunnel.base.replace("http://", "");
			await httpExchange("https://service.example", KEY)(GET).catch(() => {});
			assert.match(tunnel.bytes.toString(), /^CONNECT service\.example:443 /);
		});

		for (const value of [
			"socks5://127.0.0.1:1080",
			"http://user:hush#hush@proxy.example:3128",
			"no address",
		]) {
			it(`cannot be ${value}, which is said without its password`, async () => {
				process.env.HTTP_PROXY = value;
				const error = await rejection(
					httpExchange("http://service.example", KEY)(GET),
				);
				assert.equal(error.kind, "NETWORK");
				assert.match(error.message, /HTTP_PROXY/);
				assert.ok(!inspect(error).includes("hush"));
			});
		}

		it("are left aside where NO_PROXY says so", async () => {
			const proxy = await says("by proxy");
			const peer = await says("straight");
			process.env.HTTP_PROXY = proxy.base;
			for (const [except, way] of [
				["example.org,127.0.0.1", "straight"],
				[`127.0.0.1:${peer.port}`, "straight"],
				["*", "straight"],
				[".0.0.1", "straight"],
				["", "by proxy"],
				["example.org", "by proxy"],
				[`127.0.0.1:${peer.port + 1}`, "by proxy"],
			] as const) {
				process.env.NO_PROXY = except;
				const { body } = await httpExchange(peer.base, KEY)(GET);
				assert.equal(body, way, except);
			}
		});

		it("see nothing of what goes to an https service", async () => {
			const proxy = await tcp((socket) =>
				socket.end("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n"),
			);
			process.env.HTTPS_PROXY = proxy.base;
			await httpExchange(
				"https://service.example",
				KEY,
			)(GET).then(
				({ status }) => assert.equal(status, 502),
				(error) => assert.equal(error.kind, "NETWORK"),
			);
			const text = proxy.bytes.toString();
			assert.match(text, /^CONNECT service\.example:443 HTTP/);
			for (const form of KEY_FORMS) assert.ok(!text.includes(form));
		});

		it("that are gone are a failure of the network", async () => {
			const proxy = await Peer.http(() => {});
			process.env.HTTP_PROXY = proxy.base.replace("//", "//user:hush-hush@");
			await proxy.close();
			const error = await rejection(
				httpExchange("http://service.example", KEY)(GET),
			);
			assert.equal(error.kind, "NETWORK");
			assert.ok(!inspect(error).includes("hush-hush"));
		});
	});

	describe("keeps the key to itself", () => {
		const echoes: [what: string, text: string][] = [
			["plain", KEY],
			["as a header", `Bearer ${KEY}`],
			["as JSON", JSON.stringify({ detail: `no key ${KEY} here` })],
			[
				"as JSON with escaped slashes",
				JSON.stringify({ detail: KEY }).replaceAll("/", "\\/"),
			],
			["as an address", `/login?key=${encodeURIComponent(KEY)}&x=1`],
			[
				"as an address in small letters",
				`/login?key=${encodeURIComponent(KEY).replace(/%../g, (code) => code.toLowerCase())}`,
			],
			[
				"as an address of which all is escaped",
				Buffer.from(KEY).toString("hex").replace(/../g, "%$&"),
			],
			["as HTML", [...KEY].map((one) => `&#${one.charCodeAt(0)};`).join("")],
			[
				"as HTML in hexadecimal digits",
				[...KEY].map((one) => `&#x${one.charCodeAt(0).toString(16)};`).join(""),
			],
			["in base64", Buffer.from(KEY).toString("base64")],
			["in base64 of an address", Buffer.from(KEY).toString("base64url")],
			[
				"in base64 of a header",
				Buffer.from(`Bearer ${KEY}`).toString("base64"),
			],
			[
				"in base64 of a name and password",
				Buffer.from(`ab:${KEY}:c`).toString("base64"),
			],
		];
		for (const [what, text] of echoes) {
			it(`when an answer holds it ${what}`, async () => {
				for (const status of [200, 401, 422, 500]) {
					const peer = await http((_request, response) => {
						response.writeHead(status, { "X-Echo": text });
						response.end(text);
					});
					const answer = await httpExchange(peer.base, KEY)(GET);
					assertNoKey(answer);
					if (status > 200) assertNoKey(failureOf(answer, "forecasts", 0));
				}
			});
		}

		it("with one slash escaped and one not", async () => {
			const peer = await says(
				`{"detail":"no ${KEY.replace("/", "\\/")} here"}`,
			);
			const { body } = await httpExchange(peer.base, KEY)(GET);
			assert.equal(body, '{"detail":"no [key] here"}');
		});

		it("whichever of its characters are escaped, in each way", async () => {
			const hex = (one: string) => one.charCodeAt(0).toString(16);
			const ways: ((one: string) => string)[] = [
				(one) => `\\u00${hex(one)}`,
				(one) => `%${hex(one).toUpperCase()}`,
				(one) => `&#x${hex(one)};`,
				(one) => `&#0${one.charCodeAt(0)};`,
			];
			let text = "";
			const peer = await http((_request, response) => response.end(text));
			await fc.assert(
				fc.asyncProperty(
					fc.constantFrom(...ways),
					fc.array(fc.boolean(), {
						minLength: KEY.length,
						maxLength: KEY.length,
					}),
					async (way, escaped) => {
						text = `no ${[...KEY].map((one, at) => (escaped[at] ? way(one) : one)).join("")} here`;
						const { body } = await httpExchange(peer.base, KEY)(GET);
						assert.equal(body, "no [key] here");
					},
				),
				{ numRuns: 50 },
			);
		});

		it("also where it is short", async () => {
			let text = "";
			const peer = await http((_request, response) => response.end(text));
			for (const [key, said, clean] of [
				["abcdef", "no abcdef, abcde", "no [key], abcde"],
				["aaaaaa", "aaaaaaaaaaaaa", "[key][key]a"],
			] as const) {
				text = said;
				assert.equal((await httpExchange(peer.base, key)(GET)).body, clean);
			}
		});

		it("when a redirect holds it", async () => {
			const peer = await http((_request, response) => {
				response.writeHead(302, { Location: `http://evil.example/?${KEY}` });
				response.end();
			});
			await rejection(httpExchange(peer.base, KEY)(GET));
		});

		it("when what comes back is broken", async () => {
			const peer = await tcp((socket) => socket.end(`${KEY}\r\n\r\n`));
			await rejection(httpExchange(peer.base, KEY)(GET));
		});

		it("from what others hook into the same library", async () => {
			const seen: unknown[] = [];
			const hook = axios.interceptors.request.use((config) => {
				seen.push(config);
				return config;
			});
			try {
				const peer = await says("{}");
				await httpExchange(peer.base, KEY)(GET);
			} finally {
				axios.interceptors.request.eject(hook);
			}
			assert.deepEqual(seen, []);
		});

		it("and leaves all else in an answer alone", async () => {
			const body = '{"site_id":"site_testfixture","detail":"test sk live"}';
			const peer = await says(body);
			for (const key of [KEY, "test", ""]) {
				assert.equal((await httpExchange(peer.base, key)(GET)).body, body);
			}
		});
	});
});
