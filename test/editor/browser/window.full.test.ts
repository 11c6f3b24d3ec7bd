import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import {
	Editor,
	launchBrowser,
	noBrowser,
	stepByStep,
} from "../../support/browser";
import { needs } from "../../support/needs";
import { installedUserDir, NodeRed } from "../../support/node-red-process";
import { accountNode } from "../../support/own-nodes";
import { named, steps } from "../../support/readme";
import { shiftedClock } from "../../support/shifted-clock";

const FORECAST = "solar-yield-forecast";
const WINDOW = "solar-yield-window";
/** The afternoon of a summer's day at the demo's site: the best of what is left begins at once. */
const AFTERNOON = Date.parse("2026-06-10T13:31:00Z");

const STEPS = steps("A boiler in the sunniest two hours");

describe("the README's boiler, from an empty flow", () => {
	let red: NodeRed | undefined;
	let browser: Browser | undefined;
	let editor: Editor;
	/** What a person did: each is one movement of the hand. */
	let actions = 0;
	let forecast = "";
	let window = "";
	let boiler = "";

	before(async function () {
		this.timeout(180_000);
		needs(this, noBrowser);
		const clock = shiftedClock(AFTERNOON - Date.now());
		red = new NodeRed(installedUserDir(), clock.env);
		await red.start([
			{ id: "tab", type: "tab", label: "House" },
			// The account of the first five minutes.
			accountNode({ id: "account", demo: true }),
		]);
		browser = await launchBrowser();
		editor = await Editor.open(browser, red.url);
		await editor.ready();
	});
	after(async () => {
		await browser?.close();
		await red?.stop();
	});
	stepByStep("window", () => editor);

	const title = (type: string) => editor.text(type, "title");

	/** What a person does for each step; each gets what the step names. */
	const deeds: readonly ((words: readonly string[]) => Promise<void>)[] = [
		async ([name]) => {
			assert.equal(name, title(FORECAST));
			forecast = await editor.place(FORECAST, 120, 100);
		},
		async ([name]) => {
			assert.equal(name, title(WINDOW));
			window = await editor.place(WINDOW, 330, 100);
		},
		() => editor.wire(forecast, 0, window),
		async (words) => {
			assert.ok(words.includes("debug"));
			boiler = await editor.place("debug", 540, 100);
		},
		() => editor.wire(window, 0, boiler),
		async ([name]) => {
			const button = editor.page.locator("#red-ui-header-button-deploy");
			assert.equal((await button.textContent())?.trim(), name);
			await editor.deploy();
		},
	];

	for (const [index, step] of STEPS.entries()) {
		it(`${index + 1}. ${step}`, async () => {
			const deed = deeds[index] ?? assert.fail("a step that nobody takes here");
			await deed(named(step));
			actions += 1;
		}).timeout(60_000);
	}

	it("is switched on after six actions, without a function node", async () => {
		assert.equal(actions, deeds.length);
		assert.ok(actions <= 6, String(actions));
		await editor
			.status(window)
			.getByText(/^demo · on until \d\d:\d\d$/)
			.waitFor();
		const messages = await editor.debugMessages();
		const last = messages.last();
		await last.getByText("true", { exact: true }).waitFor();
		await last.getByText(/^solar-yield\/demo-site_demo\/window\//).waitFor();
		const types: string[] = await editor.page.evaluate(() =>
			(globalThis as any).RED.nodes
				.filterNodes({})
				.map(({ type }: any) => type),
		);
		assert.deepEqual(types.sort(), ["debug", FORECAST, WINDOW]);
		await editor.screenshot("window boiler");
	}).timeout(60_000);

	it("has a picture of what is deployed, and of what is entered", async () => {
		const body = await editor.open(window);
		const field = (name: string) =>
			body.getByLabel(editor.text(WINDOW, `label.${name}`), { exact: true });
		const chart = body.getByRole("img", { name: /^Today .* kWh.*Tomorrow/ });
		await chart.locator("path").waitFor();
		const planned = chart.locator("rect:not(.solar-yield-chart-deployed)");
		const deployed = chart.locator("rect.solar-yield-chart-deployed");
		const edited = body.locator("#solar-yield-window-edited");
		// The one that has begun, and tomorrow's.
		assert.equal(await planned.count(), 2);
		assert.equal(await deployed.count(), 0);
		await edited.getByText(/15:3\d.*17:3\d.*kWh.*; Thu/).waitFor();
		await body.getByText(/^On until /).waitFor();

		await field("hours").fill("1");
		await edited.getByText(/15:3\d.*16:3\d/).waitFor();
		await body
			.locator("#solar-yield-window-deployed")
			.getByText(/^Deployed \(dashed\): .*17:3\d/)
			.waitFor();
		assert.equal(await deployed.count(), 2);
		await editor.screenshot("window edited");

		await field("rank").selectOption("cost");
		await body.getByText(/^Needs msg\.prices/).waitFor();
		await body.getByText(/No price ahead is known/).waitFor();
		await field("to").fill("half past");
		await edited.getByText(/correct the red fields/).waitFor();
		await editor.cancel();
		assert.deepEqual(editor.faults, []);
	}).timeout(60_000);

	it("of a node that is not deployed has none, and says so", async () => {
		const other = await editor.place(WINDOW, 330, 250);
		const body = await editor.open(other);
		await body
			.getByText("Deploy first; then this shows what the node knows.")
			.waitFor();
		await editor.cancel();
	}).timeout(60_000);
});
