import assert from "node:assert/strict";
import { Broker, until } from "../support/broker";
import { Collector } from "../support/collector";
import { collectedExample } from "../support/example-flows";
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

	const nodesOf = (file: string) => collectedExample(file, collector, broker);

	/** Deploys an example and presses all its buttons. */
	async function run(file: string): Promise<void> {
		const nodes = nodesOf(file);
		await red.deploy(nodes);
		// A person needs a moment to the first click: an automatic node has sent.
		await new Promise((done) => setTimeout(done, 1000));
		for (const { id, type } of nodes) {
			if (type === "inject") await red.inject(id);
		}
	}

	const assertNoErrors = () => {
		const errors = [...collector.of("errors"), ...collector.of("not caught")];
		assert.deepEqual(
			errors.map(({ error }) => error.message),
			[],
		);
	};

	it("02 - Home Assistant: the broker has the device; the button and the birth message work", async () => {
		await run("02 - Home Assistant.json");
		// All buttons were pressed, the one that removes among them.
		await red.inject("sy-ha-inject");
		const isState = ({ topic }: Message) => topic?.endsWith("/state");
		await collector.wait("sent", 2, isState);
		let found = new Map<string, string>();
		await until("the state on the broker", async () => {
			found = await broker.retained();
			return found.has("solar-yield/demo-site_demo/home-assistant/state");
		});
		const config = "homeassistant/device/solar_yield_demo-site_demo/config";
		// The button takes all that the demo has made, and the birth message brings nothing back.
		const demo = async () =>
			// Other examples have left theirs on this broker.
			[...(await broker.retained()).keys()].filter(
				(topic) =>
					/home-?assistant.*demo-site_demo|demo-site_demo.*home-assistant/.test(
						topic,
					) && !topic.includes("/accuracy/"),
			);
		await until("the rest", async () => (await demo()).length > 3);
		await red.inject("sy-ha-inject-remove");
		await until("nothing", async () => (await demo()).length === 0);
		await broker.publish("homeassistant/status", "online");
		await red.inject("sy-ha-inject");
		await until("the device", async () =>
			(await broker.retained()).has(config),
		);
		let before = collector.of("sent").length;
		await broker.publish("homeassistant/status", "online");
		await collector.wait("sent", before + 1);
		before = collector.of("forecast").length;
		await broker.publish("solar-yield/demo-site_demo/refresh", "PRESS");
		const [again] = (await collector.wait("forecast", before + 1)).slice(-1);
		assert.match(again?.topic, /\/forecast$/);
		assertNoErrors();
	}).timeout(40_000);

	it("15 - evcc and EMHASS: evcc has its list on the broker and over HTTP, EMHASS its body", async () => {
		await run("15 - evcc and EMHASS.json");
		const answer = await fetch(`${red.url}/solar-yield/evcc`);
		assert.equal(answer.status, 200);
		const slots = (await answer.json()) as Message[];
		assert.ok(slots.length > 96);
		await until("the list on the broker", async () =>
			(await broker.retained()).has("solar-yield/demo-site_demo/evcc"),
		);
		assert.ok(!(await broker.retained()).has("evcc"));
		const [body] = await collector.wait("for EMHASS");
		assert.equal(body?.payload.optimization_time_step, 30);
		assert.ok(Object.keys(body?.payload.pv_power_forecast).length >= 48);
		assertNoErrors();
	}).timeout(40_000);

	it("16 - Predbat: kWh by day on the broker, Solcast's addresses over HTTP", async () => {
		await run("16 - Predbat and other readers of Solcast.json");
		const topic = "solar-yield/demo-site_demo/solcast/today";
		let text: string | undefined;
		await until("today on the broker", async () => {
			text = (await broker.retained()).get(topic);
			return text !== undefined;
		});
		const { state, detailedForecast } = JSON.parse(text as string);
		const sum = detailedForecast.reduce(
			(kwh: number, row: Message) => kwh + row.pv_estimate,
			0,
		);
		assert.ok(state > 0 && Math.abs(sum - state) < 1e-4);
		const get = async (path: string) =>
			(await (await fetch(`${red.url}${path}`)).json()) as Message;
		const { sites } = await get("/rooftop_sites?format=json&api_key=any");
		const { resource_id: id } = sites[0];
		assert.equal(id, "site_demo");
		const { forecasts } = await get(`/rooftop_sites/${id}/forecasts?hours=168`);
		assert.ok(forecasts.length > 40);
		assert.ok(
			Array.isArray(
				(await get(`/rooftop_sites/${id}/estimated_actuals`)).estimated_actuals,
			),
		);
		assertNoErrors();
		for (const shape of ["forecasts", "estimated_actuals"]) {
			const answer = await fetch(`${red.url}/rooftop_sites/nobody/${shape}`);
			assert.equal(answer.status, 404);
			const { response_status } = (await answer.json()) as Message;
			assert.equal(response_status.error_code, "NotFound");
			assert.match(
				response_status.message,
				/site "nobody".*known of site_demo/,
			);
		}
		await collector.wait("errors", 2);
	}).timeout(40_000);

	it("17 - Energy dashboard: Open-Meteo's address and the five of forecast.solar", async () => {
		await run("17 - Energy dashboard, readers of forecast.solar.json");
		const get = async (path: string) =>
			(await (await fetch(`${red.url}${path}`)).json()) as Message;
		const { minutely_15: rows } = await get("/v1/forecast?timezone=auto");
		assert.ok(rows.time.length >= 96);
		const place = "52.5/13.4/35/0/10";
		const { result } = await get(`/estimate/${place}`);
		for (const [route, part] of [
			["watts", "watts"],
			["watthours", "watt_hours"],
			["watthours/period", "watt_hours_period"],
			["watthours/day", "watt_hours_day"],
		] as const) {
			const answer = await get(`/estimate/${route}/${place}`);
			assert.deepEqual(answer.result, result[part], route);
			assert.match(Object.keys(answer.result)[0] ?? "", /^\d{4}-\d\d-\d\d/);
		}
		assertNoErrors();
	}).timeout(40_000);

	it("18 - Single values: bare numbers on the broker, and none after the button", async () => {
		await run("18 - Single values for ioBroker, openHAB, FHEM, displays.json");
		const values = async () =>
			[...(await broker.retained())].filter(([topic]) =>
				/^solar-yield\/demo-site_demo\/[a-z]+_\w+$/.test(topic),
			);
		const button = async () => {
			await red.inject("sy-values-inject-remove");
			await until("nothing", async () => (await values()).length === 0);
		};
		// All buttons were pressed, the one that removes among them.
		await button();
		await red.inject("sy-values-inject");
		await until("values", async () => (await values()).length > 20);
		const energy = new Map(await values()).get(
			"solar-yield/demo-site_demo/energy_today_kwh",
		);
		assert.ok(Number(energy) > 0, energy);
		await button();
		assertNoErrors();
	}).timeout(40_000);

	it("20 - two Node-REDs: the lower row lives on the broker alone", async () => {
		await run("20 - One poller, two Node-REDs by MQTT.json");
		const [now] = await collector.wait(
			"values now",
			1,
			({ topic }) => topic === "solar-yield/demo-site_demo/now",
		);
		assert.equal(typeof now?.payload.energy_today_kwh, "number");
		// The upper row is gone, and so is what the lower one knew.
		const lower = nodesOf("20 - One poller, two Node-REDs by MQTT.json").filter(
			({ type }) => !/^solar-yield-(forecast|account)$/.test(type),
		);
		await red.deploy([]);
		collector.clear();
		await red.deploy(lower);
		await collector.wait("values now");
		await red.inject("sy-two-reds-inject-window");
		const [morning] = await collector.wait(
			"values now",
			1,
			({ payload }) => "energy_kwh" in payload,
		);
		assert.equal(typeof morning?.payload.energy_kwh, "number");
		assertNoErrors();
	}).timeout(40_000);

	it("13 - Learn from your meter: a month teaches in one go, and all behind it is told", async () => {
		await run("13 - Learn from your meter.json");
		const isLearned = ({ solar }: Message) => solar?.learned.days > 25;
		await until("the month", async () => {
			await red.inject("sy-learn-inject");
			return collector.of("corrected").some(isLearned);
		});
		const learned = collector.of("corrected").find(isLearned);
		assert.ok(learned);
		const row = learned.payload.values.find(
			({ pv_power }: Message) => pv_power > 500,
		);
		const ratio = row.pv_power / row.pv_power_raw;
		assert.ok(ratio > 0.85 && ratio < 0.95, String(ratio));
		await collector.wait("now", 2);
		await red.inject("sy-learn-inject-export");
		const isExport = ({ topic }: Message) => topic?.endsWith("/learned");
		await collector.wait("accuracy", 1, isExport);
		assertNoErrors();
	}).timeout(40_000);

	it("03 - Boiler: says on or off, and is done when it is told so", async () => {
		await red.deploy(nodesOf("03 - Boiler in the sunniest two hours.json"));
		const [plan] = await collector.wait("plan");
		for (const { start, end, solar_share } of plan?.payload ?? []) {
			assert.equal(Date.parse(end) - Date.parse(start), 2 * 3_600_000);
			assert.ok(solar_share >= 0 && solar_share <= 1);
		}
		await collector.wait("boiler off");
		await red.inject("sy-boiler-inject-1");
		const today = (await fetch(
			`${red.url}/solar-yield/window/sy-boiler-window`,
		).then((answer) => answer.json())) as Message;
		assert.deepEqual(today.why, { code: "done", ran_hours: null });
		assertNoErrors();
	}).timeout(40_000);
});
