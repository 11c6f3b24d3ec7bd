import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import helper from "node-red-node-test-helper";
import { isLeaving } from "../../nodes/battery/departure";
import { openBattery } from "../../nodes/battery/node";
import { withDigest } from "../../src/util/disk/store";
import { HOUR_MS as HOUR, MINUTE_MS as MINUTE } from "../../src/util/time";
import { makeForecast } from "../export/forecasts";
import { until } from "../support/broker";
import { Flows } from "../support/flows";
import { batteryNode } from "../support/own-nodes";
import { THREE_DAYS } from "./three-days";

type Message = Record<string, any>;

const TYPE = "solar-yield-battery";

describe("what a battery node keeps", () => {
	let flows: Flows;

	beforeEach(async () => {
		flows = new Flows("2026-06-10T06:02:00Z");
		flows.onClock(TYPE, openBattery as never);
		await flows.start();
	});
	afterEach(() => flows.stop());

	const flow = (more: Message = {}): object[] => [
		batteryNode({ id: "b", wires: [["b-out"]], ...more }),
		{ id: "b-out", type: "helper", z: "tab" },
		...Flows.catchNode,
	];
	const out = () => flows.of("b-out");
	const last = () => out().at(-1) as Message;
	const forecast = (more: Message = {}): Message => {
		const { body, solar } = makeForecast(THREE_DAYS);
		const facts = { ...solar, computed_at: "2026-06-10T06:00:00Z" };
		return {
			topic: `pv/${solar.site_id}/forecast`,
			payload: { ...body, computed_at: "2026-06-10T06:00:00Z", solar: facts },
			...more,
			solar: facts,
		};
	};
	const from = Date.parse("2026-06-10T06:00:00Z");
	const prices = Array.from({ length: 30 }, (_, hour) => ({
		start: from + hour * HOUR,
		price: 0.3 + 0.1 * Math.sin(hour),
	}));
	const folder = () => join(flows.userDir, "solar-yield");
	const file = () => join(folder(), "battery-b.json");
	const stored = () =>
		JSON.parse(readFileSync(file(), "utf8").split("\n")[1] as string);
	const isStored = (fits: (state: Message) => boolean) =>
		until("the file", () => existsSync(file()) && fits(stored()));
	/** All nodes end, the process with them as far as a node can tell, and start again. */
	const restart = (more: Message = {}) => flows.deploy(flow(more), "full");

	it("makes the same plan before and after a restart in the middle of a price plan", async () => {
		const settings = { strategy: "price", feedInPrice: "0.08" };
		await flows.load(flow(settings));
		await flows.input(
			"b",
			forecast({
				soc: 40,
				prices,
				feedIn: prices.map(({ start, price }) => ({ start, price: price / 4 })),
				targets: [{ soc: 70, by: "06:00" }],
				load: [{ start: from, end: from + 48 * HOUR, power_w: 900 }],
				settings: { minSoc: 15 },
			}),
		);
		await flows.runFor(5 * HOUR);
		await flows.input("b", { soc: 62 });
		await flows.runFor(3 * MINUTE);
		await flows.input("b", forecast());
		const before = structuredClone(last().payload);
		assert.ok(before.plan.length > 100);
		flows.clear();
		await restart(settings);
		assert.ok(!out().some(({ payload }) => payload.now.mode !== "release"));
		const { answers } = await flows.call("b", forecast());
		assert.deepEqual(answers[0]?.payload, before);
	});

	it("goes on where only it is deployed anew, without a new forecast", async () => {
		await flows.load(flow());
		await flows.input("b", forecast({ soc: 40 }));
		flows.clear();
		await flows.deploy(flow({ maxChargeW: "3000" }), "nodes");
		assert.equal(out().length, 0, "nothing is released");
		// What is kept is read from a real disk.
		await until("a plan", async () => {
			await flows.runFor(15 * MINUTE);
			return out().length > 0;
		});
		assert.ok(last().payload.plan.length > 100);
	});

	it("writes inputs when they change, and what comes each second once in a quarter hour", async () => {
		await flows.load(flow());
		await flows.input("b", forecast({ soc: 40, prices }));
		await isStored((state) => state.prices?.value.length === 30);
		for (const soc of [41, 42, 43]) await flows.input("b", { soc });
		assert.equal(stored().soc.percent, 40);
		await flows.input("b", { load: 700 });
		await isStored(({ load }) => load?.value.power_w === 700);
		assert.equal(stored().soc.percent, 43);
		await flows.input("b", { soc: 44, load: 700 });
		assert.equal(stored().soc.percent, 43, "the same load is no news");
		await flows.runFor(15 * MINUTE);
		await isStored(({ soc }) => soc.percent === 44);
		assert.deepEqual(
			readdirSync(folder()).filter((name) => name.startsWith("battery-")),
			["battery-b.json"],
		);
	});

	it("removes its file when the node is deleted, not when it is disabled", async () => {
		await flows.load(flow());
		await flows.input("b", forecast({ soc: 40, prices }));
		flows.clear();
		await flows.deploy(flow({ d: true }), "nodes");
		assert.equal(last().payload.now.mode, "release");
		assert.match(last().payload.reason, /deleted, disabled or stopped/);
		assert.equal(last().retain, false);
		assert.ok(existsSync(file()));
		await flows.deploy(flow({ strategy: "price" }), "nodes");
		const { answers } = await flows.call("b", forecast({ soc: 41 }));
		assert.deepEqual(answers[0]?.payload.lacks, [], "the prices are known");
		await flows.deploy(flow().slice(1), "nodes");
		await until("no file", () => !existsSync(file()));
	});

	it("lets the battery go with the instance of its subflow, or with its like in the subflow", () => {
		const removed = (...list: string[]) => ({
			type: "nodes",
			diff: { removed: list },
		});
		assert.ok(isLeaving("b", { type: "full" }));
		assert.ok(isLeaving("b", removed("a", "b")));
		assert.ok(isLeaving("one-b", removed("one")));
		assert.ok(isLeaving("one-b", removed("b")));
		assert.ok(!isLeaving("one-b", removed("two", "on", "sub")));
	});

	it("sets a damaged file aside and says so once; of one whose parts cannot be read it uses the rest", async () => {
		const warned = () =>
			(helper.getNode("b") as any).warn.args
				.map(([text]: string[]) => text)
				.at(-1);
		await flows.load(flow());
		await flows.input("b", forecast({ soc: 40, prices }));
		await flows.deploy(flow({ d: true }), "nodes");
		writeFileSync(
			file(),
			withDigest(
				JSON.stringify({ ...stored(), load: { at: 1, value: "much" } }),
			),
		);
		await flows.deploy(flow({ strategy: "price" }), "nodes");
		const { answers } = await flows.call("b", forecast({ soc: 40 }));
		assert.deepEqual(answers[0]?.payload.lacks, []);
		assert.match(warned(), /cannot be read and is forgotten \(load\)/);

		await flows.deploy(flow({ d: true }), "nodes");
		writeFileSync(file(), '{"version": 1, "soc"');
		await flows.deploy(flow({ strategy: "price" }), "nodes");
		const after = await flows.call("b", forecast({ soc: 40 }));
		assert.deepEqual(after.answers[0]?.payload.lacks, ["prices"]);
		assert.match(warned(), /damaged.*battery-b\.json\.damaged/);
		assert.ok(existsSync(`${file()}.damaged`));
	});

	it("takes settings of messages back when they no longer fit the dialog", async () => {
		await flows.load(flow());
		await flows.input("b", forecast({ soc: 40, settings: { minSoc: 60 } }));
		await restart({ maxSoc: "50" });
		const { answers } = await flows.call("b", forecast({ soc: 40 }));
		assert.equal(answers[0]?.payload.inputs.settings, null);
		assert.match(
			(helper.getNode("b") as any).warn.args[0][0],
			/no longer fit.*minSoc is 60/,
		);
	});

	it("learns the house from msg.house_w, without a plan for each reading, and shows it to the dialog", async () => {
		await flows.load(flow({ load: "learned" }));
		const route = "/solar-yield/battery/b";
		const { week: taught, plan } = (await ask(route)).body;
		assert.deepEqual(
			[taught, plan.rows, plan.reason],
			[null, [], "no_forecast"],
		);
		assert.equal((await ask("/solar-yield/battery/x")).status, 404);
		await flows.input("b", forecast({ soc: 40 }));
		flows.clear();
		for (let minute = 0; minute < 60; minute += 5) {
			await flows.input("b", { house_w: 600 });
			assert.ok(out().length <= 1 + minute / 15);
			await flows.runFor(5 * MINUTE);
		}
		await flows.input("b", { house_w: 600 });
		assert.ok(out().length <= 5, String(out().length));
		const { week } = (await ask(route)).body;
		assert.equal(week.is_known, false);
		// 08:02 in Berlin, a Wednesday.
		assert.equal(week.hours_w[2][8], 600);
		assert.equal(week.hours_w[3][8], null);
		await restart({ load: "learned" });
		await until("the week", async () => {
			const { week } = (await ask(route)).body;
			return week?.hours_w[2][8] === 600;
		});
	});

	const ask = (path: string) =>
		(helper as any).request().get(path) as Promise<{
			status: number;
			text: string;
			body: any;
		}>;
});
