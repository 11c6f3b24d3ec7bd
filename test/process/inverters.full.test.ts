import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { connectAsync, type MqttClient } from "mqtt";
import { Broker, until } from "../support/broker";
import { Collector } from "../support/collector";
import {
	ALL_EXAMPLES,
	exampleNodes,
	type FlowNode,
} from "../support/example-flows";
import { ModbusDevice } from "../support/modbus-device";
import { needs } from "../support/needs";
import { installedUserDir, NodeRed, ROOT } from "../support/node-red-process";
import { linkPackage, packageFolder } from "../support/packages";

type Message = Record<string, any>;

const MODBUS = "node-red-contrib-modbus";
const TOKEN = "long-lived";
const PORTAL = "c0619ab12345";
const SOC = 55;
/** The inverter is back at its own rule at the latest so many seconds after whatever died. */
const LATEST_S = 20 * 60;
/** A plan is sent at least so often, in seconds. */
const PLAN_S = 15 * 60;

/** The node that sends again what counts for a short time alone, and how often it does here. */
const AGAIN = "again every 30 s";
const AGAIN_MS = 100;

/** What a plan can want, as the battery node says it. */
const PLANS = {
	limit: plan("charge", { charge_limit_w: 1500 }, 1500, -200),
	"hold charging": plan("hold", { charge_limit_w: 0 }, 0, -3000),
	"hold discharging": plan("hold", { discharge_limit_w: 0 }, 0, 700),
	sell: plan(
		"discharge",
		{ discharge_limit_w: 2000, grid_discharge_w: 1000 },
		-2000,
		-1000,
	),
	buy: plan(
		"grid-charge",
		{ charge_limit_w: 3000, grid_charge_w: 2500 },
		3000,
		3100,
	),
};

/** Each plan, and the own rule at the end. */
const NAMES = [...Object.keys(PLANS), "own rule"] as (
	| keyof typeof PLANS
	| "own rule"
)[];

function plan(
	mode: string,
	limits: Message,
	battery_w: number,
	grid_w: number,
) {
	const now = {
		mode,
		charge_limit_w: 5000,
		discharge_limit_w: 5000,
		grid_charge_w: 0,
		grid_discharge_w: 0,
		feed_in_limit_w: 6000,
		...limits,
	};
	return { now, plan: [{ battery_w, grid_w }] };
}

/** What the device holds after each plan, in its own units and signs; later ones add to it. */
type Held = Readonly<Record<string, unknown>>;
interface Recipe {
	/** The end of the example's name. */
	readonly example: string;
	readonly device?: ModbusDevice;
	readonly types?: Readonly<
		Record<string, Parameters<ModbusDevice["number"]>[1]>
	>;
	/** The register that makes the others count: the last to be written. */
	readonly last?: number;
	readonly held: Readonly<Record<(typeof NAMES)[number], Held>>;
	/** Seconds after which the device is back at its own rule when nothing comes any more. */
	readonly ends: () => number;
}

const fronius = new ModbusDevice(1, {
	...{ 40343: 124, 40344: 24, 40345: 512, 40361: 1 },
	...{ 40351: 100 * SOC, 40365: 0xfffe, 40368: 0xfffe },
});
const huawei = new ModbusDevice(1, { 37760: 10 * SOC });
const kostal = new ModbusDevice(71, { 514: SOC });
const sungrow = new ModbusDevice(1, { 13022: 10 * SOC });
const sma = new ModbusDevice(3, { 30845: 0, 30846: SOC });

const victron = (W: number, A: number, most: number) => ({
	[`W/${PORTAL}/settings/0/Settings/CGwacs/AcPowerSetPoint`]: { value: W },
	[`W/${PORTAL}/settings/0/Settings/SystemSetup/MaxChargeCurrent`]: {
		value: A,
	},
	[`W/${PORTAL}/settings/0/Settings/CGwacs/MaxDischargePower`]: { value: most },
});
const evcc = (mode: string) => ({ "evcc/site/batteryMode/set": mode });
const sent = ({ now, plan: [row] }: ReturnType<typeof plan>) => ({
	"/api/services/script/solar_yield_battery": {
		...now,
		battery_w: row?.battery_w,
	},
});

const RECIPES: readonly Recipe[] = [
	{
		example: "Fronius.json",
		device: fronius,
		types: {
			...{ 40348: "u16", 40355: "s16", 40356: "s16" },
			...{ 40358: "u16", 40360: "u16" },
		},
		last: 40348,
		// Hundredths of a percent of 5120 W: discharging, charging.
		held: {
			limit: { 40348: 3, 40355: 9766, 40356: 2930, 40358: 1200, 40360: 0 },
			"hold charging": { 40355: 9766, 40356: 0 },
			"hold discharging": { 40355: 0, 40356: 9766 },
			sell: { 40355: 3906, 40356: -3906 },
			buy: { 40348: 3, 40355: -5859, 40356: 5859, 40360: 1 },
			"own rule": { 40348: 0 },
		},
		ends: () => fronius.number(40358, "u16"),
	},
	{
		example: "Huawei.json",
		device: huawei,
		types: {
			...{ 47083: "u16", 47100: "u16", 47246: "u16" },
			...{ 47247: "u32", 47249: "u32" },
		},
		last: 47100,
		held: {
			limit: { 47100: 0 },
			"hold charging": { 47249: 0, 47083: 20, 47246: 0, 47100: 2 },
			"hold discharging": { 47249: 0, 47083: 20, 47246: 0, 47100: 2 },
			sell: { 47249: 2000, 47083: 20, 47246: 0, 47100: 2 },
			buy: { 47247: 3000, 47083: 20, 47246: 0, 47100: 1 },
			"own rule": { 47100: 0 },
		},
		ends: () => 60 * huawei.number(47083, "u16"),
	},
	{
		example: "Kostal.json",
		device: kostal,
		types: {
			...{ 1034: "f32 low first", 1038: "f32 low first" },
			1040: "f32 low first",
		},
		held: {
			limit: { 1038: 1500, 1040: 5000 },
			"hold charging": { 1038: 0, 1040: 5000 },
			"hold discharging": { 1038: 5000, 1040: 0 },
			sell: { 1034: 2000 },
			buy: { 1034: -3000 },
			"own rule": { 1034: 0 },
		},
		// The timeout of its battery control, as the example says to set it.
		ends: () => 300,
	},
	{
		example: "SMA.json",
		device: sma,
		types: {
			...{ 40236: "u32", 40793: "u32", 40795: "u32" },
			...{ 40797: "u32", 40799: "u32", 40801: "u32" },
		},
		held: {
			limit: { 40236: 2424, 40793: 0, 40795: 1500, 40797: 0, 40799: 5000 },
			"hold charging": { 40236: 2424, 40795: 0, 40799: 5000, 40801: 0 },
			"hold discharging": { 40236: 2424, 40795: 5000, 40799: 0 },
			sell: { 40236: 2424, 40799: 2000 },
			buy: { 40236: 2289, 40793: 3000, 40795: 3000, 40797: 0, 40799: 0 },
			"own rule": { 40236: 2424, 40793: 0, 40795: 5000, 40799: 5000 },
		},
		ends: () => 300,
	},
	{
		example: "Sungrow.json",
		device: sungrow,
		types: { 13049: "u16", 13050: "u16", 13051: "u16", 13079: "u16" },
		last: 13049,
		held: {
			limit: { 13050: 0xcc, 13049: 0 },
			"hold charging": { 13079: 60, 13050: 0xcc, 13051: 0, 13049: 3 },
			"hold discharging": { 13079: 60, 13050: 0xcc, 13051: 0, 13049: 3 },
			sell: { 13079: 60, 13050: 0xbb, 13051: 2000, 13049: 3 },
			buy: { 13079: 60, 13050: 0xaa, 13051: 3000, 13049: 3 },
			"own rule": { 13050: 0xcc, 13049: 0 },
		},
		ends: () => sungrow.number(13079, "u16"),
	},
	{
		example: "Victron GX by MQTT.json",
		// 1500 W and 3000 W at 51.2 V.
		held: {
			limit: victron(50, 29.3, 5000),
			"hold charging": victron(50, 0, 5000),
			"hold discharging": victron(50, 97.7, 0),
			sell: victron(-1000, 97.7, 2000),
			buy: victron(3100, 58.6, 5000),
			"own rule": victron(50, -1, -1),
		},
		// The will, after one and a half keepalives.
		ends: () => 90,
	},
	{
		example: "Battery through evcc.json",
		held: {
			limit: evcc("normal"),
			"hold charging": evcc("holdcharge"),
			"hold discharging": evcc("hold"),
			sell: evcc("normal"),
			buy: evcc("charge"),
			"own rule": evcc("normal"),
		},
		ends: () => 60,
	},
	{
		example: "Battery through Home Assistant.json",
		held: Object.fromEntries(
			Object.entries({ ...PLANS, "own rule": plan("release", {}, 0, 0) }).map(
				([name, each]) => [name, sent(each)],
			),
		) as unknown as Recipe["held"],
		// The timer that the script winds up.
		ends: () => {
			const page = readFileSync(join(ROOT, "docs/inverters.md"), "utf8");
			const [, h, min, s] =
				/^ +duration: "(\d\d):(\d\d):(\d\d)"$/m.exec(page) ?? [];
			return 3600 * Number(h) + 60 * Number(min) + Number(s);
		},
	},
];

describe("inverters, each by its example", () => {
	const broker = new Broker();
	const collector = new Collector();
	/** Latest message of each topic, latest body of each address. */
	const told = new Map<string, unknown>();
	const heard = new Map<string, number>();
	let homeAssistant: Server;
	let client: MqttClient;
	let red: NodeRed;

	before(async function () {
		this.timeout(180_000);
		const folder = packageFolder(MODBUS) ?? "";
		needs(this, folder ? "" : `${MODBUS} is not installed`);
		await broker.start();
		await collector.start();
		for (const { device } of RECIPES) await device?.start();
		homeAssistant = createServer(async (request, response) => {
			const { method, url = "", headers } = request;
			assert.equal(headers.authorization, `Bearer ${TOKEN}`);
			let body = "";
			for await (const chunk of request) body += chunk;
			response.setHeader("content-type", "application/json");
			if (method === "GET") response.end(JSON.stringify({ state: `${SOC}.0` }));
			else {
				told.set(url, JSON.parse(body));
				response.end("[]");
			}
		});
		await new Promise<void>((done) =>
			homeAssistant.listen(0, "127.0.0.1", done),
		);
		client = await connectAsync(`mqtt://127.0.0.1:${broker.port}`);
		client.on("message", (topic, payload, { retain }) => {
			assert.equal(retain, false, topic);
			const text = payload.toString();
			if (topic.startsWith("R/")) {
				// The GX answers with what lies below.
				for (const [name, value] of [
					["Voltage", 51.2],
					["Soc", SOC],
				]) {
					void client.publishAsync(
						`N${topic.slice(1)}/${name}`,
						JSON.stringify({ value }),
					);
				}
				return;
			}
			told.set(topic, topic[0] === "W" ? JSON.parse(text) : text);
			const evcc = "Battery through evcc.json";
			if (topic[0] === "e") heard.set(evcc, 1 + (heard.get(evcc) ?? 0));
		});
		await client.subscribeAsync(["R/#", "W/#", "evcc/site/batteryMode/set"]);
		await broker.publish("evcc/site/battery/soc", String(SOC), true);
		const userDir = installedUserDir();
		linkPackage(userDir, MODBUS, folder);
		red = new NodeRed(userDir, { HOME_ASSISTANT_TOKEN: TOKEN });
		await red.start(RECIPES.flatMap(flow));
	});
	after(async () => {
		await red?.stop("SIGKILL");
		await client?.endAsync(true);
		homeAssistant?.close();
		for (const { device } of RECIPES) await device?.stop().catch(() => {});
		await collector.stop();
		await broker.stop();
	});

	const nodesOf = ({ example }: Recipe): FlowNode[] =>
		exampleNodes(ALL_EXAMPLES.find((file) => file.endsWith(example)) as string);
	/** What its watchdog sends after silence: the own rule. */
	const ownRule = (recipe: Recipe): object =>
		JSON.parse(nodesOf(recipe).find(({ name }) => /own rule$/.test(name))?.op2);
	const repeatOf = (recipe: Recipe) =>
		nodesOf(recipe).find(({ name }) => name === AGAIN);
	const button = (recipe: Recipe, name: string) =>
		`${recipe.example} ${name}`.replace(/\W+/g, "-");

	/** An example that finds the devices here, with a button for each plan. */
	function flow(recipe: Recipe): object[] {
		const nodes = nodesOf(recipe);
		const z = nodes[0]?.id as string;
		const at = nodes.find(({ type }) => type === "switch")?.id;
		const soc = collector.nodes(`soc ${recipe.example}`, z);
		const { port } = homeAssistant.address() as AddressInfo;
		const there = nodes
			.filter(({ type }) => type !== "global-config")
			.map((node) => {
				const more: Message = {};
				if (node.type === "mqtt-broker") more.port = String(broker.port);
				if (node.type === "modbus-client") {
					Object.assign(more, { tcpHost: "127.0.0.1", commandDelay: "1" });
					more.tcpPort = String(recipe.device?.port);
					more.reconnectTimeout = "200";
				}
				if (node.type === "http request") {
					more.url = node.url.replace(/\/\/[^/]+/, `//127.0.0.1:${port}`);
				}
				if (node.name === AGAIN) {
					assert.deepEqual([node.duration, node.units], ["-30", "s"]);
					Object.assign(more, { duration: String(-AGAIN_MS), units: "ms" });
				}
				if (/^state of charge$|^soc$/.test(node.name) && node.wires[0]) {
					more.wires = [[...node.wires[0], soc.entry]];
				}
				return { ...node, ...more };
			});
		const buttons = Object.entries({
			...PLANS,
			"own rule": ownRule(recipe),
		}).map(([name, payload]) => ({
			...{
				id: button(recipe, name),
				type: "inject",
				z,
				repeat: "",
				once: false,
			},
			props: [{ p: "payload", v: JSON.stringify(payload), vt: "json" }],
			wires: [[at]],
		}));
		return [...there, ...soc.nodes, ...buttons];
	}

	const holds = ({ device, types }: Recipe, expected: Held): Held =>
		Object.fromEntries(
			Object.keys(expected).map((key) => [
				key,
				device && types
					? device.number(Number(key), types[key] ?? "u16")
					: told.get(key),
			]),
		);
	async function press(
		recipe: Recipe,
		name: keyof Recipe["held"],
	): Promise<void> {
		const expected = recipe.held[name];
		recipe.device?.written.splice(0);
		await red.inject(button(recipe, name));
		const isLast = () => recipe.device?.written.at(-1) === recipe.last;
		await until(
			name,
			() =>
				isDeepStrictEqual(holds(recipe, expected), expected) &&
				(recipe.last === undefined || isLast()),
		).catch(() => assert.deepEqual(holds(recipe, expected), expected, name));
	}

	for (const recipe of RECIPES) {
		it(`${recipe.example}: reads the state of charge, does what a plan says, and ends at the own rule`, async () => {
			const read = nodesOf(recipe).find(({ name }) =>
				/^every (5 )?min/.test(name),
			);
			if (read) await red.inject(read.id);
			const [{ soc } = {}] = await collector.wait(`soc ${recipe.example}`);
			assert.equal(Number(soc), SOC);
			for (const name of NAMES) await press(recipe, name);
			const repeat = repeatOf(recipe);
			const isWill = recipe.example.startsWith("Victron");
			const often = repeat ? -Number(repeat.duration) : isWill ? 0 : PLAN_S;
			assert.ok(often < recipe.ends(), "it is renewed before it ends");
			assert.ok(recipe.ends() <= LATEST_S, String(recipe.ends()));
		}).timeout(40_000);
	}

	it("have the watchdog of the example with the watchdog, and the own rule of its battery", () => {
		const [twelve] = ALL_EXAMPLES.filter((it) =>
			it.includes("with a watchdog"),
		);
		const watchdog = exampleNodes(twelve as string).find(
			({ type }) => type === "trigger",
		);
		const shown = ({ duration, units, extend, op1type, op2type }: Message) => ({
			...{ duration, units, extend, op1type, op2type },
		});
		for (const recipe of RECIPES) {
			const nodes = nodesOf(recipe);
			const own = nodes.find(({ name }) => name === watchdog?.name);
			assert.deepEqual(shown(own as Message), shown(watchdog as Message));
			assert.deepEqual(ownRule(recipe), {
				now: JSON.parse(watchdog?.op2),
			});
			for (const { type, retain } of nodes) {
				if (type === "mqtt out") assert.equal(retain, "false");
			}
		}
	});

	it("a network that was gone brings no more than it has to: the next plan is held", async () => {
		const devices = RECIPES.filter(({ device }) => device);
		for (const { device } of devices) {
			const port = device?.port;
			await device?.stop();
			await device?.start(port);
		}
		for (const recipe of devices) await press(recipe, "hold discharging");
	}).timeout(60_000);

	it("what counts for a short time alone is sent again, until the battery is released", async () => {
		const repeated = RECIPES.filter((recipe) => repeatOf(recipe));
		const count = ({ device, example }: Recipe) =>
			device ? device.written.length : (heard.get(example) ?? 0);
		const more = async () => {
			const before = repeated.map(count);
			await new Promise((done) => setTimeout(done, 10 * AGAIN_MS));
			return repeated.map((it, index) => count(it) > Number(before[index]));
		};
		for (const recipe of repeated) await press(recipe, "hold charging");
		assert.ok((await more()).every((it) => it));
		for (const recipe of repeated) await press(recipe, "own rule");
		await more();
		assert.ok((await more()).every((it) => !it));
	}).timeout(40_000);

	it("Node-RED is killed: the GX's broker lifts all limits, and nobody else hears of it any more", async () => {
		for (const recipe of RECIPES) await press(recipe, "hold charging");
		const [victron] = RECIPES.filter(({ example }) => /^Victron/.test(example));
		await red.stop("SIGKILL");
		const own = victron?.held["own rule"] as Held;
		await until("the wills", () =>
			isDeepStrictEqual(holds(victron as Recipe, own), own),
		);
		assert.deepEqual(
			[...(await broker.retained()).keys()].filter((it) => /^W|set$/.test(it)),
			[],
		);
	}).timeout(60_000);
});
