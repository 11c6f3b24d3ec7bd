import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Collector } from "../support/collector";
import { installedUserDir, NodeRed, ROOT } from "../support/node-red-process";
import { batteryNode, forecastNode } from "../support/own-nodes";

const TAB = { id: "tab", type: "tab", label: "House" };

describe("a battery in a real Node-RED", () => {
	const collector = new Collector();
	let red: NodeRed | undefined;

	before(async () => {
		await collector.start();
	});
	afterEach(async () => {
		await red?.stop();
	});
	after(async () => {
		await collector.stop();
	});

	it("takes the inputs of the page on batteries as they stand there, on demo data", async () => {
		const page = readFileSync(join(ROOT, "docs/battery.md"), "utf8");
		const snippet = /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
		assert.match(snippet, /msg\.targets[\s\S]*msg\.settings/);
		const { entry, nodes } = collector.nodes("page", "tab");
		const caught = collector.nodes("caught", "tab");
		const step = (id: string, code: string) => [
			{
				...{ id, type: "inject", z: "tab", repeat: "", once: false },
				props: [],
				wires: [[`${id}-code`]],
			},
			{
				...{ id: `${id}-code`, type: "function", z: "tab", outputs: 1 },
				func: `${code}\nreturn msg;`,
				wires: [["bat"]],
			},
		];
		red = new NodeRed(installedUserDir());
		await red.start([
			TAB,
			{
				...{ id: "acc", type: "solar-yield-account", name: "" },
				...{ baseUrl: "", demo: true, siteId: "", interval: "end" },
			},
			forecastNode({ wires: [["bat"], [], []] }),
			batteryNode({ feedInLimitW: "6000", wires: [[entry]] }),
			...step("soc", "msg.soc = 40;"),
			...step("page", snippet),
			...nodes,
			{
				...{ id: "catch", type: "catch", z: "tab", uncaught: false },
				scope: null,
				wires: [[caught.entry]],
			},
			...caught.nodes,
		]);
		await red.inject("soc");
		await collector.wait("page", 1, ({ payload }) => payload.plan.length > 96);
		await red.inject("page");
		const [given] = await collector.wait(
			"page",
			1,
			({ payload }) => payload.inputs?.targets && payload.inputs.settings,
		);
		assert.deepEqual(given?.payload.lacks, ["prices"]);
		assert.deepEqual(
			collector.of("caught").map(({ error }) => error?.message),
			[],
		);
	}).timeout(120_000);
});
