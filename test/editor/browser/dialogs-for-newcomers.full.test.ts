import assert from "node:assert/strict";
import type { Browser, Locator } from "playwright-core";
import {
	Editor,
	launchBrowser,
	longLooks,
	MAJORS,
	NODE_DIALOG,
	noBrowser,
	stepByStep,
} from "../../support/browser";
import { needs } from "../../support/needs";
import { installedUserDir, NodeRed } from "../../support/node-red-process";
import {
	accountNode,
	forecastNode,
	historyNode,
	siteNode,
} from "../../support/own-nodes";
import {
	type SimulatorServer,
	startSimulatorServer,
} from "../../support/service/server";
import { Simulator } from "../../support/service/simulator";
import { earlyInHour } from "../../support/shifted-clock";

type Loose = any;

const KEY = "sk-newcomer-Key42";
/** Of an account whose forecasts never come. */
const SLOW_KEY = "sk-newcomer-Key43";
const ACCOUNT = "solar-yield-account";
const FORECAST = "solar-yield-forecast";
const SITE = "solar-yield-site";

const STRING = { slope: 30, orientation: 180, power_kw: 5 };
const SYSTEM = {
	latitude: 52.5,
	longitude: -13.25,
	strings: [{ ...STRING, gcr: 0.4 }],
	config: { mounting: { type: "open" } },
};

function flowsOn(url: string): object[] {
	const account = (more: object) => accountNode({ baseUrl: url, ...more });
	return [
		{ id: "tab", type: "tab", label: "House" },
		account({ name: "Home", siteId: "site_barn" }),
		account({ id: "slow", name: "Slow", siteId: "site_slow" }),
		forecastNode({ id: "barn", x: 150, y: 60 }),
		forecastNode({ id: "shed", siteId: "site_shed", x: 150, y: 120 }),
		forecastNode({ id: "late", account: "slow", x: 150, y: 180 }),
		forecastNode({ id: "new", source: "inline", x: 150, y: 240 }),
		forecastNode({
			id: "broken",
			source: "inline",
			inline: '{"latitude": 52',
			x: 150,
			y: 300,
		}),
		forecastNode({
			id: "roof",
			source: "inline",
			inline: JSON.stringify(SYSTEM),
			x: 150,
			y: 360,
		}),
		historyNode({
			id: "hist",
			source: "inline",
			inline: JSON.stringify(SYSTEM),
			period: "",
			startDate: "2026-10-01",
			endDate: "${LAST_DAY}",
			x: 450,
			y: 60,
		}),
		siteNode({ id: "create", operation: "create", x: 450, y: 120 }),
		siteNode({ x: 450, y: 180 }),
	];
}

for (const { title, find, missing, looks } of MAJORS) {
	describe(`a newcomer in ${title}`, () => {
		let red: NodeRed | undefined;
		let browser: Browser | undefined;
		let simulator: Simulator;
		let service: SimulatorServer | undefined;

		before(async function () {
			this.timeout(180_000);
			const installation = find();
			needs(this, noBrowser, installation ? "" : missing);
			const clock = earlyInHour();
			simulator = new Simulator({ now: clock.now });
			service = await startSimulatorServer(simulator, {
				intercept: ({ url }, _response, next) => {
					if (!url?.includes("/forecast/site_slow")) next();
				},
			});
			const place = { latitude: 52.5, longitude: 13.4 };
			for (const [key, id, name, power_kw] of [
				[KEY, "site_barn", "Barn", 5],
				[KEY, "site_shed", "Shed", 10],
				[SLOW_KEY, "site_slow", "Mill", 5],
			] as const) {
				if (name !== "Shed") {
					simulator.addAccount({ apiKey: key, plan: "plus" });
				}
				const strings = [{ id: `str_${name}`, ...STRING, power_kw }];
				simulator.addSite(key, { id, name, ...place, strings });
			}
			red = new NodeRed(
				installedUserDir(),
				{ ...clock.env, LAST_DAY: "2026-10-31" },
				{},
				installation,
			);
			await red.start([]);
			browser = await launchBrowser();
		});
		after(async () => {
			await browser?.close();
			await red?.stop();
			await service?.close();
		});

		for (const look of longLooks(looks)) {
			describe(look.language, () => {
				let editor: Editor;

				before(async function () {
					this.timeout(90_000);
					assert.ok(red && browser && service);
					await red.deploy(flowsOn(service.url), {
						acc: { apiKey: KEY },
						slow: { apiKey: SLOW_KEY },
					});
					editor = await Editor.open(browser, red.url, {
						...look,
						theme: "light",
					});
					await editor.ready();
				});
				after(async () => {
					assert.deepEqual(editor?.faults, []);
					await editor?.close();
				});
				stepByStep(`newcomer ${title}`, () => editor);

				const text = (key: string, type: string) => editor.text(type, key);
				const say = (key: string) => editor.text(ACCOUNT, `common.${key}`);
				/** A number as the dialogs write it. */
				const decimal = (number: string) =>
					look.language === "de" ? number.replace(".", ",") : number;
				/** A property as the editor holds it. */
				const property = (id: string, name: string): Promise<Loose> =>
					editor.page.evaluate(
						([node, key]) =>
							(globalThis as Loose).RED.nodes.node(node)[key as string],
						[id, name],
					);
				const changes = () =>
					simulator.requests.filter(({ method }) => method !== "GET");

				/** The parts of a form of a system. */
				const formIn = (body: Locator) => {
					const field = (name: string) =>
						body.getByLabel(say(`system.label.${name}`), { exact: true });
					const row = (index: number) =>
						body.locator(".solar-yield-string").nth(index);
					return {
						field,
						json: body.locator("textarea"),
						tab: (name: "form" | "json") =>
							body.getByRole("tab", { name: say(`system.tab.${name}`) }),
						rows: body.locator(".solar-yield-string"),
						string: (index: number, name: keyof typeof STRING) =>
							row(index).getByLabel(say(`strings.field.${name}`), {
								exact: true,
							}),
						add: () =>
							body.locator(".red-ui-editableList-addButton:visible").click(),
						/** What the form says is wrong. */
						fault: body.locator("[id$=-form] > div > .solar-yield-note"),
					};
				};
				const isMarked = async (field: Locator) =>
					(await field.getAttribute("aria-invalid")) === "true";

				async function findsNothing(): Promise<void> {
					assert.deepEqual(await editor.seriousFindings(), []);
				}

				describe("describes a system", () => {
					it("in a form, whose value is the JSON", async () => {
						const body = await editor.open("new");
						const form = formIn(body);
						assert.equal(await form.rows.count(), 1);
						assert.ok(await isMarked(form.field("latitude")));
						await form.fault.getByText(say("system.fault.latitude")).waitFor();
						await form.field("latitude").fill("52,5");
						await form.field("longitude").fill("-200");
						await form.fault.getByText(say("system.fault.longitude")).waitFor();
						await form.field("longitude").fill("-13.25");
						await form.string(0, "slope").fill("30");
						await form.string(0, "orientation").fill("180");
						assert.ok(await isMarked(form.string(0, "power_kw")));
						assert.ok(!(await isMarked(form.string(0, "slope"))));
						await form.fault
							.getByText(/^String 1: /)
							.filter({ hasText: "kW" })
							.waitFor();
						await findsNothing();
						await form.string(0, "power_kw").fill("5");
						assert.equal(await form.fault.isVisible(), false);
						assert.deepEqual(JSON.parse(await form.json.inputValue()), {
							latitude: 52.5,
							longitude: -13.25,
							strings: [STRING],
						});
						const compass = body.getByRole("img", { name: / (S|south)$/ });
						await compass.waitFor();
						await editor.screenshot(`newcomer ${title} system`);
					}).timeout(60_000);

					it("in JSON, which the form shows, and of which it keeps what it does not", async () => {
						const body = editor.page.locator(NODE_DIALOG);
						const form = formIn(body);
						// By keyboard, which Node-RED's own tabs do not hear.
						await form.tab("form").focus();
						await editor.page.keyboard.press("ArrowRight");
						await form.json.fill(JSON.stringify(SYSTEM));
						await findsNothing();
						await form.tab("json").press("ArrowLeft");
						assert.equal(await form.json.isVisible(), false);
						assert.equal(
							await form.field("longitude").inputValue(),
							decimal("-13.25"),
						);
						await form.add();
						assert.equal(await form.rows.count(), 2);
						for (const [name, value] of Object.entries(STRING)) {
							const field = form.string(1, name as keyof typeof STRING);
							assert.ok(await isMarked(field), name);
							await field.fill(String(value));
							assert.ok(!(await isMarked(field)), name);
						}
						await editor.done();
						assert.deepEqual(JSON.parse(await property("new", "inline")), {
							...SYSTEM,
							strings: [...SYSTEM.strings, STRING],
						});
					}).timeout(60_000);

					it("keeps and marks JSON that the form cannot show, and faults that it does not", async () => {
						const body = await editor.open("broken");
						const form = formIn(body);
						assert.ok(await form.json.isVisible());
						assert.match(
							(await form.json.getAttribute("class")) ?? "",
							/input-error/,
						);
						await form.tab("form").click();
						await form.fault
							.getByText(say("system.fault.unreadable"))
							.waitFor();
						assert.equal(await form.field("latitude").isVisible(), false);
						await editor.screenshot(`newcomer ${title} unreadable`);
						await editor.done();
						assert.equal(await property("broken", "inline"), '{"latitude": 52');

						await editor.open("broken");
						// What the preview tells must not move what is being edited.
						const top = async () => (await form.tab("form").boundingBox())?.y;
						const before = await top();
						await form.json.fill(JSON.stringify({ ...SYSTEM, config: 1 }));
						await form.json.blur();
						await body.getByText("inline.config").waitFor();
						assert.equal(await top(), before);
						await form.tab("form").click();
						await form.fault.getByText(say("system.fault.json")).waitFor();
						await editor.cancel();
					}).timeout(60_000);

					it("for history as well, where to look and press Done changes nothing", async () => {
						const body = await editor.open("hist");
						const form = formIn(body);
						assert.equal(
							await form.field("latitude").inputValue(),
							decimal("52.5"),
						);
						const [start, end] = ["startDate", "endDate"].map((name) =>
							body.locator(`#node-input-${name}`),
						) as [Locator, Locator];
						assert.equal(await start.getAttribute("type"), "date");
						assert.equal(await end.getAttribute("type"), "text");
						await editor.done();
						assert.equal(
							await property("hist", "inline"),
							JSON.stringify(SYSTEM),
						);
						assert.equal(await property("hist", "endDate"), "${LAST_DAY}");
						assert.ok(!(await property("hist", "changed")));

						await editor.open("hist");
						await start.fill("2026-10-05");
						// A message may bring the system.
						await form.tab("json").click();
						await form.json.fill("");
						await form.tab("form").click();
						assert.equal(await form.fault.isVisible(), false);
						assert.ok(!(await isMarked(form.field("latitude"))));
						await findsNothing();
						await editor.done();
						assert.equal(await property("hist", "startDate"), "2026-10-05");
						assert.equal(await property("hist", "inline"), "");
					}).timeout(60_000);
				});

				describe("sees what is set", () => {
					const shown = (body: Locator) =>
						body.locator("#solar-yield-forecast-shown");
					const curve = async (body: Locator) => {
						const image = body.locator("#solar-yield-forecast-chart");
						await image.locator("path").waitFor();
						return image.getAttribute("aria-label");
					};
					const deployed = (site: string) =>
						text("as_deployed.site", FORECAST).replace("__site__", site);

					it("of another site that a node shows, else says what is deployed", async () => {
						await editor.status("barn").getByText("kWh").waitFor();
						const body = await editor.open("barn");
						const site = body.locator("#node-input-siteId");
						const barn = await curve(body);
						assert.equal(await shown(body).textContent(), "");
						// What is ticked now, the stored forecast was not asked for.
						const range = body.locator("input[value=variability]");
						const [comes = "", end = ""] = text("awaited.planned", FORECAST)
							.replace("__groups__", text("group.variability", FORECAST))
							.split("__time__");
						const awaited = body.locator("#solar-yield-forecast-awaited");
						assert.equal(await awaited.textContent(), "");
						await range.check();
						await awaited.getByText(comes).waitFor();
						const said = (await awaited.textContent()) ?? "";
						assert.match(said.slice(comes.length), /\d\d:\d\d/);
						assert.ok(said.endsWith(end), said);
						await editor.screenshot(`newcomer ${title} range comes`);
						await range.uncheck();
						await awaited.getByText(comes).waitFor({ state: "detached" });
						await site.fill("site_shed");
						await site.blur();
						await editor.page.waitForFunction(
							(before) =>
								(globalThis as Loose).document
									.querySelector("#solar-yield-forecast-chart")
									.getAttribute("aria-label") !== before,
							barn,
						);
						assert.equal(await shown(body).textContent(), "");
						await site.fill("site_none");
						await site.blur();
						await shown(body).getByText(deployed("Barn")).waitFor();
						assert.equal(await curve(body), barn);
						await findsNothing();
						await editor.screenshot(`newcomer ${title} as deployed`);
						await site.fill("");
						await site.blur();
						await shown(body)
							.getByText(deployed("Barn"))
							.waitFor({ state: "detached" });
						await body.locator("#node-input-account").selectOption("slow");
						// Of that one no forecast is known.
						await body
							.locator("#solar-yield-forecast-chart")
							.waitFor({ state: "hidden" });
						assert.equal(await shown(body).textContent(), "");
						await body.locator("#node-input-source").selectOption("inline");
						await shown(body).getByText(deployed("Barn")).waitFor();
						await editor.cancel();
					}).timeout(60_000);

					it("of a system, whose description is followed in both tabs", async () => {
						await editor.status("roof").getByText("kWh").waitFor();
						const body = await editor.open("roof");
						const form = formIn(body);
						await curve(body);
						assert.equal(await shown(body).textContent(), "");
						const other = shown(body).getByText(
							text("as_deployed.system", FORECAST),
						);
						const longitude = await form.field("longitude").inputValue();
						await form.field("longitude").fill("12");
						await other.waitFor();
						await form.field("longitude").fill(longitude);
						await other.waitFor({ state: "detached" });
						await form.tab("json").click();
						await form.json.fill(JSON.stringify({ ...SYSTEM, latitude: 1 }));
						await form.json.blur();
						await other.waitFor();
						await editor.screenshot(`newcomer ${title} system as deployed`);
						// Written in another way it is the same system.
						await form.json.fill(JSON.stringify(SYSTEM, null, 4));
						await form.json.blur();
						await other.waitFor({ state: "detached" });
						await body.locator("#node-input-intervalHours").fill("6,5");
						await editor.done();
						assert.equal(await property("roof", "intervalHours"), "6.5");
					}).timeout(60_000);
				});

				describe("manages sites", () => {
					it("creates one by a form, and the node keeps it", async () => {
						const before = changes().length;
						const body = await editor.open("create");
						const form = formIn(body);
						const created = body.locator("#solar-yield-site-created");
						const button = body.getByRole("button", {
							name: text("create", SITE),
						});
						await form.fault.getByText(say("system.default_string")).waitFor();
						await button.click();
						await created.getByText(text("incomplete", SITE)).waitFor();
						await form.field("name").fill("Cabin");
						await form.field("latitude").fill("48");
						await button.click();
						await created.getByText(text("incomplete", SITE)).waitFor();
						assert.equal(changes().length, before);
						await form.field("longitude").fill("11,5");
						await form.add();
						for (const [name, value] of Object.entries(STRING)) {
							await form
								.string(0, name as keyof typeof STRING)
								.fill(String(value));
						}
						await findsNothing();
						await button.click();
						const [done = ""] = text("created", SITE).split("__id__");
						await created.getByText(done).waitFor();
						await editor.screenshot(`newcomer ${title} site created`);
						assert.deepEqual(
							changes()
								.slice(before)
								.map(({ method, path }) => [method, path]),
							[["POST", "/v2/sites"]],
						);
						await editor.done();
						assert.deepEqual(JSON.parse(await property("create", "system")), {
							name: "Cabin",
							latitude: 48,
							longitude: 11.5,
							strings: [STRING],
						});
					}).timeout(60_000);

					it("sends strings that have changed and are whole, and no others", async () => {
						const body = await editor.open("site");
						const form = formIn(body);
						const before = changes().length;
						await body.locator("#node-input-operation").selectOption("update");
						await body
							.getByRole("button", { name: text("load", SITE) })
							.click();
						await form.rows.first().waitFor();
						const store = body.getByRole("button", {
							name: text("save", SITE),
						});
						const saved = body.locator("#solar-yield-site-saved");
						await store.click();
						await saved.getByText(text("unchanged", SITE)).waitFor();
						await form.add();
						assert.ok(await isMarked(form.string(1, "slope")));
						await store.click();
						await saved.getByText(/^String 2: /).waitFor();
						await findsNothing();
						await editor.screenshot(`newcomer ${title} empty string`);
						assert.equal(changes().length, before);
						for (const [name, value] of Object.entries(STRING)) {
							await form
								.string(1, name as keyof typeof STRING)
								.fill(String(value));
						}
						await store.click();
						await saved.getByText(text("saved", SITE)).waitFor();
						assert.equal(changes().length, before + 1);
						await store.click();
						await saved.getByText(text("unchanged", SITE)).waitFor();
						assert.equal(changes().length, before + 1);
						// As it was, for the next language.
						await body
							.locator(".red-ui-editableList-item-remove")
							.last()
							.click();
						await body.locator("#solar-yield-site-remove input").check();
						await store.click();
						await saved.getByText(text("saved", SITE)).waitFor();
						await editor.cancel();
					}).timeout(60_000);
				});
			});
		}
	});
}
