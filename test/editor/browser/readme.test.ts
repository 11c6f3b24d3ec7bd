import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import {
	type SimulatorServer,
	startSimulatorServer,
} from "../../../src/simulator/server";
import { Simulator } from "../../../src/simulator/simulator";
import {
	Editor,
	launchBrowser,
	noBrowser,
	stepByStep,
} from "../../support/browser";
import { MODULE } from "../../support/editor-dialog";
import { EXAMPLES } from "../../support/example-flows";
import { needs } from "../../support/needs";
import { NodeRed, packedTarball, ROOT } from "../../support/node-red-process";
import { named, section, steps } from "../../support/readme";
import { earlyInHour } from "../../support/shifted-clock";
import { temporaryFolder } from "../../support/temporary";

const KEY = "sk-readme-Key42";
const STEPS = steps("The first five minutes");

describe("the README's first five minutes, from a bare Node-RED", () => {
	let red: NodeRed | undefined;
	let browser: Browser | undefined;
	let editor: Editor;
	let library: Server | undefined;
	let libraryUrl = "";
	let service: SimulatorServer | undefined;
	let forecast = "";

	before(async function () {
		this.timeout(180_000);
		needs(this, noBrowser);
		const tarball = packedTarball();
		const { version, description, keywords } = JSON.parse(
			readFileSync(join(ROOT, "package.json"), "utf8"),
		);
		// Stands for the flow library, which the palette manager reads, and for npm.
		library = createServer(({ url }, response) => {
			if (url?.endsWith(".tgz")) {
				response.end(readFileSync(tarball));
				return;
			}
			const pkg_url = `${libraryUrl}/package.tgz`;
			const module = { id: MODULE, version, description, keywords, pkg_url };
			response.setHeader("Access-Control-Allow-Origin", "*");
			response.setHeader("Content-Type", "application/json");
			response.end(JSON.stringify({ name: "library", modules: [module] }));
		});
		await new Promise<void>((done) => library?.listen(0, "127.0.0.1", done));
		const { port } = library.address() as AddressInfo;
		libraryUrl = `http://127.0.0.1:${port}`;
		const clock = earlyInHour();
		const simulator = new Simulator({ now: clock.now });
		simulator.addAccount({ apiKey: KEY, plan: "light" });
		for (const name of ["Barn", "House"]) {
			simulator.addSite(KEY, { name, latitude: 52.5, longitude: 13.4 });
		}
		service = await startSimulatorServer(simulator);

		const userDir = temporaryFolder("bare");
		writeFileSync(
			join(userDir, "package.json"),
			JSON.stringify({ name: "user-dir", version: "0.0.1", private: true }),
		);
		red = new NodeRed(
			userDir,
			{ ...clock.env, npm_config_prefer_offline: "true" },
			{
				editorTheme: {
					tours: false,
					palette: { catalogues: [`${libraryUrl}/catalogue.json`] },
				},
			},
		);
		await red.start();
		browser = await launchBrowser();
		editor = await Editor.open(browser, red.url);
		await editor.ready();
	});
	after(async () => {
		await browser?.close();
		await red?.stop();
		await service?.close();
		library?.close();
		library?.closeAllConnections();
	});
	stepByStep("readme", () => editor);

	async function menu(item: string): Promise<void> {
		await editor.page.locator("#red-ui-header-button-sidemenu").click();
		await editor.page
			.locator(".red-ui-menu")
			.getByText(item, { exact: true })
			.click();
	}

	it("Install", async () => {
		const [, sentence = ""] = /^(In the editor: .*?)\. /ms.exec(
			section("Install"),
		) ?? [assert.fail("no way in the editor")];
		const [managePalette = "", install = ""] = named(sentence);
		assert.ok(sentence.includes(`\`${MODULE}\``));
		const { page } = editor;
		await menu(managePalette);
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
		await page.locator("#node-dialog-ok").click();
	}).timeout(90_000);

	/** What a person does for each step; each gets what the step names. */
	const deeds: readonly ((words: readonly string[]) => Promise<void>)[] = [
		async ([item, examples, example, button]) => {
			await menu(item as string);
			const dialog = editor.page.locator(".ui-dialog:visible", {
				has: editor.page.locator("#red-ui-clipboard-dialog-ok"),
			});
			await dialog.getByRole("link", { name: examples as string }).click();
			await dialog.getByText(MODULE).click();
			await dialog.getByText(example as string).click();
			await editor.screenshot("readme examples");
			await dialog
				.getByRole("button", { name: button as string, exact: true })
				.click();
			await dialog.waitFor({ state: "hidden" });
		},
		async ([tab, deploy]) => {
			await editor.page
				.locator(".red-ui-tab")
				.getByText(tab as string)
				.click();
			await pressDeploy(deploy);
			forecast = await idOf("solar-yield-forecast");
			const text = /^demo · [\d.]+ kWh today · next \d/;
			await editor.status(forecast).getByText(text).waitFor();
		},
		async ([name]) => {
			const messages = await editor.debugMessages();
			await editor.page.locator(".red-ui-debug-content-list").waitFor();
			const before = await messages.count();
			await editor.press(await idOf("inject", name));
			await messages.nth(before + 2).waitFor();
			for (const topic of ["forecast", "daily/0", "strings/"]) {
				await messages.getByText(topic).first().waitFor();
			}
			await editor.screenshot("readme debug");
		},
		async ([label, plus]) => {
			assert.equal(plus, "+");
			const body = await editor.open(forecast);
			await body.getByLabel(label as string, { exact: true }).waitFor();
			await editor.addAccount();
		},
		async ([baseUrl, apiKey, check, site, add, done, deploy]) => {
			assert.ok(service);
			const body = await editor.dialog("#node-config-dialog-edit-form");
			const field = (label: string | undefined) =>
				body.getByLabel(label as string, { exact: true });
			await field(baseUrl).fill(service.url);
			await field(apiKey).fill(KEY);
			await body.getByRole("button", { name: check as string }).click();
			await body.getByText(/The key is good/).waitFor();
			await field(site).click();
			await body.locator("#solar-yield-account-sites").click();
			await editor.page.locator(".red-ui-menu").getByText("Barn").click();
			await editor.screenshot("readme account");
			const button = (name: string | undefined) =>
				editor.page.getByRole("button", { name: name as string, exact: true });
			await button(add).click();
			await editor.dialog();
			await button(done).click();
			await editor.page.locator("#dialog-form").waitFor({ state: "detached" });
			await pressDeploy(deploy);
		},
		async () => {
			const text = /^[\d.]+ kWh today · next \d/;
			await editor.status(forecast).getByText(text).waitFor();
		},
	];

	async function pressDeploy(name: string | undefined): Promise<void> {
		const button = editor.page.locator("#red-ui-header-button-deploy");
		assert.equal((await button.textContent())?.trim(), name);
		await editor.deploy();
	}

	const idOf = (type: string, name?: string): Promise<string> =>
		editor.page.evaluate(
			([wanted, called]) =>
				(globalThis as any).RED.nodes
					.filterNodes({ type: wanted })
					.find((node: any) => called === undefined || node.name === called).id,
			[type, name] as const,
		);

	for (const [index, step] of STEPS.entries()) {
		const words = named(step);
		it(`${index + 1}. ${step.slice(0, 60)}…`, async () => {
			const deed = deeds[index] ?? assert.fail("a step that nobody takes here");
			await deed(words);
		}).timeout(60_000);
	}

	it("and there is the first chart, in the forecast's dialog", async () => {
		assert.equal(STEPS.length, deeds.length);
		const body = await editor.open(forecast);
		const chart = body.getByRole("img", { name: /^Today .* kWh.*Tomorrow/ });
		await chart.locator("path").waitFor();
		await editor.screenshot("readme chart");
		await editor.cancel();
		assert.deepEqual(editor.faults, []);
	}).timeout(60_000);

	it("and any other example can be imported beside it, without a question", async () => {
		const [item, examples, first, button] = named(STEPS[0] as string);
		const others = EXAMPLES.map((file) => file.replace(/\.json$/, "")).filter(
			(name) => name !== first,
		);
		assert.equal(others.length, EXAMPLES.length - 1);
		for (const name of others) {
			await deeds[0]?.([item, examples, name, button] as string[]);
			const label = name.replace(/^\d+ - /, "");
			await editor.page.locator(".red-ui-tab").getByText(label).waitFor();
		}
		assert.equal(
			await editor.page.locator(".red-ui-notification-error").count(),
			0,
		);
	}).timeout(60_000);

	it("in which to look at a node and press Done changes nothing", async () => {
		await editor.deploy();
		const nodes = await editor.page.evaluate(() =>
			(globalThis as any).RED.nodes
				.filterNodes({})
				.filter(({ type }: any) => type.startsWith("solar-yield-"))
				.map(({ id, z }: any) => [id, z]),
		);
		assert.ok(nodes.length > EXAMPLES.length);
		for (const [id, z] of nodes) {
			await editor.page.evaluate(
				(tab) => (globalThis as any).RED.workspaces.show(tab),
				z,
			);
			await editor.open(id);
			await editor.done();
			const changed = await editor.page.evaluate((id) => {
				const { nodes } = (globalThis as any).RED;
				const { type, name, format, changed } = nodes.node(id);
				return changed || nodes.dirty() ? [type, name, format] : null;
			}, id);
			assert.equal(changed, null);
		}
	}).timeout(120_000);
});
