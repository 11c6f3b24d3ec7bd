import assert from "node:assert/strict";
import { afterEach, describe, it } from "mocha";
import { createDemo } from "../../src/simulator/demo";
import {
	type SimulatorServer,
	type SimulatorServerOptions,
	startSimulatorServer,
} from "../../src/simulator/server";
import { KEY, World } from "./support";

const HEADERS = { authorization: `Bearer ${KEY}` };

describe("simulator: HTTP server", () => {
	let server: SimulatorServer | undefined;

	async function start(options: SimulatorServerOptions = {}) {
		const world = new World("2026-06-10T08:00:00Z");
		world.addSite();
		server = await startSimulatorServer(world.simulator, options);
		return { world, url: server.url };
	}

	afterEach(async () => {
		await server?.close();
		server = undefined;
	});

	it("answers as the simulator does", async () => {
		const { world, url } = await start();
		assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
		const query = "include=all&include=variability&timezone=utc";
		const response = await fetch(`${url}/v2/forecast/site_a?${query}`, {
			headers: HEADERS,
		});
		assert.equal(response.status, 200);
		assert.equal(response.headers.get("RequestLimit-Used"), "1");
		assert.equal(response.headers.get("date"), "Wed, 10 Jun 2026 08:00:00 GMT");
		assert.equal(await response.text(), world.forecast(query).text);
	});

	it("takes bodies and sends empty ones", async () => {
		const { url } = await start();
		const created = await fetch(`${url}/v2/sites`, {
			method: "POST",
			headers: HEADERS,
			body: JSON.stringify({ name: "Dach Süd", latitude: 48, longitude: 11 }),
		});
		assert.equal(created.status, 201);
		assert.equal(((await created.json()) as { name: string }).name, "Dach Süd");
		const refused = await fetch(`${url}/v2/sites`, {
			method: "POST",
			headers: HEADERS,
			body: "x".repeat(10_000_001),
		});
		assert.equal(refused.status, 413);
		const none = await fetch(`${url}/v2/sites`);
		assert.equal(none.status, 401);
	});

	it("lets an interceptor answer, cut or pass on", async () => {
		const { world, url } = await start({
			intercept: (request, response, next) => {
				if (request.url === "/cut") request.socket.destroy();
				else if (request.url === "/own") response.writeHead(503).end("down");
				else next();
			},
		});
		await assert.rejects(fetch(`${url}/cut`));
		assert.equal((await fetch(`${url}/own`)).status, 503);
		const passed = await fetch(`${url}/v2/sites/`, { headers: HEADERS });
		assert.equal(passed.status, 200);
		assert.equal(world.simulator.requests.length, 1);
	});

	it("closes with requests hanging, and frees the port", async () => {
		const { url, world } = await start({ intercept: () => {} });
		const hanging = assert.rejects(fetch(`${url}/v2/sites`));
		await new Promise((resolve) => setTimeout(resolve, 20));
		await server?.close();
		await hanging;
		const port = Number(new URL(url).port);
		server = await startSimulatorServer(world.simulator, { port });
		assert.equal(server.url, url);
		await assert.rejects(startSimulatorServer(world.simulator, { port }));
	});
});

describe("simulator: exchange and demo", () => {
	it("speaks the wire in process, and minds an aborted signal", async () => {
		const world = new World("2026-06-10T08:00:00Z");
		world.addSite();
		const exchange = world.simulator.exchange(KEY);
		const answer = await exchange({
			method: "GET",
			path: "/v2/forecast/site_a",
			query: [
				["include", "weather"],
				["include", "default"],
			],
		});
		assert.deepEqual(JSON.parse(answer.body).included, ["default", "weather"]);
		assert.equal(answer.headers["requestlimit-used"], "1");
		const patched = await exchange({
			method: "PATCH",
			path: "/v2/sites/site_a",
			body: { name: "New" },
		});
		assert.equal(JSON.parse(patched.body).name, "New");
		const wrong = await world.simulator.exchange("nobody")({
			method: "GET",
			path: "/v2/sites/",
		});
		assert.equal(wrong.status, 401);
		await assert.rejects(
			exchange({ method: "GET", path: "/v2/sites/" }, AbortSignal.abort()),
		);
		assert.equal(world.simulator.requests.length, 3);
	});

	it("has a demo house with two strings under fixed ids", async () => {
		const now = Date.parse("2026-06-10T08:00:00Z");
		const { simulator, apiKey, siteId } = createDemo(() => now);
		const answer = await simulator.exchange(apiKey)({
			method: "GET",
			path: `/v2/forecast/${siteId}`,
			query: [["include", "all"]],
		});
		const forecast = JSON.parse(answer.body);
		assert.equal(forecast.site_id, "site_demo");
		assert.deepEqual(
			[
				...new Set(
					forecast.strings.map((row: { string_id: string }) => row.string_id),
				),
			],
			["str_demo_east", "str_demo_west"],
		);
		const list = await simulator.exchange(apiKey)({
			method: "GET",
			path: "/v2/sites/",
		});
		assert.equal(JSON.parse(list.body)[0].name, "Demo house");
	});
});
