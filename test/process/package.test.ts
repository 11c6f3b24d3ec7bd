import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Collector } from "../support/collector";
import { installedUserDir, NodeRed } from "../support/node-red-process";
import { accountNode, forecastNode } from "../support/own-nodes";
import {
	type SimulatorServer,
	startSimulatorServer,
} from "../support/service/server";
import { Simulator } from "../support/service/simulator";
import { earlyInHour, type ShiftedClock } from "../support/shifted-clock";

const KEY = "sk-process+secret/Key=42";
const SITE = "site_barn";

describe("the packed package in a real Node-RED process", () => {
	let userDir: string;
	let clock: ShiftedClock;
	let simulator: Simulator;
	let service: SimulatorServer;
	let red: NodeRed;
	const collector = new Collector();

	before(async function () {
		this.timeout(180_000);
		userDir = installedUserDir();
		clock = earlyInHour();
		simulator = new Simulator({ now: clock.now });
		simulator.addAccount({ apiKey: KEY, plan: "light" });
		simulator.addSite(KEY, {
			id: SITE,
			name: "Barn",
			latitude: 52.5,
			longitude: 13.4,
			strings: [{ id: "str_a", slope: 30, orientation: 180, power_kw: 5 }],
		});
		service = await startSimulatorServer(simulator);
		await collector.start();
	});

	afterEach(async () => {
		await red?.stop();
		collector.clear();
	});
	after(async () => {
		await service?.close();
		await collector.stop();
	});

	const tab = { id: "tab", type: "tab", label: "tab" };
	const account = () => accountNode({ baseUrl: service.url, siteId: SITE });
	const forecast = () => {
		const outputs = ["one", "two", "three"].map((tag) =>
			collector.nodes(tag, "tab"),
		);
		const status = collector.nodes("status", "tab");
		return [
			forecastNode({
				include: ["default", "strings"],
				wires: outputs.map(({ entry }) => [entry]),
			}),
			{
				id: "press",
				type: "inject",
				z: "tab",
				props: [{ p: "payload" }],
				repeat: "",
				once: false,
				wires: [["fc"]],
			},
			{
				id: "watcher",
				type: "status",
				z: "tab",
				scope: ["fc"],
				wires: [[status.entry]],
			},
			...[...outputs, status].flatMap(({ nodes }) => nodes),
		];
	};
	const requests = () =>
		simulator.requests.filter(({ path }) => path.startsWith("/v2/forecast/"));

	it("brings no Node-RED along", () => {
		const modules = readdirSync(join(userDir, "node_modules"));
		assert.ok(!modules.includes("node-red"));
	});

	it("gets the forecast, keeps it over a restart, and never shows the key", async () => {
		simulator.requests.length = 0;
		red = new NodeRed(userDir, { ...clock.env, SOLAR_YIELD_KEY: KEY });
		await red.start([]);
		// The key is a variable of the environment, as in a container.
		await red.deploy([tab, account(), ...forecast()], {
			acc: { apiKey: "${SOLAR_YIELD_KEY}" },
		});
		const [msg] = await collector.wait("one");
		assert.equal(msg?.topic, `solar-yield/${SITE}/forecast`);
		assert.equal(msg?.payload.strings.length, msg?.payload.values.length);
		const [status] = await collector.wait("status", 1, (m) =>
			/kWh today · next \d\d:\d\d$/.test(m.status.text),
		);
		assert.deepEqual(
			{ fill: status?.status.fill, shape: status?.status.shape },
			{ fill: "green", shape: "dot" },
		);
		const log = red.log;
		await red.stop();
		collector.clear();
		await red.start();
		const [again] = await collector.wait("one");
		assert.equal(again?.solar.cached, true);
		assert.equal(again?.solar.computed_at, msg?.solar.computed_at);
		await red.inject("press");
		await collector.wait("one", 2);
		assert.equal(requests().length, 1);
		const exported = await (await fetch(`${red.url}/flows`)).text();
		const folder = join(userDir, "solar-yield");
		const files = readdirSync(folder).map(
			(name) => name + readFileSync(join(folder, name), "utf8"),
		);
		for (const text of [
			log,
			red.log,
			exported,
			JSON.stringify(collector.messages),
			...files,
		]) {
			assert.ok(!text.includes(KEY));
		}
	}).timeout(60_000);
});
