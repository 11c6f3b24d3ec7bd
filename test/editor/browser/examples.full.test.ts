import assert from "node:assert/strict";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { Broker, until } from "../../support/broker";
import {
	Editor,
	launchBrowser,
	MAJORS,
	noBrowser,
	PICTURES,
} from "../../support/browser";
import { misdrawn } from "../../support/canvas";
import { LANGUAGES } from "../../support/editor-dialog";
import {
	ALL_EXAMPLES,
	exampleNodes,
	type FlowNode,
	FOREIGN,
	foreignOf,
} from "../../support/example-flows";
import { needs } from "../../support/needs";
import { installedUserDir, NodeRed } from "../../support/node-red-process";
import { linkPackage, packageFolder } from "../../support/packages";
import { shiftedClock } from "../../support/shifted-clock";

type Loose = any;

/** A sunny day of the demo house: statuses are as long as they get. */
const JUNE = Date.parse("2026-06-12T11:20:00+02:00");
/** The window of a small laptop. */
const WINDOW = { width: 1400, height: 900 };
/** The one of which the documents have a picture. */
const IN_DOCS = "02 - Home Assistant.json";

/** A reason to skip an example, blank when what it needs is installed. */
function lacking(file: string): string {
	const foreign = foreignOf(file);
	return foreign && !packageFolder(foreign)
		? `${foreign} is not installed`
		: "";
}

/** Waits until no status changes any more. */
async function quiet(page: Page): Promise<void> {
	const labels = page.locator(".red-ui-flow-node-status-label");
	let before = "";
	await until("statuses", async () => {
		const now = (await labels.allTextContents()).join("\n");
		await page.waitForTimeout(400);
		const isSame = now === before;
		before = now;
		return isSame;
	});
}

for (const [index, { title, find, missing }] of MAJORS.entries()) {
	// Statuses differ in length by language, canvases by major: one of each will do.
	for (const language of LANGUAGES.slice(index, index + 1)) {
		describe(`examples on the canvas of ${title}, ${language}`, () => {
			const broker = new Broker();
			let red: NodeRed | undefined;
			let browser: Browser | undefined;
			let editor: Editor;

			before(async function () {
				this.timeout(180_000);
				const installation = find();
				needs(this, noBrowser, installation ? "" : missing);
				await broker.start();
				const userDir = installedUserDir();
				for (const name of Object.values(FOREIGN)) {
					const folder = packageFolder(name);
					if (folder) linkPackage(userDir, name, folder);
				}
				const clock = shiftedClock(JUNE - Date.now());
				red = new NodeRed(userDir, clock.env, { lang: language }, installation);
				await red.start([]);
				const nodes = new Map<string, FlowNode>();
				for (const file of ALL_EXAMPLES.filter((it) => !lacking(it))) {
					for (const node of exampleNodes(file)) {
						if (node.type === "mqtt-broker") node.port = String(broker.port);
						nodes.set(node.id, node);
					}
				}
				await red.deploy([...nodes.values()]);
				browser = await launchBrowser();
				editor = await Editor.open(
					browser,
					red.url,
					{ language, theme: "light" },
					WINDOW,
				);
				await editor.ready();
			});
			after(async () => {
				await browser?.close();
				await red?.stop();
				await broker.stop();
			});

			for (const file of ALL_EXAMPLES) {
				it(file, async function () {
					needs(this, lacking(file));
					const nodes = exampleNodes(file);
					const [tab] = nodes;
					const { page } = editor;
					for (const { id, type } of nodes) {
						if (type === "inject") await red?.inject(id);
					}
					await page.evaluate(
						(id) => (globalThis as Loose).RED.workspaces.show(id),
						tab?.id,
					);
					const drawn = nodes.filter(
						({ x, type }) => x !== undefined && type !== "junction",
					).length;
					const groups = page.locator(".red-ui-flow-node-group");
					await until(
						"all nodes",
						async () => (await groups.count()) === drawn,
					);
					await groups
						.getByText(/^demo · /)
						.first()
						.waitFor();
					await quiet(page);
					await page.mouse.move(5, 5);
					await editor.screenshot(`${title} ${file.replace(".json", "")}`);
					assert.deepEqual(await misdrawn(page), []);
					if (PICTURES && file === IN_DOCS && title === "Node-RED 4.1") {
						const clip = { x: 180, y: 84, width: 895, height: 560 };
						const path = join(PICTURES, `flow.png`);
						if (language === "en-US") await page.screenshot({ path, clip });
					}
				}).timeout(30_000);
			}
		});
	}
}
