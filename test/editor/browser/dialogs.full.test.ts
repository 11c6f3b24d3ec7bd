import assert from "node:assert/strict";
import type { Browser, Locator } from "playwright-core";
import {
	Editor,
	launchBrowser,
	noBrowser,
	stepByStep,
} from "../../support/browser";
import { needs } from "../../support/needs";
import { installedUserDir, NodeRed } from "../../support/node-red-process";
import {
	type SimulatorServer,
	startSimulatorServer,
} from "../../support/service/server";
import { Simulator } from "../../support/service/simulator";
import { earlyInHour, type ShiftedClock } from "../../support/shifted-clock";

const KEY = "sk-browser+secret/Key=42";
const BARN = "site_barn";
const ACCOUNT = "solar-yield-account";
const FORECAST = "solar-yield-forecast";

describe("the dialogs on the service", () => {
	let red: NodeRed | undefined;
	let browser: Browser | undefined;
	let editor: Editor;
	let simulator: Simulator;
	let service: SimulatorServer | undefined;
	/** Another service, which must never hear the key of the first. */
	let stranger: SimulatorServer | undefined;
	/** A forecast that is renewed in between would cost a second request, and change what is shown. */
	let clock: ShiftedClock;
	const heard: string[] = [];
	let forecast = "";

	before(async function () {
		this.timeout(180_000);
		needs(this, noBrowser);
		clock = earlyInHour();
		simulator = new Simulator({ now: clock.now });
		simulator.addAccount({ apiKey: KEY, plan: "light" });
		const house = { latitude: 52.5, longitude: 13.4 };
		const strings = [
			{ id: "str_a", slope: 30, orientation: 180, power_kw: 5 },
			{ id: "str_b", slope: 20, orientation: 90, power_kw: 3 },
		];
		simulator.addSite(KEY, { id: BARN, name: "Barn", ...house, strings });
		simulator.addSite(KEY, {
			id: "site_shed",
			name: "Shed",
			...house,
			strings,
			inactive: true,
		});
		service = await startSimulatorServer(simulator);
		stranger = await startSimulatorServer(simulator, {
			intercept: (request, response) => {
				heard.push(request.headers.authorization ?? "");
				response.writeHead(401).end("{}");
			},
		});
		red = new NodeRed(installedUserDir(), {
			...clock.env,
			SOLAR_YIELD_BROWSER_KEY: KEY,
		});
		await red.start([{ id: "tab", type: "tab", label: "House" }]);
		browser = await launchBrowser();
		editor = await Editor.open(browser, red.url);
		await editor.ready();
		forecast = await editor.place(FORECAST, 200, 100);
	});
	after(async () => {
		await browser?.close();
		await red?.stop();
		await service?.close();
		await stranger?.close();
	});
	stepByStep("dialogs", () => editor);

	const requestsThatCost = () =>
		simulator.requests.filter(({ counted }) => counted).length;
	const text = (key: string, type = ACCOUNT) => editor.text(type, key);
	const field = (body: Locator, label: string, type = ACCOUNT) =>
		body.getByLabel(text(`label.${label}`, type), { exact: true });

	/** Presses "Check" and waits for an answer that holds a text. */
	async function check(body: Locator, answer: string | RegExp): Promise<void> {
		await body.getByRole("button", { name: text("check") }).click();
		await body
			.locator("#solar-yield-account-checked")
			.getByText(answer)
			.waitFor();
	}

	describe("account", () => {
		let body: Locator;

		it("checks base URL and key before the first deploy, free of charge", async () => {
			assert.ok(service);
			await editor.open(forecast);
			body = await editor.addAccount();
			const key = field(body, "apiKey");
			assert.equal(await key.getAttribute("type"), "password");
			await body.getByText(text("common.failure.not_deployed")).waitFor();

			await check(body, /^Not connected: .*base URL/);
			await field(body, "baseUrl").fill("http://127.0.0.1:9");
			await key.fill("wrong");
			await check(body, /^Not connected: .*127\.0\.0\.1/);
			await field(body, "baseUrl").fill(service.url);
			await check(body, /^Not connected: .*key/);
			await editor.screenshot("account key refused");
			await key.fill("${SOLAR_YIELD_UNSET}");
			await check(body, /SOLAR_YIELD_UNSET is not set/);
			// What a variable holds goes nowhere before a deploy.
			await key.fill("${SOLAR_YIELD_BROWSER_KEY}");
			await check(body, /no deployed account uses it with; deploy first/);
			await key.fill(KEY);
			await check(body, text("checked.many").replace("__count__", "2"));
			await editor.screenshot("account checked");
			assert.equal(requestsThatCost(), 0);
		}).timeout(60_000);

		it("offers the sites by name and state", async () => {
			await body
				.getByRole("button", { name: text("common.sites.show") })
				.click();
			const menu = editor.page
				.locator(".red-ui-menu, .red-ui-menu-dropdown")
				.filter({
					hasText: "Barn",
				});
			const shed = menu.getByText("Shed");
			await shed.waitFor();
			await menu.getByText(text("common.sites.state.inactive")).waitFor();
			await editor.screenshot("account sites");
			await menu.getByText("Barn").click();
			assert.equal(await field(body, "siteId").inputValue(), BARN);
			await body
				.locator("#solar-yield-account-site-note")
				.getByText("Barn")
				.waitFor();
		}).timeout(60_000);

		it("hides what the demo does not need", async () => {
			const demo = field(body, "demo");
			await demo.check();
			for (const label of [
				"baseUrl",
				"apiKey",
				"siteId",
				"budget",
				"reserve",
			]) {
				assert.equal(await field(body, label).isVisible(), false, label);
			}
			const button = body.getByRole("button", { name: text("check") });
			assert.equal(await button.isVisible(), false);
			await demo.uncheck();
			assert.equal(await field(body, "baseUrl").isVisible(), true);
			assert.equal(await field(body, "siteId").inputValue(), BARN);
		});

		it("says what is wrong with a value where it is entered", async () => {
			await body.getByRole("tab", { name: text("tab.advanced") }).click();
			const budget = field(body, "budget");
			await budget.fill("many");
			await budget.blur();
			await budget.hover();
			await editor.page
				.locator(".red-ui-popover")
				.getByText(text("invalid.budget"))
				.waitFor();
			await budget.fill("900");
			await editor.doneAccount();
		}).timeout(30_000);

		it("knows plan, quota and its time after the deploy, and one request is one", async () => {
			await editor.done();
			await editor.deploy();
			await editor.status(forecast).getByText("kWh").waitFor();
			assert.equal(requestsThatCost(), 1);
			await editor.open(forecast);
			body = await editor.editAccount();
			const usage = body.locator("#solar-yield-account-usage");
			await usage.getByText(/Used 1 of 3,000, left 2,999 until \S+/).waitFor();
			const own = text("common.quota.own")
				.replace("__own__", "1")
				.replace("__others__", "0");
			const shown = (await usage.textContent()) ?? "";
			assert.ok(shown.includes(own), shown);
			assert.match(shown, /as of \S+/);
			await body
				.locator("#solar-yield-account-plan")
				.getByText(/default.*strings/)
				.waitFor();
			assert.equal(
				(
					await body.locator("#solar-yield-account-plan").textContent()
				)?.includes("variability"),
				false,
			);
			await editor.screenshot("account deployed");
		}).timeout(60_000);

		it("keeps the stored key for the stored address", async () => {
			assert.ok(service && stranger);
			const url = field(body, "baseUrl");
			assert.notEqual(await field(body, "apiKey").inputValue(), KEY);
			await check(body, text("checked.many").replace("__count__", "2"));
			await url.fill(stranger.url);
			await check(body, /type the API key in again/);
			assert.deepEqual(heard, []);
			await field(body, "apiKey").fill("typed");
			await check(body, /^Not connected: .*key/);
			assert.deepEqual(heard, ["Bearer typed"]);
			await editor.screenshot("account other address");
			await editor.page.locator("#node-config-dialog-cancel").click();
			await editor.dialog();
			await editor.cancel();
		}).timeout(60_000);
	});

	describe("forecast", () => {
		it("shows groups of the plan, the next request and why, and the curve", async () => {
			const body = await editor.open(forecast);
			const curve = body.getByRole("img");
			await curve.waitFor();
			const status = (await editor.status(forecast).textContent()) ?? "";
			const [, today = ""] = /([\d.]+) kWh today/.exec(status) ?? [];
			const said = (await curve.getAttribute("aria-label")) ?? "";
			assert.match(said, /^Today [\d.]+ kWh, up to [\d.]+ kW; Tomorrow/);
			assert.ok(
				said.includes(`Today ${Number(today)} kWh`),
				`${said}: ${status}`,
			);
			// Two bells, as high as the drawing, on the line of zero.
			const path = await curve.locator("path").getAttribute("d");
			assert.ok((path?.match(/[HV]/g)?.length ?? 0) > 60, path ?? "");
			assert.equal(await curve.getByText("12:00").count(), 2);

			const next = body.locator("#solar-yield-forecast-next");
			await next.getByText(text("reason.next_poll_at", FORECAST)).waitFor();
			assert.match(
				(await next.textContent()) ?? "",
				/^Next request .*\d.*, because/,
			);
			const absent = text("not_in_plan", FORECAST);
			const isAbsent = (group: string) =>
				body
					.locator("label", { has: body.page().locator(`[value=${group}]`) })
					.getByText(absent)
					.isVisible();
			assert.equal(await isAbsent("variability"), true);
			assert.equal(await isAbsent("strings"), false);
			await editor.screenshot("forecast deployed");
		}).timeout(60_000);

		it("names the fault of a field, and keeps the triangle until it is right", async () => {
			const body = editor.page.locator("#dialog-form");
			const days = field(body, "pastDays", FORECAST);
			await days.fill("31");
			await days.blur();
			await days.hover();
			await editor.page
				.locator(".red-ui-popover")
				.getByText(text("invalid.pastDays", FORECAST))
				.waitFor();
			await editor.done();
			const triangle = editor.page.locator(
				`[id="${forecast}"] .red-ui-flow-node-error`,
			);
			await triangle.waitFor();
			await triangle.hover();
			await editor.page
				.locator(".red-ui-popover, .red-ui-flow-port-tooltip")
				.getByText(text("invalid.pastDays", FORECAST))
				.waitFor();
			await editor.screenshot("forecast invalid");
			await editor.open(forecast);
			await days.fill("0");
			await editor.done();
			await triangle.waitFor({ state: "hidden" });
			assert.deepEqual(editor.faults, []);
		}).timeout(60_000);
	});
});
