import assert from "node:assert/strict";
import type { Browser, Locator } from "playwright-core";
import {
	Editor,
	type Finding,
	launchBrowser,
	longLooks,
	MAJORS,
	noBrowser,
	noDarkTheme,
	stepByStep,
} from "../../support/browser";
import { hasV1 } from "../../support/editor-dialog";
import { needs } from "../../support/needs";
import { installedUserDir, NodeRed } from "../../support/node-red-process";

/** What a newcomer enters in a dialog: label or id, and value; true ticks a box. */
type Entries = readonly (readonly [
	label: string,
	value: string | true | { readonly choose: string },
])[];

/** The demo account, by its name in the editor's language. */
const DEMO = { choose: "demo" };

interface PaletteNode {
	readonly type: string;
	/** The name of the debug node that shows its messages. */
	readonly name: string;
	/** Where its input comes from. */
	readonly from?: string;
	readonly entries: Entries;
	/** What the debug sidebar shows. */
	readonly shows: RegExp;
}

/** The nodes of our palette as a newcomer uses them, from the top of the workspace down. */
const PALETTE: readonly PaletteNode[] = [
	{
		type: "solar-yield-forecast",
		name: "forecast",
		entries: [["group.strings", true]],
		shows: /solar-yield\/demo-site_demo\/forecast[\s\S]*site_demo/,
	},
	{
		type: "solar-yield-now",
		name: "now",
		from: "forecast",
		entries: [["label.every", { choose: "1" }]],
		shows: /solar-yield\/demo-site_demo\/now[\s\S]*power_now_w/,
	},
	{
		type: "solar-yield-export",
		name: "export",
		from: "forecast",
		entries: [["label.format", { choose: "evcc" }]],
		shows: /array\[\d{2,}\]/,
	},
	{
		type: "solar-yield-battery",
		name: "battery",
		from: "forecast",
		entries: [
			["label.capacityKwh", "10"],
			["label.maxChargeW", "5000"],
			["label.maxDischargeW", "5000"],
		],
		shows: /solar-yield\/demo-site_demo\/battery[\s\S]*plan: array/,
	},
	{
		type: "solar-yield-learn",
		name: "learn",
		from: "forecast",
		entries: [["label.unit", { choose: "W" }]],
		shows: /solar-yield\/demo-site_demo\/forecast[\s\S]*site_demo/,
	},
	{
		type: "solar-yield-sum",
		name: "sum",
		from: "forecast",
		entries: [["label.sumId", "house"]],
		shows: /solar-yield\/demo-house\/forecast[\s\S]*house/,
	},
	{
		type: "solar-yield-window",
		name: "window",
		from: "forecast",
		entries: [
			["label.hours", "3"],
			["label.to", "18:00"],
		],
		shows: /solar-yield\/(demo-site_demo\/)?window\/[\s\S]*(true|false)/,
	},
	{
		type: "solar-yield-site",
		name: "site",
		from: "ask",
		entries: [
			["label.account", DEMO],
			["label.operation", { choose: "list" }],
		],
		shows: /array\[1\]/,
	},
	{
		type: "solar-yield-history",
		name: "history",
		from: "ask",
		entries: [
			["label.account", DEMO],
			["label.period", "2d"],
		],
		shows: /solar-yield\/demo-site_demo\/history[\s\S]*site_demo/,
	},
	{
		type: "solar-yield-v1",
		name: "v1",
		from: "ask",
		entries: [
			["label.account", DEMO],
			["parameter.latitude", "52.5"],
			["parameter.longitude", "13.4"],
			["parameter.slope", "30"],
			["parameter.orientation", "180"],
			["parameter.pv_power_kw", "8"],
		],
		shows: /Object|array\[\d+\]/,
	},
];
const NODES = PALETTE.filter(({ type }) => hasV1 || type !== "solar-yield-v1");

/** Where a node's row lies on the workspace. */
function rowOf(index: number): number {
	return 60 + index * 80;
}

/** Node-RED's own nodes around them: two buttons on the left, debug nodes on the right. */
const BUTTON = {
	type: "inject",
	z: "tab",
	repeat: "",
	crontab: "",
	once: false,
	onceDelay: 0.1,
	topic: "",
	x: 100,
	wires: [[]],
};
const KIT = [
	{ id: "tab", type: "tab", label: "House" },
	{
		...BUTTON,
		id: "soc",
		name: "soc",
		props: [{ p: "soc", v: "55", vt: "num" }],
		y: 240,
	},
	{
		...BUTTON,
		id: "power",
		name: "power",
		props: [
			{
				p: "payload",
				v: '[0..300].{"time": $millis() - $ * 300000, "power_w": 3000}',
				vt: "jsonata",
			},
		],
		y: 320,
	},
	{ ...BUTTON, id: "ask", name: "ask", props: [], y: 480 },
	...NODES.map(({ name }, index) => ({
		id: `debug-${name}`,
		type: "debug",
		z: "tab",
		name,
		active: true,
		tosidebar: true,
		complete: "payload",
		targetType: "msg",
		x: 680,
		y: rowOf(index),
		wires: [],
	})),
];

async function enter(
	editor: Editor,
	body: Locator,
	type: string,
	entries: Entries,
) {
	for (const [label, value] of entries) {
		const text = editor.text(type, label);
		const field = body.getByLabel(text).first();
		if (value === true) await field.check();
		else if (typeof value === "string") await field.fill(value);
		else if (value !== DEMO) await field.selectOption(value.choose);
		else {
			const demo = editor.text("solar-yield-account", "demo");
			await field.selectOption({ label: demo });
		}
	}
}

for (const { title, find, missing, looks } of MAJORS) {
	describe(`the editor of ${title}`, () => {
		let red: NodeRed | undefined;
		let browser: Browser | undefined;

		before(async function () {
			this.timeout(180_000);
			const installation = find();
			needs(this, noBrowser, installation ? "" : missing);
			red = new NodeRed(installedUserDir(), {}, {}, installation);
			await red.start([]);
			browser = await launchBrowser();
		});
		after(async () => {
			await browser?.close();
			await red?.stop();
		});

		for (const look of longLooks(looks)) {
			describe(`${look.language}, ${look.theme}`, () => {
				let editor: Editor;
				const ids = new Map<string, string>();
				const findings: Finding[] = [];
				/** Texts that the catalogue lacks show as their keys. */
				const keys: string[] = [];
				/** What does not fit into a narrow dialog. */
				const tooWide: string[] = [];
				const idOf = (name: string) => ids.get(name) ?? assert.fail(name);

				before(async function () {
					this.timeout(90_000);
					assert.ok(red && browser);
					if (title === "Node-RED 4.1" && look.theme === "dark") {
						needs(this, noDarkTheme);
					}
					await red.deploy(KIT);
					editor = await Editor.open(browser, red.url, look);
					await editor.ready();
				});
				after(() => editor?.close());
				stepByStep(title, () => editor);
				const picture = (name: string) => editor.screenshot(`${title} ${name}`);

				/** Looks at an open dialog: a picture, axe-core, missing texts. */
				async function inspect(body: Locator, name: string): Promise<void> {
					await picture(name);
					const beyond = await editor.narrowScreenshot(`${title} ${name}`);
					tooWide.push(...beyond.map((part) => `${name}: ${part}`));
					findings.push(...(await editor.seriousFindings()));
					const text = (await body.textContent()) ?? "";
					keys.push(
						...(text.match(/\b(solar-yield-[\w-]+|common)\.\w+/g) ?? []),
					);
				}

				it("takes each node from the palette, and a newcomer's entries", async () => {
					for (const [index, { type, name, entries }] of NODES.entries()) {
						const id = await editor.place(type, 330, rowOf(index));
						ids.set(name, id);
						const body = await editor.open(id);
						if (index === 0) {
							const account = await editor.addAccount();
							const check = editor.text("solar-yield-account", "check");
							await account.getByRole("button", { name: check }).click();
							await account.locator(".solar-yield-error").first().waitFor();
							await inspect(account, "account, new");
							await account
								.getByRole("tab", {
									name: editor.text("solar-yield-account", "tab.advanced"),
								})
								.click();
							await inspect(account, "account, advanced");
							await account.getByRole("tab").first().click();
							await account
								.getByLabel(editor.text("solar-yield-account", "label.demo"))
								.check();
							await inspect(account, "account, demo");
							await editor.doneAccount();
						}
						await enter(editor, body, type, entries);
						await inspect(body, `${name}, new`);
						const source = body.locator("#node-input-source");
						if ((await source.count()) > 0) {
							await source.selectOption("inline");
							await inspect(body, `${name}, system`);
							await body.getByRole("tab").nth(1).click();
							await inspect(body, `${name}, system as JSON`);
							await source.selectOption("site");
						}
						const range = body.locator("#solar-yield-history-range");
						if ((await range.count()) > 0) {
							await range.selectOption("dates");
							await inspect(body, `${name}, dates`);
							await range.selectOption("period");
						}
						await editor.done();
					}
					for (const { name, from } of NODES) {
						const source = from && (ids.get(from) ?? from);
						if (source) await editor.wire(source, 0, idOf(name));
						await editor.wire(idOf(name), 0, `debug-${name}`);
					}
					await editor.wire("soc", 0, idOf("battery"));
					await editor.wire("power", 0, idOf("learn"));
					await picture("wired");
				}).timeout(180_000);

				it("deploys, and the debug sidebar shows a message of each", async () => {
					const messages = await editor.debugMessages();
					await editor.deploy();
					await editor.press("ask");
					await editor.press("soc");
					for (const { name, shows } of NODES) {
						const mine = messages.filter({
							has: editor.page.locator(".red-ui-debug-msg-name", {
								hasText: new RegExp(`(^|\\W)${name}$`),
							}),
						});
						await mine.filter({ hasText: shows }).first().waitFor();
					}
					// The learn node takes readings from its first forecast on.
					await editor.press("power");
					await picture("debug");
				}).timeout(60_000);

				it("shows in the dialogs what is known after the deploy", async () => {
					const forecast = await editor.open(idOf("forecast"));
					await forecast.locator("svg.solar-yield-chart path").waitFor();
					await inspect(forecast, "forecast, deployed");
					const account = await editor.editAccount();
					const [groups = ""] = editor
						.text("solar-yield-account", "common.plan")
						.split("__groups__");
					await account.getByText(groups).waitFor();
					await inspect(account, "account, deployed");
					await editor.doneAccount();
					await editor.cancel();
					const window = await editor.open(idOf("window"));
					await window.locator("svg.solar-yield-chart rect").first().waitFor();
					await window
						.getByLabel(editor.text("solar-yield-window", "label.to"))
						.fill("10:00");
					await window
						.locator("rect.solar-yield-chart-deployed")
						.first()
						.waitFor();
					await inspect(window, "window, deployed");
					await editor.cancel();
					const learn = await editor.open(idOf("learn"));
					await learn
						.getByText(
							editor.text("solar-yield-learn", "phase.days").split("__")[0] ??
								"",
						)
						.waitFor();
					await inspect(learn, "learn, deployed");
					await editor.cancel();
					const history = await editor.open(idOf("history"));
					assert.equal(
						await history
							.locator("#node-input-siteId")
							.getAttribute("placeholder"),
						editor.text("solar-yield-account", "common.sites.of_demo"),
					);
					await editor.cancel();
					const site = await editor.open(idOf("site"));
					const operation = site.locator("#node-input-operation");
					await operation.selectOption("create");
					await inspect(site, "site, create");
					await operation.selectOption("update");
					await site.locator("#solar-yield-site-load").click();
					await site.locator(".solar-yield-string").first().waitFor();
					await inspect(site, "site, strings");
					await editor.cancel();
					if (!hasV1) return;
					const v1 = await editor.open(idOf("v1"));
					await v1.locator("#solar-yield-v1-param-latitude").waitFor();
					await v1.locator("#solar-yield-v1-move").click();
					await v1.locator("#solar-yield-v1-report tr").first().waitFor();
					await inspect(v1, "v1, move");
					await editor.cancel();
				}).timeout(120_000);

				it("axe-core finds nothing serious in any dialog", () => {
					assert.deepEqual(findings, []);
				});

				it("has a text for everything, fits a narrow dialog, and no script fails", () => {
					assert.deepEqual(tooWide, []);
					assert.deepEqual(keys, []);
					assert.deepEqual(editor.faults, []);
				});
			});
		}
	});
}
