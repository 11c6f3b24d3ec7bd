import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fromEditor } from "../../nodes/admin";
import { registration, TYPES } from "../../nodes/registration";
import { EDITOR_HEADER } from "../../nodes/shared/editor-header";
import { Collector } from "../support/collector";
import { NodeRed } from "../support/node-red-process";
import { v1Node } from "../support/own-nodes";
import type { SimulatorServer } from "../support/service/server";
import type { Simulator } from "../support/service/simulator";
import { assertNoKey } from "./harness/leaks";
import {
	account,
	catcher,
	forecast,
	KEY,
	remove,
	removeInstalled,
	SITE,
	startService,
	TAB,
	userDirectory,
	writeFlows,
} from "./harness/nodes";

const NODES = join(__dirname, "../../nodes");
const PASSWORD = "pass-word";

/** Every route that the package adds to the editor's, as Node-RED is given them. */
const ROUTES = TYPES.flatMap((type) => {
	const routes: {
		method: string;
		path: string;
		permission: string;
		isGuarded: boolean;
	}[] = [];
	const note =
		(method: string) =>
		(path: string, permission: string, ...handlers: unknown[]) => {
			const isGuarded = handlers.includes(fromEditor);
			routes.push({ method, path, permission, isGuarded });
		};
	registration(type)({
		nodes: { registerType: () => {} },
		auth: { needsPermission: (name: string) => name.split(".").at(-1) },
		httpAdmin: { get: note("GET"), post: note("POST") },
	} as never);
	return routes;
});

const bcrypt = createRequire(
	createRequire(require.resolve("node-red/package.json")).resolve(
		"@node-red/editor-api",
	),
)("bcryptjs");

describe("the editor's requests", () => {
	const collector = new Collector();
	let service: SimulatorServer;
	let simulator: Simulator;
	let red: NodeRed;
	let userDir: string;
	const tokens: Record<string, string> = {};
	/** Another host, and what it was sent. */
	let other: Server;
	let otherUrl: string;
	const overheard: string[] = [];
	/** All that was answered. */
	const answers: string[] = [];

	before(async function () {
		this.timeout(120_000);
		await collector.start();
		({ server: service, simulator } = await startService());
		other = createServer((request, response) => {
			overheard.push(`${request.url} ${JSON.stringify(request.headers)}`);
			response.end("[]");
		});
		await new Promise<void>((done) => other.listen(0, "127.0.0.1", done));
		otherUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
		userDir = userDirectory();
		const { entry, nodes } = collector.nodes("caught", "tab");
		const shown = collector.nodes("shown", "tab");
		writeFlows(
			userDir,
			[
				TAB,
				account(service.url),
				account("http://service.test", { id: "plain" }),
				account("http://service.test/", { id: "plain2" }),
				account("http://127.0.0.1.evil.test", { id: "nearly" }),
				account(service.url, { id: "fromenv" }),
				forecast("fc", [shown.entry], { poll: "manual" }),
				// A node must use a config node for it to be started everywhere.
				forecast("fc-plain", [], { poll: "manual", account: "plain" }),
				forecast("fc-plain2", [], { poll: "manual", account: "plain2" }),
				forecast("fc-nearly", [], { poll: "manual", account: "nearly" }),
				v1Node(),
				{
					id: "in",
					type: "http in",
					z: "tab",
					url: "/in",
					method: "post",
					wires: [["set"]],
				},
				{
					id: "set",
					type: "function",
					z: "tab",
					func: "return [{siteId: msg.payload.siteId, refresh: true}, {res: msg.res, req: msg.req, payload: 'ok'}];",
					outputs: 2,
					wires: [["fc"], ["out"]],
				},
				{ id: "out", type: "http response", z: "tab", wires: [] },
				catcher([entry]),
				...nodes,
				...shown.nodes,
			],
			{
				acc: { apiKey: KEY },
				plain: { apiKey: "key-of-plain" },
				plain2: { apiKey: "key-of-plain-2" },
				nearly: { apiKey: "key-of-nearly" },
				fromenv: { apiKey: "${SOLAR_YIELD_KEY}" },
			},
		);
		red = new NodeRed(
			userDir,
			{ SOLAR_YIELD_KEY: KEY },
			{
				adminAuth: {
					type: "credentials",
					users: [
						{
							username: "reader",
							password: bcrypt.hashSync(PASSWORD, 4),
							permissions: "read",
						},
						{
							username: "full",
							password: bcrypt.hashSync(PASSWORD, 4),
							permissions: "*",
						},
					],
				},
			},
		);
		await red.start();
		for (const username of ["reader", "full"]) {
			const response = await fetch(`${red.url}/auth/token`, {
				method: "POST",
				headers: { "Content-Type": "application/json" },
				body: JSON.stringify({
					client_id: "node-red-editor",
					grant_type: "password",
					scope: username === "full" ? "*" : "read",
					username,
					password: PASSWORD,
				}),
			});
			tokens[username] = ((await response.json()) as any).access_token;
			assert.ok(tokens[username], username);
		}
	});
	after(async () => {
		await red?.stop();
		await service?.close();
		await collector.stop();
		other?.close();
		if (userDir) remove(userDir);
		removeInstalled();
	});

	async function ask(
		method: string,
		path: string,
		user?: string,
		body: object = {},
	): Promise<{ status: number; text: string }> {
		const response = await fetch(red.url + path, {
			method,
			headers: {
				[EDITOR_HEADER]: "1",
				...(user && { Authorization: `Bearer ${tokens[user]}` }),
				...(method !== "GET" && { "Content-Type": "application/json" }),
			},
			...(method !== "GET" && { body: JSON.stringify(body) }),
		});
		const text = await response.text();
		answers.push(text);
		return { status: response.status, text };
	}
	const filled = (path: string) =>
		path
			.replace(":account", "acc")
			.replace(":id", /forecast/.test(path) ? "fc" : "acc");

	it("are all known here, and each names its permission", () => {
		assert.ok(ROUTES.length >= 10);
		const calls = readdirSync(NODES, { recursive: true, encoding: "utf8" })
			.filter((file) => file.endsWith(".ts"))
			.map((file) => readFileSync(join(NODES, file), "utf8"))
			.join("\n")
			.match(/httpAdmin\b/g);
		// The one that notes them all.
		assert.equal(calls?.length, 1);
		for (const { method, path, permission, isGuarded } of ROUTES) {
			assert.match(path, /^\/solar-yield\//);
			assert.match(permission, /^(read|write)$/, path);
			// Those draw what the settings in the dialog would do, and change nothing.
			const isReading =
				method === "GET" || /\/(window|battery)\/:id$/.test(path);
			assert.equal(permission, isReading ? "read" : "write", path);
			// What writes, asks or reads a variable is for the editor's own page alone.
			assert.equal(
				isGuarded,
				method !== "GET" || path === "/solar-yield/site/:account",
				`${method} ${path}`,
			);
		}
	});

	it("are refused to who is nobody, and the writing ones to who may read", async () => {
		for (const { method, path, permission } of ROUTES) {
			const at = `${method} ${path}`;
			assert.equal((await ask(method, filled(path))).status, 401, at);
			const { status } = await ask(method, filled(path), "reader");
			if (permission === "write") assert.equal(status, 401, at);
			else assert.notEqual(status, 401, at);
		}
	});

	it("are answered to who may write", async () => {
		for (const { method, path } of ROUTES) {
			const { status } = await ask(method, filled(path), "full", { id: "acc" });
			assert.ok(
				[200, 400, 404].includes(status),
				`${method} ${path}: ${status}`,
			);
		}
		const { status, text } = await ask("POST", "/solar-yield/check", "full", {
			id: "acc",
			baseUrl: service.url,
			apiKey: "__PWRD__",
		});
		assert.equal(status, 200);
		assert.match(text, new RegExp(SITE));
	});

	it("never send the stored key to another host", async () => {
		const { port } = new URL(service.url);
		const { host } = new URL(otherUrl);
		for (const baseUrl of [
			otherUrl,
			`${otherUrl}/v2`,
			`http://127.0.0.1:${port}@${host}`,
			`http://${host}#@127.0.0.1:${port}`,
			`http://${host}?127.0.0.1:${port}`,
			`http://${host}\\@127.0.0.1:${port}`,
			`http://${host}/127.0.0.1:${port}`,
			`http:${host}`,
			`//${host}`,
			`http://localhost:${port}`,
			`http://127.0.0.1:${port}.evil.test`,
			`https://127.0.0.1:${port}`,
			"${SOLAR_YIELD_KEY}",
			"",
		]) {
			for (const apiKey of [
				"",
				"__PWRD__",
				null,
				"${SOLAR_YIELD_KEY}",
				"${PATH}",
			]) {
				for (const id of [
					"acc",
					"fromenv",
					"plain",
					"fc",
					"__proto__",
					"",
					{ toString: 1 },
				]) {
					const { status, text } = await ask(
						"POST",
						"/solar-yield/check",
						"full",
						{ id, baseUrl, apiKey },
					);
					assert.equal(
						status,
						400,
						`${JSON.stringify([id, baseUrl, apiKey])}: ${text}`,
					);
				}
			}
		}
		assert.deepEqual(overheard, []);
		// Nor do they act for a page that cannot send the editor's header.
		const { status } = await fetch(`${red.url}/solar-yield/check`, {
			method: "POST",
			headers: {
				"Content-Type": "application/json",
				Authorization: `Bearer ${tokens.full}`,
			},
			body: JSON.stringify({ id: "acc", baseUrl: otherUrl, apiKey: "typed" }),
		});
		assert.equal(status, 403);
		assert.deepEqual(overheard, []);
		// A key that is typed in goes where it is sent, and the stored one stays.
		await ask("POST", "/solar-yield/check", "full", {
			id: "acc",
			baseUrl: otherUrl,
			apiKey: "typed-in-key",
		});
		assert.equal(overheard.length, 1);
		assert.match(overheard[0] ?? "", /typed-in-key/);
		assertNoKey(KEY, overheard.join("\n"), "what another host was sent");
	}).timeout(60_000);

	it("survive bodies of every kind", async () => {
		for (const { method, path } of ROUTES.filter(
			(it) => it.method === "POST",
		)) {
			for (const body of [
				[],
				[1, null],
				{ id: null },
				{ id: { toString: null } },
				{ id: "acc", baseUrl: { a: 1 }, apiKey: ["x"] },
				{ id: "x".repeat(10_000), baseUrl: "x".repeat(10_000) },
				{ params: "text", endpoint: "__proto__" },
				{
					params: { latitude: "${SOLAR_YIELD_KEY}" },
					endpoint: "forecast",
				},
				{ strings: null, siteId: "../x" },
				{ strings: [[[]]], siteId: { a: 1 }, removeStrings: "yes" },
				JSON.parse(
					'{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
				),
			]) {
				const { status, text } = await ask(method, filled(path), "full", body);
				assert.ok(
					status === 200 || status === 400 || status === 404,
					`${path}: ${status}`,
				);
				if (status === 400)
					assert.match(JSON.parse(text).code, /^SOLAR_YIELD_/);
			}
		}
		for (const id of [
			"..%2f..",
			"%00",
			"x".repeat(3000),
			"__proto__",
			"a%23b",
		]) {
			for (const { method, path } of ROUTES.filter(({ path }) =>
				path.includes(":"),
			)) {
				const { status } = await ask(method, path.replace(/:\w+/, id), "full");
				assert.ok(status >= 200 && status < 500, `${path} ${id}: ${status}`);
			}
		}
		assert.ok(red.running);
	}).timeout(60_000);

	it("warn once of an address that leaves the machine without encryption", () => {
		const warned = red.log.match(/The base URL begins with http:/g);
		assert.equal(warned?.length, 2, "once for each of two addresses");
	});

	it("and messages refuse site ids that would lead elsewhere, or send them where they belong", async () => {
		const { requests } = simulator;
		for (const siteId of [
			"../sites",
			"%2e%2e",
			"x?include=all",
			"a+b",
			"a\u0000b",
			"//evil.test",
			"x".repeat(10_000),
			"\ud800",
			"inline",
		]) {
			collector.clear();
			requests.length = 0;
			await fetch(`${red.url}/in`, {
				method: "POST",
				headers: { "Content-Type": "application/json" },
				body: JSON.stringify({ siteId }),
			});
			const [msg] = await collector.wait("caught");
			assert.match(
				msg?.error.code,
				/^SOLAR_YIELD_(INPUT|NOT_FOUND)$/,
				siteId.slice(0, 30),
			);
			assert.ok(msg?.error.message.length < 900);
			assert.doesNotMatch(msg?.topic ?? "", /[#+]|\.\.\//);
			for (const { path } of requests) {
				assert.ok(
					path === `/v2/forecast/${encodeURIComponent(siteId)}` ||
						path === `/v2/sites/${encodeURIComponent(siteId)}` ||
						path === "/v2/sites/",
					path,
				);
			}
		}
		assert.ok(red.running);
	}).timeout(60_000);

	it("and nothing that was answered, logged or exported holds the key", async () => {
		await ask("GET", "/flows", "full");
		await ask("GET", "/flows", "reader");
		await ask("GET", "/credentials/solar-yield-account/acc", "full");
		assertNoKey(KEY, answers.join("\n"), "an answer to the editor");
		assertNoKey(KEY, red.log, "the log");
		assertNoKey(KEY, JSON.stringify(collector.messages), "a message");
	});
});
