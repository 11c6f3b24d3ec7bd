import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import helper from "node-red-node-test-helper";
import { EDITOR_HEADER } from "../../nodes/shared/editor-header";
import {
	type Answer,
	Editor,
	hasV1,
	type LANGUAGES,
} from "../support/editor-dialog";
import { Flows, KEY, NODES, SITE } from "../support/flows";
import { HOUR } from "../support/time";

type Loose = any;

const TYPE = "solar-yield-account";

const QUOTA = {
	limit: 1000,
	unmetered: false,
	used: 120,
	remaining: 880,
	reset: "2026-12-01T00:00:00Z",
	as_of: "2026-11-27T12:00:00Z",
	own: 100,
	projected: 160,
	pace: "full",
};
const FACTS = {
	available: ["default", "strings", "wind"],
	quota: QUOTA,
	timezone: "Europe/Berlin",
};
const SITES = [
	{
		site_id: "north/1",
		name: "North",
		state: "active",
		timezone: "Europe/Berlin",
		strings: 2,
		power_kw: 9.8,
	},
];

describe("the account's dialog, open", () => {
	const id = (name: string) => `solar-yield-account-${name}`;
	const field = (name: string) => `node-config-input-${name}`;

	/** Opens the dialog; the server answers by method and path. */
	async function open(
		answers: Record<string, unknown>,
		given: object = {},
		language: (typeof LANGUAGES)[number] = "en-US",
	) {
		const editor = new Editor(language);
		const asked: Loose[] = [];
		const sent: Loose[] = [];
		editor.onAjax = (options) => {
			const { method, url, data, headers } = options as Loose;
			asked.push([method, url, data && JSON.parse(data)]);
			sent.push(headers ?? {});
			const answer = answers[`${method} ${url}`] as Answer | undefined;
			return answer ?? { status: 404 };
		};
		const page = editor.open(TYPE, { id: "a", ...given });
		await page.settle();
		return { page, asked, sent };
	}
	const says = (responseJSON: unknown): Answer => ({
		status: 200,
		responseJSON,
	});

	it("chooses the default in a list whose property a flow file lacks, and no other value", async () => {
		for (const [interval, shown] of [
			[undefined, "end"],
			["", "end"],
			["start", "start"],
		]) {
			const { page } = await open({}, { interval });
			assert.equal(page.element(field("interval")).val(), shown);
		}
	});

	it("names groups as the forecast's dialog does, with their keys", async () => {
		for (const [language, plan, used] of [
			[
				"en-US",
				"Groups in the plan: Power (default), Strings (strings), wind",
				/^Used 120 of 1,000, left 880 until Dec 1(, 2026)?, 01:00 .* · as of Nov 27(, 2026)?, 13:00$/,
			],
			[
				"de",
				"Gruppen im Tarif: Leistung (default), Strings (strings), wind",
				/^120 von 1.000 verbraucht, 880 übrig bis 1\. Dez\.( 2026)?, 01:00 .* · Stand 27\. Nov\.( 2026)?, 13:00$/,
			],
		] as const) {
			const { page } = await open(
				{ "GET solar-yield/account/a": says(FACTS) },
				{},
				language,
			);
			assert.equal(page.element(id("plan")).shown, plan);
			assert.match(page.element(id("usage")).shown, used);
		}
	});

	it("shows of another account than the deployed one nothing that is the deployed one's", async () => {
		const { page, asked } = await open(
			{
				"GET solar-yield/account/a": says(FACTS),
				"POST solar-yield/check": says({ sites: SITES }),
			},
			{ demo: true, baseUrl: "https://service.example" },
		);
		const usage = page.element(id("usage"));
		const deployed = usage.shown;
		assert.match(deployed, /^Used 120/);
		assert.ok(!page.element(id("service")).isVisible);
		await page.enter(field("demo"), false);
		assert.ok(page.element(id("service")).isVisible);
		assert.match(usage.shown, /known after the first forecast/);
		assert.equal(page.element(id("plan")).shown, "");
		await page.press(id("check"));
		assert.match(page.element(id("checked")).shown, /key is good.*North/);
		assert.match(usage.shown, /known after the first forecast/);
		assert.equal(page.element(field("siteId")).value, "north/1");
		await page.press(id("ask"));
		assert.match(page.element(id("asked")).shown, /deploy it first/);
		assert.ok(!asked.some(([, url]) => /ask-now/.test(url)));
		// Back to what is deployed.
		await page.enter(field("demo"), true);
		assert.equal(usage.shown, deployed);
		// A site or a budget is no other account.
		await page.enter(field("budget"), "500");
		assert.equal(usage.shown, deployed);
		await page.enter(field("apiKey"), "another");
		assert.match(usage.shown, /known after the first forecast/);
	});

	it("shows nothing of the deployed account when it was edited since", async () => {
		const answers = { "GET solar-yield/account/a": says(FACTS) };
		const { page } = await open(answers, { changed: true });
		assert.match(
			page.element(id("usage")).shown,
			/known after the first forecast/,
		);
	});

	it("shows the reserve of the plan, and what Check and Ask now bring", async () => {
		const after = {
			...FACTS,
			quota: { ...QUOTA, used: 121, as_of: "2026-11-27T13:00:00Z" },
		};
		const { page } = await open({
			"GET solar-yield/account/a": says(FACTS),
			"POST solar-yield/check": says({ ...FACTS, sites: SITES }),
			"POST solar-yield/ask-now": says(after),
		});
		assert.match(page.element(id("reserve-hint")).shown, /which is 50$/);
		await page.press(id("check"));
		assert.match(page.element(id("usage")).shown, /^Used 120/);
		assert.match(
			page.element(id("site-note")).shown,
			/^North · north\/1 · 9\.8 kWp/,
		);
		await page.press(id("ask"));
		assert.match(page.element(id("usage")).shown, /^Used 121/);
		assert.match(page.element(id("asked")).shown, /^Asked/);
	});

	it("writes numbers as the editor's language does", async () => {
		const { page } = await open(
			{ "POST solar-yield/check": says({ sites: SITES }) },
			{},
			"de",
		);
		await page.press(id("check"));
		assert.match(page.element(id("site-note")).shown, / 9,8 kWp /);
	});

	it("sends with each request the header that no form of a web page can", async () => {
		const { page, asked, sent } = await open({
			"GET solar-yield/account/a": says(FACTS),
			"POST solar-yield/check": says({ sites: SITES }),
			"POST solar-yield/ask-now": says(FACTS),
		});
		await page.press(id("check"));
		await page.press(id("ask"));
		assert.ok(asked.length >= 4);
		for (const headers of sent) assert.ok(headers[EDITOR_HEADER]);
	});

	it("says what the server has against a request that was refused", async () => {
		const { page } = await open({
			"POST solar-yield/check": {
				status: 403,
				responseJSON: {
					code: "SOLAR_YIELD_INPUT",
					message: "The request comes from elsewhere; let the proxy pass it on",
				},
			},
		});
		await page.press(id("check"));
		assert.match(
			page.element(id("checked")).shown,
			/: The request comes from elsewhere; let the proxy pass it on$/,
		);
	});

	it("says what is wrong with the list of sites beside what was found", async () => {
		const { page } = await open({
			"POST solar-yield/check": says({
				sites: SITES,
				notes: ["The service has more sites than it has listed; name one"],
			}),
		});
		await page.press(id("check"));
		assert.match(
			page.element(id("checked")).shown,
			/key is good.*North.* The service has more sites than it has listed; name one$/,
		);
	});

	it("begins success and failure alike, with a tick or without", async () => {
		const [north] = SITES;
		for (const [sites, text] of [
			[[], /^Connected: the key is good\. .* no site yet/],
			[[north], /^Connected: the key is good\. .*North$/],
			[[north, { ...north, site_id: "b" }], /^Connected: .* choose from: 2$/],
		] as const) {
			const { page } = await open({
				"POST solar-yield/check": says({ sites }),
			});
			await page.press(id("check"));
			const checked = page.element(id("checked"));
			assert.match(checked.shown, text);
			assert.deepEqual([...checked.classes], ["solar-yield-good"]);
		}
		const { page } = await open({
			"POST solar-yield/check": {
				status: 400,
				responseJSON: { code: "SOLAR_YIELD_NETWORK", message: "Off; wait" },
			},
		});
		await page.press(id("check"));
		const checked = page.element(id("checked"));
		assert.equal(checked.shown, "Not connected: Off; wait");
		assert.deepEqual([...checked.classes], ["solar-yield-error"]);
	});

	it("fills in the only usable site, else opens the list, and leaves a chosen one", async () => {
		const [north] = SITES;
		const [two, gone] = [
			{ ...north, site_id: "b" },
			{ ...north, site_id: "c", state: "deleted" },
		];
		for (const [sites, before, after, opens] of [
			[[north, gone], "", "north/1", 0],
			[[north, two, gone], "", "", 1],
			[[north, two], "b", "b", 0],
			[[gone], "", "", 0],
		] as const) {
			const { page } = await open(
				{ "POST solar-yield/check": says({ sites }) },
				{ siteId: before },
			);
			let opened = 0;
			page.element(field("siteId")).on("keyup", () => {
				opened += 1;
			});
			await page.press(id("check"));
			assert.equal(page.element(field("siteId")).value, after);
			assert.equal(opened, opens);
		}
	});

	it("takes off what was copied along with address and key", async () => {
		const { page } = await open({}, { baseUrl: "https://old.example/v2/" });
		const url = page.element(field("baseUrl"));
		assert.equal(url.value, "https://old.example/v2/", "as it is stored");
		for (const [typed, used] of [
			["https://api.example/v2/sites/", "https://api.example"],
			[" https://api.example/ ", "https://api.example"],
			["${SOLAR_URL}", "${SOLAR_URL}"],
			["api.example", "api.example"],
		] as const) {
			await page.enter(field("baseUrl"), typed);
			assert.equal(url.value, used);
		}
		const key = page.element(field("apiKey"));
		for (const [typed, used] of [
			["Bearer sk-1", "sk-1"],
			["  bearer   sk-1 ", "sk-1"],
			["Authorization: Bearer sk-1", "sk-1"],
			["bearer-of-news", "bearer-of-news"],
			["__PWRD__", "__PWRD__"],
		] as const) {
			await page.enter(field("apiKey"), typed);
			assert.equal(key.value, used);
		}
	});

	it("says why Check failed, and what is known before the first deploy", async () => {
		const { page } = await open({
			"POST solar-yield/check": {
				status: 400,
				responseJSON: {
					code: "SOLAR_YIELD_AUTH",
					message: "The service refused the key; enter another",
				},
			},
		});
		assert.match(page.element(id("usage")).shown, /Deploy first/);
		await page.press(id("check"));
		const checked = page.element(id("checked"));
		assert.equal(
			checked.shown,
			"Not connected: The service refused the key; enter another",
		);
		assert.ok(checked.classes.has("solar-yield-error"));
	});
});

describe("what the account's dialog asks the server", () => {
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

	it("lists the sites before the first deploy, free of charge", async () => {
		await flows.load([], null);
		const { status, body } = await ask("post", "check", {
			id: "new",
			baseUrl: flows.url,
			apiKey: KEY,
		});
		assert.equal(status, 200);
		assert.deepEqual(Object.keys(body), ["sites"]);
		assert.equal(body.sites[0].site_id, SITE);
		assert.equal(body.sites[0].state, "active");
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

	it("tells another server from the service, and how that answers", async () => {
		await flows.load([], null);
		for (const [type, answer, how] of [
			["text/html", "<!doctype html><title>Router</title>", "a web page"],
			["application/json", '{"ok":true}', "other data"],
		] as const) {
			flows.fault = (_request, response) => {
				response.writeHead(200, { "content-type": type }).end(answer);
			};
			const { status, body } = await check({ baseUrl: flows.url, apiKey: KEY });
			assert.equal(status, 400);
			assert.equal(
				body.message,
				`This address is not the Solar Yield Service (it answers with ${how}); check the base URL`,
			);
		}
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

	it("tells a refused key, an unreachable address and a missing variable apart", async () => {
		await flows.load([], null);
		const refused = await check({ baseUrl: flows.url, apiKey: "wrong-key" });
		assert.deepEqual(
			[refused.status, refused.body.code],
			[400, "SOLAR_YIELD_AUTH"],
		);
		const gone = await check({ baseUrl: "http://127.0.0.1:9", apiKey: KEY });
		assert.equal(gone.body.code, "SOLAR_YIELD_NETWORK");
		const unset = await check({ baseUrl: flows.url, apiKey: "${NO_SUCH_KEY}" });
		assert.match(unset.body.message, /NO_SUCH_KEY is not set; set it/);
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

	it("does not show what a variable holds that is no address", async () => {
		setVariables();
		await flows.load([], null);
		const { body } = await check({
			baseUrl: "${TEST_FOREIGN_TEXT}",
			apiKey: KEY,
		});
		assert.match(body.message, /TEST_FOREIGN_TEXT holds no address/);
		assert.ok(!JSON.stringify(body).includes("secret"));
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

	it("tells which groups come with the next forecast", async () => {
		await flows.load([flows.account(), ...flows.forecast("f")]);
		const { body } = await ask("get", "forecast/f");
		assert.deepEqual(body.awaited, ["variability"]);
		await flows.deploy([
			flows.account({ name: "x" }),
			...flows.forecast("f", { include: ["default", "variability"] }),
		]);
		await flows.runFor(24 * HOUR);
		assert.deepEqual((await ask("get", "forecast/f")).body.awaited, []);
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
		const editor = new Editor("en-US");
		assert.equal(editor.validate(TYPE, "siteId", found.site_id), true);
		assert.equal(flows.of("f-1")[0]?.topic, "solar-yield/my_house_1/forecast");
		await flows.runFor(HOUR / 30);
		const before = flows.forecastRequests;
		const asked = await ask("post", "ask-now", { id: "acc" });
		assert.equal(asked.status, 200);
		assert.equal(flows.forecastRequests, before + 1);
	});
});

describe("what an editor's user may ask", () => {
	it("is not found with the id of another type's node", async () => {
		const other = { type: "solar-yield-now", solarYield: { view: () => 1 } };
		const statuses: Record<string, number> = {};
		const asked: Promise<void>[] = [];
		const get = (path: string, ...handlers: Loose[]) => {
			if (!/\/(account|battery|learn|window)\/:id$/.test(path)) return;
			const reply = (done: () => void) => ({
				status(code: number) {
					statuses[path] = code;
					return this;
				},
				json: done,
			});
			asked.push(
				new Promise<void>((done) =>
					handlers.at(-1)({ params: { id: "n" }, headers: {} }, reply(done)),
				),
			);
		};
		for (const register of NODES.values()) {
			register({
				auth: { needsPermission: () => () => {} },
				httpAdmin: { get, post: () => {} },
				events: { on: () => {} },
				nodes: { registerType: () => {}, getNode: () => other },
			});
		}
		await Promise.all(asked);
		assert.deepEqual(Object.values(statuses), [404, 404, 404, 404]);
	});

	it("needs the right to write where a request is made or a variable is looked up", () => {
		const routes: Record<string, string[]> = {};
		const add = (method: string) => (path: string, permission: string) => {
			routes[permission] ??= [];
			routes[permission].push(`${method} ${path.replace("/solar-yield/", "")}`);
		};
		for (const register of NODES.values()) {
			register({
				auth: { needsPermission: (permission: string) => permission },
				httpAdmin: { get: add("GET"), post: add("POST") },
				events: { on: () => {} },
				nodes: { registerType: () => {} },
			});
		}
		for (const list of Object.values(routes)) list.sort();
		assert.deepEqual(routes, {
			"solar-yield.read": [
				"GET account/:id",
				"GET accounts",
				"GET battery/:id",
				"GET forecast/:id",
				"GET learn/:id",
				// Free, and by what is deployed alone.
				"GET site/:account",
				...(hasV1 ? ["GET v1/parameters"] : []),
				"GET window/:id",
				// These reckon with other settings, and change nothing.
				"POST battery/:id",
				"POST window/:id",
			],
			"solar-yield.write": [
				"POST ask-now",
				"POST check",
				"POST site/:account/create",
				"POST site/:account/strings",
				...(hasV1
					? ["POST v1/check", "POST v1/create-site", "POST v1/move"]
					: []),
			],
		});
	});
});

describe("many accounts", () => {
	it("share one listener for the start of the flows, with each other and with all nodes", async () => {
		const flows = new Flows("2026-06-10T08:00:00Z");
		await flows.start();
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
			await flows.stop();
		}
	});
});
