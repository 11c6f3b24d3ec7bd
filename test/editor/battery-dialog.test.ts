import assert from "node:assert/strict";
import { Editor, LANGUAGES } from "../support/editor-dialog";
import { batteryNode } from "../support/own-nodes";

const TYPE = "solar-yield-battery";

const NO_PLAN = {
	rows: [],
	reason: "no_soc",
	timezone: "Europe/Berlin",
	fullAt: null,
	fromGridKwh: null,
	curtailedKwh: null,
};

describe("the battery's dialog", () => {
	const editors = new Map(
		LANGUAGES.map((language) => [language, new Editor(language)]),
	);
	const editor = editors.get("en-US") as Editor;

	/** Fields that not every strategy uses, and are shown. */
	const shown = (page: ReturnType<Editor["open"]>) =>
		["feedInPrice", "sell", "margin"].filter(
			(name) => page.element(`${TYPE}-${name}-row`).isVisible,
		);

	it("shows the fields of the chosen strategy only", async () => {
		const page = editor.open(TYPE, batteryNode());
		assert.deepEqual(shown(page), []);
		await page.enter("node-input-strategy", "peak-shaving");
		assert.deepEqual(shown(page), ["margin"]);
		await page.enter("node-input-strategy", "price");
		assert.deepEqual(shown(page), ["feedInPrice", "sell", "margin"]);
	});

	it("shows a field that is wrong, whatever the strategy", () => {
		const page = editor.open(TYPE, batteryNode({ margin: "200" }));
		assert.deepEqual(shown(page), ["margin"]);
	});

	it("shows the efficiency in percent and saves what flows have always had", async () => {
		for (const [property, percent, typed, saved] of [
			["0.94", "94", "90", "0.9"],
			["0.07", "7", "29", "0.29"],
			["", "", "87.5", "0.875"],
			["0.9", "90", "", ""],
			["0.9", "90", "0.85", "0.85"],
			["0.9", "90", "90", "0.9"],
			["0.9000", "90", "90", "0.9000"],
			["0.9", "90", "1", "1"],
			["much", "much", "94", "0.94"],
		] as const) {
			const node = editor.node(TYPE, batteryNode({ efficiency: property }));
			const page = editor.open(TYPE, node);
			const field = page.element(`${TYPE}-efficiency`);
			assert.equal(field.val(), percent);
			await page.enter(`${TYPE}-efficiency`, typed);
			assert.ok(!field.classes.has("input-error"), typed);
			(editor.definition(TYPE).oneditsave as () => void).call(node);
			assert.equal(node.efficiency, saved);
		}
	});

	it("says what the house has taught, in each language", async () => {
		const hours_w = Array.from({ length: 7 }, (_, day) =>
			Array.from({ length: 24 }, (_, hour) =>
				day > 2 ? null : hour === 18 ? 2000 + day : 400,
			),
		);
		for (const [language, words] of [
			["en-US", [/467 W.*2,002 W Wed 18:00\. 3 of 7 days/]],
			["de", [/467 W.*2\.002 W Mi 18:00\. 3 von 7 Tagen/]],
		] as const) {
			const one = editors.get(language) as Editor;
			one.onAjax = () => ({
				status: 200,
				responseJSON: {
					week: { days: 3, is_known: false, hours_w },
					prices: null,
					plan: NO_PLAN,
				},
			});
			const page = one.open(TYPE, batteryNode({ load: "learned" }));
			await page.settle();
			assert.equal(page.element(`${TYPE}-learned-row`).isVisible, true);
			for (const pattern of words) {
				assert.match(page.element(`${TYPE}-learned-note`).shown, pattern);
			}
			assert.equal(page.element(`${TYPE}-learned`).isVisible, true);
			await page.enter("node-input-load", "profile");
			assert.equal(page.element(`${TYPE}-learned-row`).isVisible, false);
			assert.equal(page.element(`${TYPE}-prices-row`).isVisible, false);
			one.onAjax = () => ({
				status: 200,
				responseJSON: { week: null, prices: null, plan: NO_PLAN },
			});
			const empty = one.open(TYPE, batteryNode({ load: "learned" }));
			await empty.settle();
			assert.match(empty.element(`${TYPE}-learned-note`).shown, /msg\.house_w/);
			assert.equal(empty.element(`${TYPE}-learned`).isVisible, false);
		}
	});

	it("shows today's and tomorrow's prices as soon as there are any", async () => {
		const prices = {
			timezone: "UTC",
			midnights: [0, 1, 2],
			rows: [[0, 1, 0.3]],
		};
		editor.onAjax = () => ({
			status: 200,
			responseJSON: { week: null, prices, plan: NO_PLAN },
		});
		const page = editor.open(TYPE, batteryNode());
		assert.equal(page.element(`${TYPE}-prices-row`).isVisible, false);
		await page.settle();
		assert.equal(page.element(`${TYPE}-prices-row`).isVisible, true);
	});

	it("draws the plan as deployed and as edited, or says why there is none", async () => {
		const noon = Date.parse("2026-06-10T10:00:00Z");
		const plan = (soc: number) => ({
			...NO_PLAN,
			rows: [[noon, 4000, 500, soc]],
			reason: null,
			fullAt: noon + 3_600_000,
			fromGridKwh: 1.26,
			curtailedKwh: 0,
		});
		for (const [language, words, none] of [
			[
				"en-US",
				/^With these settings: 1\.3 kWh from.*Full .*13:00\./,
				"released",
			],
			["de", /^Mit diesen .*: 1,3 kWh aus.*Voll .*13:00\./, "freigegeben"],
		] as const) {
			const one = editors.get(language) as Editor;
			const sent: Record<string, unknown>[] = [];
			one.onAjax = ({ method, data }: any) => {
				if (method === "POST") sent.push(JSON.parse(data));
				const responseJSON =
					method === "POST"
						? plan(60)
						: { week: null, prices: null, plan: plan(50) };
				return { status: 200, responseJSON };
			};
			const page = one.open(TYPE, batteryNode({ efficiency: "0.9" }));
			await page.settle();
			await page.settle();
			assert.match(page.element(`${TYPE}-edited`).shown, words);
			assert.notEqual(page.element(`${TYPE}-deployed`).shown, "");
			assert.deepEqual(
				[sent[0]?.strategy, sent[0]?.efficiency, sent[0]?.margin],
				["self-consumption", "0.9", ""],
			);
			one.onAjax = () => ({
				status: 200,
				responseJSON: { week: null, prices: null, ...NO_PLAN, plan: NO_PLAN },
			});
			const empty = one.open(TYPE, batteryNode());
			await empty.settle();
			assert.match(empty.element(`${TYPE}-edited`).shown, new RegExp(none));
		}
	});
});
