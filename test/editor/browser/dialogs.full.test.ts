import assert from "node:assert/strict";
import type { Browser, Locator } from "playwright-core";
import {
	CONFIG_DIALOG,
	Editor,
	launchBrowser,
	NODE_DIALOG,
	noBrowser,
	stepByStep,
} from "../../support/browser";
import { needs } from "../../support/needs";
import { installedUserDir, NodeRed } from "../../support/node-red-process";
import { accountNode, forecastNode } from "../../support/own-nodes";
import {
	type SimulatorServer,
	startSimulatorServer,
} from "../../support/service/server";
import { Simulator } from "../../support/service/simulator";
import { earlyInHour, type ShiftedClock } from "../../support/shifted-clock";

const KEY = "sk-browser+secret/Key=42";
const TAB = { id: "tab", type: "tab", label: "House" };
const ACCOUNT = "solar-yield-account";
const FORECAST = "solar-yield-forecast";

describe("the dialogs on the service", () => {
	let red: NodeRed | undefined;
	let browser: Browser | undefined;
	let editor: Editor;
	let simulator: Simulator;
	let service: SimulatorServer | undefined;
	/** A forecast that is renewed in between would cost a second request, and change what is shown. */
	let clock: ShiftedClock;
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
		simulator.addSite(KEY, {
			id: "site_barn",
			name: "Barn",
			...house,
			strings,
		});
		simulator.addSite(KEY, {
			id: "site_shed",
			name: "Shed",
			...house,
			strings,
			inactive: true,
		});
		service = await startSimulatorServer(simulator);
		red = new NodeRed(installedUserDir(), clock.env);
		await red.start([TAB]);
		browser = await launchBrowser();
		editor = await Editor.open(browser, red.url);
		await editor.ready();
		forecast = await editor.place(FORECAST, 200, 100);
	});
	after(async () => {
		await browser?.close();
		await red?.stop();
		await service?.close();
	});
	stepByStep("dialogs", () => editor);

	const requestsThatCost = () =>
		simulator.requests.filter(({ counted }) => counted).length;
	const text = (key: string, type = ACCOUNT) => editor.text(type, key);
	const field = (body: Locator, label: string, type = ACCOUNT) =>
		body.getByLabel(text(`label.${label}`, type), { exact: true });
	const triangle = (id: string) =>
		editor.page.locator(`[id="${id}"] .red-ui-flow-node-error`);
	const hint = (key: string, type: string) =>
		editor.page
			.locator(".red-ui-popover, .red-ui-flow-port-tooltip")
			.getByText(text(`invalid.${key}`, type))
			.waitFor();

	it("check an account before the first deploy, free of charge, and list its sites", async () => {
		assert.ok(service);
		await editor.open(forecast);
		const body = await editor.addAccount();
		const key = field(body, "apiKey");
		assert.equal(await key.getAttribute("type"), "password");
		await field(body, "baseUrl").fill(service.url);
		await key.fill(KEY);
		await body.getByRole("button", { name: text("check") }).click();
		await body.getByText(text("checked.many").split("__")[0] ?? "").waitFor();
		await body.getByRole("button", { name: text("common.sites.show") }).click();
		const menu = editor.page
			.locator(".red-ui-menu, .red-ui-menu-dropdown")
			.filter({ hasText: "Barn" });
		await menu.getByText("Shed").waitFor();
		await menu.getByText(text("common.sites.state.inactive")).waitFor();
		await menu.getByText("Barn").click();
		assert.equal(await field(body, "siteId").inputValue(), "site_barn");
		assert.equal(requestsThatCost(), 0);
	}).timeout(60_000);

	it("have two tabs for an account, by mouse and keyboard, and say what is wrong where it is entered", async () => {
		const body = editor.page.locator(CONFIG_DIALOG);
		const budget = field(body, "budget");
		const tab = (name: string) =>
			body.getByRole("tab", { name: text(`tab.${name}`) });
		assert.equal(await budget.isVisible(), false);
		await tab("connection").focus();
		await editor.page.keyboard.press("ArrowRight");
		await budget.fill("many");
		await budget.blur();
		await budget.hover();
		await hint("budget", ACCOUNT);
		await editor.doneAccount();
		// The tab is open in which something is wrong.
		await editor.editAccount();
		assert.ok(await budget.isVisible());
		await budget.fill("900");
		await tab("connection").click();
		assert.equal(await budget.isVisible(), false);
		await editor.doneAccount();
	}).timeout(30_000);

	it("know after the deploy plan, quota, the next request and why, and the curve", async () => {
		await editor.done();
		await editor.deploy();
		const shown = editor.status(forecast).getByText("kWh");
		await shown.waitFor();
		assert.equal(requestsThatCost(), 1);
		const [, today] = /([\d.]+) kWh/.exec(`${await shown.textContent()}`) ?? [];
		const body = await editor.open(forecast);
		const curve = body.getByRole("img");
		await curve.waitFor();
		const said = `${await curve.getAttribute("aria-label")}`;
		assert.ok(said.startsWith(`Today ${Number(today)} kWh, up to `), said);
		const path = await curve.locator("path").getAttribute("d");
		assert.ok(`${path}`.split(/[HV]/).length > 60, `${path}`);
		assert.equal(await curve.getByText("12:00").count(), 2);
		await body
			.locator("#solar-yield-forecast-next")
			.getByText(text("reason.next_poll_at", FORECAST))
			.waitFor();
		const absent = body
			.locator("label", { has: editor.page.locator("[value=variability]") })
			.getByText(text("not_in_plan", FORECAST));
		assert.ok(await absent.isVisible());
		const account = await editor.editAccount();
		await account.getByText(/Used 1 of 3,000, left 2,999 until \S+/).waitFor();
		await editor.screenshot("account deployed");
		await editor.page.locator("#node-config-dialog-cancel").click();
		await editor.dialog();
	}).timeout(60_000);

	it("name the fault of a field, and keep the triangle until it is right", async () => {
		const days = field(editor.page.locator(NODE_DIALOG), "pastDays", FORECAST);
		await days.fill("31");
		await editor.done();
		await triangle(forecast).hover();
		await hint("pastDays", FORECAST);
		await editor.open(forecast);
		await days.fill("0");
		await editor.done();
		await triangle(forecast).waitFor({ state: "hidden" });
	}).timeout(60_000);

	async function opened(
		flow: object[],
		keys: Record<string, object>,
	): Promise<void> {
		assert.ok(red && browser);
		await red.deploy(flow, keys);
		await editor.close();
		editor = await Editor.open(browser, red.url);
		await editor.ready();
	}

	it("name the account that a subflow's property chooses, and show at once one that came without its key", async () => {
		const env = { name: "ROOF_ACCOUNT", type: ACCOUNT, value: "" };
		const baseUrl = service?.url;
		await opened(
			[
				TAB,
				accountNode({ baseUrl, siteId: "site_barn" }),
				{
					...{ id: "sub", type: "subflow", name: "roof", in: [], out: [] },
					status: { x: 500, y: 200, wires: [{ id: "inner", port: 0 }] },
					env: [{ ...env, ui: { type: "conf-types" } }],
				},
				forecastNode({ id: "inner", z: "sub", x: 200, y: 100 }),
				{
					...{ id: "instance", type: "subflow:sub", z: "tab", wires: [] },
					...{ x: 200, y: 100 },
					env: [{ ...env, type: "conf-type", value: "acc" }],
				},
			],
			{ acc: { apiKey: KEY } },
		);
		const show = (tab: string) =>
			editor.page.evaluate(
				(id) => (globalThis as any).RED.workspaces.show(id),
				tab,
			);
		await show("sub");
		const body = await editor.open("inner");
		await field(body, "account", FORECAST).selectOption("${ROOF_ACCOUNT}");
		const named = (key: string) => text(key).replace("__name__", env.name);
		await body.getByText(named("common.account.variable")).waitFor();
		await body.getByRole("button", { name: text("common.sites.show") }).click();
		await body.getByText(env.name).nth(1).waitFor();
		await editor.done();
		assert.equal(await triangle("inner").isVisible(), false);
		await editor.deploy();
		await show("tab");
		// What the forecast sends is the subflow's status.
		await editor.status("instance").getByText("site_barn").waitFor();
		assert.deepEqual(editor.faults, []);

		await opened(
			[TAB, accountNode({ baseUrl }), forecastNode({ x: 200, y: 100 })],
			{},
		);
		// Nobody has opened a dialog yet.
		await triangle("fc").waitFor();
	}).timeout(90_000);
});
