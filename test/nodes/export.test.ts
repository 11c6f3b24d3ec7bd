import assert from "node:assert/strict";
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
} from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { parse } from "csv-parse/sync";
import helper from "node-red-node-test-helper";
import { formatTable } from "../../nodes/export/answer";
import { type ExportConfig, openExport } from "../../nodes/export/node";
import { exportStatus } from "../../nodes/export/status";
import { openNow } from "../../nodes/now/node";
import { FORMAT_NAMES, FORMATS } from "../../src/export";
import {
	inputError,
	SolarYieldError,
} from "../../src/service/errors/solar-yield-error";
import { HOUR_MS as HOUR, MINUTE_MS as MINUTE } from "../../src/util/time";
import { Zone } from "../../src/util/zone";
import { makeForecast, type Plan } from "../export/forecasts";
import { Broker, until } from "../support/broker";
import { translator } from "../support/catalogue";
import { Flows, SITE } from "../support/flows";
import { THREE_DAYS } from "./three-days";

type Message = Record<string, any>;

const START = "2026-06-10T09:02:00Z";

/** A node of Node-RED's own, by its file. */
const coreNode = (file: string) =>
	require(
		join(
			dirname(
				require.resolve("@node-red/nodes/package.json", {
					paths: [dirname(require.resolve("node-red"))],
				}),
			),
			"core/network",
			file,
		),
	);

function open(plan: ConstructorParameters<typeof Flows>[1] = "plus"): Flows {
	const flows = new Flows(START, plan);
	flows.onClock("solar-yield-now", openNow);
	flows.onClock("solar-yield-export", openExport);
	flows.nodes = new Map([
		...flows.nodes,
		["mqtt", coreNode("10-mqtt.js")],
		["http in", coreNode("21-httpin.js")],
		["switch", coreNode("../function/10-switch.js")],
	]);
	return flows;
}

const exporter = (config: Partial<ExportConfig>, more: Message = {}) => ({
	id: "e",
	type: "solar-yield-export",
	z: "tab",
	name: "",
	prefix: "",
	value: "",
	shape: "",
	step: "",
	hours: "",
	measurement: "",
	past: false,
	days: "",
	wires: [["out"]],
	...config,
	...more,
});
const out = { id: "out", type: "helper", z: "tab" };

/** A message as the forecast node sends it. */
const message = (plan: Plan = THREE_DAYS, more: Message = {}): Message => {
	const { body, solar } = makeForecast(plan);
	return {
		topic: `pv/${solar.site_id}/forecast`,
		payload: { ...body, solar },
		solar: structuredClone(solar),
		...more,
	};
};

describe("solar-yield-export in Node-RED", () => {
	let flows: Flows;

	beforeEach(async () => {
		flows = open();
		await flows.start();
	});
	afterEach(() => flows.stop());

	const load = async (config: Partial<ExportConfig>) => {
		await flows.load([exporter(config), out, ...Flows.catchNode]);
	};

	for (const format of FORMAT_NAMES) {
		it(`${format}: made of a forecast, with its default options`, async () => {
			await load({ format });
			assert.equal(flows.status("e")?.fill, "grey");
			await flows.input("e", message(THREE_DAYS, { house: "north", req: 1 }));
			assert.deepEqual(flows.of("caught"), []);
			assert.ok(flows.of("out").length > 0);
			for (const msg of flows.of("out")) {
				assert.equal(msg.retain, true);
				assert.equal(msg.house, "north");
				assert.equal(msg.solar.gaps_filled, 0);
				assert.match(msg.topic, /^(pv\/site_a1\/|homeassistant\/)/);
			}
			const { contentType } = FORMATS[format];
			assert.equal(
				flows.of("out")[0]?.headers?.["content-type"],
				contentType ?? undefined,
			);
			assert.equal(flows.status("e")?.fill, "green");
		});
	}

	it("the received message goes on, and others carry copies", async () => {
		await load({ format: "solcast" });
		const house = { name: "north" };
		await flows.input("e", message(THREE_DAYS, { house, _msgid: "m1" }));
		const topics = flows.of("out").map(({ topic }) => topic);
		assert.deepEqual(
			topics,
			["today", "tomorrow", "d3"].map((day) => `pv/site_a1/solcast/${day}`),
		);
		const [first, second, third] = flows.of("out");
		assert.equal(first?._msgid, "m1");
		(second as Message).house.name = "south";
		assert.equal(third?.house.name, "north");
	});

	// One of each that remembers a forecast.
	for (const format of ["home-assistant", "values", "solcast"] as const) {
		it(`${format}: what a flow does to msg.solar changes no later message`, async () => {
			await load({ format });
			const plan = { ...THREE_DAYS, strings: [10, 20] };
			await flows.input("e", message(plan));
			for (const msg of flows.of("out")) {
				const before = structuredClone(msg.solar.strings);
				for (const string of msg.solar.strings) string.power_kw = 99;
				msg.solar.strings.length = 1;
				assert.equal(before.length, 2, msg.topic);
			}
			flows.clear();
			await flows.runFor(24 * 60 * MINUTE);
			await flows.input("e", { topic: "pv/site_a1", req: {} });
			for (const { solar, topic } of flows.of("out")) {
				assert.equal(solar?.strings.length ?? 2, 2, topic);
				assert.notEqual(solar?.strings[1].power_kw, 99, topic);
			}
		});
	}

	it("options count where the format has them", async () => {
		await load({ format: "emhass", shape: "list", step: "15", hours: "2" });
		await flows.input("e", message());
		const { payload } = flows.of("out")[0] as Message;
		assert.equal(payload.prediction_horizon, 8);
		assert.equal(payload.optimization_time_step, 15);
		assert.ok(Array.isArray(payload.pv_power_forecast));
		// What another format left behind does not.
		await flows.deploy([
			exporter({ format: "evcc", shape: "list", step: "7" }),
			out,
		]);
		flows.clear();
		await flows.input("e", message());
		assert.deepEqual(
			flows.of("out").map(({ topic, payload }) => [topic, payload === ""]),
			[
				["pv/site_a1/evcc", false],
				// What the other format left on a broker goes.
				["pv/site_a1/emhass", true],
			],
		);
	});

	for (const [config, text] of [
		[{ format: "solar" as never }, /^format is "solar"; choose one of home-/],
		[{ format: undefined as never }, /^format is missing; choose one of/],
		[
			{ format: "emhass", shape: "table" },
			/^shape is "table" for format emhass/,
		],
		[{ format: "emhass", step: "7" }, /^step is "7"/],
		[{ format: "home-assistant", prefix: "a/#" }, /^prefix is "a\/#"/],
		[{ format: "influxdb", measurement: "a b" }, /^measurement is "a b"/],
		[{ format: "apexcharts", days: "9" }, /^days is "9"/],
	] as [Partial<ExportConfig>, RegExp][]) {
		it(`says in status and error: ${text.source}`, async () => {
			await load(config);
			assert.equal(flows.status("e")?.fill, "red");
			await flows.input("e", message());
			const [caught] = flows.of("caught");
			assert.equal(caught?.error.code, "SOLAR_YIELD_INPUT");
			assert.match(caught?.error.message, text);
			assert.equal(flows.clock.timers, 0);
		});
	}

	it("tells a Catch node what it cannot write, and recovers", async () => {
		await load({ format: "eos" });
		const gapped = {
			...THREE_DAYS,
			gaps: [{ at: 60, length: 8, absent: true }],
		};
		for (const [msg, code, text] of [
			[message(gapped), "RESPONSE", /too long to be interpolated.*; /],
			[{ payload: "on" }, "INPUT", /no JSON/],
			[{ payload: { power_now_w: 1 } }, "INPUT", /solar-yield-now/],
			[
				message({ ...THREE_DAYS, date: "2026-06-01" }),
				"RESPONSE",
				/no whole step/,
			],
		] as const) {
			flows.clear();
			await flows.input("e", { ...msg });
			const [caught] = flows.of("caught");
			assert.equal(caught?.error.code, `SOLAR_YIELD_${code}`);
			assert.match(caught?.error.message, text);
			assert.equal(flows.of("out").length, 0);
			assert.deepEqual(
				[flows.status("e")?.fill, flows.status("e")?.shape],
				["red", "ring"],
			);
		}
		await flows.input("e", message());
		assert.equal(flows.status("e")?.fill, "green");
		// Elsewhere the gap is left out, and a short one is filled and counted.
		await flows.deploy([exporter({ format: "evcc" }), out]);
		flows.clear();
		await flows.input(
			"e",
			message({ ...THREE_DAYS, gaps: [{ at: 60, length: 3, absent: false }] }),
		);
		assert.equal(flows.of("out")[0]?.solar.gaps_filled, 3);
		assert.match(flows.status("e")?.text, /filled/);
	});

	it("a forecast of the past is an error where whole days are sent", async () => {
		await load({ format: "solcast" });
		await flows.input("e", message({ ...THREE_DAYS, date: "2026-06-01" }));
		assert.match(
			flows.of("caught")[0]?.error.message,
			/no whole day from today on; nothing is sent until/,
		);
	});

	it("takes all off the broker that it had published, before a restart too", async () => {
		await load({ format: "solcast" });
		for (const site_id of ["site_a1", "b"]) {
			await flows.input("e", message({ ...THREE_DAYS, solar: { site_id } }));
		}
		await flows.deploy([exporter({ format: "solcast" }), out]);
		flows.clear();
		await flows.input("e", {
			operation: "remove",
			siteId: "b",
			house: "north",
		});
		const days = ["today", "tomorrow", "d3"];
		assert.deepEqual(
			flows
				.of("out")
				.map(({ topic, payload, retain, house }) => [
					topic,
					payload,
					retain,
					house,
				]),
			days.map((day) => [`pv/b/solcast/${day}`, "", true, "north"]),
		);
		assert.deepEqual(
			[flows.status("e")?.fill, flows.status("e")?.text],
			[
				"grey",
				"solcast · @solar-yield/node-red-solar-yield/solar-yield-export:status.removed",
			],
		);
		flows.clear();
		await flows.input("e", { operation: "remove" });
		assert.deepEqual(
			flows.of("out").map(({ topic }) => topic),
			days.map((day) => `pv/site_a1/solcast/${day}`),
		);
		flows.clear();
		await flows.input("e", { operation: "remove" });
		assert.deepEqual([flows.of("out"), flows.of("caught")], [[], []]);
		assert.equal(flows.clock.timers, 0);
	});

	it("warns at the deploy of what only the user can check", async () => {
		await load({ format: "emhass", shape: "list" });
		const warned = () =>
			((helper.getNode("e") as any).warn.args as [string][]).map(
				([text]) => text,
			);
		assert.match(warned()[0] ?? "", /method_ts_round is first; set that/);
		await flows.deploy([
			exporter({ format: "emhass", shape: "list", rounding: "first" }),
			out,
		]);
		assert.equal(warned().length, 1);
	});

	it("csv is read by a CSV library: every row, every field, the day's energy", async () => {
		await load({ format: "csv" });
		await flows.input("e", message({ ...THREE_DAYS, bandHours: 30 }));
		const rows: Record<string, string>[] = parse(
			flows.of("out")[0]?.payload as string,
			{ columns: true },
		);
		const { quarters, days } = makeForecast(THREE_DAYS);
		assert.equal(rows.length, quarters.length);
		assert.deepEqual(Object.keys(rows[0] ?? {}).slice(0, 3), [
			"start",
			"end",
			"pv_power",
		]);
		for (const [index, { start, watts }] of quarters.entries()) {
			const row = rows[index];
			assert.equal(Date.parse(row?.start ?? ""), start);
			assert.equal(Date.parse(row?.end ?? ""), start + 15 * MINUTE);
			assert.equal(Number(row?.pv_power), watts);
		}
		const today = rows
			.slice(0, 96)
			.reduce((sum, { pv_power }) => sum + Number(pv_power) / 4000, 0);
		assert.ok(Math.abs(today - (days[0]?.energy ?? 0)) < 1e-6);
		// The band ends after 30 hours; behind it there is nothing, not a narrow one.
		const noon = rows.find(({ start }) => start === "2026-06-11T10:00:00Z");
		assert.equal(noon?.pv_power_min, "");
	});

	it("shows what it did in its status, in both languages", () => {
		const zone = Zone.of("Europe/Berlin") as Zone;
		const sent = { at: Date.parse(START), zone, filled: 0 };
		const texts = (language: string) => {
			const say = translator(language);
			return [
				exportStatus({ format: "evcc" }, false, say),
				exportStatus({ format: "evcc", sent }, false, say),
				exportStatus(
					{ format: "evcc", sent: { ...sent, filled: 2 } },
					true,
					say,
				),
				exportStatus(
					{ format: "evcc", failure: inputError("x; y") },
					false,
					say,
				),
				exportStatus(
					{ format: "eos", failure: new SolarYieldError("RESPONSE", "x; y") },
					false,
					say,
				),
			];
		};
		assert.deepEqual(texts("en-US"), [
			{ fill: "grey", shape: "ring", text: "evcc · no forecast yet" },
			{ fill: "green", shape: "dot", text: "evcc · sent 11:02" },
			{
				fill: "green",
				shape: "dot",
				text: "demo · evcc · sent 11:02 · quarters filled: 2",
			},
			{ fill: "red", shape: "ring", text: "evcc · input refused" },
			{
				fill: "red",
				shape: "ring",
				text: "eos · forecast too short or with a gap",
			},
		]);
		assert.equal(texts("de")[1]?.text, "evcc · gesendet 11:02");
	});
});

describe("solar-yield-export for Home Assistant", () => {
	let flows: Flows;

	beforeEach(async () => {
		flows = open();
		await flows.start();
	});
	afterEach(() => flows.stop());

	const node = exporter({ format: "home-assistant" });
	const load = async () => {
		await flows.load([node, out, ...Flows.catchNode]);
	};
	const topics = () => flows.of("out").map(({ topic }) => topic);
	const find = (end: string) =>
		flows
			.of("out")
			.filter(({ topic }) => topic.endsWith(end))
			.at(-1)?.payload;

	it("answers the birth message, and no other word of Home Assistant's", async () => {
		await load();
		const status = { topic: "homeassistant/status", payload: "online" };
		await flows.input("e", { ...status });
		assert.equal(flows.of("out").length, 0);
		await flows.input("e", message());
		const first = topics();
		flows.clear();
		await flows.input("e", { ...status, payload: "offline" });
		await flows.input("e", { ...status, payload: Buffer.from("offline") });
		assert.deepEqual([topics(), flows.of("caught")], [[], []]);
		await flows.input("e", { ...status, qos: 1 });
		assert.deepEqual(topics(), first);
		assert.equal(flows.of("out")[0]?.retain, true);
	});

	it("takes the values of a now node, and their interval", async () => {
		await flows.load([
			...[{ id: "n", type: "solar-yield-now", z: "tab", every: "1" }].map(
				(now) => ({ ...now, name: "", wires: [["e"]] }),
			),
			node,
			out,
			...Flows.catchNode,
		]);
		await flows.input("e", message());
		assert.equal(find("/config").components.power_now.expire_after, 900);
		await flows.input("n", message());
		assert.equal(find("/config").components.power_now.expire_after, 900);
		flows.clear();
		await flows.runFor(MINUTE);
		await flows.settle();
		assert.deepEqual(topics(), ["pv/site_a1/home-assistant/state"]);
		assert.equal(flows.of("caught").length, 0);
	});

	it("without now the values go on every five minutes, the days at the site's midnight", async () => {
		await load();
		await flows.input("e", message());
		assert.equal(flows.clock.timers, 1);
		const tomorrow = find("/state").energy_tomorrow_kwh;
		flows.clear();
		await flows.clock.runTo("2026-06-10T09:04:59Z", flows.settle);
		assert.equal(flows.of("out").length, 0);
		await flows.clock.runTo("2026-06-10T09:05:00Z", flows.settle);
		await flows.settle();
		assert.deepEqual(topics(), ["pv/site_a1/home-assistant/state"]);
		assert.equal(find("/state").sent_at, "2026-06-10T09:05:00Z");
		flows.clock.sleep(Date.parse("2026-06-10T21:57:00Z") - flows.clock.time);
		await flows.clock.runTo("2026-06-10T21:59:59Z", flows.settle);
		flows.clear();
		await flows.clock.runTo("2026-06-10T22:00:00Z", flows.settle);
		await flows.settle();
		assert.equal(find("/state").energy_today_kwh, tomorrow);
		assert.equal(find("/day/0").date, "2026-06-11");
		assert.equal(find("/day/2"), "");
		await flows.deploy([out], "nodes");
		assert.equal(flows.clock.timers, 0);
	});

	it("takes back after a restart what is gone", async () => {
		await load();
		await flows.input("e", message());
		await flows.settle();
		const file = join(flows.userDir, "solar-yield/export-e.json");
		await until("the file", () => existsSync(file));
		await flows.stop();
		assert.deepEqual(readdirSync(dirname(file)), ["export-e.json"]);

		// Another process: a folder of which nothing is in memory.
		flows = open();
		await flows.start();
		const copy = join(flows.userDir, "solar-yield/export-e.json");
		mkdirSync(dirname(copy), { recursive: true });
		copyFileSync(file, copy);
		await load();
		await flows.input("e", message({ ...THREE_DAYS, days: 2, strings: [10] }));
		const { components } = find("/config");
		assert.deepEqual(components.energy_day_3, { platform: "sensor" });
		assert.deepEqual(components.string_str_1_energy_today, {
			platform: "sensor",
		});
		assert.ok(components.string_str_0_energy_today.unique_id);
		assert.equal(find("/day/2"), "");
	});

	it("another discovery prefix is kept apart", async () => {
		await flows.load([
			exporter({ format: "home-assistant", prefix: "ha/own" }),
			out,
			...Flows.catchNode,
		]);
		await flows.input("e", message());
		await until("discovery", () => topics().length > 0);
		assert.match(topics()[0], /^ha\/own\/device\//);
		flows.clear();
		await flows.input("e", { topic: "ha/own/status", payload: "online" });
		assert.ok(topics().length > 0);
	});
});

describe("solar-yield-export behind a real broker", () => {
	let flows: Flows;
	const broker = new Broker();

	before(() => broker.start());
	after(() => broker.stop());
	beforeEach(async () => {
		flows = open();
		await flows.start();
	});
	afterEach(() => flows.stop());

	const mqttOut = (id: string) => ({
		id,
		type: "mqtt out",
		z: "tab",
		name: "",
		topic: "",
		qos: "",
		retain: "",
		broker: "broker",
		wires: [],
	});
	const mqttIn = (id: string, topic: string, wires: string[]) => ({
		id,
		type: "mqtt in",
		z: "tab",
		name: "",
		topic,
		qos: "0",
		datatype: "auto-detect",
		broker: "broker",
		nl: false,
		rap: true,
		inputs: 0,
		wires: [wires],
	});

	/** Forecast and now, one of them for another Node-RED, and all for Home Assistant. */
	const poller = (every = "1") => [
		flows.account(),
		...flows.forecast("f", {
			include: ["default", "weather", "strings"],
			wires: [["f-1", "n", "e", "to-broker"], [], []],
		}),
		{
			id: "n",
			type: "solar-yield-now",
			z: "tab",
			name: "",
			every,
			wires: [["now", "e"]],
		},
		{ id: "now", type: "helper", z: "tab" },
		exporter({ format: "home-assistant" }, { wires: [["to-broker"]] }),
		mqttOut("to-broker"),
		broker.node("broker"),
		...Flows.catchNode,
	];

	it("a program that connects later finds everything, and nothing that is gone", async () => {
		await flows.load([
			...poller("15"),
			mqttIn("birth", "homeassistant/status", ["e"]),
			mqttIn("back", "solar-yield/+/home-assistant/state", ["states"]),
			{ id: "states", type: "helper", z: "tab" },
		]);
		await until("two states", () => flows.of("states").length >= 2);
		const found = await broker.retained();
		const config = JSON.parse(
			found.get(`homeassistant/device/solar_yield_${SITE}/config`) ?? "",
		);
		const state = JSON.parse(
			found.get(`solar-yield/${SITE}/home-assistant/state`) ?? "",
		);
		const { payload } = flows.of("now")[0] as Message;
		assert.equal(state.power_now_w, payload.power_now_w);
		assert.equal(state.energy_today_kwh, payload.energy_today_kwh);
		assert.equal(state.requests_used, 1);
		assert.deepEqual(flows.of("states").at(-1)?.payload, state);
		// Every topic that an entity names is there; every curve is of its day.
		for (const component of Object.values<any>(config.components)) {
			if (component.state_topic) assert.ok(found.has(component.state_topic));
			const attributes = component.json_attributes_topic;
			if (!attributes) continue;
			const curve = JSON.parse(found.get(attributes) ?? "");
			const index = Number(/\d+$/.exec(attributes)?.[0]);
			const sum = curve.forecast.reduce(
				(total: number, { watts }: Message) => total + watts / 4000,
				0,
			);
			const day = payload.days[index];
			assert.equal(curve.date, day.date);
			assert.ok(Math.abs(sum - day.pv_energy_kwh) < 0.001);
		}
		// At midnight the last day's curve goes, on the broker too.
		const curves = (topics: Iterable<string>) =>
			[...topics].filter((topic) => topic.includes("/day/")).length;
		const before = curves(found.keys());
		flows.clock.sleep(Date.parse("2026-06-10T21:58:00Z") - flows.clock.time);
		await flows.clock.runTo("2026-06-10T22:00:01Z", flows.settle);
		await until(
			"one curve less",
			async () => curves((await broker.retained()).keys()) < before,
		);

		// Home Assistant starts, and is told all again.
		let states = flows.of("states").length;
		await until("quiet", async () => {
			const same = states === flows.of("states").length;
			states = flows.of("states").length;
			return same;
		});
		await broker.publish("homeassistant/status", "online");
		await until(
			"an answer to the birth message",
			() => flows.of("states").length > states,
		);
		assert.equal(flows.of("caught").length, 0);
	}).timeout(30_000);

	it("what the broker feeds shows the same values minute by minute, and asks nobody", async () => {
		await flows.load([
			...poller(),
			// What stands for the other one: fed by the broker alone.
			mqttIn("in", "solar-yield/+/forecast", ["other"]),
			{
				id: "other",
				type: "solar-yield-now",
				z: "tab",
				name: "",
				every: "1",
				wires: [["other-now"]],
			},
			{ id: "other-now", type: "helper", z: "tab" },
		]);
		const payloads = (id: string) =>
			flows.of(id).map(({ payload }) => payload as Message);
		await until("the other's values", () => flows.of("other-now").length > 0);
		for (let hour = 0; hour < 2; hour += 1) {
			const requests = flows.forecastRequests;
			const [f, other] = [flows.of("f-1").length, flows.of("other-now").length];
			await flows.runFor(HOUR - 2 * MINUTE);
			// A new forecast travels in real time, the minutes do not.
			const forecasts = flows.of("f-1").length - f;
			assert.equal(flows.forecastRequests - requests, forecasts);
			await until(
				"the other's values",
				() => flows.of("other-now").length >= other + 58,
			);
			await flows.quiet();
			flows.clear();
			await flows.runFor(2 * MINUTE);
			await flows.quiet();
			const mine = payloads("now").at(-1);
			const others = payloads("other-now").at(-1);
			assert.equal(typeof mine?.power_now_w, "number");
			assert.deepEqual(others, mine);
		}
		assert.equal(flows.of("caught").length, 0);
	}).timeout(30_000);

	it("a broker that is away breaks nothing", async () => {
		await flows.load([
			...poller().map((node: any) =>
				node.id === "broker" ? { ...node, port: "1" } : node,
			),
			out,
		]);
		await flows.runFor(2 * MINUTE);
		assert.ok(flows.of("now").length >= 2);
		assert.deepEqual(flows.of("caught"), []);
	});
});

describe("solar-yield-export behind http in", () => {
	let flows: Flows;
	let server: Server;
	let url: string;

	beforeEach(async () => {
		flows = open();
		await flows.start();
		let app: RequestListener = () => {};
		flows.nodes = new Map([
			...flows.nodes,
			[
				"what http in serves",
				({ httpNode }: any) => {
					app = httpNode;
				},
			],
		]);
		server = createServer((request, answer) => app(request, answer));
		await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
		url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	});
	afterEach(async () => {
		server.closeAllConnections();
		await new Promise((done) => server.close(done));
		await flows.stop();
	});

	const endpoint = (format: ExportConfig["format"], more: Message = {}) => [
		{
			id: `${format}-in`,
			type: "http in",
			z: "tab",
			name: "",
			url: `/${format}`,
			method: "get",
			upload: false,
			wires: [[`${format}-f`]],
		},
		...flows
			.forecast(`${format}-f`, { poll: "manual" })
			.slice(0, 1)
			.map((node) => ({ ...node, wires: [[`${format}-e`], [], []] })),
		exporter({ format, ...more }, { id: `${format}-e`, wires: [["response"]] }),
	];
	const response = [
		{
			id: "response",
			type: "http response",
			z: "tab",
			name: "",
			statusCode: "",
			headers: {},
			wires: [],
		},
		{
			id: "catcher",
			type: "catch",
			z: "tab",
			scope: null,
			wires: [["caught", "response"]],
		},
		{ id: "caught", type: "helper", z: "tab" },
	];

	it("serves evcc and forecast.solar from one forecast", async () => {
		await flows.load([
			flows.account(),
			...endpoint("evcc"),
			...endpoint("forecast-solar"),
			...endpoint("csv"),
			...response,
		]);
		const evcc = await fetch(`${url}/evcc`);
		assert.equal(evcc.status, 200);
		assert.match(evcc.headers.get("content-type") ?? "", /^application\/json/);
		const slots = (await evcc.json()) as Message[];
		const api = await fetch(`${url}/forecast-solar`);
		const { result } = (await api.json()) as Message;
		const csv = await fetch(`${url}/csv`);
		assert.equal(csv.headers.get("content-type"), "text/csv; charset=utf-8");
		const rows = parse(await csv.text(), { columns: true }) as Message[];

		// All tell of the same day: evcc by trapezoids, the others by their sums.
		const from = Date.parse("2026-06-09T22:00:00Z");
		const to = from + 24 * HOUR;
		const inDay = (text: string) =>
			Date.parse(text) >= from && Date.parse(text) < to;
		const day = slots.filter(({ start }) => inDay(start));
		const trapezoids = day.reduce((sum, { value }, index) => {
			const next = slots[slots.indexOf(day[index] as Message) + 1];
			return sum + (value + (next?.value ?? 0)) / 8000;
		}, 0);
		const sums = rows
			.filter(({ start }) => inDay(start))
			.reduce((sum, { pv_power }) => sum + Number(pv_power) / 4000, 0);
		const told = result.watt_hours_day["2026-06-10"] / 1000;
		assert.ok(told > 10);
		assert.ok(Math.abs(sums - told) < 0.001);
		assert.ok(Math.abs(trapezoids - told) < 0.001);
		assert.equal(flows.forecastRequests, 1);
	});

	it("answers from the last forecast, and evcc with nothing before the first", async () => {
		const bare = (format: ExportConfig["format"]) => [
			{
				id: `${format}-in`,
				type: "http in",
				z: "tab",
				name: "",
				url: `/${format}`,
				method: "get",
				upload: false,
				wires: [[`${format}-e`]],
			},
			exporter({ format }, { id: `${format}-e`, wires: [["asked"]] }),
		];
		await flows.load([
			...bare("evcc"),
			...bare("forecast-solar"),
			exporter({ format: "text" }, { id: "text-e", wires: [["words"]] }),
			{ id: "words", type: "helper", z: "tab" },
			{
				id: "asked",
				type: "switch",
				z: "tab",
				property: "res",
				propertyType: "msg",
				rules: [{ t: "nnull" }],
				outputs: 1,
				wires: [["response"]],
			},
			...response,
		]);
		const nothing = await fetch(`${url}/evcc`);
		assert.deepEqual([nothing.status, await nothing.json()], [200, []]);
		assert.match(
			nothing.headers.get("content-type") ?? "",
			/^application\/json/,
		);
		const unknown = await fetch(`${url}/forecast-solar`);
		assert.equal(unknown.status, 503);
		assert.match(unknown.headers.get("retry-after") ?? "", /^\d+$/);
		const { message: told }: any = await unknown.json();
		assert.match(told.text, /^No forecast is known yet; /);
		assert.equal(flows.of("caught")[0]?.error.message, told.text);
		for (const id of ["evcc-e", "forecast-solar-e"]) {
			await flows.input(id, message());
		}
		// An inject asks for words as a request does.
		await flows.input("text-e", message());
		await flows.input("text-e", { payload: Date.now() });
		const words = flows.of("words").map(({ payload }) => payload);
		assert.match(words[0], /^Today \d+ kWh/);
		assert.deepEqual(words, [words[0], words[0]]);
		const slots: any = await (await fetch(`${url}/evcc`)).json();
		assert.equal(slots[0].start, "2026-06-09T22:00:00Z");
		const api = await fetch(`${url}/forecast-solar?time=seconds`);
		const { result }: any = await api.json();
		assert.match(Object.keys(result.watts)[0] ?? "", /^\d{10}$/);
		const wrong = await fetch(`${url}/forecast-solar?time=never`);
		assert.equal(wrong.status, 400);
		assert.match(
			((await wrong.json()) as any).message.text,
			/^msg\.req\.query\.time is "never"; ask for one of utc, /,
		);
	});

	it("says what went wrong, by way of a Catch node", async () => {
		flows.fault = (_request, answer) => {
			answer.statusCode = 500;
			answer.end("{}");
		};
		await flows.load([flows.account(), ...endpoint("evcc"), ...response]);
		const answer = await fetch(`${url}/evcc`);
		assert.equal(answer.status, 503);
		assert.ok(Number(answer.headers.get("retry-after")) > 0);
		const { error }: any = await answer.json();
		assert.match(error, /^The service has a fault .*; try again later$/);
		const { code, cause } = flows.of("caught")[0]?.error ?? {};
		assert.equal(code, "SOLAR_YIELD_SERVICE");
		const wait = Date.parse(cause.retry_at) - flows.clock.time;
		assert.ok(wait > 0 && wait <= 60_000, String(wait));
	});
});

describe("the words of solar-yield-export", () => {
	const catalogue = (language: string) =>
		JSON.parse(
			readFileSync(
				join(__dirname, `../../nodes/export/locales/${language}.json`),
				"utf8",
			),
		)["solar-yield-export"];

	it("are complete in both languages, and plain: no choice shows as its value in flows", () => {
		for (const language of ["en-US", "de"]) {
			const words = catalogue(language);
			for (const group of ["help", "times", "format"]) {
				assert.deepEqual(Object.keys(words[group]), FORMAT_NAMES);
			}
			for (const [name, { options }] of Object.entries(FORMATS)) {
				for (const option of options) {
					assert.match(words.option[name][option.name], /\.$/, name);
					assert.ok(words.label[option.name]);
					assert.ok(words.invalid[option.name]);
					// Browsers know the names of languages.
					if (option.kind !== "choice" || option.name === "language") continue;
					for (const value of option.values) {
						if (typeof value === "number") continue;
						const shown = words.choice[name][option.name][value];
						assert.ok(shown && shown !== value, `${name} ${value}`);
					}
				}
			}
			const file = `../../nodes/export/locales/${language}.html`;
			const help = readFileSync(join(__dirname, file), "utf8");
			for (const title of Object.values<string>(words.format)) {
				assert.ok(help.includes(`<dt>${title} `), title);
			}
		}
	});

	it("come with a table that survives JSON", () => {
		const table = formatTable();
		assert.deepEqual(
			table.map(({ name }) => name),
			FORMAT_NAMES,
		);
		assert.deepEqual(JSON.parse(JSON.stringify(table)), table);
		const prefix = table[0]?.options[0];
		assert.ok(prefix?.kind === "text");
		assert.match("homeassistant", new RegExp(prefix.pattern));
	});
});
