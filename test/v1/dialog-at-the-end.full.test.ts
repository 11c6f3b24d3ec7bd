import type { Browser } from "playwright-core";
import { Editor, launchBrowser, noBrowser } from "../support/browser";
import { needs } from "../support/needs";
import { installedUserDir, NodeRed } from "../support/node-red-process";
import { accountNode } from "../support/own-nodes";
import { shiftedClock } from "../support/shifted-clock";

const TYPE = "solar-yield-v1";
const LAST_DAY = "Dec 31, 2026";

for (const [when, hint] of [
	["2026-12-31T12:00:00Z", "end"],
	["2027-01-01T00:00:00Z", "ended"],
] as const) {
	describe(`V1's dialog at ${when}`, () => {
		let red: NodeRed | undefined;
		let browser: Browser | undefined;

		before(async function () {
			this.timeout(180_000);
			needs(this, noBrowser);
			const clock = shiftedClock(Date.parse(when) - Date.now());
			red = new NodeRed(installedUserDir(), clock.env);
			await red.start([
				{ id: "tab", type: "tab", label: "V1" },
				accountNode({ demo: true }),
				{
					id: "v1",
					type: TYPE,
					z: "tab",
					name: "",
					account: "acc",
					endpoint: "forecast",
					params: {
						latitude: 52.5,
						longitude: 13.4,
						slope: 30,
						orientation: 180,
						pv_power_kw: 5,
					},
					x: 200,
					y: 100,
					wires: [[]],
				},
			]);
			browser = await launchBrowser();
		});
		after(async () => {
			await browser?.close();
			await red?.stop();
		});

		it("says how V1 stands, and moves to V2", async () => {
			const editor = await Editor.open(browser as Browser, red?.url ?? "");
			await editor.ready();
			const body = await editor.open("v1");
			const said = editor
				.text(TYPE, `hint.${hint}`)
				.replace("__date__", LAST_DAY);
			await body.locator(`#${TYPE}-end`, { hasText: said }).waitFor();
			await body.locator(`#${TYPE}-move`).click();
			await body.locator(`#${TYPE}-report tr`).first().waitFor();
			await editor.screenshot(`V1 ${hint}`);
			await editor.close();
		}).timeout(60_000);
	});
}
