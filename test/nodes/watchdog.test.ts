import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import helper from "node-red-node-test-helper";
import { openBattery } from "../../nodes/battery/node";
import { HOUR_MS as HOUR, MINUTE_MS as MINUTE } from "../../src/util/time";
import { makeForecast } from "../export/forecasts";
import type { FakeClock } from "../support/fake-clock";
import { Flows } from "../support/flows";
import { ROOT } from "../support/node-red-process";
import { THREE_DAYS } from "./three-days";

type Message = Record<string, any>;
type FlowNode = Message & { id: string; type: string };

const FILE = "examples/12 - Drive an inverter with a watchdog.json";
const BATTERY = "sy-watchdog-battery";
/** The inverter is back at its own rule at the latest so long after whatever died. */
const LATEST_MS = 20 * MINUTE;

/** Node-RED's own node of a file below its core. */
const coreNode = (file: string) =>
	require(
		join(
			dirname(
				require.resolve("@node-red/nodes/package.json", {
					paths: [require.resolve("node-red")],
				}),
			),
			"core",
			file,
		),
	);

/** Long waits of Node-RED's own nodes on a clock that moves when told; returns what ends that. */
function longWaitsOn(clock: FakeClock): () => void {
	const { setTimeout: set, clearTimeout: clear } = globalThis;
	const ours = new Set<unknown>();
	globalThis.setTimeout = ((callback: () => void, ms = 0, ...more: []) => {
		if (ms < MINUTE) return set(callback, ms, ...more);
		const timer = clock.set(callback, ms);
		ours.add(timer);
		return timer;
	}) as typeof set;
	globalThis.clearTimeout = ((timer: never) => {
		if (ours.delete(timer)) clock.clear(timer);
		else clear(timer);
	}) as typeof clear;
	return () =>
		Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
}

describe("the example with the watchdog", () => {
	const example: FlowNode[] = JSON.parse(
		readFileSync(join(ROOT, FILE), "utf8"),
	);
	const own = JSON.parse(
		example.find(({ type }) => type === "trigger")?.op2 ?? "{}",
	) as Message;
	let flows: Flows;
	let restoreWaits: () => void;

	beforeEach(async () => {
		flows = new Flows("2026-06-10T06:02:00Z");
		flows.onClock("solar-yield-battery", openBattery as never);
		flows.nodes = new Map([
			...flows.nodes,
			["trigger", coreNode("function/89-trigger.js")],
			["switch", coreNode("function/10-switch.js")],
			["change", coreNode("function/15-change.js")],
			["inject", coreNode("common/20-inject.js")],
			["link", coreNode("common/60-link.js")],
			["junction", coreNode("common/05-junction.js")],
		]);
		await flows.start();
		restoreWaits = longWaitsOn(flows.clock);
	});
	afterEach(async () => {
		restoreWaits();
		await flows.stop();
	});

	/** The example behind its forecast node, with a look at what reaches the inverter. */
	const flow = (battery: Message = {}): FlowNode[] => [
		...example
			.filter(
				({ type }) =>
					!/^(tab|comment|mqtt-broker|solar-yield-(account|forecast))$/.test(
						type,
					),
			)
			.map((node) => {
				const more: Message = { z: "tab" };
				if (/^(mqtt out|debug)$/.test(node.type)) more.type = "helper";
				if (node.id === "sy-watchdog-inject") more.wires = [[]];
				if (node.id === BATTERY) Object.assign(more, battery);
				return { ...node, ...more };
			}),
		...(Flows.catchNode as FlowNode[]),
	];
	const sent = () => flows.of("sy-watchdog-inverter");
	const command = () => sent().at(-1)?.payload as Message | undefined;
	/** When the state of charge that the last plan used is too old. */
	const socUntil = (): string =>
		flows.of("sy-watchdog-plan").at(-1)?.payload.inputs.soc.until;
	const isOwnRule = () => {
		const now = command();
		return (
			now !== undefined &&
			["charge_limit_w", "discharge_limit_w"].every(
				(name) => now[name] === own[name],
			) &&
			now.grid_charge_w === 0 &&
			now.grid_discharge_w === 0 &&
			now.feed_in_limit_w === own.feed_in_limit_w
		);
	};
	const forecast = (more: Message = {}): Message => {
		const { body, solar } = makeForecast(THREE_DAYS);
		const computed_at = new Date(flows.clock.time).toISOString();
		const facts = { ...solar, computed_at };
		return {
			topic: `pv/${solar.site_id}/forecast`,
			retain: true,
			payload: { ...body, computed_at, solar: facts },
			...more,
			solar: facts,
		};
	};
	/** Lets time pass with a new state of charge every ten minutes. */
	const run = async (ms: number, soc: number | null): Promise<void> => {
		const end = flows.clock.time + ms;
		while (flows.clock.time < end) {
			await flows.runFor(Math.min(10 * MINUTE, end - flows.clock.time));
			if (soc !== null) await flows.input(BATTERY, { soc });
		}
		await flows.quiet();
	};
	/** A plan that holds the battery back from charging drives the inverter. */
	const drive = async (battery: Message = {}): Promise<void> => {
		await flows.load(flow({ margin: "0", feedInLimitW: "6000", ...battery }));
		await flows.input(BATTERY, forecast({ soc: 40 }));
		assert.equal(command()?.charge_limit_w, 0, JSON.stringify(command()));
	};
	const endsAtOwnRule = async (soc: number | null = null): Promise<void> => {
		await run(LATEST_MS, soc);
		assert.ok(isOwnRule(), JSON.stringify(command()));
		await run(2 * HOUR, soc);
		assert.ok(isOwnRule(), JSON.stringify(command()));
	};

	it("has the same own rule in the watchdog, in the broker's will and in the battery's limits", () => {
		const broker = example.find(({ type }) => type === "mqtt-broker");
		assert.deepEqual(JSON.parse(broker?.willPayload), own);
		assert.deepEqual(JSON.parse(broker?.closePayload), own);
		const out = example.find(({ type }) => type === "mqtt out");
		assert.equal(broker?.willTopic, out?.topic);
		assert.equal(broker?.closeTopic, out?.topic);
		const battery = example.find(({ id }) => id === BATTERY);
		assert.equal(own.charge_limit_w, Number(battery?.maxChargeW));
		assert.equal(own.discharge_limit_w, Number(battery?.maxDischargeW));
		assert.equal(own.feed_in_limit_w, Number(battery?.feedInLimitW));
		for (const kept of [broker?.willRetain, broker?.closeRetain, out?.retain]) {
			assert.equal(kept, "false");
		}
	});

	it("leaves a plan alone while it drives: a command at least each quarter hour, none retained", async () => {
		await drive();
		flows.clear();
		await flows.runFor(30 * MINUTE);
		assert.equal(sent().length, 2);
		assert.equal(command()?.charge_limit_w, 0);
		assert.ok(sent().every(({ retain }) => retain === false));
	});

	it("the state of charge stops coming", async () => {
		await drive();
		// A plan that is made anew may foresee no change for longer.
		while (flows.clock.time < Date.parse(socUntil())) {
			await flows.clock.runTo(socUntil(), flows.settle);
		}
		await endsAtOwnRule();
	});

	for (const [what, left] of [
		["deleted", () => flow().filter(({ id }) => id !== BATTERY)],
		["disabled", () => flow({ margin: "0", d: true })],
	] as const) {
		it(`the battery node is ${what}`, async () => {
			await drive();
			await flows.deploy(left(), "nodes");
			assert.ok(isOwnRule(), "at once");
			await endsAtOwnRule();
		});
	}

	it("the battery node falls silent", async () => {
		await drive();
		const node = helper.getNode(BATTERY) as any;
		node.send = () => {};
		node.removeAllListeners("input");
		flows.clear();
		await endsAtOwnRule();
		assert.equal(sent().length, 1, "the watchdog, once");
	});

	// A battery that cannot work, and one that nothing comes for.
	for (const battery of [{ capacityKwh: "0" }, { margin: "0" }]) {
		it(`the flows start again: ${JSON.stringify(battery)}`, async () => {
			await drive();
			flows.clear();
			await flows.deploy(flow(battery), "full");
			// The inject node at the start waits a second.
			await new Promise((done) => setTimeout(done, 1200));
			await endsAtOwnRule();
		});
	}
});
