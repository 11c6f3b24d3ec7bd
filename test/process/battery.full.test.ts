import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connectAsync, type MqttClient } from "mqtt";
import { Broker, until } from "../support/broker";
import { Collector } from "../support/collector";
import { collectedExample } from "../support/example-flows";
import { installedUserDir, NodeRed, ROOT } from "../support/node-red-process";
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

	it("takes the inputs of the page on batteries as they stand there, on demo data", async () => {
		const page = readFileSync(join(ROOT, "docs/battery.md"), "utf8");
		const snippet = /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
		assert.match(snippet, /msg\.targets[\s\S]*msg\.settings/);
		const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000;
		const at = (hours: number) =>
			new Date(hour + hours * 3_600_000).toISOString();
		const list = (row: (hours: number) => object) =>
			Array.from({ length: 30 }, (_, hours) => row(hours));
		/** The rows of the page's table. */
		const prices: Record<string, unknown> = {
			tibber: {
				today: list((h) => ({ total: 0.3, startsAt: at(h) })),
				tomorrow: [],
			},
			powerSaver: { priceData: list((h) => ({ value: 0.3, start: at(h) })) },
			homeAssistant: {
				attributes: {
					unit_of_measurement: "EUR/kWh",
					today: [0.3],
					raw_today: list((h) => ({
						start: at(h),
						end: at(h + 1),
						value: 0.3,
					})),
				},
			},
			awattar: {
				data: list((h) => ({
					start_timestamp: hour + h * 3_600_000,
					end_timestamp: hour + (h + 1) * 3_600_000,
					marketprice: 300,
					unit: "Eur/MWh",
				})),
			},
			octopus: {
				results: list((h) => ({
					valid_from: at(h),
					valid_to: at(h + 1),
					value_inc_vat: 30,
				})),
			},
			evcc: {
				result: {
					rates: list((h) => ({ start: at(h), end: at(h + 1), value: 0.3 })),
				},
			},
			own: list((h) => ({ start: at(h), price: 0.3 })),
		};
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
			...Object.entries(prices).flatMap(([name, rows]) =>
				step(name, `msg.prices = ${JSON.stringify(rows)};`),
			),
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
		for (const name of Object.keys(prices)) {
			collector.clear();
			await red.inject(name);
			const [plan] = await collector.wait("page", 1);
			assert.deepEqual(plan?.payload.lacks, [], name);
			assert.equal(plan?.payload.inputs.prices.age_minutes, 0, name);
			assert.ok(plan?.payload.priced_until, name);
			assert.deepEqual(
				plan && Object.keys(plan.payload.margin),
				["percent", "curtailed_kwh", "cost", "turned_soc"],
				name,
			);
			assert.equal(plan?.payload.now.mode, "demo", name);
		}
		assert.deepEqual(
			collector.of("caught").map(({ error }) => error?.message),
			[],
		);
	}).timeout(120_000);

	const hasPrices = ({ payload }: Message) =>
		payload.plan.length > 0 && payload.inputs?.prices != null;
});
