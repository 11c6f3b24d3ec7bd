import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Browser, Locator } from "playwright-core";
import { Broker, until } from "../../support/broker";
import {
	Editor,
	launchBrowser,
	type MAJORS,
	noBrowser,
	stepByStep,
} from "../../support/browser";
import { noDashboard, textOf } from "../../support/dashboard-page";
import { MODULE } from "../../support/editor-dialog";
import { FOREIGN } from "../../support/example-flows";
import { needs } from "../../support/needs";
import { NodeRed, packedTarball, ROOT } from "../../support/node-red-process";
import { ownNodeRed } from "../../support/node-reds";
import { linkPackage, packageFolder } from "../../support/packages";
import { firstFlow, named, section, steps } from "../../support/readme";
import {
	type SimulatorServer,
	startSimulatorServer,
} from "../../support/service/server";
import { Simulator } from "../../support/service/simulator";
import { shiftedClock } from "../../support/shifted-clock";
import { temporaryFolder } from "../../support/temporary";

type Loose = any;

const KEY = "sk-readme-Key42";
const DASHBOARD = FOREIGN["01 - Dashboard 2"] as string;
const SITE = "site_barn";
const FORECAST = "solar-yield-forecast";
const WINDOW = "solar-yield-window";
/** The afternoon of a summer's day: the best two hours of what is left begin at once. */
const AFTERNOON = Date.parse("2026-06-10T13:31:00Z");

/** What comes late of an installed package: the account's set, and what it asks the server. */
const LATE = [
	/\/nodes\/.*solar-yield-account(\?|$)/,
	/\/solar-yield\/accounts(\?|$)/,
];
const LATE_MS = 1500;

/** Stands for npm, and for the flow library that the palette manager reads. */
export async function startLibrary(): Promise<{
	readonly url: string;
	close(): void;
}> {
	const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
	const { name, version, description, keywords } = manifest;
	const tarball = readFileSync(packedTarball());
	let address = "";
	const server: Server = createServer(({ url = "" }, response) => {
		if (url.endsWith(".tgz")) {
			response.end(tarball);
			return;
		}
		const pkg_url = `${address}/package.tgz`;
		const module = { id: name, version, description, keywords, pkg_url };
		const packument = {
			name,
			"dist-tags": { latest: version },
			versions: { [version]: { ...manifest, dist: { tarball: pkg_url } } },
		};
		response.setHeader("Access-Control-Allow-Origin", "*");
		response.setHeader("Content-Type", "application/json");
		response.end(
			JSON.stringify(
				url.startsWith("/catalogue.json")
					? { name: "library", modules: [module] }
					: packument,
			),
		);
	});
	await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
	address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		url: address,
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
}

/** A Node-RED with nothing in it, that finds our package in a library. */
export function bareNodeRed(
	libraryUrl: string,
	installation = ownNodeRed(),
): NodeRed {
	const userDir = temporaryFolder("bare");
	writeFileSync(
		join(userDir, "package.json"),
		JSON.stringify({ name: "user-dir", version: "0.0.1", private: true }),
	);
	const [scope] = MODULE.split("/");
	writeFileSync(join(userDir, ".npmrc"), `${scope}:registry=${libraryUrl}/\n`);
	const clock = shiftedClock(AFTERNOON - Date.now());
	return new NodeRed(
		userDir,
		{ ...clock.env, npm_config_prefer_offline: "true" },
		{
			editorTheme: {
				tours: false,
				palette: { catalogues: [`${libraryUrl}/catalogue.json`] },
			},
		},
		installation,
	);
}

/** The open dialog to import. */
export const importDialog = (editor: Editor): Locator =>
	editor.page.locator(".ui-dialog:visible", {
		has: editor.page.locator("#red-ui-clipboard-dialog-ok"),
	});

const idOf = (editor: Editor, type: string): Promise<string> =>
	editor.page.evaluate((wanted) => {
		const { nodes, workspaces } = (globalThis as Loose).RED;
		const [node] = nodes.filterNodes({ type: wanted, z: workspaces.active() });
		return node.id;
	}, type);

/** Whether the editor knows all types in its flows: each set of an installed package comes by itself. */
const allKnown = (): boolean => {
	let known = true;
	const look = ({ type }: Loose) => {
		known &&= type !== "unknown";
	};
	const { nodes } = (globalThis as Loose).RED;
	nodes.eachNode(look);
	nodes.eachConfig(look);
	return known;
};

/** The README, step by step, in one Node-RED. */
export function walkReadme({
	title,
	find,
	missing,
}: (typeof MAJORS)[number]): void {
	describe(`the README's first steps in ${title}, from an empty Node-RED`, () => {
		const broker = new Broker();
		const { now } = shiftedClock(AFTERNOON - Date.now());
		const simulator = new Simulator({ now });
		let library: Awaited<ReturnType<typeof startLibrary>> | undefined;
		let service: SimulatorServer | undefined;
		let red: NodeRed | undefined;
		let browser: Browser | undefined;
		let editor: Editor;
		let forecast = "";
		let window = "";
		let boiler = "";
		/** What a person did since the last count: a click, a key, something dragged, a field filled in. */
		let actions = 0;
		const act = <Result>(deed: Promise<Result>): Promise<Result> => {
			actions += 1;
			return deed;
		};

		before(async function () {
			this.timeout(180_000);
			const installation = find();
			needs(this, noBrowser, installation ? "" : missing);
			simulator.addAccount({ apiKey: KEY, plan: "light" });
			simulator.addSite(KEY, {
				id: SITE,
				name: "Barn",
				latitude: 52.5,
				longitude: 13.4,
				strings: [{ id: "roof", slope: 30, orientation: 180, power_kw: 8 }],
			});
			service = await startSimulatorServer(simulator);
			library = await startLibrary();
			await broker.start();
			red = bareNodeRed(library.url, installation);
			await red.start();
			browser = await launchBrowser();
			await openEditor();
		});
		after(async () => {
			await browser?.close();
			await red?.stop();
			await service?.close();
			await broker.stop();
			library?.close();
		});
		stepByStep(`readme ${title}`, () => editor);

		async function openEditor(): Promise<void> {
			assert.ok(browser && red);
			editor = await Editor.open(browser, red.url);
			const { page } = editor;
			await page
				.context()
				.grantPermissions(["clipboard-read", "clipboard-write"]);
			// The example's broker is on this machine, at MQTT's own port.
			await page.route(/\/library\/examples\/flows\//, async (route) => {
				const answer = await route.fetch();
				const text = await answer.text();
				const body = text.replace('"port":"1883"', `"port":"${broker.port}"`);
				await route.fulfill({ response: answer, body });
			});
			// Each set of an installed package comes by itself: here the account's last.
			for (const late of LATE) {
				await page.route(late, async (route) => {
					await setTimeout(LATE_MS);
					await route.continue();
				});
			}
			await editor.ready();
		}
		const picture = (name: string) =>
			editor.screenshot(`${title} readme ${name}`);
		const button = (name: string | undefined) =>
			editor.page.getByRole("button", { name: name as string, exact: true });

		async function pressDeploy(name: string | undefined): Promise<void> {
			const deploy = editor.page.locator("#red-ui-header-button-deploy");
			assert.equal((await deploy.textContent())?.trim(), name);
			await act(editor.deploy());
		}
		async function turnTo(tab: string | undefined): Promise<void> {
			const label = editor.page.locator(".red-ui-tab").getByText(tab as string);
			await act(label.click());
			forecast = await idOf(editor, FORECAST);
		}
		/** Imports an example by its place below our package. */
		async function importExample(
			key: string | undefined,
			tab: string | undefined,
			...path: (string | undefined)[]
		): Promise<void> {
			await act(pressKey(key));
			const dialog = importDialog(editor);
			await act(dialog.getByRole("link", { name: tab as string }).click());
			await act(dialog.getByText(MODULE).click());
			for (const folder of path.slice(0, -1)) {
				await act(dialog.getByText(folder as string).click());
			}
			await picture(`examples ${path.at(-1)}`);
			const example = dialog.getByText(path.at(-1) as string, { exact: true });
			await act(example.dblclick());
			await dialog.waitFor({ state: "hidden" });
			// Asked of the demo account where another example was imported before.
			const copy = editor.page.getByRole("button", { name: "Import copy" });
			const isAsked = copy
				.waitFor({ timeout: 1500 })
				.then(() => act(copy.click()));
			await isAsked.catch(() => {});
		}
		const pressKey = (key = "") =>
			editor.page.keyboard.press(key.replace("Ctrl-I", "Control+i"));
		/** Chooses our own account in the node's dialog. */
		async function chooseAccount(label: string | undefined): Promise<void> {
			const body = await act(editor.open(forecast));
			const account = body.getByLabel(label as string, { exact: true });
			const own = account.locator("option").filter({ hasNotText: "Demo" });
			const value = await own.first().getAttribute("value");
			await act(account.selectOption(value));
		}
		async function done(name: string | undefined): Promise<void> {
			await act(button(name).click());
			await editor.page.locator("#dialog-form").waitFor({ state: "detached" });
		}

		/** Takes the steps of a section, from one number on, and counts. */
		function takes(
			heading: string,
			first: number,
			most: number,
			deeds: readonly ((words: readonly string[]) => Promise<unknown>)[],
			reason = "",
		): void {
			const all = steps(heading);
			for (const [index, deed] of deeds.entries()) {
				const step = all[first - 1 + index] ?? assert.fail(heading);
				it(`${heading}, ${first + index}. ${step.slice(0, 50)}…`, async function () {
					needs(this, reason);
					if (index === 0) actions = 0;
					await deed(named(step));
				}).timeout(150_000);
			}
			it(`${heading}: at most ${most} actions`, function () {
				needs(this, reason);
				assert.ok(actions <= most, String(actions));
			});
		}

		takes("The first five minutes", 1, 10, [
			async ([key, , press]) => {
				const { page } = editor;
				const copy = page.evaluate(
					(flow) => (globalThis as Loose).navigator.clipboard.writeText(flow),
					firstFlow(),
				);
				await act(copy);
				await act(pressKey(key));
				const text = page.locator("#red-ui-clipboard-dialog-import-text");
				await text.and(page.locator(":focus")).waitFor();
				await act(page.keyboard.press("Control+v"));
				await act(button(press).click());
			},
			async ([install]) => {
				const { page } = editor;
				await picture("package missing");
				await act(button(install).click());
				await page
					.locator(`[data-palette-type=${WINDOW}]`)
					.waitFor({ state: "attached", timeout: 120_000 });
				await page.waitForFunction(allKnown);
			},
			async ([deploy, tab]) => {
				await pressDeploy(deploy);
				await turnTo(tab);
				const text = /^demo · [\d.]+ kWh today · next \d/;
				await editor.status(forecast).getByText(text).waitFor();
				const messages = await act(editor.debugMessages());
				await messages
					.getByText(/forecast/)
					.first()
					.waitFor();
				await picture("demo");
			},
		]);

		takes("The first five minutes", 4, 8, [
			async ([label, plus]) => {
				assert.equal(plus, "+");
				const body = await act(editor.open(forecast));
				await body.getByLabel(label as string, { exact: true }).waitFor();
				await act(editor.addAccount());
			},
			async ([baseUrl, apiKey, check, site, add, ok, deploy]) => {
				assert.ok(service);
				const body = await editor.dialog("#node-config-dialog-edit-form");
				const field = (label: string | undefined) =>
					body.getByLabel(label as string, { exact: true });
				await act(field(baseUrl).fill(service.url));
				await act(field(apiKey).fill(KEY));
				await act(body.getByRole("button", { name: check as string }).click());
				const isFilled = async () => (await field(site).inputValue()) === SITE;
				await until("the only site", isFilled);
				await picture("account");
				await act(button(add).click());
				await editor.dialog();
				await done(ok);
				await pressDeploy(deploy);
			},
			async () => {
				const text = /^[\d.]+ kWh today · next \d/;
				await editor.status(forecast).getByText(text).waitFor();
				await picture("own site");
			},
		]);

		it("and there is the first chart, in the forecast's dialog", async () => {
			const body = await editor.open(forecast);
			const chart = body.getByRole("img", { name: /^Today .* kWh.*Tomorrow/ });
			await chart.locator("path").waitFor();
			await picture("chart");
			await editor.cancel();
			assert.deepEqual(editor.faults, []);
		}).timeout(60_000);

		it("where Dashboard 2 is missing, its example says so and offers it", async () => {
			const [step = ""] = steps("The page above");
			const [key, examples, folder, example, install] = named(step);
			await importExample(key, examples, folder, example);
			const notification = editor.page.locator(".red-ui-notification", {
				hasText: DASHBOARD,
			});
			await notification
				.getByText(install as string, { exact: true })
				.waitFor();
			await picture("Dashboard 2 missing");
		}).timeout(60_000);

		it("a restart with Dashboard 2 installed costs no request", async () => {
			assert.ok(red);
			// A minute after a start the service's time is read, free.
			const asked = () =>
				simulator.requests.filter(({ path }) => /forecast/.test(path)).length;
			const before = asked();
			await editor.close();
			await red.stop();
			const folder = packageFolder(DASHBOARD);
			if (folder) linkPackage(red.userDir, DASHBOARD, folder);
			await red.start();
			await openEditor();
			assert.equal(asked(), before);
		}).timeout(120_000);

		takes(
			"The page above",
			1,
			// One more where Dashboard 2 has to be installed: "Install all".
			12 - 1,
			[
				([key, examples, folder, example]) =>
					importExample(key, examples, folder, example),
				async ([tab, account, ok, deploy]) => {
					await turnTo(tab);
					await chooseAccount(account);
					await done(ok);
					await pressDeploy(deploy);
					const text = /^[\d.]+ kWh today · next \d/;
					await editor.status(forecast).getByText(text).waitFor();
				},
				async () => {
					assert.ok(browser && red);
					const [, path] =
						/`(\/dashboard\/\w+)`/.exec(section("The page above")) ?? [];
					const page = await browser.newPage({ locale: "en-US" });
					await act(page.goto(`${red.url}${path}`));
					await page.locator(".sy").getByText("Barn").waitFor();
					const text = await textOf(page);
					assert.match(text, /Tomorrow\s+\d+\.\d kWh/);
					assert.doesNotMatch(text, /Demo data/);
					await page.close();
				},
			],
			noDashboard,
		);

		takes("A boiler in the sunniest two hours", 1, 6, [
			async ([name]) => {
				assert.equal(name, editor.text(FORECAST, "title"));
				forecast = await act(editor.place(FORECAST, 120, 600));
			},
			async ([name]) => {
				assert.equal(name, editor.text(WINDOW, "title"));
				window = await act(editor.place(WINDOW, 340, 600));
			},
			() => act(editor.wire(forecast, 0, window)),
			async (words) => {
				assert.ok(words.includes("debug"));
				boiler = await act(editor.place("debug", 560, 600));
			},
			() => act(editor.wire(window, 0, boiler)),
			async ([deploy]) => {
				await pressDeploy(deploy);
				const text = /^on until \d\d:\d\d$/;
				await editor.status(window).getByText(text).waitFor();
				const last = (await editor.debugMessages()).last();
				await last.getByText("true", { exact: true }).waitFor();
				await last.getByText(`solar-yield/${SITE}/window/`).waitFor();
				await picture("boiler");
			},
		]);

		// One of them answers that the demo account is there already.
		takes("Home Assistant", 1, 9 + 1, [
			([key, examples, example]) => importExample(key, examples, example),
			async ([tab, account, ok, deploy]) => {
				await turnTo(tab);
				await chooseAccount(account);
				await done(ok);
				await pressDeploy(deploy);
				const device = `homeassistant/device/solar_yield_${SITE}/config`;
				await until("the device", async () =>
					(await broker.retained()).has(device),
				);
				await picture("Home Assistant");
			},
		]);

		takes("Tomorrow as a message on the phone", 1, 5 + 1, [
			async ([key, examples, example, deploy]) => {
				await importExample(key, examples, example);
				await pressDeploy(deploy);
			},
			async ([inject]) => {
				const { page } = editor;
				await page
					.locator(".red-ui-flow-node", { hasText: inject as string })
					.locator(".red-ui-flow-node-button-button")
					.locator("visible=true")
					.click();
				const messages = await editor.debugMessages();
				await messages
					.getByText(/^"?Tomorrow [\d.]+ kWh, .*\. Best from \d\d:\d\d to/)
					.first()
					.waitFor();
				await picture("phone");
				assert.deepEqual(editor.faults, []);
			},
		]);
	});
}
