import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import {
	catalogueText,
	Editor,
	LIGHT,
	launchBrowser,
	noBrowser,
} from "../../support/browser";
import { listedTypes, MODULE } from "../../support/editor-dialog";
import { needs } from "../../support/needs";
import { installedUserDir, NodeRed } from "../../support/node-red-process";
import { installedNodeRed, ownNodeRed } from "../../support/node-reds";

type Loose = any;

const ACCOUNT = "solar-yield-account";
const BATTERY = "solar-yield-battery";
const VERSIONS = [
	{ title: "4.0", find: () => installedNodeRed("4.0", "20") },
	{ title: "4.1", find: ownNodeRed },
	{ title: "5", find: () => installedNodeRed("5", "22") },
];

for (const { title, find } of VERSIONS) {
	describe(`loading of the dialogs in Node-RED ${title}`, () => {
		let red: NodeRed | undefined;
		let browser: Browser | undefined;
		let editor: Editor;

		before(async function () {
			this.timeout(180_000);
			const installation = find();
			needs(
				this,
				noBrowser,
				installation
					? ""
					: `there is no Node-RED ${title} (see tools/node-reds.cjs)`,
			);
			red = new NodeRed(installedUserDir(), {}, {}, installation);
			await red.start([{ id: "tab", type: "tab", label: "House" }]);
			browser = await launchBrowser();
		});
		after(async () => {
			await browser?.close();
			await red?.stop();
		});
		afterEach(async function () {
			if (this.currentTest?.isFailed()) {
				await editor?.screenshot(`loading ${title} failed`);
			}
			await editor?.close();
		});

		async function open(): Promise<void> {
			assert.ok(red && browser);
			editor = await Editor.open(browser, red.url);
			await editor.ready();
		}

		/** Types of ours that the editor knows and has a dialog for. */
		const known = () =>
			editor.page.evaluate(
				(types) =>
					types.filter((type) => {
						const { RED, document } = globalThis as Loose;
						return (
							RED.nodes.getType(type) &&
							document.querySelector(`[data-template-name="${type}"]`)
						);
					}),
				listedTypes(),
			);

		/** Switches the account's set on or off, as the palette manager does. */
		const enableAccount = (enabled: boolean) =>
			editor.page.evaluate(
				({ set, enabled }) =>
					(globalThis as Loose).$.ajax({
						url: `nodes/${set}`,
						type: "PUT",
						data: JSON.stringify({ enabled }),
						contentType: "application/json; charset=utf-8",
					}),
				{ set: `${MODULE}/${ACCOUNT}`, enabled },
			);

		/** Opens the battery's dialog, which says what is wrong and is laid out. */
		async function useBattery(): Promise<void> {
			const id = await editor.place(BATTERY, 200, 100);
			const body = await editor.open(id);
			const hint = body.locator("#solar-yield-battery-strategy-hint");
			const about = catalogueText(LIGHT, BATTERY, "about.self-consumption");
			await hint.getByText(about).waitFor();
			const width = await body
				.locator("#node-input-minSoc")
				.evaluate((field: Loose) => field.getBoundingClientRect().width);
			assert.equal(width, 90);
			await editor.done();
			assert.deepEqual(editor.faults, []);
		}

		it("brings every type, the others while the account's set is switched off, and it when it is switched on", async () => {
			await open();
			assert.deepEqual(await known(), listedTypes());
			await enableAccount(false);
			await editor.close();
			await open();
			const others = listedTypes().filter((type) => type !== ACCOUNT);
			assert.deepEqual(await known(), others);
			await useBattery();
			const site = await editor.place("solar-yield-forecast", 200, 200);
			const body = await editor.open(site);
			const missing = catalogueText(
				LIGHT,
				ACCOUNT,
				"common.account.switched_off",
			);
			await body.getByText(missing).waitFor();
			await editor.done();
			await enableAccount(true);
			await editor.page.waitForFunction(
				(type) => (globalThis as Loose).RED.nodes.getType(type),
				ACCOUNT,
			);
			assert.deepEqual(await known(), listedTypes());
			assert.deepEqual(editor.faults, []);
		}).timeout(120_000);
	});
}
