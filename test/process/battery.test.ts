import assert from "node:assert/strict";
import { connectAsync, type MqttClient } from "mqtt";
import { Broker, until } from "../support/broker";
import { Collector } from "../support/collector";
import { collectedExample } from "../support/example-flows";
import { installedUserDir, NodeRed } from "../support/node-red-process";
import { batteryNode, forecastNode } from "../support/own-nodes";
import { earlyInHour } from "../support/shifted-clock";

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

		it(`makes the same price plan before and after ${signal}`, async () => {
			const clock = earlyInHour();
			const { entry, nodes } = collector.nodes("plan", "tab");
			const hour = 3_600_000;
			const from = Math.floor(clock.now() / hour) * hour;
			const prices = Array.from({ length: 36 }, (_, n) => ({
				startsAt: new Date(from + n * hour).toISOString(),
				total: 0.3 + 0.12 * Math.sin(n),
			})).reverse();
			const flow = [
				TAB,
				{
					...{ id: "acc", type: "solar-yield-account", name: "" },
					...{ baseUrl: "", demo: true, siteId: "", interval: "end" },
				},
				forecastNode({ wires: [["bat"], [], []] }),
				batteryNode({ strategy: "price", wires: [[entry]] }),
				{
					...{ id: "inputs", type: "inject", z: "tab", repeat: "" },
					props: [
						{ p: "soc", v: "47", vt: "num" },
						{ p: "prices", v: JSON.stringify(prices), vt: "json" },
					],
					once: false,
					wires: [["bat"]],
				},
				...nodes,
			];
			red = new NodeRed(installedUserDir(), clock.env);
			await red.start(flow);
			await until("a forecast", async () => {
				await red?.inject("inputs");
				return collector.of("plan").some(hasPrices);
			});
			const before = collector.of("plan").filter(hasPrices).at(-1) as Message;
			await red.stop(signal);
			collector.clear();
			await red.start();
			const [after] = await collector.wait("plan", 1, hasPrices);

			// Some seconds of the running quarter hour have passed.
			const [, ...rows] = before.payload.plan;
			const [, ...again] = after?.payload.plan ?? [];
			assert.equal(again.length, rows.length);
			assert.ok(rows.length > 96);
			for (const [index, row] of rows.entries()) {
				const other = again[index];
				assert.equal(other.start, row.start);
				assert.ok(Math.abs(other.battery_w - row.battery_w) < 50, row.start);
				assert.ok(Math.abs(other.soc - row.soc) < 0.5, row.start);
			}
			assert.equal(after?.payload.priced_until, before.payload.priced_until);
			assert.equal(
				after?.payload.inputs.soc.at.slice(0, 16),
				before.payload.inputs.soc.at.slice(0, 16),
			);
		}).timeout(120_000);
	}

	const hasPrices = ({ payload }: Message) =>
		payload.plan.length > 0 && payload.inputs?.prices != null;
});
