import { existsSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	type Browser,
	type BrowserContext,
	chromium,
	type Locator,
	type Page,
} from "playwright-core";
import { MINUTE_MS } from "../../src/util/time";
import { type Language, NODES } from "./editor-dialog";
import { isLong } from "./long";
import { ROOT } from "./node-red-process";
import { installedNodeRed, ownNodeRed } from "./node-reds";
import { packageFolder } from "./packages";

/** What runs in the page is not of this program's types. */
type Loose = any;

const CHROMIUM = [
	process.env.CHROME_PATH ?? "",
	"/usr/bin/chromium",
	"/usr/bin/chromium-browser",
	"/usr/bin/google-chrome",
].find((path) => path !== "" && existsSync(path));

/** A reason to skip, blank when there is a browser. */
export const noBrowser = CHROMIUM
	? ""
	: "there is no Chromium (CHROME_PATH names one)";

export function launchBrowser(): Promise<Browser> {
	return chromium.launch({
		executablePath: CHROMIUM as string,
		args: ["--no-sandbox"],
	});
}

/** Where the pictures of the documents are made anew, where that is asked for. */
export const PICTURES = process.env.SOLAR_YIELD_PICTURES
	? join(ROOT, "docs/pictures")
	: undefined;

let screenshots: string | undefined;

/** The file of a screenshot, in the folder that SOLAR_YIELD_SCREENSHOTS names. */
export function screenshotFile(name: string): string {
	if (!screenshots) {
		const folder = process.env.SOLAR_YIELD_SCREENSHOTS;
		screenshots = folder ?? mkdtempSync(join(tmpdir(), "solar-yield-shots-"));
		mkdirSync(screenshots, { recursive: true });
		if (!folder) console.log(`      screenshots: ${screenshots}`);
	}
	return join(screenshots, `${name.replace(/[^\w.-]+/g, "-")}.png`);
}

/** How a person has set the editor up. */
export interface Look {
	readonly language: Language;
	readonly theme: "light" | "dark";
}

export const LIGHT: Look = { language: "en-US", theme: "light" };

/** The Node-REDs that dialogs are seen in, each in two of the four looks. */
export const MAJORS: readonly {
	readonly title: string;
	readonly find:
		| typeof ownNodeRed
		| (() => ReturnType<typeof installedNodeRed>);
	readonly missing: string;
	readonly looks: readonly Look[];
}[] = [
	{
		title: "Node-RED 4.1",
		find: ownNodeRed,
		missing: "",
		looks: [
			{ language: "en-US", theme: "light" },
			{ language: "de", theme: "dark" },
		],
	},
	{
		title: "Node-RED 5",
		find: () => installedNodeRed("5", "22"),
		missing:
			"there is no Node-RED 5 (SOLAR_YIELD_NODE_REDS=FOLDER node tools/node-reds.cjs node-red@5 node@22)",
		looks: [
			{ language: "de", theme: "dark" },
			{ language: "en-US", theme: "light" },
		],
	},
];

/**
 * The looks in which long tests of dialogs go through a major: one for each, so that both
 * languages and both themes come to pass, and all in the full form.
 */
export const longLooks = (looks: readonly Look[]): readonly Look[] =>
	isLong ? looks : looks.slice(0, 1);

/** Node-RED 4 has no dark theme of its own; this is the most used package of some. */
const THEMES = "@node-red-contrib-themes/theme-collection";
const themes = packageFolder(THEMES);

/** A reason to skip, blank when Node-RED 4 can be made dark. */
export const noDarkTheme = themes ? "" : `${THEMES} is not installed`;

/**
 * A text of a node's catalogue in a language. `key` begins below the node's name,
 * or at the top as in "common.plan".
 */
export function catalogueText(
	{ language }: Look,
	type: string,
	key: string,
): string {
	const file = join(NODES, "locales", language, `${type}.json`);
	const catalogue: Loose = JSON.parse(readFileSync(file, "utf8"));
	const find = (root: Loose) =>
		key.split(".").reduce((branch, name) => branch?.[name], root);
	const text = find(catalogue[type]) ?? find(catalogue);
	if (typeof text !== "string") throw new Error(`${language}: ${type}.${key}`);
	return text;
}

/** One finding of axe-core. */
export interface Finding {
	readonly rule: string;
	readonly impact: string;
	readonly element: string;
	readonly summary: string;
}

/** What axe-core finds serious or critical below a selector. */
export async function seriousFindings(
	page: Page,
	selector: string,
): Promise<Finding[]> {
	if (!(await page.evaluate(() => "axe" in globalThis))) {
		await page.addScriptTag({ path: require.resolve("axe-core/axe.min.js") });
	}
	return page.evaluate(async (include) => {
		const { axe, document } = globalThis as Loose;
		// Node-RED's body has no height: axe-core would take all in it for hidden.
		document.body.style.minHeight = "100vh";
		const { passes, violations } = await axe.run(
			{ include },
			{ resultTypes: ["violations", "passes"], iframes: false, preload: false },
		);
		const hasReadText = [...passes, ...violations].some(
			({ id, nodes }: Loose) =>
				id === "color-contrast" &&
				nodes.some(({ any }: Loose) => any[0]?.data?.contrastRatio),
		);
		if (!hasReadText) throw new Error(`axe-core sees no text in ${include}`);
		return violations
			.filter(({ impact }: Loose) => ["serious", "critical"].includes(impact))
			.flatMap(({ id, impact, nodes }: Loose) =>
				nodes.map(({ html, failureSummary }: Loose) => ({
					rule: id,
					impact,
					element: html.slice(0, 200),
					summary: failureSummary,
				})),
			);
	}, selector);
}

/** The body of a dialog. */
export const NODE_DIALOG = "#dialog-form";
export const CONFIG_DIALOG = "#node-config-dialog-edit-form";

/** Node-RED's editor in a page, used with mouse and keyboard as a person uses it. */
export class Editor {
	readonly page: Page;
	readonly look: Look;
	/** What went wrong in the page's scripts. */
	readonly faults: string[] = [];
	readonly #context: BrowserContext;

	private constructor(context: BrowserContext, page: Page, look: Look) {
		this.#context = context;
		this.page = page;
		this.look = look;
		page.on("pageerror", (error) =>
			this.faults.push(error.stack ?? error.message),
		);
	}

	/** Opens the editor and waits until our nodes are in its palette. */
	static async open(
		browser: Browser,
		url: string,
		look: Look = LIGHT,
		viewport = { width: 1500, height: 1100 },
	): Promise<Editor> {
		const context = await browser.newContext({
			locale: look.language,
			viewport,
			reducedMotion: "reduce",
		});
		context.setDefaultTimeout(30_000);
		// The compiler of the tests names functions by a helper that pages lack.
		await context.addInitScript("globalThis.__name = (named) => named");
		// Node-RED 5 keeps its theme in the browser.
		await context.addInitScript(
			(theme) =>
				(globalThis as Loose).localStorage.setItem("view-dark-theme", theme),
			look.theme,
		);
		const editor = new Editor(context, await context.newPage(), look);
		await editor.page.goto(url);
		return editor;
	}

	/** Waits until the editor is ready for hands. */
	async ready(): Promise<void> {
		const { page } = this;
		await page.waitForSelector("[data-palette-type=debug]", {
			timeout: MINUTE_MS,
		});
		await page.waitForSelector("#red-ui-loading-progress", { state: "hidden" });
		// Animations of jQuery would only be waited for.
		const version = await page.evaluate(() => {
			const { $, RED } = globalThis as Loose;
			$.fx.off = true;
			return RED.settings.version as string;
		});
		if (this.look.theme === "dark" && version.startsWith("4.") && themes) {
			await page.addStyleTag({
				path: join(themes, "themes/dark/dark.min.css"),
			});
		}
	}

	async close(): Promise<void> {
		await this.#context.close();
	}

	text(type: string, key: string): string {
		return catalogueText(this.look, type, key);
	}

	async screenshot(name: string): Promise<void> {
		const { language, theme } = this.look;
		await this.page.screenshot({
			path: screenshotFile(`${name} ${language} ${theme}`),
		});
	}

	/** Drags a node from the palette onto the workspace; its id. Where a wire lies it goes between after a while, ms. */
	async place(type: string, x: number, y: number, wait = 0): Promise<string> {
		const { page } = this;
		const source = page.locator(`[data-palette-type="${type}"]`);
		await source.scrollIntoViewIfNeeded();
		const chart = await boxOf(page.locator("#red-ui-workspace-chart"));
		const to: Point = [chart.x + x, chart.y + y];
		await this.#drag(centre(await boxOf(source)), to, wait);
		const id: string | undefined = await page.evaluate(
			() => (globalThis as Loose).RED.view.selection().nodes?.[0]?.id,
		);
		const placed = id && (await this.typeOf(id));
		if (!id || placed !== type) throw new Error(`${type} was not placed`);
		return id;
	}

	typeOf(id: string): Promise<string | undefined> {
		return this.page.evaluate(
			(node) => (globalThis as Loose).RED.nodes.node(node)?.type,
			id,
		);
	}

	/** Draws a wire from an output, counted from 0, to a node's input. */
	async wire(from: string, output: number, to: string): Promise<void> {
		const port = async (id: string, kind: string, index: number) => {
			const place = this.page.locator(`[id="${id}"] .red-ui-flow-port-${kind}`);
			return centre(await boxOf(place.nth(index)));
		};
		const isDrawn = () =>
			this.page.evaluate(
				([source, target]) =>
					(globalThis as Loose).RED.nodes
						.getNodeLinks(source)
						.some((link: Loose) => link.target.id === target),
				[from, to],
			);
		// A node whose label comes meanwhile is wider, and its port elsewhere.
		for (let tries = 0; tries < 3 && !(await isDrawn()); tries += 1) {
			const start = await port(from, "output", output);
			await this.#drag(start, await port(to, "input", 0));
		}
	}

	async #drag([x, y]: Point, [toX, toY]: Point, wait = 0): Promise<void> {
		const { mouse } = this.page;
		await mouse.move(x, y);
		await mouse.down();
		await mouse.move(toX, toY, { steps: 4 });
		if (wait > 0) await this.page.waitForTimeout(wait);
		await mouse.up();
	}

	/** Opens a node's dialog with a double click; its body. */
	async open(id: string): Promise<Locator> {
		const node = this.page.locator(`[id="${id}"] .red-ui-flow-node`).first();
		await node.dblclick();
		const body = this.page.locator(NODE_DIALOG);
		// One that comes while a tray is on its way out is lost.
		await body.waitFor({ timeout: 10_000 }).catch(() => node.dblclick());
		return this.dialog();
	}

	/** The body of the open node dialog. */
	async dialog(selector = NODE_DIALOG): Promise<Locator> {
		const body = this.page.locator(selector);
		await body.waitFor();
		await this.#settled();
		return body;
	}

	/** The dialog of a new account, from the dialog of a node that uses one. */
	async addAccount(): Promise<Locator> {
		await this.page.locator("#node-input-btn-account-add").click();
		return this.dialog(CONFIG_DIALOG);
	}

	/** The dialog of the account chosen in a node's dialog. */
	async editAccount(): Promise<Locator> {
		await this.page.locator("#node-input-btn-account-edit").click();
		return this.dialog(CONFIG_DIALOG);
	}

	/** Trays slide in; one that has not set out yet is still as well. */
	async #settled(): Promise<void> {
		await this.page.waitForFunction(() => {
			const { document, getComputedStyle } = globalThis as Loose;
			const trays = [...document.querySelectorAll(".red-ui-tray")];
			const now = trays
				.map((tray: Loose) => tray.getBoundingClientRect().x)
				.join();
			const isStill =
				now !== "" && (globalThis as Loose).solarYieldTrays === now;
			(globalThis as Loose).solarYieldTrays = now;
			return (
				isStill &&
				trays.every((tray: Loose) => getComputedStyle(tray).right === "0px")
			);
		});
	}

	/** What axe-core finds in the open dialog, in our part of it. */
	async seriousFindings(): Promise<Finding[]> {
		const isConfig = await this.page.locator(CONFIG_DIALOG).isVisible();
		const form = isConfig ? CONFIG_DIALOG : NODE_DIALOG;
		return seriousFindings(this.page, `${form} > div`);
	}

	/**
	 * Takes a picture of the open dialog as narrow as Node-RED makes one; what reaches
	 * beyond it, by id or class.
	 */
	async narrowScreenshot(name: string): Promise<string[]> {
		const tray = this.page.locator(".red-ui-tray").last();
		const setWidth = (width: string, least: string) =>
			tray.evaluate(
				(element: Loose, [wide, low]) => {
					const body = element.querySelector(".red-ui-tray-body");
					const before = [element.style.width, body.style.minWidth] as const;
					element.style.width = wide;
					body.style.minWidth = low;
					return before;
				},
				[width, least] as const,
			);
		// Once open, it keeps a dialog as wide as its content would like to be.
		const [width, least] = await setWidth("500px", "460px");
		await this.screenshot(`${name} narrow`);
		const beyond = await tray
			.locator(`${NODE_DIALOG}, ${CONFIG_DIALOG}`)
			.evaluate((form: Loose) => {
				const { right } = form.getBoundingClientRect();
				return [...form.querySelectorAll("*")]
					.filter((part) => part.getBoundingClientRect().right > right + 1)
					.map((part) => part.id || part.getAttribute("class") || part.tagName);
			});
		await setWidth(width, least);
		return beyond;
	}

	/** "Done" in a node's dialog. */
	async done(): Promise<void> {
		await this.page.locator("#node-dialog-ok").click();
		await this.page.locator(NODE_DIALOG).waitFor({ state: "detached" });
		await this.#settledGone();
	}

	async cancel(): Promise<void> {
		await this.page.locator("#node-dialog-cancel").click();
		await this.page.locator(NODE_DIALOG).waitFor({ state: "detached" });
		await this.#settledGone();
	}

	async #settledGone(): Promise<void> {
		await this.page
			.locator(".red-ui-tray")
			.first()
			.waitFor({ state: "detached" });
	}

	/** "Add" or "Update" in an account's dialog. */
	async doneAccount(): Promise<void> {
		await this.page.locator("#node-config-dialog-ok").click();
		await this.page.locator(CONFIG_DIALOG).waitFor({ state: "detached" });
		await this.#settled();
	}

	/**
	 * Presses "Deploy"; resolves when the server has taken the flows, which it syncs to
	 * its disk. Where Node-RED asks instead, the error holds what.
	 */
	async deploy(): Promise<void> {
		const { page } = this;
		const patience = { timeout: 50_000 };
		const [response] = await Promise.all([
			page.waitForResponse(
				(answer) =>
					answer.request().method() === "POST" &&
					answer.url().endsWith("/flows"),
				patience,
			),
			page.locator("#red-ui-header-button-deploy").click(patience),
		]).catch(async (cause) => {
			const shown = page.locator(".red-ui-notification:visible");
			const asks = (await shown.allInnerTexts()).join("\n");
			throw new Error(`deploy: Node-RED shows "${asks}"`, { cause });
		});
		if (!response.ok()) throw new Error(`deploy: ${response.status()}`);
		await page
			.locator("#red-ui-header-button-deploy.disabled")
			.waitFor({ state: "attached" });
	}

	/** Shows the debug sidebar; the messages in it. */
	async debugMessages(): Promise<Locator> {
		const { page } = this;
		const content = page.locator(".red-ui-debug-content-list");
		if (!(await content.isVisible())) {
			await page.locator("#red-ui-tab-debug-link-button").click();
			await content.waitFor();
		}
		return content.locator(".red-ui-debug-msg");
	}

	/** Presses the button at a node. */
	async press(id: string): Promise<void> {
		await this.page
			.locator(`[id="${id}"] .red-ui-flow-node-button-button`)
			.click();
	}

	/** The status below a node. */
	status(id: string): Locator {
		return this.page.locator(`[id="${id}"] .red-ui-flow-node-status-label`);
	}
}

type Point = readonly [number, number];
interface Box {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

async function boxOf(locator: Locator): Promise<Box> {
	const box = await locator.boundingBox();
	if (!box) throw new Error(`not visible: ${locator}`);
	return box;
}

const centre = ({ x, y, width, height }: Box): Point => [
	x + width / 2,
	y + height / 2,
];

/**
 * For a suite whose tests build on each other: the first failure is kept as a
 * screenshot and ends the suite. Call it in the suite.
 */
export function stepByStep(
	title: string,
	editor: () => Editor | undefined,
): void {
	let failed = "";
	beforeEach(() => {
		if (failed) throw new Error(`it builds on what failed: ${failed}`);
	});
	afterEach(async function () {
		if (!this.currentTest?.isFailed()) return;
		failed = this.currentTest.title;
		await editor()?.screenshot(`${title} failed`);
	});
}
