import assert from "node:assert/strict";
import { type Answer, Editor, type LANGUAGES } from "../support/editor-dialog";

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
		editor.onAjax = (options) => {
			const { method, url, data } = options as Loose;
			asked.push([method, url, data && JSON.parse(data)]);
			const answer = answers[`${method} ${url}`] as Answer | undefined;
			return answer ?? { status: 404 };
		};
		const page = editor.open(TYPE, { id: "a", ...given });
		await page.settle();
		return { page, asked };
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
				/^Used 120 of 1,000, left 880 until Dec 1, 01:00 .* · as of Nov 27, 13:00$/,
			],
			[
				"de",
				"Gruppen im Tarif: Leistung (default), Strings (strings), wind",
				/^120 von 1.000 verbraucht, 880 übrig bis 1\. Dez\., 01:00 .* · Stand 27\. Nov\., 13:00$/,
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
		const answers = { "GET solar-yield/account/a": says(FACTS) };
		const edited = await open(answers, { changed: true });
		assert.match(edited.page.element(id("usage")).shown, /known after the/);
		assert.match(
			(await open({})).page.element(id("usage")).shown,
			/Deploy first/,
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

	it("begins success and failure alike, with a tick or without", async () => {
		const [north] = SITES;
		const refused = {
			status: 403,
			responseJSON: { code: "SOLAR_YIELD_NETWORK", message: "Off; wait" },
		};
		for (const [answer, text] of [
			[says({ sites: [] }), /^Connected: the key is good\. .* no site yet/],
			[
				says({ sites: SITES, notes: ["One is not listed; name it"] }),
				/^Connected: the key is good\. .*North One is not listed; name it$/,
			],
			[
				says({ sites: [north, { ...north, site_id: "b" }] }),
				/^Connected: .* choose from: 2$/,
			],
			[refused, /^Not connected: Off; wait$/],
		] as const) {
			const { page } = await open({ "POST solar-yield/check": answer });
			await page.press(id("check"));
			const checked = page.element(id("checked"));
			assert.match(checked.shown, text);
			const mark = answer === refused ? "error" : "good";
			assert.deepEqual([...checked.classes], [`solar-yield-${mark}`]);
		}
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
});
