import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import {
	Editor,
	launchBrowser,
	MAJORS,
	noBrowser,
	stepByStep,
} from "../../support/browser";
import { MODULE } from "../../support/editor-dialog";
import { EXAMPLES } from "../../support/example-flows";
import { needs } from "../../support/needs";
import type { NodeRed } from "../../support/node-red-process";
import { named, section } from "../../support/readme";
import {
	bareNodeRed,
	importDialog,
	startLibrary,
	walkReadme,
} from "./readme-walk";

type Loose = any;

for (const major of MAJORS.slice(1)) walkReadme(major);

describe("the README's way through the palette manager, from an empty Node-RED", () => {
	let library: Awaited<ReturnType<typeof startLibrary>> | undefined;
	let red: NodeRed | undefined;
	let browser: Browser | undefined;
	let editor: Editor;

	before(async function () {
		this.timeout(180_000);
		needs(this, noBrowser);
		library = await startLibrary();
		red = bareNodeRed(library.url);
		await red.start();
		browser = await launchBrowser();
		editor = await Editor.open(browser, red.url);
		await editor.ready();
	});
	after(async () => {
		await browser?.close();
		await red?.stop();
		library?.close();
	});
	stepByStep("readme palette", () => editor);

	it("Install", async () => {
		const [, sentence = ""] = /^(In the editor: .*?)\. /ms.exec(
			section("Install"),
		) ?? [assert.fail("no way in the editor")];
		const [managePalette = "", install = ""] = named(sentence);
		assert.ok(sentence.includes(`\`${MODULE}\``));
		const { page } = editor;
		await page.locator("#red-ui-header-button-sidemenu").click();
		await page
			.locator(".red-ui-menu")
			.getByText(managePalette, { exact: true })
			.click();
		await page
			.locator("#red-ui-settings-tab-palette .red-ui-tab")
			.getByText(install)
			.click();
		await page
			.locator("#red-ui-settings-tab-palette .red-ui-searchBox-input:visible")
			.fill(MODULE);
		const entry = page.locator(".red-ui-palette-module-header", {
			hasText: MODULE,
		});
		await entry.getByText("install", { exact: true }).click();
		await page
			.locator(".red-ui-notification button")
			.getByText("Install", { exact: true })
			.click();
		await page
			.locator("[data-palette-type=solar-yield-battery]")
			.waitFor({ state: "attached", timeout: 60_000 });
		await editor.screenshot("readme installed");
		const tray = page.locator(".red-ui-tray");
		await page.locator("#node-dialog-ok").click();
		// No import dialog opens while a tray is on its way out.
		await tray.waitFor({ state: "detached" });
	}).timeout(90_000);

	it("every example can be imported beside the others, on one demo account", async () => {
		const { page } = editor;
		for (const name of EXAMPLES.map((file) => file.replace(/\.json$/, ""))) {
			await page.evaluate(() =>
				(globalThis as Loose).RED.actions.invoke("core:show-import-dialog"),
			);
			const dialog = importDialog(editor);
			await dialog.getByRole("link", { name: "Examples" }).click();
			await dialog.getByText(MODULE).click();
			await dialog.getByText(name).dblclick();
			await dialog.waitFor({ state: "hidden" });
			const label = name.replace(/^\d+ - /, "");
			const tab = page.locator(".red-ui-tab").getByText(label);
			// Node-RED asks where the account is there already.
			const copy = page.getByRole("button", { name: "Import copy" });
			await copy.or(tab).first().waitFor();
			if (await copy.isVisible()) await copy.click();
			await tab.waitFor();
		}
		const [accounts, unused] = await page.evaluate(() => {
			const { nodes } = (globalThis as Loose).RED;
			const configs: Loose[] = [];
			nodes.eachConfig((node: Loose) => configs.push(node));
			return [
				configs.filter(({ type }) => type === "solar-yield-account").length,
				// Those of which Node-RED tells at a deploy.
				configs
					.filter(({ users, _def }) => !users.length && _def.hasUsers !== false)
					.map(({ id, type }) => `${type} ${id}`),
			] as const;
		});
		assert.equal(accounts, 1);
		assert.deepEqual(unused, []);
		const errors = page.locator(".red-ui-notification-error");
		assert.equal(await errors.count(), 0);
	}).timeout(180_000);
});
