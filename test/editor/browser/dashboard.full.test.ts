import assert from "node:assert/strict";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { until } from "../../support/broker";
import {
	launchBrowser,
	longLooks,
	MAJORS,
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
	type LANGUAGES,
	misplaced,
	noDashboard,
	openPage,
	type THEMES,
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
/** The sun is long gone, and what is left of the year is dark. */
const NIGHT = "2026-12-11T18:40:00+01:00";
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

	it("speaks the language that a message asks for, whatever the browser's is", async () => {
		assert.ok(browser);
		const german = changed(
			changed(bothExamples(), "syd-values", set("language", "de")),
			"syb-prices",
			set("language", "de"),
		);
		await red.deploy(german);
		for (const path of PAGES) {
			const page = await openPage(browser, red, path, "en");
			assert.match(await textOf(page), /Demodaten/);
			await page.close();
		}
	}).timeout(60_000);

	it("takes a new message in without building the page anew", async () => {
		assert.ok(browser);
		const flow = bothExamples();
		await red.deploy([...flow, PRESS]);
		const page = await openPage(browser, red, "solar");
		await page.evaluate(() => {
			const { document, MutationObserver } = globalThis as Loose;
			const root = document.querySelector(".sy-page");
			root.solarYieldSame = true;
			(globalThis as Loose).solarYieldGone = [];
			new MutationObserver((records: Loose[]) => {
				for (const { removedNodes } of records) {
					for (const node of removedNodes) {
						(globalThis as Loose).solarYieldGone.push(
							node.outerHTML ?? node.textContent,
						);
					}
				}
			}).observe(root, { childList: true, subtree: true });
		});
		for (let count = 0; count < 3; count += 1) await red.inject("press");
		await page.waitForTimeout(1500);
		const [isSame, gone] = await page.evaluate(() => [
			(globalThis as Loose).document.querySelector(".sy-page").solarYieldSame,
			(globalThis as Loose).solarYieldGone,
		]);
		assert.equal(isSame, true);
		assert.deepEqual(gone, []);
		await page.close();
	}).timeout(60_000);

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

type Theme = (typeof THEMES)[number];
type Language = (typeof LANGUAGES)[number];

/** A state of the pages, in the order in which a Node-RED comes to it. */
interface State {
	readonly name: string;
	/** Brings it about; a second time in other colours. */
	arrange(theme: Theme, isFirst: boolean): Promise<void>;
	/** What tells that a page is there. */
	readonly shown: string;
	says(text: string, path: string, language: Language, page: Page): unknown;
}

for (const { title, find, missing, looks } of MAJORS) {
	describe(`the pages of Dashboard 2 in ${title}`, () => {
		const KEY = "key-of-a-house";
		const BARN = "site_barn";
		const atJune = Date.parse(JUNE) - Date.now();
		const clock = settableClock(
			join(temporaryFolder("dashboard"), "clock"),
			atJune,
		);
		/** What the service does with requests. */
		let service: "good" | "refuses the key" | "is away" | "is slow" = "good";
		let server: SimulatorServer | undefined;
		let red: NodeRed;
		let winter: NodeRed;
		let browser: Browser;
		/** A page that is left open while the account changes. */
		let open: Page;

		before(async function () {
			this.timeout(180_000);
			const installation = find();
			needs(this, noDashboard, noBrowser, installation ? "" : missing);
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
			red = await dashboardAt(clock, bothExamples(), installation);
			winter = await dashboardAt(NIGHT, bothExamples(), installation);
			browser = await launchBrowser();
		});
		after(async () => {
			await browser?.close();
			await winter?.stop();
			await red?.stop();
			await server?.close();
		});

		/** Both pages, with the forecasts of another account than the demo. */
		const deployOwn = (theme: Theme, budget = "", more: Loose[] = []) => {
			const own = { baseUrl: server?.url, demo: false, siteId: BARN, budget };
			const flow = bothExamples(theme).map((node) =>
				node.type === "solar-yield-account" ? { ...node, ...own } : node,
			);
			const accounts = flow.filter(({ type }) => /yield-account$/.test(type));
			const keys = accounts.map(({ id }) => [id, { apiKey: KEY }]);
			return red.deploy([...flow, ...more], Object.fromEntries(keys));
		};
		const in_ = (language: Language, en: RegExp, de: RegExp) =>
			language === "de" ? de : en;
		const refresh = {
			...PRESS,
			props: [{ p: "refresh", v: "true", vt: "bool" }],
			wires: [["syd-forecast", "syb-forecast"]],
		};

		const STATES: readonly State[] = [
			{
				name: "sunny noon",
				arrange: (theme) => red.deploy(bothExamples(theme)),
				shown: ".sy-tiles",
				says(text, _path, language) {
					assert.match(text, in_(language, /Demo data/, /Demodaten/));
				},
			},
			{
				name: "no band",
				arrange(theme) {
					// The demo's days have their weather in any group.
					const weatherless = changed(bothExamples(theme), "syd-values", {
						...set("now.days", null),
						to: '[now.days.$merge([$, {"weather_code": null}])]',
						tot: "jsonata",
					});
					return red.deploy(
						fresh(weatherless, `plain-${theme}`).map((node) =>
							node.type === "solar-yield-forecast"
								? { ...node, include: ["default"] }
								: node,
						),
					);
				},
				shown: ".sy-tiles",
				async says(text, path, language, page) {
					if (path === "battery") return;
					assert.doesNotMatch(
						text,
						/Range|Clear sky|Each roof|thin line|Spanne|Klarer|Jedes Dach/,
					);
					assert.match(text, in_(language, /Forecast/, /Prognose/));
					assert.equal(await page.locator(".sy-sign i").count(), 0);
				},
			},
			{
				name: "stale",
				arrange(theme) {
					const facts = [
						set("now.stale", true),
						set("now.gaps", 3),
						set("now.energy_today_kwh", null),
						set("now.energy_remaining_today_kwh", null),
						set("solar.learned", {
							days: 43,
							quarters: 900,
							share_today: 0.8,
						}),
						set("quota", { remaining: null, limit: null, unmetered: null }),
					];
					const gone = ["solar", "quota"].map((p) => ({
						...{ t: "delete", p },
						pt: "msg",
					}));
					let flow = fresh(bothExamples(theme), `old-${theme}`);
					flow = changed(flow, "syd-values", ...facts);
					flow = changed(flow, "syd-chart", ...gone);
					flow = changed(flow, "syd-strings", ...gone);
					return red.deploy(changed(flow, "syb-site", set("site.stale", true)));
				},
				shown: ".sy-old",
				says(text, path, language) {
					assert.match(text, in_(language, /Old forecast/, /Alte Prognose/));
					if (path === "battery") return;
					for (const [en, de] of [
						[/forecast, of 11:\d\d/, /Prognose, von 11:\d\d/],
						[/Still to come today\s+– kWh/, /Heute noch\s+– kWh/],
						[/3 quarter hours of today/, /3 Viertelstunden von heute/],
						[/since 43 days/, /seit 43 Tagen/],
						[
							/Requests left\s+not known yet/,
							/Abfragen übrig\s+noch nicht bekannt/,
						],
					] as const)
						assert.match(text, in_(language, en, de));
				},
			},
			{
				name: "first start",
				async arrange(theme, isFirst) {
					service = "is slow";
					if (isFirst) {
						await red.deploy(bothExamples(theme));
						open = await openPage(browser, red, "solar");
					}
					await deployOwn(theme);
				},
				shown: ".sy-why",
				says(text, _path, language) {
					const asked = /The first forecast is being asked for\./;
					const gefragt = /Die erste Prognose wird gerade abgefragt\./;
					assert.match(text, in_(language, asked, gefragt));
					assert.doesNotMatch(text, /kWh|Demo/);
				},
			},
			{
				name: "key refused",
				async arrange(theme) {
					service = "refuses the key";
					await deployOwn(theme, "1000");
				},
				shown: ".sy-red",
				async says(text, _path, language) {
					const refused =
						/refuses the API key; check the key of the account\. Since \d\d:\d\d [\w/]+\./;
					const lehntAb =
						/lehnt den API-Schlüssel ab; .* Seit \d\d:\d\d [\w/]+\./;
					assert.match(text, in_(language, refused, lehntAb));
					for (const shown of [text, await textOf(open)])
						assert.doesNotMatch(shown, /kWh|Demo/);
				},
			},
			{
				name: "an account of one's own",
				async arrange(theme) {
					service = "good";
					await deployOwn(theme, "2000", [refresh]);
				},
				shown: ".sy-tiles",
				async says(text, path, language, page) {
					assert.doesNotMatch(text, /Demo/);
					assert.equal(await page.locator(".sy-why").count(), 0);
					if (path === "solar") return assert.match(text, /^Barn/);
					// State of charge, now, four tiles, the plan.
					assert.equal(await page.locator(".sy-example").count(), 7);
					const charge = /State of charge Example\s+35 %/;
					const stand = /Ladestand Beispiel\s+35 %/;
					assert.match(text, in_(language, charge, stand));
				},
			},
			{
				name: "offline",
				async arrange(theme, isFirst) {
					service = "is away";
					clock.set(atJune + 2 * 86_400_000);
					if (isFirst) await red.inject("press");
					else await deployOwn(theme, "2000", [refresh]);
				},
				shown: ".sy-why",
				says(text, path, language) {
					assert.match(text, /127\.0\.0\.1/);
					assert.match(text, in_(language, /Since 1\d:/, /Seit 1\d:/));
					if (path === "battery")
						assert.match(text, in_(language, /too old/, /zu alt/));
					else
						assert.match(
							text,
							in_(
								language,
								/kWh[\s\S]*Next forecast\s+(1\d:\d\d|due now)/,
								/kWh[\s\S]*Nächste Prognose\s+(1\d:\d\d|jetzt fällig)/,
							),
						);
				},
			},
			{
				name: "winter night",
				arrange: (theme) => winter.deploy(bothExamples(theme)),
				shown: ".sy-tiles",
				says(text, path, language) {
					if (path === "battery") return;
					assert.match(
						text,
						in_(
							language,
							/^.*\s+Demo data\s+Tomorrow, Saturday 12\s+[\d.]+ kWh/,
							/^.*\s+Demodaten\s+Morgen, Samstag 12\.\s+[\d,]+ kWh/,
						),
					);
					assert.doesNotMatch(text, /Now|Jetzt/);
					const tomorrow =
						/Tomorrow: [\d.]+ kWh, at most [\d.]+ kW at 1\d:\d\d/;
					const morgen = /Morgen: [\d,]+ kWh, höchstens [\d,]+ kW um 1\d:\d\d/;
					assert.match(text, in_(language, tomorrow, morgen));
				},
			},
		];

		for (const { name, arrange, shown, says } of STATES) {
			for (const [index, look] of longLooks(looks).entries()) {
				const { theme } = look;
				const language = look.language === "de" ? "de" : "en";
				it(`${name}: cuts nothing, axe-core finds nothing serious: ${language}, ${theme}`, async () => {
					await arrange(theme, index === 0);
					const node = name === "winter night" ? winter : red;
					for (const path of PAGES) {
						const page = await openPage(browser, node, path, language, shown);
						const state = `${path} ${name} ${language} ${theme}`;
						for (const width of WIDTHS) {
							await fitTo(page, width);
							const picture = `${title} ${state} ${width}`;
							await page.screenshot({ path: screenshotFile(picture) });
							assert.deepEqual(await misplaced(page), [], picture);
						}
						assert.deepEqual(await findingsOf(page), [], state);
						const text = await textOf(page);
						assert.doesNotMatch(text, NONSENSE);
						await says(text, path, language, page);
						assert.deepEqual(page.faults, []);
						await page.close();
					}
				}).timeout(120_000);
			}
		}
	});
}

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
