import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
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
import { forecastNode } from "../../support/own-nodes";

/** What runs in the page is not of this program's types. */
type Loose = any;

/** What has the focus. */
interface Stop {
	/** Its id, or the value of a tick box. */
	readonly name: string;
	readonly x: number;
	readonly y: number;
	/** Whether it looks otherwise than without the focus. */
	readonly isSeen: boolean;
}

const FORECAST = forecastNode({ account: "", x: 200, y: 100 });

describe("the forecast's dialog by keyboard alone", () => {
	let red: NodeRed | undefined;
	let browser: Browser | undefined;
	let editor: Editor;

	before(async function () {
		this.timeout(180_000);
		needs(this, noBrowser);
		red = new NodeRed(installedUserDir());
		await red.start([{ id: "tab", type: "tab", label: "House" }, FORECAST]);
		browser = await launchBrowser();
		editor = await Editor.open(browser, red.url);
		await editor.ready();
	});
	after(async () => {
		await browser?.close();
		await red?.stop();
	});
	stepByStep("keyboard", () => editor);

	const press = (key: string) => editor.page.keyboard.press(key);

	/** What has the focus inside a form; undefined outside. */
	const focused = (form: string): Promise<Stop | undefined> =>
		editor.page.evaluate((selector) => {
			const { document, getComputedStyle } = globalThis as Loose;
			const element = document.activeElement;
			if (!element?.closest(selector)) return undefined;
			const look = () => {
				const style = getComputedStyle(element);
				return [style.outline, style.border, style.boxShadow].join();
			};
			const { x, y } = element.getBoundingClientRect();
			const withFocus = look();
			element.blur();
			const without = look();
			element.focus();
			const name = element.id || element.value;
			return { name, x, y, isSeen: withFocus !== without };
		}, form);

	/** Presses Tab, or Shift+Tab, until an element has the focus. */
	async function tabTo(selector: string, key = "Tab"): Promise<void> {
		for (let turn = 0; turn < 60; turn += 1) {
			const isThere = await editor.page.evaluate(
				(wanted) =>
					(globalThis as Loose).document.activeElement.matches(wanted),
				selector,
			);
			if (isThere) return;
			await press(key);
		}
		assert.fail(`${key} does not reach ${selector}`);
	}

	it("leads through all fields from top to bottom, and shows where it is", async () => {
		await press("Control+a");
		await press("Enter");
		await editor.dialog();
		await tabTo("#node-input-name");
		const stops: Stop[] = [];
		for (;;) {
			const stop = await focused(NODE_DIALOG);
			if (!stop) break;
			stops.push(stop);
			await press("Tab");
		}
		const fields: string[] = await editor.page.evaluate((form) => {
			const { $ } = globalThis as Loose;
			return $(`${form} > div`)
				.find("input, select, textarea, button, [role=button]")
				.filter(":visible")
				.map((_index: number, field: Loose) => field.id || field.value)
				.get();
		}, NODE_DIALOG);
		assert.deepEqual(
			stops.map(({ name }) => name),
			fields,
		);
		assert.ok(fields.includes("node-input-btn-account-add"));
		for (const [index, { name, x, y, isSeen }] of stops.entries()) {
			assert.ok(isSeen, `${name} does not show the focus`);
			const before = stops[index - 1];
			if (!before) continue;
			// Beside each other or below: the heights within a line differ a little.
			const isOnward = y > before.y + 10 || (y > before.y - 10 && x > before.x);
			assert.ok(isOnward, `from ${before.name} back up to ${name}`);
		}
	}).timeout(60_000);

	it("adds a demo account, chooses, and deploys", async () => {
		assert.ok(red);
		await editor.page.locator(NODE_DIALOG).press("Shift+Tab");
		await tabTo("#node-input-btn-account-add", "Shift+Tab");
		await press("Enter");
		await editor.dialog(CONFIG_DIALOG);
		await tabTo("#node-config-input-demo");
		await press("Space");
		await tabTo("#node-config-dialog-ok", "Shift+Tab");
		await press("Enter");
		await editor.page.locator(CONFIG_DIALOG).waitFor({ state: "detached" });
		await editor.dialog();

		await tabTo("#solar-yield-forecast-include [value=strings]");
		await press("Space");
		await tabTo("#node-input-forecastDays");
		await editor.page.keyboard.type("1");
		await tabTo("#node-input-timezone");
		await press("ArrowDown");
		await tabTo("#node-dialog-ok", "Shift+Tab");
		await press("Enter");
		await editor.page.locator(NODE_DIALOG).waitFor({ state: "detached" });
		await press("Control+d");
		await editor.status("fc").getByText("demo ·").waitFor();

		const flows = (await (await fetch(`${red.url}/flows`)).json()) as Loose[];
		const [forecast, account] = ["forecast", "account"].map((name) =>
			flows.find(({ type }) => type === `solar-yield-${name}`),
		);
		assert.deepEqual(forecast, {
			...FORECAST,
			account: account.id,
			include: ["default", "strings"],
			forecastDays: "1",
			timezone: "utc",
		});
		assert.equal(account.demo, true);
		await editor.screenshot("keyboard");
		assert.deepEqual(editor.faults, []);
	}).timeout(60_000);
});
