import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import helper from "node-red-node-test-helper";
import { EDITOR_HEADER } from "../../nodes/shared/editor-header";
import { Flows, KEY, SITE } from "../support/flows";
import { routesOf } from "../support/routes";
import { HOUR } from "../support/time";

type Loose = any;

describe("what dialogs ask the server", () => {
	let flows: Flows;
	/** Another host: what it was sent as key. */
	let other: Server;
	let otherUrl: string;
	const stolen: unknown[] = [];

	before(async () => {
		other = createServer((request, response) => {
			stolen.push(request.headers.authorization);
			response.setHeader("content-type", "application/json");
			response.end("[]");
		});
		await new Promise<void>((done) => other.listen(0, "127.0.0.1", done));
		otherUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
	});
	after(() => new Promise((done) => other.close(done)));
	beforeEach(async () => {
		stolen.length = 0;
		flows = new Flows("2026-06-10T08:00:00Z");
		await flows.start();
	});
	afterEach(async () => {
		for (const name of Object.keys(VARIABLES)) delete process.env[name];
		await flows.stop();
	});

	const VARIABLES = {
		SOLAR_YIELD_TEST_KEY: KEY,
		SOLAR_YIELD_TEST_OTHER: "another-key-of-ours",
		TEST_FOREIGN_SECRET: "secret-of-something-else",
		TEST_FOREIGN_TEXT: "no address, but secret",
	};
	const setVariables = () => Object.assign(process.env, VARIABLES);

	const ask = (
		method: "get" | "post",
		path: string,
		body?: object,
		language = "en-US",
	) =>
		new Promise<{ status: number; body: Loose }>((resolve, reject) => {
			const request = (helper.request() as Loose)[method](
				`/solar-yield/${path}`,
			);
			request
				.set(EDITOR_HEADER, language)
				.send(body)
				.end((error: unknown, response: Loose) =>
					error ? reject(error) : resolve(response),
				);
		});
	const check = (body: object) => ask("post", "check", { id: "acc", ...body });

	it("lists the sites before the first deploy, free of charge, or says why it cannot", async () => {
		setVariables();
		await flows.load([], null);
		const good = { baseUrl: flows.url, apiKey: KEY };
		const { status, body } = await check({ id: "new", ...good });
		assert.equal(status, 200);
		assert.deepEqual(Object.keys(body), ["sites"]);
		assert.equal(body.sites[0].site_id, SITE);
		assert.equal(body.sites[0].state, "active");
		const notOurs = (how: string) =>
			`This address is not the Solar Yield Service (it answers with ${how}); check the base URL`;
		const page = ["text/html", "<!doctype html><title>Router</title>"];
		const data = ["application/json", '{"ok":true}'];
		for (const [edit, code, words, answer] of [
			[{ apiKey: "wrong-key" }, "AUTH", "key"],
			[{ baseUrl: "http://127.0.0.1:9" }, "NETWORK", "127.0.0.1"],
			[{ apiKey: "${NO_SUCH_KEY}" }, "INPUT", "NO_SUCH_KEY is not set; set it"],
			[{ baseUrl: "${TEST_FOREIGN_TEXT}" }, "INPUT", "holds no address"],
			[{}, "RESPONSE", notOurs("a web page"), page],
			[{}, "RESPONSE", notOurs("other data"), data],
		] as const) {
			const [type = "", text] = answer ?? [];
			flows.fault =
				text === undefined
					? undefined
					: (_request, response) => {
							response.writeHead(200, { "content-type": type }).end(text);
						};
			const { status, body } = await check({ ...good, ...edit });
			assert.deepEqual([status, body.code], [400, `SOLAR_YIELD_${code}`]);
			assert.ok(body.message.includes(words), body.message);
			assert.ok(!body.message.includes("secret"));
		}
		assert.equal(flows.forecastRequests, 0);
	});

	it("lists what is readable, and says which record is not", async () => {
		await flows.load([flows.account(), ...flows.forecast("f")]);
		flows.fault = (_request, response) =>
			response.end(
				JSON.stringify([
					{ id: "whole" },
					{ id: "broken", latitude: "north" },
					7,
				]),
			);
		const { status, body } = await check({ baseUrl: flows.url, apiKey: KEY });
		assert.equal(status, 200);
		assert.deepEqual(
			body.sites.map(({ site_id }: Loose) => site_id),
			["whole"],
		);
		assert.match(body.notes[0], /\[1\]\.latitude is "north".*\[2\] is 7/);
		const account = { id: "acc", baseUrl: flows.url, apiKey: KEY };
		const german = await ask("post", "check", account, "de");
		assert.match(german.body.notes[0], /Liste der Anlagen.*melden Sie/);
	});

	it("takes a key and an address that were copied with what is around them", async () => {
		await flows.load(
			[
				flows.account({ baseUrl: `${flows.url}/v2/sites/` }),
				...flows.forecast("f"),
			],
			`Bearer ${KEY}`,
		);
		assert.equal(flows.of("f-1").length, 1);
		for (const apiKey of [
			"__PWRD__",
			`Bearer ${KEY}`,
			`Authorization: Bearer ${KEY}`,
		]) {
			const { status, body } = await check({
				baseUrl: `${flows.url}/v2/forecast/${SITE}`,
				apiKey,
			});
			assert.equal(status, 200);
			// It is the deployed one, of which more is known.
			assert.equal(body.quota.used, 1);
		}
	});

	it("adds what is known only if the account is the deployed one", async () => {
		await flows.load([flows.account(), ...flows.forecast("f")]);
		const same = await check({
			baseUrl: `${flows.url}/v2/`,
			apiKey: "__PWRD__",
		});
		assert.equal(same.body.quota.own, 1);
		assert.ok(same.body.available.includes("default"));
		flows.simulator.addAccount({ apiKey: "another-account-key", plan: "plus" });
		const another = await check({
			baseUrl: flows.url,
			apiKey: "another-account-key",
		});
		assert.deepEqual(another.body, { sites: [] });
		const demo = await check({ demo: true });
		assert.deepEqual(Object.keys(demo.body), ["sites"]);
		const facts = await ask("get", "account/acc");
		assert.equal(facts.body.quota.own, 1);
		assert.equal((await ask("get", "account/none")).status, 404);
	});

	it("tells of a month's requests once two forecasts have told their rhythm, never less than is used", async () => {
		const own = new Flows("2026-06-02T05:40:00Z", "updates-4");
		await flows.stop();
		flows = own;
		await flows.start();
		await flows.load([flows.account(), ...flows.forecast("f")]);
		const facts = async () => (await ask("get", "account/acc")).body;
		const first = await facts();
		assert.equal(first.quota.used, 1);
		assert.equal(first.quota.projected, null);
		await flows.runFor(24 * HOUR);
		const known = await facts();
		assert.ok(Math.abs(known.quota.projected - 4 * 29) < 5);
		flows.simulator.spend(KEY, 3000);
		await flows.runFor(8 * HOUR);
		const { used, projected } = (await facts()).quota;
		assert.deepEqual([used, projected], [3000, 3000]);
	});

	it("never sends the stored key, nor a variable's value, to an address that is not deployed with it", async () => {
		setVariables();
		await flows.load([flows.account(), ...flows.forecast("f")]);
		for (const [apiKey, message] of [
			["__PWRD__", /type the API key in again/],
			["", /type the API key in again/],
			["${SOLAR_YIELD_TEST_KEY}", /belongs to a deployed account/],
			["${TEST_FOREIGN_SECRET}", /is not sent to an address/],
		] as const) {
			const { status, body } = await check({ baseUrl: otherUrl, apiKey });
			assert.equal(status, 400, apiKey);
			assert.match(body.message, message);
			assert.match(body.message, /; /);
		}
		const [{ host }, { host: own }] = [new URL(otherUrl), new URL(flows.url)];
		for (const baseUrl of [
			...[`http://${own}@${host}`, `http://${host}#@${own}`, `//${host}`],
			...[`http://${host}?${own}`, `http://${host}\\@${own}`, `http:${host}`],
			...[`http://${host}/${own}`, `http://${own}.evil.test`, `https://${own}`],
			...["${SOLAR_YIELD_TEST_KEY}", ""],
		]) {
			for (const id of ["acc", "f", "__proto__", "", { toString: 1 }]) {
				const { status } = await check({ id, baseUrl, apiKey: "__PWRD__" });
				assert.equal(status, 400, JSON.stringify([id, baseUrl]));
			}
		}
		// Nor to the deployed address, what is not the key used there.
		const foreign = await check({
			baseUrl: flows.url,
			apiKey: "${TEST_FOREIGN_SECRET}",
		});
		assert.equal(foreign.status, 400);
		assert.deepEqual(stolen, []);
		const typed = await check({ baseUrl: otherUrl, apiKey: "typed-key-1" });
		assert.equal(typed.status, 200);
		assert.deepEqual(stolen, ["Bearer typed-key-1"]);
	});

	const inSubflow = (account: object) => [
		{ id: "sub", type: "subflow", name: "sub", in: [], out: [] },
		{ ...account, z: "sub" },
		{ id: "one", type: "subflow:sub", z: "tab", wires: [] },
	];
	const places: [place: string, (account: object) => object[]][] = [
		["is disabled", (account) => [{ ...account, d: true }]],
		["runs in a subflow", inSubflow],
		["has another fault", (account) => [{ ...account, budget: "many" }]],
	];
	for (const [place, nodesOf] of places) {
		it(`sends a variable's value to no other address while the account that uses it ${place}`, async () => {
			setVariables();
			const apiKey = "${SOLAR_YIELD_TEST_KEY}";
			await flows.load(nodesOf(flows.account()), apiKey);
			const id = "new";
			const other = await check({ id, baseUrl: otherUrl, apiKey });
			assert.equal(other.status, 400);
			assert.match(other.body.message, /belongs to a deployed account/);
			assert.deepEqual(stolen, []);
			const own = await check({ id, baseUrl: flows.url, apiKey });
			assert.equal(own.body.sites[0].site_id, SITE);
		});
	}

	it("uses a variable with the address it is deployed with, and never before a deploy, whatever its name", async () => {
		setVariables();
		await flows.load([flows.account()], "${SOLAR_YIELD_TEST_KEY}");
		const deployed = await check({
			baseUrl: flows.url,
			apiKey: "${SOLAR_YIELD_TEST_KEY}",
		});
		assert.equal(deployed.body.sites[0].site_id, SITE);
		for (const id of ["new", "acc"]) {
			const { status, body } = await check({
				id,
				baseUrl: otherUrl,
				apiKey: "${SOLAR_YIELD_TEST_OTHER}",
			});
			assert.equal(status, 400);
			assert.match(body.message, /; deploy first and check then/);
		}
		assert.deepEqual(stolen, []);
	});

	it("knows the key and the address of an account that the demo answers for", async () => {
		setVariables();
		await flows.load(
			[flows.account({ demo: true }), ...flows.forecast("f")],
			"${SOLAR_YIELD_TEST_KEY}",
		);
		for (const apiKey of ["__PWRD__", "${SOLAR_YIELD_TEST_KEY}"]) {
			const { body } = await check({ baseUrl: flows.url, apiKey });
			assert.deepEqual(Object.keys(body), ["sites"]);
			assert.equal(body.sites[0].site_id, SITE);
			assert.equal((await check({ baseUrl: otherUrl, apiKey })).status, 400);
		}
		assert.deepEqual(stolen, []);
	});

	it("tells of all accounts which have a key, and of their sites what they are called", async () => {
		setVariables();
		await flows.load([
			flows.account(),
			flows.account({ id: "off", d: true }),
			flows.account({ id: "keyless" }),
			...flows.forecast("f"),
		]);
		const { body } = await ask("get", "accounts");
		assert.deepEqual(body, { keys: ["acc"], site_names: { [SITE]: "Berlin" } });
	});

	it("previews today and tomorrow with the energies of the messages, and says why it asks when", async () => {
		// The plan's last day lacks its last quarter, which the row after it would bring.
		const small = new Flows("2026-06-10T08:00:00Z", "free");
		await flows.stop();
		flows = small;
		await flows.start();
		await flows.load([flows.account(), ...flows.forecast("f")]);
		const { body } = await ask("get", "forecast/f");
		const { payload, solar } = flows.of("f-1")[0] as Loose;
		assert.deepEqual(
			body.days.map(({ date }: Loose) => date),
			["2026-06-10", "2026-06-11"],
		);
		for (const [index, { energy_kwh }] of body.days.entries()) {
			const { pv_energy_kwh } = payload.daily[index];
			assert.ok(Math.abs(energy_kwh - pv_energy_kwh) < 0.01);
		}
		assert.equal(body.curve.length, payload.values.length);
		assert.equal(body.curve[0][0], Date.parse("2026-06-10T00:00+02:00"));
		assert.equal(
			Date.parse(body.next_request_at),
			Date.parse(solar.next_request_at),
		);
		assert.equal(body.reason, "next_poll_at");
		assert.equal(body.error, null);
		assert.equal((await ask("get", "forecast/none")).status, 404);
	});

	it("judges what the dialog has, where a node was deployed with what is wrong", async () => {
		const system = (power_kw: unknown) =>
			JSON.stringify({
				latitude: 50,
				longitude: 10,
				strings: [{ slope: 30, orientation: 180, power_kw }],
			});
		await flows.load([
			flows.account(),
			...flows.forecast("f", { source: "inline", inline: system("much") }),
		]);
		const preview = (edited: Record<string, string>) =>
			ask(
				"get",
				`forecast/f?${new URLSearchParams({ account: "acc", source: "inline", ...edited })}`,
			);
		const deployed = await preview({ inline: system("much") });
		assert.equal(deployed.status, 400);
		assert.match(deployed.body.message, /power_kw is "much"/);
		const other = await preview({ inline: system(0) });
		assert.match(other.body.message, /power_kw is 0/);
		// Right by now: known after the deploy, as of any node that is new.
		assert.equal((await preview({ inline: system(5) })).status, 404);
		const hours = await preview({ inline: system(5), intervalHours: "0" });
		assert.match(hours.body.message, /intervalHours is "0"/);
		const site = await preview({ source: "site", siteId: "" });
		assert.equal(site.status, 404);
	});

	it("asks once on demand, and shows a site id with blanks and slashes as it is", async () => {
		flows.simulator.addSite(KEY, {
			id: "my house/1",
			name: "House",
			latitude: 50,
			longitude: 10,
			strings: [{ id: "s", slope: 30, orientation: 180, power_kw: 5 }],
		});
		await flows.load([
			flows.account({ siteId: "my house/1" }),
			...flows.forecast("f"),
		]);
		const { body } = await check({ baseUrl: flows.url, apiKey: "__PWRD__" });
		const [found] = body.sites.filter((it: Loose) => it.name === "House");
		assert.equal(found.site_id, "my house/1");
		assert.equal(flows.of("f-1")[0]?.topic, "solar-yield/my_house_1/forecast");
		await flows.runFor(HOUR / 30);
		const before = flows.forecastRequests;
		const asked = await ask("post", "ask-now", { id: "acc" });
		assert.equal(asked.status, 200);
		assert.equal(flows.forecastRequests, before + 1);
	});

	it("survives bodies and ids of every kind", async () => {
		setVariables();
		await flows.load([flows.account(), ...flows.forecast("f")]);
		const bodies: object[] = [
			...[[1, null], { id: { toString: null } }, { strings: [[[]]] }],
			{ id: "acc", baseUrl: { a: 1 }, apiKey: ["x"], siteId: "../x" },
			{ id: "x".repeat(10_000), baseUrl: "x".repeat(10_000) },
			{ params: "text", endpoint: "__proto__", settings: 1 },
			{ params: { latitude: "${SOLAR_YIELD_TEST_KEY}" }, endpoint: "forecast" },
			JSON.parse('{"__proto__":{"polluted":1}}'),
		];
		const answers: string[] = [];
		for (const { method, path } of routesOf()) {
			for (const id of ["acc", "f", "..%2f..", "%00", "__proto__", "a%23b"]) {
				for (const given of method === "POST" ? bodies : [undefined]) {
					const { status, body } = await ask(
						method === "POST" ? "post" : "get",
						path.replace(/:\w+/, id),
						given,
					);
					assert.ok([200, 400, 404].includes(status), `${path}: ${status}`);
					if (status === 400) assert.match(`${body.code}`, /^SOLAR_YIELD_/);
					answers.push(JSON.stringify(body));
				}
			}
		}
		assert.ok(!answers.join().includes(KEY));
		assert.deepEqual(stolen, []);
	}).timeout(20_000);

	it("is not found with the id of another type's node", async () => {
		const other = { type: "solar-yield-now", solarYield: { view: () => 1 } };
		const own = routesOf({
			nodes: { registerType() {}, getNode: () => other },
		});
		for (const { path, handlers } of own) {
			if (!/^(account|battery|learn|window)\/:id$/.test(path)) continue;
			const status = await new Promise((done) => {
				const response = { status: done, json: done };
				handlers.at(-1)?.(
					{ params: { id: "n" }, headers: {}, body: {} },
					response,
				);
			});
			assert.equal(status, 404, path);
		}
	});

	it("costs one listener for the start of the flows, however many accounts there are", async () => {
		const warnings: string[] = [];
		const onWarning = ({ name }: Error) => warnings.push(name);
		process.on("warning", onWarning);
		try {
			const accounts = Array.from({ length: 15 }, (_, index) =>
				flows.account({ id: `acc${index}`, demo: true }),
			);
			await flows.load([
				...accounts,
				flows.account({ demo: true }),
				...flows.forecast("f"),
			]);
			const { events } = (helper as Loose)._RED;
			const count = events.listenerCount("flows:started");
			assert.equal(flows.of("f-1").length, 1);
			await flows.deploy([{ id: "f-1", type: "helper", z: "tab" }]);
			assert.equal(events.listenerCount("flows:started"), count - 1);
			assert.deepEqual(warnings, []);
		} finally {
			process.off("warning", onWarning);
		}
	});
});
