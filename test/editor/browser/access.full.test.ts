import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { Editor, launchBrowser, noBrowser } from "../../support/browser";
import { needs } from "../../support/needs";
import { installedUserDir, NodeRed } from "../../support/node-red-process";
import { accountNode, forecastNode, siteNode } from "../../support/own-nodes";
import { RewritingProxy } from "../../support/rewriting-proxy";

const ACCOUNT = "solar-yield-account";
/** Passwords are the names; hashes by bcrypt. */
const USERS = [
	{
		username: "full",
		password: "$2b$04$o2KyH0B306kdoUdLsYgXC.MhrRW1J5ta82Em2VDUxJbUcpIeiSA6.",
		permissions: "*",
	},
	{
		username: "reader",
		password: "$2b$04$usagXvYN.L6CHPx3fV2W5.VRZPViiDwSPQFyAkz1zZH.HdCPyF4ky",
		permissions: "read",
	},
];
const FLOWS = [
	{ id: "tab", type: "tab", label: "House" },
	accountNode({ name: "Demo", demo: true }),
	forecastNode({ x: 200, y: 100 }),
	siteNode({ operation: "update", x: 200, y: 200 }),
];

describe("the dialogs below httpAdminRoot, behind a proxy, after a login", () => {
	let red: NodeRed | undefined;
	let browser: Browser | undefined;
	let proxy: RewritingProxy | undefined;
	let editor: Editor | undefined;

	before(async function () {
		this.timeout(180_000);
		needs(this, noBrowser);
		red = new NodeRed(
			installedUserDir(),
			{},
			{
				httpAdminRoot: "/nodes/red",
				adminAuth: { type: "credentials", users: USERS },
			},
		);
		await red.start(FLOWS);
		proxy = new RewritingProxy("/house/", red.port, "/nodes/red/");
		await proxy.start();
		browser = await launchBrowser();
	});
	after(async () => {
		await browser?.close();
		await proxy?.stop();
		await red?.stop();
	});
	afterEach(async function () {
		if (this.currentTest?.isFailed()) await editor?.screenshot("access failed");
		await editor?.close();
	});

	async function login(user: string): Promise<Editor> {
		assert.ok(browser && proxy);
		editor = await Editor.open(browser, proxy.url);
		const { page } = editor;
		await page.locator("#node-dialog-login-username").fill(user);
		await page.locator("#node-dialog-login-password").fill(user);
		await page.locator("#node-dialog-login-submit").click();
		await editor.ready();
		return editor;
	}

	it("work for a user who may do all", async () => {
		const at = await login("full");
		const text = (key: string) => at.text(ACCOUNT, key);
		const forecast = await at.open("fc");
		await forecast.locator("svg.solar-yield-chart path").waitFor();
		const sites = { name: text("common.sites.show") };
		await forecast.getByRole("button", sites).click();
		await at.page.locator(".red-ui-menu").getByText("site_demo").click();
		const account = await at.editAccount();
		await account
			.locator("#solar-yield-account-plan")
			.getByText(/default/)
			.waitFor();
		await at.page.locator("#node-config-dialog-cancel").click();
		await at.dialog();
		await at.cancel();

		const site = await at.open("site");
		await site.locator("#solar-yield-site-load").click();
		await site.locator(".solar-yield-string").first().waitFor();
		await at.cancel();

		assert.deepEqual(at.faults, []);
		assert.deepEqual(proxy?.strays, []);
	}).timeout(90_000);

	it("show a read-only user what is known, and say what needs more", async () => {
		const at = await login("reader");
		const forbidden = at.text(ACCOUNT, "common.failure.forbidden");
		const forecast = await at.open("fc");
		await forecast.locator("svg.solar-yield-chart path").waitFor();
		const sites = { name: at.text(ACCOUNT, "common.sites.show") };
		await forecast.getByRole("button", sites).click();
		await forecast
			.locator("#solar-yield-forecast-site-note")
			.getByText(forbidden)
			.waitFor();
		await at.screenshot("access read-only forecast");
		const account = await at.editAccount();
		await account
			.locator("#solar-yield-account-plan")
			.getByText(/default/)
			.waitFor();
		await account.locator("#solar-yield-account-ask").click();
		await account
			.locator("#solar-yield-account-asked")
			.getByText(forbidden)
			.waitFor();
		await at.page.locator("#node-config-dialog-cancel").click();
		await at.dialog();
		await at.cancel();

		const site = await at.open("site");
		await site.locator("#solar-yield-site-load").click();
		await site
			.locator(
				".solar-yield-string, #solar-yield-site-loaded.solar-yield-error",
			)
			.first()
			.waitFor();
		await at.screenshot("access read-only site");
		await at.cancel();

		assert.deepEqual(at.faults, []);
		assert.deepEqual(proxy?.strays, []);
	}).timeout(90_000);
});
