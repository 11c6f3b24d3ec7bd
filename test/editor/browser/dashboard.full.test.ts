import assert from "node:assert/strict";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { until } from "../../support/broker";
import {
	launchBrowser,
	noBrowser,
	PICTURES,
	screenshotFile,
} from "../../support/browser";
import {
	bothExamples,
	dashboardAt,
	exampleFlow,
	findingsOf,
	fitTo,
	LANGUAGES,
	misplaced,
	noDashboard,
	openPage,
	THEMES,
	textOf,
} from "../../support/dashboard-page";
import { needs } from "../../support/needs";
import type { NodeRed } from "../../support/node-red-process";
import {
	type SimulatorServer,
	startSimulatorServer,
} from "../../support/service/server";
import { Simulator } from "../../support/service/simulator";
import { settableClock } from "../../support/shifted-clock";
import { temporaryFolder } from "../../support/temporary";

type Loose = any;

/** A sunny day of the demo house, with some clouds: a clear sky and the range can be seen. */
const JUNE = "2026-06-12T11:20:00+02:00";
const NIGHT = "2026-06-12T23:10:00+02:00";
const WIDTHS = [390, 820, 1280] as const;
const PAGES = ["solar", "battery"] as const;

/** What no page may ever say. */
const NONSENSE = /\b(undefined|null|NaN|Infinity|Invalid|object)\b|\{\w+\}/;

/** Asks the forecast node to send again. Nodes without a place are configurations to Node-RED. */
const PRESS = {
	id: "press",
	type: "inject",
	z: "syd-tab",
	x: 100,
	y: 100,
	props: [],
	wires: [["syd-forecast"]],
};

const set = (p: string, to: unknown) => ({
	t: "set",
	p,
	pt: "msg",
	to: JSON.stringify(to),
	tot: "json",
});
/** A flow in which a change node does more. */
const changed = (flow: Loose[], id: string, ...rules: object[]) =>
	flow.map((node) =>
		node.id === id ? { ...node, rules: [...node.rules, ...rules] } : node,
	);

/** A flow whose templates are new: Dashboard 2 remembers by id what one was sent, over deploys too. */
const fresh = (flow: Loose[], mark: string): Loose[] =>
	JSON.parse(
		JSON.stringify(flow).replace(/"(sy[bd]-template)"/g, `"$1-${mark}"`),
	);

/** A number behind a label, in English or German. */
function numberAt(text: string, pattern: RegExp): number {
	const [, digits] = pattern.exec(text) ?? [];
	assert.ok(digits, `${pattern} in ${text}`);
	return Number(digits.replace(",", "."));
}

describe("Dashboard 2: the examples", () => {
	it("have no function node", () => {
		for (const name of ["Solar", "Battery"]) {
			const types = exampleFlow(name).map(({ type }) => type);
			assert.ok(types.includes("ui-template"));
			assert.ok(!types.includes("function"));
		}
	});
});

describe("Dashboard 2 in a browser, on a day in June", () => {
	let red: NodeRed;
	let browser: Browser | undefined;

	before(async function () {
		this.timeout(180_000);
		needs(this, noDashboard, noBrowser);
		red = await dashboardAt(JUNE, bothExamples());
		browser = await launchBrowser();
	});
	after(async () => {
		await browser?.close();
		await red?.stop();
	});

	for (const language of LANGUAGES) {
		for (const theme of THEMES) {
			it(`cuts nothing, and axe-core finds nothing serious: ${language}, ${theme}`, async () => {
				assert.ok(browser);
				await red.deploy(bothExamples(theme));
				for (const path of PAGES) {
					const page = await openPage(browser, red, path, language);
					for (const width of WIDTHS) {
						await fitTo(page, width);
						const name = `${path} ${language} ${theme} ${width}`;
						await page.screenshot({ path: screenshotFile(name) });
						assert.deepEqual(await misplaced(page), [], name);
						const text = await textOf(page);
						assert.doesNotMatch(text, NONSENSE);
						assert.match(text, language === "de" ? /Demodaten/ : /Demo data/);
						assert.deepEqual(await findingsOf(page), [], name);
					}
					assert.deepEqual(page.faults, []);
					await page.close();
				}
			}).timeout(240_000);
		}
	}

	it("says on the solar page what the forecast says", async () => {
		assert.ok(browser);
		await red.deploy(bothExamples());
		const page = await openPage(browser, red, "solar");
		const text = await textOf(page);
		const today = numberAt(text, /of ([\d.]+) kWh/);
		const soFar = numberAt(text, /Today so far\s+([\d.]+) kWh/);
		const toCome = numberAt(text, /Still to come today\s+([\d.]+) kWh/);
		assert.ok(Math.abs(soFar + toCome - today) < 0.11, text);
		const parts =
			/East roof 4\.8 kW: ([\d.]+) kWh; West roof 5\.2 kW: ([\d.]+) kWh/.exec(
				text,
			);
		assert.ok(Math.abs(Number(parts?.[1]) + Number(parts?.[2]) - today) < 0.3);
		assert.match(text, /Now, 11:2\d\s+[\d.]+ kW\s+\d+ % of 10\.0 kW peak/);
		assert.match(text, /Demo data/);
		assert.match(text, /Requests left\s+2,9\d\d of 3,000 until July 1/);
		// The best two hours hold more than two hours of the mean, less than two at the peak.
		const peak = numberAt(text, /Peak\s+\d\d:\d\d\s+([\d.]+) kW/);
		const best = numberAt(text, /Best two hours\s+[\d:–]+\s+([\d.]+) kWh/);
		assert.ok(best <= 2 * peak && best > 1.5 * peak);
		const bars = await page.locator(".sy-week li").all();
		assert.equal(bars.length, 7);
		assert.match(
			(await bars[0]?.getAttribute("aria-label")) ?? "",
			new RegExp(
				`^Friday: ${today.toFixed(1)} kWh, [\\d.]+ to [\\d.]+ kWh, partly cloudy$`,
			),
		);
		await page.close();
	}).timeout(60_000);

	it("is whole on a plan without range, weather and strings", async () => {
		assert.ok(browser);
		// The demo's days have their weather in any group.
		const weatherless = changed(bothExamples(), "syd-values", {
			...set("now.days", null),
			to: '[now.days.$merge([$, {"weather_code": null}])]',
			tot: "jsonata",
		});
		const flow = fresh(weatherless, "plain").map((node) =>
			node.type === "solar-yield-forecast"
				? { ...node, include: ["default"] }
				: node,
		);
		await red.deploy(flow);
		const page = await openPage(browser, red, "solar");
		for (const width of WIDTHS) {
			await fitTo(page, width);
			await page.screenshot({ path: screenshotFile(`solar plain ${width}`) });
			const text = await textOf(page);
			assert.deepEqual(await misplaced(page), []);
			assert.doesNotMatch(text, NONSENSE);
			assert.doesNotMatch(text, /Range|Clear sky|Each roof|thin line/);
			assert.match(text, /Forecast/);
			assert.equal(await page.locator(".sy-sign i").count(), 0);
		}
		await page.close();
	}).timeout(90_000);

	it("shows at once that a forecast is old, what is unknown, and what a meter has taught", async () => {
		assert.ok(browser);
		const old = changed(
			bothExamples(),
			"syd-values",
			set("now.stale", true),
			set("now.gaps", 3),
			set("now.energy_today_kwh", null),
			set("now.energy_remaining_today_kwh", null),
			set("solar.learned", { days: 43, quarters: 900, share_today: 0.8 }),
			set("quota", { remaining: null, limit: null, unmetered: null }),
		);
		const only = changed(
			old,
			"syd-chart",
			{ t: "delete", p: "solar", pt: "msg" },
			{ t: "delete", p: "quota", pt: "msg" },
		);
		await red.deploy(
			changed(
				only,
				"syd-strings",
				{ t: "delete", p: "solar", pt: "msg" },
				{ t: "delete", p: "quota", pt: "msg" },
			),
		);
		const page = await openPage(browser, red, "solar");
		for (const width of WIDTHS) {
			await fitTo(page, width);
			await page.screenshot({ path: screenshotFile(`solar old ${width}`) });
			const text = await textOf(page);
			assert.match(text, /Old forecast, of 11:\d\d/);
			assert.match(text, /Still to come today\s+– kWh/);
			assert.match(text, /3 quarter hours of today/);
			assert.match(text, /since 43 days/);
			assert.match(text, /Requests left\s+not known yet/);
			assert.doesNotMatch(text, NONSENSE);
			assert.deepEqual(await misplaced(page), []);
			assert.deepEqual(await findingsOf(page), []);
		}
		await page.close();
	}).timeout(90_000);

	it("shows as a meter has it what was foreseen, today and over the last days", async () => {
		assert.ok(browser);
		const days = Array.from({ length: 30 }, (_, day) => ({
			date: new Date(Date.UTC(2026, 4, 13 + day)).toISOString().slice(0, 10),
			measured_kwh: 20,
			forecast_kwh: 24,
			corrected_kwh: 21,
		}));
		const today = Array.from({ length: 20 }, (_, quarter) => ({
			time: Date.parse("2026-06-12T06:00:00+02:00") + quarter * 900_000,
			measured_w: 800 + quarter * 100,
			forecast_w: 1000 + quarter * 100,
		}));
		const report = { meters: [{ string_id: null, days, today }] };
		const meter = {
			...PRESS,
			id: "meter",
			props: [
				{ p: "payload", v: JSON.stringify(report), vt: "json" },
				{ p: "solar", v: '{"site_id":"site_demo","demo":true}', vt: "json" },
			],
			wires: [["syd-report"]],
		};
		await red.deploy([...fresh(bothExamples(), "meter"), meter]);
		await red.inject("meter");
		for (const [language, week, month] of [
			["en", /7 days: 140 kWh measured\. Off by 20 %.* by 5 %/, "30 days"],
			["de", /7 Tage: 140 kWh gemessen\. .*20 %.* 5 %/, "30 Tage"],
		] as const) {
			const page = await openPage(
				browser,
				red,
				"solar",
				language,
				".sy-choice",
			);
			for (const width of WIDTHS) {
				await fitTo(page, width);
				const name = `solar meter ${language} ${width}`;
				await page.screenshot({ path: screenshotFile(name) });
				assert.deepEqual(await misplaced(page), [], name);
			}
			assert.match(await textOf(page), week);
			assert.match(
				await textOf(page),
				/(Measured today|Heute gemessen): 8[.,]8/,
			);
			await page.getByRole("button", { name: month }).click();
			assert.match(await textOf(page), /600/);
			assert.deepEqual(await misplaced(page), []);
			assert.deepEqual(await findingsOf(page), []);
			await page.close();
		}
	}).timeout(120_000);

	it("says what the battery does and why, when it is full, and what the plan saves", async () => {
		assert.ok(browser);
		await red.deploy(bothExamples());
		const page = await openPage(browser, red, "battery");
		const text = await textOf(page);
		assert.match(text, /State of charge Example\s+35 %/);
		assert.match(
			text,
			/Now Example\s+(Charges with [\d.]+ kW|Waits with charging until \d\d:\d\d).*made up/,
		);
		assert.match(text, /Full at Example\s+1\d:\d\d/);
		assert.match(
			text,
			/The plan saves Example\s+[\d.]+ €\s+[\d.]+ kWh less from the grid/,
		);
		assert.match(text, /€\/kWh/);
		const bars = await page.locator(".sy-page rect").count();
		assert.ok(bars >= 30, `${bars} prices`);
		await page.close();
	}).timeout(60_000);

	it("shows a battery without prices, and one that no plan drives", async () => {
		assert.ok(browser);
		const plain = fresh(bothExamples(), "plain").map((node) =>
			node.id === "syb-prices"
				? {
						...node,
						rules: node.rules.filter(({ p }: Loose) => p !== "prices"),
					}
				: node,
		);
		await red.deploy(plain);
		const page = await openPage(browser, red, "battery");
		for (const width of WIDTHS) {
			await fitTo(page, width);
			const text = await textOf(page);
			assert.doesNotMatch(text, /Price|€/);
			assert.match(
				text,
				/The plan saves Example\s+[\d.]+ kWh\s+[\d.]+ kWh without a battery/,
			);
			assert.deepEqual(await misplaced(page), []);
		}
		await page.close();
		await red.deploy(
			changed(
				fresh(bothExamples(), "free"),
				"syb-plan",
				set("plan.plan", []),
				set("plan.reason", "the state of charge is too old"),
			),
		);
		const free = await browser.newPage({
			viewport: { width: 390, height: 900 },
		});
		await free.goto(`${red.url}/dashboard/battery`);
		await free.getByText("No plan", { exact: true }).waitFor();
		const text = await textOf(free);
		assert.match(text, /on its own: the state of charge is too old/);
		assert.doesNotMatch(text, NONSENSE);
		await free.close();
	}).timeout(90_000);

	const pictures = PICTURES;
	if (pictures) {
		it("draws the pictures of the documents", async () => {
			assert.ok(browser);
			for (const [path, width, theme, name] of [
				["solar", 1280, "light", "solar"],
				["battery", 1280, "light", "battery"],
				["solar", 390, "dark", "solar-phone"],
			] as const) {
				await red.deploy(bothExamples(theme));
				const page = await openPage(browser, red, path);
				await fitTo(page, width);
				await page.screenshot({ path: join(pictures, `${name}.png`) });
				await page.close();
			}
		}).timeout(90_000);
	}
});

describe("Dashboard 2 in a browser, at night", () => {
	let red: NodeRed;
	let browser: Browser | undefined;

	before(async function () {
		this.timeout(180_000);
		needs(this, noDashboard, noBrowser);
		red = await dashboardAt(NIGHT, bothExamples());
		browser = await launchBrowser();
	});
	after(async () => {
		await browser?.close();
		await red?.stop();
	});

	it("shows tomorrow", async () => {
		assert.ok(browser);
		const page = await openPage(browser, red, "solar");
		for (const width of WIDTHS) {
			await fitTo(page, width);
			await page.screenshot({ path: screenshotFile(`solar night ${width}`) });
			const text = await textOf(page);
			assert.match(
				text,
				/^.*\s+Demo data\s+Tomorrow, Saturday 13\s+[\d.]+ kWh/,
			);
			assert.doesNotMatch(text, /Now/);
			assert.match(text, /Tomorrow: [\d.]+ kWh, at most [\d.]+ kW at 1\d:\d\d/);
			assert.deepEqual(await misplaced(page), []);
		}
		await page.close();
	}).timeout(90_000);
});

describe("Dashboard 2 with an account of one's own", () => {
	const KEY = "key-of-a-house";
	const atJune = Date.parse(JUNE) - Date.now();
	const clock = settableClock(
		join(temporaryFolder("dashboard"), "clock"),
		atJune,
	);
	/** What the service does with requests. */
	let service: "good" | "refuses the key" | "is away" | "is slow" = "good";
	let server: SimulatorServer | undefined;
	let red: NodeRed;
	let browser: Browser | undefined;
	/** Both pages, with the forecasts of another account than the demo. */
	const own = (budget = "") =>
		bothExamples().map((node) =>
			node.type === "solar-yield-account"
				? { ...node, baseUrl: server?.url, demo: false, siteId: BARN, budget }
				: node,
		);
	const BARN = "site_barn";
	const deploy = (flow: Loose[], type: "full" | "nodes" = "full") => {
		const accounts = flow.filter(({ type }) => type === "solar-yield-account");
		const keys = accounts.map(({ id }) => [id, { apiKey: KEY }]);
		return red.deploy(flow, Object.fromEntries(keys), type);
	};
	/** Looks at both pages in every width. */
	const look = async (
		name: string,
		language: (typeof LANGUAGES)[number],
		shown: string,
		test: (text: string, path: string, page: Page) => void | Promise<void>,
	) => {
		assert.ok(browser);
		for (const path of PAGES) {
			const page = await openPage(browser, red, path, language, shown);
			for (const width of WIDTHS) {
				await fitTo(page, width);
				const title = `${path} ${name} ${language} ${width}`;
				await page.screenshot({ path: screenshotFile(title) });
				assert.deepEqual(await misplaced(page), [], title);
			}
			assert.deepEqual(await findingsOf(page), [], `${path} ${name}`);
			const text = await textOf(page);
			assert.doesNotMatch(text, NONSENSE);
			await test(text, path, page);
			await page.close();
		}
	};

	before(async function () {
		this.timeout(180_000);
		needs(this, noDashboard, noBrowser);
		const simulator = new Simulator({ now: clock.now });
		simulator.addAccount({ apiKey: KEY, plan: "light" });
		const place = { latitude: 52.5, longitude: 13.4 };
		const strings = [{ id: "a", slope: 30, orientation: 180, power_kw: 10 }];
		simulator.addSite(KEY, { id: BARN, name: "Barn", ...place, strings });
		server = await startSimulatorServer(simulator, {
			intercept: (request, response, next) => {
				if (service === "good") next();
				if (service === "is away") request.destroy();
				if (service === "refuses the key") response.writeHead(401).end("{}");
			},
		});
		red = await dashboardAt(clock, bothExamples());
		browser = await launchBrowser();
	});
	after(async () => {
		await browser?.close();
		await red?.stop();
		await server?.close();
	});

	it("says why nothing comes, and shows nothing of the account before", async () => {
		assert.ok(browser);
		const open = await openPage(browser, red, "solar");
		service = "is slow";
		await deploy(own());
		await look("first start", "en", ".sy-why", (text) => {
			assert.match(text, /The first forecast is being asked for\./);
			assert.doesNotMatch(text, /kWh|Demo data/);
		});
		service = "refuses the key";
		await deploy(own("1000"));
		for (const [language, said] of [
			[
				"en",
				/refuses the API key; check the key of the account\. Since \d\d:\d\d [\w/]+\./,
			],
			["de", /lehnt den API-Schlüssel ab; .* Seit \d\d:\d\d [\w/]+\./],
		] as const) {
			await look("key refused", language, ".sy-red", (text) => {
				assert.match(text, said);
				assert.doesNotMatch(text, /kWh|Demo/);
			});
		}
		assert.doesNotMatch(await textOf(open), /kWh|Demo/);
		await open.close();
	}).timeout(180_000);

	it("names what is an example's beside one's own, and says that the service is away", async () => {
		assert.ok(browser);
		service = "good";
		await deploy([
			...own("2000"),
			{
				...PRESS,
				props: [{ p: "refresh", v: "true", vt: "bool" }],
				wires: [["syd-forecast", "syb-forecast"]],
			},
		]);
		await look("own", "en", ".sy-tiles", async (text, path, page) => {
			assert.doesNotMatch(text, /Demo/);
			assert.equal(await page.locator(".sy-why").count(), 0);
			if (path === "solar") return assert.match(text, /^Barn/);
			// State of charge, now, four tiles, the plan.
			assert.equal(await page.locator(".sy-example").count(), 7);
			assert.match(text, /State of charge Example\s+35 %/);
		});
		service = "is away";
		clock.set(atJune + 2 * 86_400_000);
		await red.inject("press");
		for (const language of LANGUAGES) {
			await look("offline", language, ".sy-why", (text, path) => {
				assert.match(text, /127\.0\.0\.1/);
				assert.match(text, language === "de" ? /Seit 1\d:/ : /Since 1\d:/);
				if (path === "battery")
					assert.match(text, language === "de" ? /zu alt/ : /too old/);
				else if (language === "en")
					assert.match(text, /kWh[\s\S]*Next forecast\s+(1\d:\d\d|due now)/);
			});
		}
	}).timeout(180_000);
});

describe("ui-chart with the export made for it", () => {
	let red: NodeRed;
	let browser: Browser | undefined;
	const flow = () => {
		const shared = exampleFlow("Solar");
		const forecast = shared.find(({ id }) => id === "syd-forecast");
		const exported = shared.find(({ id }) => id === "syd-export");
		return [
			...shared.filter(({ type }) =>
				/^(tab|ui-base|ui-theme|ui-page|ui-group|solar-yield-account)$/.test(
					type,
				),
			),
			{ ...forecast, wires: [["syd-export"], [], []] },
			PRESS,
			{ ...exported, view: "two-days", wires: [["lean"]] },
			{
				id: "lean",
				type: "change",
				z: "syd-tab",
				x: 300,
				y: 100,
				rules: ["solar", "quota", "series"].map((p) => ({
					t: "delete",
					p,
					pt: "msg",
				})),
				wires: [["chart"]],
			},
			{
				id: "chart",
				type: "ui-chart",
				z: "syd-tab",
				x: 500,
				y: 100,
				group: "syd-group",
				name: "",
				label: "",
				order: 1,
				chartType: "line",
				category: "series",
				categoryType: "property",
				xAxisProperty: "t",
				xAxisPropertyType: "property",
				xAxisType: "time",
				xAxisFormatType: "auto",
				yAxisProperty: "kw",
				yAxisPropertyType: "property",
				action: "replace",
				showLegend: true,
				removeOlder: "0",
				removeOlderUnit: "3600",
				colors: [],
				width: "12",
				height: "7",
				wires: [[]],
			},
		];
	};
	const optionsOf = async (): Promise<Loose> => {
		assert.ok(browser);
		const page = await browser.newPage({
			viewport: { width: 820, height: 600 },
		});
		// The dashboard hands its charts to tests of this name.
		await page.addInitScript("window.Cypress = true");
		await page.goto(`${red.url}/dashboard/solar`);
		await page.waitForSelector(".nrdb-ui-chart canvas");
		const read = () =>
			page.evaluate(() =>
				(
					Object.values((globalThis as Loose).uiCharts)[0] as Loose
				).chart.getOption(),
			);
		const hasPoints = async () =>
			((await read()) as Loose).series.some(
				({ data }: Loose) => data?.length > 0,
			);
		await until("the points", hasPoints);
		// A second message replaces the first.
		await red.inject("press");
		await page.waitForTimeout(1000);
		await until("the points", hasPoints);
		await page.screenshot({ path: screenshotFile("ui-chart") });
		const options = await read();
		await page.close();
		return options;
	};

	before(async function () {
		this.timeout(180_000);
		needs(this, noDashboard, noBrowser);
		red = await dashboardAt(JUNE, flow());
		browser = await launchBrowser();
	});
	after(async () => {
		await browser?.close();
		await red?.stop();
	});

	it("shows the forecast filled and on top, the range as an area, a thin clear sky, now", async () => {
		const { legend, series } = await optionsOf();
		const byName = new Map<string, Loose>(
			series.map((line: Loose) => [line.name, line]),
		);
		const forecast = byName.get("Forecast");
		assert.ok(forecast.areaStyle && forecast.markLine);
		assert.ok(forecast.z > byName.get("Clear sky").z);
		assert.ok(
			forecast.lineStyle.width > byName.get("Clear sky").lineStyle.width,
		);
		assert.equal(byName.get("Range").stack, byName.get("At least").stack);
		assert.ok(byName.get("Range").areaStyle);
		const points = byName.get("Forecast").data;
		assert.equal(new Set(points.map(([t]: number[]) => t)).size, points.length);
		assert.deepEqual(
			new Set(legend[0].data.map((entry: Loose) => entry.name ?? entry)),
			new Set(["Forecast", "Range", "Clear sky"]),
		);
	}).timeout(60_000);
});
