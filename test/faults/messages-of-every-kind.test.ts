import assert from "node:assert/strict";
import fc from "fast-check";
import helper from "node-red-node-test-helper";
import { openBattery } from "../../nodes/battery/node";
import { openExport } from "../../nodes/export/node";
import { openLearn } from "../../nodes/learn/node";
import { openNow } from "../../nodes/now/node";
import { openWindow } from "../../nodes/window/node";
import { FORMAT_NAMES } from "../../src/export";
import { makeForecast } from "../export/forecasts";
import { Flows, KEY, SITE } from "../support/flows";
import { isLong } from "../support/long";
import {
	batteryNode,
	forecastNode,
	historyNode,
	learnNode,
	v1Node,
	windowNode,
} from "../support/own-nodes";
import { PLANS } from "../support/service/plans";
import { placesOf, WRONG, withWrong } from "./cases/fields";
import { jsonValue, messageOf } from "./cases/hostile";
import { Bystander } from "./harness/consume";

type Message = Record<string, any>;

const START = "2026-06-10T09:01:00Z";
/** Messages that each node gets: 10,000 to all of them in the full form. */
const RUNS = isLong ? 1430 : 45;

const { body, solar } = makeForecast({
	zone: "Europe/Berlin",
	date: "2026-06-10",
	days: 2,
	peaks: [8000, 4000],
	strings: [6, 4],
});
/** A good forecast with something wrong in one of its places. */
const PLACES = placesOf(body);
const BAD_FORECASTS = Array.from({ length: 200 }, (_, index) => {
	const path = PLACES[(index * 37) % PLACES.length] ?? [];
	const [, value] = WRONG[index % WRONG.length] ?? ["", null];
	return withWrong(body, path, value);
});
const FORECASTS = [
	{ ...body, solar },
	JSON.stringify({ ...body, solar }),
	Buffer.from(JSON.stringify(body)),
	...BAD_FORECASTS,
];
const TOPICS = [
	"solar-yield/site_a1/forecast",
	"a/b/c/now",
	"homeassistant/status",
	"#/+",
];
const FACTS = [
	solar,
	{ ...solar, demo: true },
	{ site_id: SITE },
	{ settled: [[1, 2]] },
];
const CONSUMER = {
	payload: FORECASTS,
	solar: FACTS,
	topic: TOPICS,
	siteId: [SITE, "site_a1"],
	quota: [{}, { used: 1 }],
	parts: [],
	req: [],
	res: [],
	retain: [],
	every: [5],
};
const GROUPS = ["default", ["default", "strings"], "all,variability", ["all"]];
const V1 = { latitude: 52, longitude: "13.4", slope: 30, orientation: 180 };

/** What each node looks at in a message, with values that may fit. */
const PROPERTIES: Readonly<Record<string, Record<string, readonly unknown[]>>> =
	{
		forecast: {
			payload: [],
			topic: TOPICS,
			refresh: [true, false],
			siteId: [SITE, "../x"],
			include: GROUPS,
			forecastDays: [0, "3", 7],
			pastDays: [0, 1, "7"],
			timezone: ["utc", "local"],
			parts: [],
			solar: [],
			quota: [],
			retain: [],
		},
		now: {
			...CONSUMER,
			payload: [
				...FORECASTS,
				{ from: START, to: "2026-06-10T12:00:00Z" },
				{ from: 0, to: 1 },
			],
		},
		export: CONSUMER,
		battery: {
			...CONSUMER,
			soc: [40, "55", 0],
			load: [
				400,
				"300",
				[100, 200],
				[{ start: START, end: "2026-06-10T12:00:00Z", power_w: 1 }],
			],
			prices: [[{ start: START, end: "2026-06-10T12:00:00Z", price: 0.3 }]],
		},
		learn: {
			...CONSUMER,
			payload: [
				...FORECASTS,
				1234,
				"-5.5",
				[{ time: START, power_w: 500 }, { time: 1 }, "x"],
			],
			power_w: [0, 4000, "3.5", -2000, 1e9],
			energy_kwh: [0, "12.5", 1e9, 3],
			time: [START, 0, "1", "2027-01-01T00:00:00Z"],
			string_id: ["str_0", "str_9", ""],
			curtailed: [true, false],
			operation: ["report", "reset", "export", "import", ""],
		},
		window: {
			...CONSUMER,
			hours: [2, "0.25", 24, null],
			pieces: ["any", "one"],
			from: ["08:30", ""],
			to: ["18:00", "24:00", "02:00"],
			minPowerW: [0, "1500", null],
			loadW: [2000, null],
			baseLoadW: [300],
			rank: ["cost", "sun"],
			prices: [[{ startsAt: START, total: 0.3 }], null],
			feedIn: [0.08, [{ start: START, price: 0.1 }]],
			done: [true, false],
			run_minutes: [0, "45", 1500],
		},
		site: {
			operation: [
				"list",
				"get",
				"create",
				"update",
				"delete",
				"restore",
				"add-string",
				"update-string",
				"remove-string",
			],
			siteId: [SITE, "site_x", "../x"],
			stringId: ["str_south", "0"],
			removeStrings: [true],
			payload: [
				{ name: "n" },
				{ latitude: 50, longitude: 10, name: "m" },
				{ slope: 10, orientation: 90, power_kw: 1 },
				{ strings: [] },
				{ config: { tracking: null } },
			],
			topic: [],
			solar: [],
			site: [],
			sites: [],
			notes: [],
			restore_until: [],
		},
		history: {
			siteId: [SITE],
			source: ["site", "inline"],
			inline: [
				'{"latitude":52,"longitude":13,"strings":[]}',
				{
					latitude: 52,
					longitude: 13,
					strings: [{ slope: 1, orientation: 1, power_kw: 1 }],
				},
			],
			include: GROUPS,
			period: ["1d", "2d", "1m"],
			startDate: ["2026-06-01"],
			endDate: ["2026-06-02"],
			timezone: ["utc"],
			split: [true, false],
			params: [{ a: "b" }, { include: 1 }],
			refresh: [true],
			payload: [],
			topic: TOPICS,
			solar: [],
			quota: [],
			parts: [],
		},
		v1: {
			payload: [
				V1,
				{ ...V1, forecast_days: 1 },
				[V1],
				{ pv_power_kw: "5" },
				{},
			],
			operation: ["to-v2"],
			params: [],
			name: [],
			refresh: [true],
			rows: [],
			topic: [],
		},
	};

/** What a node's dialog sets. */
const settingsOf = ({ id, type, z, name, wires, ...settings }: Message) =>
	settings;

/** Settings with which the node of a type works. */
const SETTINGS: Readonly<Record<string, Message>> = {
	forecast: settingsOf(
		forecastNode({ include: ["default", "strings"], poll: "manual" }),
	),
	now: { every: "5" },
	battery: settingsOf(batteryNode()),
	learn: settingsOf(learnNode()),
	window: settingsOf(windowNode()),
	site: { account: "acc", siteId: "", operation: "" },
	history: settingsOf(historyNode()),
	v1: settingsOf(v1Node({ params: V1 })),
};

const node = (id: string, kind: string, more: Message = {}): Message => ({
	id,
	type: `solar-yield-${kind}`,
	z: "tab",
	name: "",
	wires: [["out"], ["out"], ["out"]],
	...SETTINGS[kind],
	...more,
});

describe("messages of every kind", () => {
	let flows: Flows;
	let bystander: Bystander;
	/** How often each message ended. */
	let ends: Map<object, number>;
	let onEnd: Map<object, () => void>;

	beforeEach(async () => {
		flows = new Flows(START);
		flows.simulator.setPlan(KEY, PLANS.unmetered);
		flows.onClock("solar-yield-battery", openBattery as never);
		flows.onClock("solar-yield-learn", openLearn as never);
		flows.onClock("solar-yield-now", openNow as never);
		flows.onClock("solar-yield-window", openWindow as never);
		flows.onClock("solar-yield-export", openExport as never);
		await flows.start();
		bystander = new Bystander();
		ends = new Map();
		onEnd = new Map();
	});
	afterEach(async () => {
		(helper as any)._RED.hooks.remove("*.fuzz");
		await flows.stop();
		bystander.stop();
	});

	async function load(nodes: object[]): Promise<void> {
		await flows.load([
			flows.account(),
			...nodes,
			{ id: "out", type: "helper", z: "tab" },
			...Flows.catchNode,
		]);
		const { hooks } = (helper as any)._RED;
		hooks.add("onComplete.fuzz", ({ msg }: { msg: object }) => {
			ends.set(msg, (ends.get(msg) ?? 0) + 1);
			onEnd.get(msg)?.();
		});
	}

	/** Sends a message and waits for its end. */
	async function send(id: string, msg: Message): Promise<void> {
		const ended = new Promise<void>((resolve, reject) => {
			const timer = setTimeout(() => reject(new Error("no done")), 15_000);
			onEnd.set(msg, () => {
				clearTimeout(timer);
				resolve();
			});
		});
		(helper.getNode(id) as any).emit("input", msg);
		await ended;
		// A second end would come at once.
		await new Promise((done) => setImmediate(done));
		assert.equal(ends.get(msg), 1, "one done");
		ends.delete(msg);
		onEnd.delete(msg);
		flows.clear();
	}

	function assertAlive(): void {
		assert.deepEqual(bystander.seen, []);
		assert.equal(({} as any).polluted, undefined);
	}

	for (const [kind, properties] of Object.entries(PROPERTIES)) {
		it(`end at solar-yield-${kind} in one done each`, async () => {
			const ids =
				kind === "export"
					? FORMAT_NAMES.map((format) => `to-${format}`)
					: ["n"];
			await load(
				ids.map((id) => node(id, kind, { format: id.slice("to-".length) })),
			);
			await fc.assert(
				fc.asyncProperty(
					fc.constantFrom(...ids),
					messageOf(properties),
					async (id, make) => send(id, make()),
				),
				{ numRuns: RUNS },
			);
			assertAlive();
		}).timeout(isLong ? 1_200_000 : 60_000);
	}

	it("find settings of every kind: no constructor throws, no node is silent", async () => {
		const count = isLong ? 60 : 6;
		const nodes = Object.keys(PROPERTIES).flatMap((kind) => {
			const more =
				kind === "export" ? ["format", "prefix", "step", "shape"] : [];
			const names = ["name", ...Object.keys(SETTINGS[kind] ?? {}), ...more];
			const config = fc.record(
				Object.fromEntries(names.map((name) => [name, jsonValue])),
				{ requiredKeys: [] },
			);
			return fc
				.sample(config, { numRuns: count, seed: 7 })
				.map((settings, index) => {
					// Long settings and ids of other nodes are Node-RED's own business.
					const short = JSON.parse(JSON.stringify(settings), (_name, value) =>
						typeof value === "string" ? value.slice(0, 50) : value,
					);
					return node(`${kind}-${index}`, kind, {
						...short,
						...(index % 2 && SETTINGS[kind]?.account && { account: "acc" }),
						poll: "manual",
					});
				});
		});
		const accounts = fc
			.sample(
				fc.record(
					{
						baseUrl: jsonValue,
						demo: jsonValue,
						siteId: jsonValue,
						budget: jsonValue,
						reserve: jsonValue,
						interval: jsonValue,
					},
					{ requiredKeys: [] },
				),
				{ numRuns: count, seed: 8 },
			)
			.map((settings, index) => ({
				id: `account-${index}`,
				type: "solar-yield-account",
				name: "",
				...JSON.parse(JSON.stringify(settings), (_name, value) =>
					typeof value === "string" ? value.slice(0, 50) : value,
				),
			}));
		await load([...accounts, ...nodes]);
		for (const { id } of [...accounts, ...nodes] as Message[]) {
			assert.ok(helper.getNode(id), `${id} was made`);
		}
		for (const { id } of nodes) await send(id, {});
		assertAlive();
	}).timeout(isLong ? 600_000 : 60_000);
});
