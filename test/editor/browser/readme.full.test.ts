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
import { needs } from "../../support/needs";
import type { NodeRed } from "../../support/node-red-process";
import { named, section } from "../../support/readme";
import { bareNodeRed, startLibrary, walkReadme } from "./readme-walk";

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
});
