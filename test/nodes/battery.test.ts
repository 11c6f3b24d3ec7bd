import assert from "node:assert/strict";
import helper from "node-red-node-test-helper";
import { openBattery } from "../../nodes/battery/node";
import { batteryStatus } from "../../nodes/battery/status";
import { HOUR_MS as HOUR, MINUTE_MS as MINUTE } from "../../src/util/time";
import { Zone } from "../../src/util/zone";
import { makeForecast } from "../export/forecasts";
import { translator } from "../support/catalogue";
import { Flows } from "../support/flows";
import { batteryNode } from "../support/own-nodes";
import { THREE_DAYS } from "./three-days";

type Message = Record<string, any>;

describe("solar-yield-battery in Node-RED", () => {
	let flows: Flows;

	beforeEach(async () => {
		flows = new Flows("2026-06-10T06:02:00Z");
		flows.onClock("solar-yield-battery", openBattery as never);
		await flows.start();
	});
	afterEach(() => flows.stop());

	const node = (more: Message = {}): object[] => [
		batteryNode({ id: "b", wires: [["out"]], ...more }),
		{ id: "out", type: "helper", z: "tab" },
		...Flows.catchNode,
	];
	const out = () => flows.of("out");
	const last = () => out().at(-1) as Message;
	const forecast = (more: Message = {}): Message => {
		const { body, solar } = makeForecast(THREE_DAYS);
		const facts = {
			...solar,
			computed_at: "2026-06-10T06:00:00Z",
			...(more.solar ?? {}),
		};
		return {
			topic: `pv/${solar.site_id}/forecast`,
			payload: { ...body, computed_at: "2026-06-10T06:00:00Z", solar: facts },
			...more,
			solar: facts,
		};
	};

	it("plans once both forecast and state of charge are there, and again at each quarter hour", async () => {
		await flows.load(node());
		await flows.input("b", forecast());
		assert.equal(out().length, 0, "no limit before the state of charge");
		await flows.input("b", { soc: "40", house: "north" });
		assert.equal(out().length, 1);
		const { payload, topic, house } = last();
		assert.equal(topic, "pv/site_a1/battery");
		assert.equal(house, "north");
		assert.equal(payload.plan[0].start, "2026-06-10T08:00:00+02:00");
		for (const row of payload.plan) {
			assert.ok(
				Math.abs(
					row.pv_w - row.curtailed_w + row.grid_w - row.load_w - row.battery_w,
				) < 0.01,
			);
			assert.ok(row.soc >= 10 - 1e-6 && row.soc <= 100 + 1e-6);
		}
		assert.equal(payload.will_be_full, true);
		await flows.runFor(14 * MINUTE);
		await flows.quiet();
		assert.equal(out().length, 2);
		assert.equal(last().payload.plan[0].start, "2026-06-10T08:15:00+02:00");
		assert.equal(flows.clock.timers, 1);
	});

	it("releases once when the state of charge gets old, is silent, and goes on with a new one", async () => {
		await flows.load(node());
		await flows.input("b", forecast());
		await flows.input("b", { soc: 40 });
		await flows.runFor(32 * MINUTE);
		await flows.quiet();
		const release = last().payload;
		assert.deepEqual(release.now, {
			charge_limit_w: 5000,
			discharge_limit_w: 4000,
			grid_charge_w: 0,
			grid_discharge_w: 0,
			feed_in_limit_w: null,
			store_above_w: null,
			pv_limit_w: null,
			mode: "release",
		});
		assert.match(release.reason, /state of charge is 30 min old|3[01] min old/);
		const count = out().length;
		await flows.runFor(3 * HOUR);
		await flows.quiet();
		assert.equal(out().length, count);
		await flows.input("b", { soc: 60 });
		assert.notEqual(last().payload.now.mode, "release");
	});

	it("releases once when the forecast is over its age", async () => {
		await flows.load(node({ maxAgeHours: "2", maxSocAgeMinutes: "100000" }));
		await flows.input("b", forecast({ soc: 40 }));
		await flows.runFor(2 * HOUR);
		await flows.quiet();
		const releases = out().filter(
			({ payload }) => payload.now.mode === "release",
		);
		assert.equal(releases.length, 1);
		assert.match(releases[0]?.payload.reason, /2 h old/);
	});

	it("releases once when the forecast runs out", async () => {
		await flows.load(node({ maxAgeHours: "1000", maxSocAgeMinutes: "100000" }));
		await flows.input("b", forecast({ soc: 40 }));
		await flows.runFor(80 * HOUR);
		await flows.quiet();
		assert.match(last().payload.reason, /no power for the present/);
		assert.equal(
			out().filter(({ payload }) => payload.now.mode === "release").length,
			1,
		);
	}).timeout(60_000);

	it("releases a battery after a start when nothing comes, once the grace is over", async () => {
		await flows.load(node());
		await flows.runFor(4 * MINUTE);
		await flows.quiet();
		assert.equal(out().length, 0);
		await flows.runFor(10 * MINUTE);
		await flows.quiet();
		assert.equal(out().length, 1);
		assert.equal(last().payload.now.mode, "release");
	});

	it("gives no limits on demo data", async () => {
		await flows.load(node());
		await flows.input("b", forecast({ soc: 40, solar: { demo: true } }));
		assert.deepEqual(last().payload.now, {
			charge_limit_w: null,
			discharge_limit_w: null,
			grid_charge_w: null,
			grid_discharge_w: null,
			feed_in_limit_w: null,
			store_above_w: null,
			pv_limit_w: null,
			mode: "demo",
		});
		assert.ok(last().payload.plan.length > 100);
	});

	it("refuses absurd input by field and value, and keeps what it knew", async () => {
		await flows.load(node());
		await flows.input("b", forecast({ soc: 40 }));
		flows.clear();
		for (const [bad, field] of [
			[{ soc: 140 }, "soc is 140"],
			[{ soc: true }, "soc is true"],
			[{ load: -5 }, "load is -5"],
			[{ load: [1, 2, 3] }, "load"],
			[
				{ prices: [{ start: "2026-06-10T08:00:00Z", price: "dear" }] },
				"prices[0].price is",
			],
			[{ payload: 5 }, ""],
			[{}, ""],
		] as const) {
			await flows.input("b", { ...bad });
			const caught = flows.of("caught").at(-1);
			assert.equal(
				caught?.error.code,
				"SOLAR_YIELD_INPUT",
				JSON.stringify(bad),
			);
			assert.ok(caught?.error.message.includes(field), caught?.error.message);
			flows.clear();
		}
		await flows.input("b", { soc: 41 });
		assert.equal(out().length, 1);
	});

	it("uses what is good in a message beside what is not, and tells what it plans with", async () => {
		await flows.load(node({ strategy: "price", feedInPrice: "0.08" }));
		await flows.input("b", forecast({ soc: 40 }));
		assert.deepEqual(last().payload.lacks, ["prices"]);
		flows.clear();
		await flows.input("b", {
			soc: 55,
			load: -5,
			prices: [
				{ start: "2026-06-08T07:00Z", end: "2026-06-08T08:00:00Z", price: 0.7 },
				{ start: "2026-06-09T23:00:00Z", price: 0.9 },
				{ start: "2026-06-10T07:00:00Z", price: 0.2 },
				{ start: "2026-06-10T06:00:00Z", price: 0.3 },
				{ start: "2026-06-10T08:00:00Z", price: null },
			],
			settings: { minSoc: 20, minsoc: 5 },
		});
		const { message } = flows.of("caught").at(-1)?.error ?? {};
		assert.match(message, /load is -5.* · .*settings\.minsoc is not known/);
		const { payload } = last();
		assert.deepEqual(payload.lacks, []);
		assert.equal(payload.priced_until, "2026-06-10T10:00:00+02:00");
		assert.deepEqual(payload.inputs.prices, {
			at: "2026-06-10T08:02:00+02:00",
			age_minutes: 0,
			until: "2026-06-10T10:00:00+02:00",
			count: 2,
			unit: null,
			first: "2026-06-10T08:00:00+02:00",
			last: "2026-06-10T09:00:00+02:00",
			least: 0.2,
			most: 0.3,
		});
		// The dialog draws what is over of today as well.
		const { prices } = (helper.getNode("b") as any).solarYield.view();
		assert.deepEqual(
			prices.rows.map(([, , price]: number[]) => price),
			[0.9, 0.3, 0.2],
		);
		assert.equal(payload.inputs.load, null);
		assert.equal(payload.inputs.settings.age_minutes, 0);
		assert.equal(payload.inputs.forecast.age_minutes, 2);
	});

	it("makes no plan on prices a hundred times too high, and says so each time", async () => {
		await flows.load(node({ strategy: "price", feedInPrice: "0.08" }));
		await flows.input("b", forecast({ soc: 40 }));
		// Of the site's clock, without an offset.
		const prices = Array.from({ length: 24 }, (_, hour) => ({
			start: `2026-06-10 ${String(hour).padStart(2, "0")}:00`,
			end: `2026-06-10 ${String(hour).padStart(2, "0")}:59:59`,
			price: hour < 12 ? 10 : 40,
		}));
		const asked = () =>
			flows.of("caught").filter(({ error }) => /unit/.test(error.message));
		for (const [index, msg] of [
			{ prices },
			{ prices, soc: 41 },
			{ prices: null },
			{ prices },
		].entries()) {
			await flows.input("b", msg);
			assert.deepEqual(last().payload.lacks, ["prices"]);
			assert.equal(last().payload.inputs.prices, null);
			assert.equal(asked().length, [1, 2, 2, 3][index]);
		}
		assert.match(asked()[0]?.error.message, /about 40 per kWh.*not used/);
		await flows.input("b", { prices: { unit: "ct/kWh", prices } });
		const { priced_until, inputs } = last().payload;
		assert.equal(priced_until, "2026-06-11T00:00:00+02:00");
		const { count, unit, first, least, most } = inputs.prices;
		assert.deepEqual(
			[count, unit, first, least, most],
			[16, null, "2026-06-10T08:00:00+02:00", 0.1, 0.4],
		);
		await flows.input("b", { prices });
		assert.equal(asked().length, 4);
		for (const nothing of [[], "", { prices: [] }]) {
			await flows.input("b", { prices: nothing });
			assert.match(
				flows.of("caught").at(-1)?.error.message,
				/^prices is .*give/,
			);
		}
		assert.equal(flows.of("caught").length, 7);
		assert.equal(last().payload.inputs.prices.most, 0.4);
	});

	it("plans to the end of the forecast by a price that holds until further notice", async () => {
		await flows.load(node({ strategy: "price", feedInPrice: "0.08" }));
		await flows.input("b", forecast({ soc: 40 }));
		const results = [
			{ value_inc_vat: 24, valid_from: "2026-01-01T00:00:00Z", valid_to: null },
		];
		await flows.input("b", { prices: { results } });
		const { priced_until, plan, lacks, inputs } = last().payload;
		assert.deepEqual([lacks, inputs.prices.until], [[], null]);
		assert.equal(priced_until, plan.at(-1).end);
		assert.deepEqual(flows.of("caught"), []);
	});

	it("uses prices next to nothing, and asks for their unit once until others came", async () => {
		await flows.load(node({ strategy: "price", feedInPrice: "0.08" }));
		await flows.input("b", forecast({ soc: 40 }));
		const of = (price: number) => [
			{ start: "2026-06-10T00:00", end: "2026-06-11T00:00", price },
		];
		const asked = () =>
			flows.of("caught").map(({ error }) => error.message.split(" ", 1)[0]);
		const wanted: string[] = [];
		for (const [msg, ...names] of [
			[{ prices: of(0.0003) }, "prices"],
			[{ prices: of(0.0004) }],
			[{ feedIn: 0.0001 }, "feedIn"],
			[{ prices: null }],
			[{ prices: of(0.0003) }],
			[{ prices: of(0.3) }],
			[{ prices: of(0.0003), feedIn: 0.0001 }, "prices"],
		] as [object, ...string[]][]) {
			await flows.input("b", msg);
			wanted.push(...names);
			assert.deepEqual(asked(), wanted);
		}
		assert.equal(last().payload.inputs.prices.most, 0.0003);
	});

	it("takes load and prices at any time", async () => {
		await flows.load(node({ strategy: "price", feedInPrice: "0.08" }));
		await flows.input("b", forecast({ soc: 40 }));
		await flows.input("b", { load: 500 });
		assert.ok(
			last().payload.plan.every(({ load_w }: Message) => load_w === 500),
		);
		const from = Date.parse("2026-06-10T06:00:00Z");
		await flows.input("b", {
			prices: Array.from({ length: 24 }, (_, hour) => ({
				start: from + hour * HOUR,
				end: from + (hour + 1) * HOUR,
				price: hour === 2 ? 0.05 : 0.35,
			})),
		});
		assert.equal(last().payload.priced_until, "2026-06-11T08:00:00+02:00");
		await flows.input("b", { load: "" });
		assert.ok(
			last().payload.plan.some(({ load_w }: Message) => load_w !== 500),
		);
	});

	it("says in the status what the battery does, by value in both languages", () => {
		const release = {
			verdict: { act: "release", reason: "no-soc", text: "" },
			plan: undefined,
			zone: Zone.utc,
			hasTold: true,
			now: 0,
		} as const;
		assert.deepEqual(batteryStatus(release, translator("en-US")), {
			fill: "yellow",
			shape: "ring",
			text: "released: no state of charge",
			solar: { reason: "no_soc" },
		});
		assert.equal(
			batteryStatus(release, translator("de")).text,
			"freigegeben: kein Ladestand",
		);
		const noForecast = { act: "release", reason: "no-forecast" } as const;
		for (const [state, reason, text, german] of [
			[
				{ verdict: { ...noForecast, text: "" }, zone: undefined },
				"no_forecast",
				"waiting for the first forecast",
				"wartet auf die erste Prognose",
			],
			[
				{ hasTold: false },
				"no_soc",
				"waiting for the state of charge",
				"wartet auf den Ladestand",
			],
		] as const) {
			const waiting = { ...release, ...state };
			assert.deepEqual(batteryStatus(waiting, translator("en-US")), {
				fill: "grey",
				shape: "ring",
				text,
				solar: { reason },
			});
			assert.equal(batteryStatus(waiting, translator("de")).text, german);
		}
	});

	it("is grey until its first forecast, and says what it waits for", async () => {
		const status = () => {
			const { fill, text } = flows.status("b") ?? {};
			return [fill, text?.split(":status.").at(-1)];
		};
		await flows.load(node());
		assert.deepEqual(status(), ["grey", "waiting.forecast"]);
		await flows.input("b", { soc: 40 });
		assert.deepEqual(status(), ["grey", "waiting.forecast"]);
		// A release for what was told before the start does not end the wait.
		await flows.runFor(30 * MINUTE);
		await flows.quiet();
		assert.equal(last().payload.now.mode, "release");
		assert.deepEqual(status(), ["grey", "waiting.forecast"]);
		await flows.input("b", forecast({ soc: 40 }));
		assert.equal(status()[0], "green");
	});

	it("is grey without a state of charge until it releases the battery, then yellow", async () => {
		await flows.load(node());
		await flows.input("b", forecast());
		assert.match(flows.status("b")?.text ?? "", /waiting\.soc$/);
		assert.equal(flows.status("b")?.fill, "grey");
		await flows.runFor(15 * MINUTE);
		await flows.quiet();
		assert.match(flows.status("b")?.text ?? "", /reason\.no_soc$/);
		assert.equal(flows.status("b")?.fill, "yellow");
	});

	it("takes what a sensor says in place of a value for none: no error, and said in the status until one comes", async () => {
		await flows.load(node());
		const status = () => flows.status("b");
		const parts = () =>
			String(status()?.text)
				.split(" · ")
				.map((part) => part.split(":status.").at(-1));
		await flows.input("b", forecast());
		await flows.input("b", { soc: "unavailable" });
		assert.deepEqual(parts(), ["waiting.soc", "absent"]);
		await flows.input("b", { soc: 40 });
		assert.equal(out().length, 1);
		const known = parts();
		assert.ok(!known.includes("absent"));
		const { callCount } = (helper.getNode("b") as any).status;
		for (const soc of [
			"unavailable",
			"unknown",
			"Unknown ",
			"",
			"none",
			null,
		]) {
			await flows.input("b", { soc });
			assert.deepEqual(parts(), [...known, "absent"]);
			assert.equal(status()?.fill, "yellow");
		}
		assert.equal(
			(helper.getNode("b") as any).status.callCount,
			callCount + 1,
			"said once",
		);
		assert.equal(out().length, 1, "the plan stays");
		await flows.input("b", { prices: "unavailable", house_w: "unknown" });
		assert.deepEqual(flows.of("caught"), []);
		// What comes beside it counts.
		await flows.input("b", { soc: "unknown", load: 700 });
		assert.equal(last().payload.plan[5].load_w, 700);
		await flows.input("b", { soc: 41, prices: null, house_w: 300 });
		assert.ok(!parts().includes("absent"));
		assert.deepEqual(flows.of("caught"), []);
		// It is no state of charge either: the last one gets old.
		await flows.runFor(20 * MINUTE);
		await flows.input("b", { soc: "unavailable" });
		await flows.runFor(20 * MINUTE);
		await flows.quiet();
		assert.deepEqual(parts(), ["reason.soc_old", "absent"]);
		assert.equal(last().payload.now.mode, "release");
	});

	it("shows wrong settings and refuses every message", async () => {
		await flows.load(node({ capacityKwh: "0" }));
		assert.equal(flows.status("b")?.fill, "red");
		await flows.input("b", { soc: 4 });
		assert.match(
			flows.of("caught").at(-1)?.error.message,
			/^capacityKwh is 0|^capacityKwh is "0"/,
		);
	});
});
