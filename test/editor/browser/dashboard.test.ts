import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { until } from "../../support/broker";
import {
	launchBrowser,
	noBrowser,
	screenshotFile,
	seriousFindings,
} from "../../support/browser";
import { needs } from "../../support/needs";
import {
	installedUserDir,
	NodeRed,
	ROOT,
} from "../../support/node-red-process";
import { linkPackage, packageFolder } from "../../support/packages";
import { earlyInHour, type ShiftedClock } from "../../support/shifted-clock";

type Loose = any;

const PACKAGE = "@flowfuse/node-red-dashboard";
const exampleFlow = (name: string) =>
	JSON.parse(
		readFileSync(join(ROOT, "examples", `with ${PACKAGE}`, name), "utf8"),
	);

/** Colours of a page by night, as a person would choose them. */
const DARK = {
	surface: "#1c1c1c",
	primary: "#0094CE",
	bgPage: "#101010",
	groupBg: "#222222",
	groupOutline: "#444444",
};

/** Without the empty layer for notifications, which axe-core takes for a cover of the page. */
async function findingsOf(page: Page) {
	await page.addStyleTag({ content: ".v-overlay { display: none }" });
	return seriousFindings(page, "main");
}

describe("Dashboard 2 in a browser", () => {
	let red: NodeRed | undefined;
	/** The page shows several messages: none may be of the next quarter hour. */
	let clock: ShiftedClock;
	let browser: Browser | undefined;

	before(async function () {
		this.timeout(180_000);
		const folder = packageFolder(PACKAGE) ?? "";
		needs(this, folder ? "" : `${PACKAGE} is not installed`, noBrowser);
		const userDir = installedUserDir();
		linkPackage(userDir, PACKAGE, folder);
		clock = earlyInHour();
		red = new NodeRed(userDir, clock.env);
		await red.start(exampleFlow("Dashboard.json"));
		browser = await launchBrowser();
	});
	after(async () => {
		await browser?.close();
		await red?.stop();
	});

	it("shows today and tomorrow, the strings, the range and the line of now", async () => {
		assert.ok(red && browser);
		const page = await browser.newPage({
			viewport: { width: 1280, height: 1000 },
		});
		const faults: string[] = [];
		page.on("pageerror", (error) => faults.push(error.message));
		// The dashboard hands its charts to tests of this name.
		await page.addInitScript("window.Cypress = true");
		await page.goto(`${red.url}/dashboard/solar`);
		await page.waitForSelector(".nrdb-ui-chart canvas");

		/** A chart's points by series, as the chart has them. */
		const seriesOf = async (id: string) => {
			const series: [string, [number, number | null][]][] = await page.evaluate(
				(chart) =>
					(globalThis as Loose).uiCharts[chart].chart
						.getOption()
						.series.map(({ name, data }: Loose) => [
							name,
							data.map(([x, y]: Loose) => [x, y ?? null]),
						]),
				id,
			);
			return new Map(
				series.map(([name, points]) => [
					name,
					points.filter(
						(point): point is [number, number] => point[1] !== null,
					),
				]),
			);
		};
		let chart = new Map<string, [number, number][]>();
		await until("the points", async () => {
			chart = await seriesOf("syd-chart");
			return (chart.get("pv")?.length ?? 0) > 0;
		});
		assert.deepEqual([...chart.keys()].sort(), [
			"clearsky",
			"max",
			"min",
			"now",
			"pv",
		]);
		const pv = chart.get("pv") ?? [];
		// Two days of quarter hours, the forecast below a clear sky's highest.
		assert.ok(pv.length >= 188 && pv.length <= 200, `${pv.length} points`);
		const highest = (name: string) =>
			Math.max(...(chart.get(name) ?? []).map(([, watts]) => watts));
		assert.ok(highest("pv") > 100);
		assert.ok(highest("max") >= highest("pv"));
		const line = chart.get("now") ?? [];
		assert.equal(line.length, 2);
		assert.ok(Math.abs((line[0]?.[0] ?? 0) - clock.now()) < 6 * 60_000);
		assert.equal(line[1]?.[0], line[0]?.[0]);
		const strings = await seriesOf("syd-chart-strings");
		assert.deepEqual([...strings.keys()].sort(), [
			"now",
			"string_0",
			"string_1",
		]);
		for (const [index, [time, watts]] of pv.entries()) {
			const sum = ["string_0", "string_1"].reduce(
				(total, name) => total + (strings.get(name)?.[index]?.[1] ?? 0),
				0,
			);
			assert.equal(strings.get("string_0")?.[index]?.[0], time);
			assert.ok(Math.abs(sum - watts) < 1);
		}

		// The texts say what the chart shows.
		const text = await page.textContent("#app");
		const kwh = Number(/Today\s*([\d.]+) kWh/.exec(text ?? "")?.[1]);
		const day = pv.filter(
			([time]) => berlinDate(time) === berlinDate(clock.now()),
		);
		const energy = day.reduce((sum, [, watts]) => sum + watts / 4000, 0);
		assert.ok(Math.abs(kwh - energy) < 0.06, `${kwh} and ${energy}`);
		assert.match(text ?? "", /Now\s*\d+ W/);
		assert.match(text ?? "", /Tomorrow\s*[\d.]+ kWh/);

		await page.screenshot({ path: screenshotFile("dashboard light") });
		assert.deepEqual(await findingsOf(page), []);
		assert.deepEqual(faults, []);
	}).timeout(60_000);

	it("can be read by night, and axe-core finds nothing serious", async () => {
		assert.ok(red && browser);
		const flow = exampleFlow("Dashboard.json").map((node: Loose) =>
			node.type === "ui-theme" ? { ...node, colors: DARK } : node,
		);
		await red.deploy(flow);
		const page = await browser.newPage({
			viewport: { width: 1280, height: 1000 },
		});
		await page.goto(`${red.url}/dashboard/solar`);
		await page.waitForSelector(".nrdb-ui-chart canvas");
		await page
			.getByText(/\d kWh/)
			.first()
			.waitFor();
		assert.deepEqual(await findingsOf(page), []);
		await page.screenshot({ path: screenshotFile("dashboard dark") });
	}).timeout(60_000);

	it("shows the battery's plan: PV, load, battery and state of charge", async () => {
		assert.ok(red && browser);
		await red.deploy(exampleFlow("Battery.json"));
		const page = await browser.newPage({
			viewport: { width: 1280, height: 1000 },
		});
		await page.addInitScript("window.Cypress = true");
		await page.goto(`${red.url}/dashboard/battery`);
		await page.waitForSelector(".nrdb-ui-chart canvas");
		const names = (id: string): Promise<[string, number][]> =>
			page.evaluate(
				(chart) =>
					(globalThis as Loose).uiCharts[chart].chart
						.getOption()
						.series.map(({ name, data }: Loose) => [name, data.length]),
				id,
			);
		let powers = new Map<string, number>();
		await until("the plan", async () => {
			powers = new Map(await names("syb-chart"));
			return (powers.get("battery") ?? 0) > 90;
		});
		assert.deepEqual([...powers.keys()].sort(), ["battery", "load", "pv"]);
		const charge = new Map(await names("syb-chart-soc"));
		assert.equal(charge.get("soc"), powers.get("pv"));
		await page.screenshot({ path: screenshotFile("battery") });
	}).timeout(60_000);

	const berlinDate = (time: number) =>
		new Date(time).toLocaleDateString("sv", { timeZone: "Europe/Berlin" });
});
