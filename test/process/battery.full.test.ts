import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connectAsync, type MqttClient } from "mqtt";
import { Broker, until } from "../support/broker";
import { Collector } from "../support/collector";
import { collectedExample } from "../support/example-flows";
import { installedUserDir, NodeRed, ROOT } from "../support/node-red-process";
import { batteryNode, forecastNode } from "../support/own-nodes";

type Message = Record<string, any>;

const TAB = { id: "tab", type: "tab", label: "House" };

describe("a battery in a real Node-RED", () => {
	const broker = new Broker();
	const collector = new Collector();
	let red: NodeRed | undefined;
	let inverter: MqttClient | undefined;

	before(async () => {
		await broker.start();
		await collector.start();
	});
	afterEach(async () => {
		collector.clear();
		await inverter?.endAsync(true);
		inverter = undefined;
		await red?.stop("SIGKILL");
		red = undefined;
	});
	after(async () => {
		await collector.stop();
		await broker.stop();
	});

	for (const signal of ["SIGTERM", "SIGKILL"] as const) {
		it(`ends at the inverter's own rule after ${signal}, by the example's broker`, async () => {
			const commands: Message[] = [];
			inverter = await connectAsync(`mqtt://127.0.0.1:${broker.port}`);
			inverter.on("message", (_topic, payload, { retain }) => {
				assert.equal(retain, false);
				commands.push(JSON.parse(String(payload)));
			});
			await inverter.subscribeAsync("inverter/command");
			const flow = collectedExample(
				"12 - Drive an inverter with a watchdog.json",
				collector,
				broker,
			);
			const z = flow.find(({ type }) => type === "tab")?.id;
			const limit = {
				payload: { now: { mode: "hold", charge_limit_w: 0 } },
			};
			red = new NodeRed(installedUserDir());
			await red.start([
				...flow,
				// A plan of a battery that is no demo: its command limits the inverter.
				{
					...{ id: "plan", type: "inject", z, repeat: "", once: false },
					props: [
						{ p: "payload", v: JSON.stringify(limit.payload), vt: "json" },
					],
					wires: [["sy-watchdog-switch"]],
				},
			]);
			// Until the connection stands, a message is dropped.
			await until("a command", async () => {
				await red?.inject("plan");
				return commands.length > 0;
			});
			assert.equal(commands.at(-1)?.charge_limit_w, 0);
			await red.stop(signal);
			await until("the own rule", () => commands.at(-1)?.mode === "release");
			assert.equal(commands.at(-1)?.charge_limit_w, 5000);
		}).timeout(120_000);
	}

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
