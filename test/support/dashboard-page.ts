import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { seriousFindings } from "./browser";
import { installedUserDir, NodeRed, ROOT } from "./node-red-process";
import type { installedNodeRed } from "./node-reds";
import { linkPackage, packageFolder } from "./packages";
import { type ShiftedClock, shiftedClock } from "./shifted-clock";

/** Nodes of flows and what runs in a page are not of this program's types. */
type Loose = any;

const DASHBOARD = "@flowfuse/node-red-dashboard";
const folder = packageFolder(DASHBOARD);

/** A reason to skip, blank when Dashboard 2 is installed. */
export const noDashboard = folder ? "" : `${DASHBOARD} is not installed`;

export const LANGUAGES = ["en", "de"] as const;
export const THEMES = ["light", "dark"] as const;

/** Colours of a page by night, as a person would choose them. */
const DARK = {
	surface: "#1c1c1c",
	primary: "#0094CE",
	bgPage: "#101010",
	groupBg: "#222222",
	groupOutline: "#444444",
};

/** An example flow of Dashboard 2, "Solar" or "Battery". */
export const exampleFlow = (name: string): Loose[] =>
	JSON.parse(
		readFileSync(
			join(ROOT, "examples/01 - Dashboard 2", `${name}.json`),
			"utf8",
		),
	);

/** Both examples as one flow file: they share their dashboard and its theme. */
export function bothExamples(theme?: (typeof THEMES)[number]): Loose[] {
	const nodes = new Map<string, Loose>();
	for (const name of ["Solar", "Battery"]) {
		for (const node of exampleFlow(name)) nodes.set(node.id, node);
	}
	return [...nodes.values()].map((node) =>
		node.type === "ui-theme" && theme === "dark"
			? { ...node, colors: DARK }
			: node,
	);
}

/** A Node-RED with Dashboard 2, at a time or on a clock. */
export async function dashboardAt(
	time: string | ShiftedClock,
	flow: Loose[],
	installation?: ReturnType<typeof installedNodeRed>,
): Promise<NodeRed> {
	const userDir = installedUserDir();
	linkPackage(userDir, DASHBOARD, folder ?? "");
	const clock =
		typeof time === "string"
			? shiftedClock(Date.parse(time) - Date.now())
			: time;
	const red = new NodeRed(userDir, clock.env, {}, installation);
	await red.start(flow);
	return red;
}

/** Waits until the page stays as it is: pictures take the width of their card a moment later. */
async function settled(page: Page): Promise<void> {
	await page.waitForFunction(
		() => {
			const { document } = globalThis as Loose;
			const now = document.querySelector(".sy").innerHTML;
			const isStill = (globalThis as Loose).solarYieldPage === now;
			(globalThis as Loose).solarYieldPage = now;
			return isStill;
		},
		undefined,
		{ polling: 250 },
	);
}

/** Opens a page of ours in a browser of that language and waits until it shows all that it can, `shown` with it. */
export async function openPage(
	browser: Browser,
	red: NodeRed,
	path: string,
	language: (typeof LANGUAGES)[number] = "en",
	shown = ".sy-tiles",
): Promise<Page & { faults: string[] }> {
	const page = await browser.newPage({
		viewport: { width: 1280, height: 900 },
		locale: language,
	});
	const faults: string[] = [];
	page.on("pageerror", (error) => faults.push(error.message));
	page.on("console", (message) => {
		if (message.type() === "error") faults.push(message.text());
	});
	await page.addInitScript("globalThis.__name = (named) => named");
	await page.goto(`${red.url}/dashboard/${path}`);
	await page.locator(shown).first().waitFor({ timeout: 30_000 });
	await settled(page);
	return Object.assign(page, { faults });
}

/** Gives the window a width, in px, and the height of the whole page. */
export async function fitTo(page: Page, width: number): Promise<void> {
	await page.setViewportSize({ width, height: 900 });
	await settled(page);
	const bottom = await page.evaluate(() =>
		Math.ceil(
			(globalThis as Loose).document
				.querySelector(".sy")
				.getBoundingClientRect().bottom,
		),
	);
	await page.setViewportSize({ width, height: bottom + 30 });
	await settled(page);
}

/** The page's text, a line for each block. */
export const textOf = async (page: Page): Promise<string> =>
	(await page.locator(".sy").allInnerTexts()).join("\n");

/** What is wrong with where things are: texts that are cut, lie on each other or outside of their card. */
export function misplaced(page: Page): Promise<string[]> {
	return page.evaluate(() => {
		const { document, getComputedStyle, innerWidth, NodeFilter } =
			globalThis as Loose;
		const root = document.querySelector(".sy");
		const found: string[] = [];
		const boxes: { text: string; box: Loose; node: Loose }[] = [];
		const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
		while (walker.nextNode()) {
			const node = walker.currentNode;
			const text = node.textContent.trim();
			if (text === "" || node.parentElement.tagName === "title") continue;
			const range = document.createRange();
			range.selectNodeContents(node);
			const isDrawn = node.parentElement.closest("svg") !== null;
			const rects = isDrawn
				? [node.parentElement.getBoundingClientRect()]
				: [...range.getClientRects()];
			const frame = (
				node.parentElement.closest(".sy-card") ?? root
			).getBoundingClientRect();
			for (const box of rects) {
				boxes.push({ text, box, node });
				const isInside =
					box.left >= Math.max(0, frame.left) - 1 &&
					box.right <= Math.min(innerWidth, frame.right) + 1 &&
					box.top >= frame.top - 1 &&
					box.bottom <= frame.bottom + 1;
				if (!isInside) found.push(`"${text}" leaves its card`);
			}
		}
		for (const [index, one] of boxes.entries()) {
			for (const other of boxes.slice(index + 1)) {
				if (one.node === other.node) continue;
				const across =
					Math.min(one.box.right, other.box.right) -
					Math.max(one.box.left, other.box.left);
				const down =
					Math.min(one.box.bottom, other.box.bottom) -
					Math.max(one.box.top, other.box.top);
				// Line boxes touch; letters do not.
				if (across > 1 && down > 4) {
					found.push(`"${one.text}" lies on "${other.text}"`);
				}
			}
		}
		for (let outer = root; outer; outer = outer.parentElement) {
			const style = getComputedStyle(outer);
			const isCut = outer.scrollWidth > outer.clientWidth + 1;
			if (isCut && style.overflowX !== "visible") {
				found.push(`${outer.className || outer.tagName} is cut at its side`);
			}
			const below = root.getBoundingClientRect().bottom;
			const isHidden = style.overflowY === "hidden";
			if (isHidden && below > outer.getBoundingClientRect().bottom + 1) {
				found.push(`${outer.className || outer.tagName} cuts what is below`);
			}
		}
		for (const legend of root.querySelectorAll(".sy-legend")) {
			if (legend.children.length === 0) found.push("a legend is empty");
		}
		for (const entry of root.querySelectorAll(".sy-legend li")) {
			if (entry.textContent.trim() === "") found.push("a legend has no word");
		}
		return found;
	});
}

/** What axe-core finds serious in our part of the page, without the empty layer for notifications, which it takes for a cover. */
export async function findingsOf(page: Page) {
	await page.addStyleTag({ content: ".v-overlay { display: none }" });
	return seriousFindings(page, ".sy");
}
