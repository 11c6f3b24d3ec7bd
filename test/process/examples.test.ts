import assert from "node:assert/strict";
import { Broker, until } from "../support/broker";
import { Collector } from "../support/collector";
import {
	collectedExample,
	EXAMPLES,
	type FlowNode,
} from "../support/example-flows";
import { installedUserDir, NodeRed } from "../support/node-red-process";

type Message = Record<string, any>;

describe("examples in a real Node-RED, at the first click", () => {
	const broker = new Broker();
	const collector = new Collector();
	let red: NodeRed;

	before(async function () {
		this.timeout(180_000);
		await broker.start();
		await collector.start();
		red = new NodeRed(installedUserDir());
		await red.start([]);
	});
	afterEach(() => collector.clear());
	after(async () => {
		await red?.stop();
		await collector.stop();
		await broker.stop();
	});

	const instrumented = (file: string) =>
		collectedExample(file, collector, broker);

	/** Deploys an example and presses all its buttons. */
	async function run(file: string): Promise<FlowNode[]> {
		const nodes = instrumented(file);
		await red.deploy(nodes);
		// A person needs a moment to the first click: an automatic node has sent.
		await new Promise((done) => setTimeout(done, 1000));
		for (const { id, type } of nodes) {
			if (type === "inject") await red.inject(id);
		}
		return nodes;
	}

	const assertNoErrors = () => {
		const errors = [...collector.of("errors"), ...collector.of("not caught")];
		assert.deepEqual(
			errors.map(({ error }) => error.message),
			[],
		);
	};

	for (const file of EXAMPLES) {
		it(`${file}: runs on demo data without an error`, async () => {
			const nodes = await run(file);
			assert.ok(nodes.some(({ type }) => type === "comment"));
			await until("a message", () => collector.messages.length > 0);
			// Time for what goes wrong later.
			await new Promise((done) => setTimeout(done, 500));
			assertNoErrors();
			for (const account of nodes) {
				if (account.type === "solar-yield-account") assert.ok(account.demo);
			}
		}).timeout(40_000);
	}

	it("3 - Home Assistant: the broker has the device; the button and the birth message work", async () => {
		await run("3 - Home Assistant by MQTT.json");
		const isState = ({ topic }: Message) => topic?.endsWith("/state");
		await collector.wait("to Home Assistant", 2, isState);
		let found = new Map<string, string>();
		await until("the state on the broker", async () => {
			found = await broker.retained();
			return found.has("solar-yield/demo-site_demo/home-assistant/state");
		});
		const config = "homeassistant/device/solar_yield_demo-site_demo/config";
		await red.inject("sy3-inject-remove");
		await until(
			"no device",
			async () => !(await broker.retained()).has(config),
		);
		let before = collector.of("to Home Assistant").length;
		await broker.publish("homeassistant/status", "online");
		await collector.wait("to Home Assistant", before + 1);
		await until("the device", async () =>
			(await broker.retained()).has(config),
		);
		before = collector.of("forecast").length;
		await broker.publish("solar-yield/demo-site_demo/refresh", "PRESS");
		const [again] = (await collector.wait("forecast", before + 1)).slice(-1);
		assert.equal(again?.refresh, true);
		assertNoErrors();
	}).timeout(40_000);

	it("4 - evcc and EMHASS: evcc is answered, EMHASS has its body", async () => {
		await run("4 - evcc and EMHASS over HTTP.json");
		const answer = await fetch(`${red.url}/solar-yield/evcc`);
		assert.equal(answer.status, 200);
		const slots = (await answer.json()) as Message[];
		assert.ok(slots.length > 96);
		const [body] = await collector.wait("for EMHASS");
		assert.equal(body?.payload.optimization_time_step, 30);
		assert.ok(Object.keys(body?.payload.pv_power_forecast).length >= 48);
		assertNoErrors();
	}).timeout(40_000);

	it("5 - two Node-REDs: the lower row lives on the broker alone", async () => {
		await run("5 - One poller, two Node-REDs by MQTT.json");
		const [now] = await collector.wait(
			"values of this minute",
			1,
			({ topic }) => topic === "solar-yield/demo-site_demo/now",
		);
		assert.equal(typeof now?.payload.energy_today_kwh, "number");
		// The upper row is gone, and so is what the lower one knew.
		const lower = instrumented(
			"5 - One poller, two Node-REDs by MQTT.json",
		).filter(({ type }) => !/^solar-yield-(forecast|account)$/.test(type));
		await red.deploy([]);
		collector.clear();
		await red.deploy(lower);
		await collector.wait("values of this minute");
		await red.inject("sy5-inject-window");
		const [morning] = await collector.wait(
			"values of this minute",
			1,
			({ payload }) => "energy_kwh" in payload,
		);
		assert.equal(typeof morning?.payload.energy_kwh, "number");
		assertNoErrors();
	}).timeout(40_000);

	it("17 - Learn from your meter: a month teaches in one go, and all behind it is told", async () => {
		await run("17 - Learn from your meter.json");
		const isLearned = ({ solar }: Message) => solar?.learned.days > 25;
		await until("the month", async () => {
			await red.inject("sy17-inject");
			return collector.of("forecast, corrected").some(isLearned);
		});
		const learned = collector.of("forecast, corrected").find(isLearned);
		assert.ok(learned);
		const row = learned.payload.values.find(
			({ pv_power }: Message) => pv_power > 500,
		);
		const ratio = row.pv_power / row.pv_power_raw;
		assert.ok(ratio > 0.85 && ratio < 0.95, String(ratio));
		await collector.wait("now", 2);
		await red.inject("sy17-inject-soc");
		await collector.wait("charging plan");
		await red.inject("sy17-inject-export");
		const isExport = ({ topic }: Message) => topic?.endsWith("/learned");
		await collector.wait("accuracy, export", 1, isExport);
		assertNoErrors();
	}).timeout(40_000);

	it("18 - Learn and tell Home Assistant: the broker has the corrected forecast and its accuracy", async () => {
		await run("18 - Learn and tell Home Assistant.json");
		await until("both devices", async () => {
			const kept = await broker.retained();
			return [
				"homeassistant/device/solar_yield_demo-site_demo/config",
				"homeassistant/device/solar_yield_accuracy_site_demo/config",
				"solar-yield/demo-site_demo/accuracy/home-assistant",
			].every((topic) => kept.has(topic));
		});
		assertNoErrors();
	}).timeout(40_000);

	it("13 - Boiler: says on or off, and is done when it is told so", async () => {
		await red.deploy(
			instrumented("13 - Boiler in the sunniest two hours.json"),
		);
		const [plan] = await collector.wait("plan");
		for (const { start, end, solar_share } of plan?.payload ?? []) {
			assert.equal(Date.parse(end) - Date.parse(start), 2 * 3_600_000);
			assert.ok(solar_share >= 0 && solar_share <= 1);
		}
		await collector.wait("boiler off");
		await red.inject("sy13-inject-1");
		const today = (await fetch(
			`${red.url}/solar-yield/window/sy13-window`,
		).then((answer) => answer.json())) as Message;
		assert.equal(today.why.code, "told-done");
		assertNoErrors();
	}).timeout(40_000);

	it("16 - Car: has windows by prices, with their cost", async () => {
		await run("16 - Car at the cheapest hours.json");
		const [plan] = await collector.wait(
			"plan with cost",
			1,
			({ payload }) => payload[0]?.cost > 0,
		);
		// 4 h of 11 kW in the night at the prices of the example.
		const { cost, solar_share } = plan?.payload[0] ?? {};
		const price = cost / (44 * (1 - solar_share));
		assert.ok(price > 0.2 && price < 0.45, String(price));
		assertNoErrors();
	}).timeout(40_000);
});
