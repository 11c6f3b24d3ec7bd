import assert from "node:assert/strict";
import { openNow } from "../../nodes/now/node";
import { nowStatus } from "../../nodes/now/status";
import type { NowPayload } from "../../src/forecast/now";
import { MINUTE_MS as MINUTE } from "../../src/util/time";
import { makeForecast, type Plan } from "../export/forecasts";
import { translator } from "../support/catalogue";
import { Flows, SITE } from "../support/flows";
import { THREE_DAYS } from "./three-days";

type Message = Record<string, any>;

describe("solar-yield-now in Node-RED", () => {
	let flows: Flows;

	beforeEach(async () => {
		flows = new Flows("2026-06-10T09:02:00Z");
		flows.onClock("solar-yield-now", openNow);
		await flows.start();
	});
	afterEach(() => flows.stop());

	const node = (more: Message = {}): object[] => [
		{
			id: "n",
			type: "solar-yield-now",
			z: "tab",
			name: "",
			every: "5",
			wires: [["out"]],
			...more,
		},
		{ id: "out", type: "helper", z: "tab" },
		...Flows.catchNode,
	];
	const out = () => flows.of("out");
	const last = () => out().at(-1) as Message;

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
	it("sends with each forecast, and makes no request of its own", async () => {
		await flows.load([
			flows.account(),
			...flows.forecast("f", {
				poll: "manual",
				wires: [["f-1", "n"], [], []],
			}),
			...node(),
		]);
		await flows.input("f");
		const [forecast] = flows.of("f-1");
		const [now] = out();
		assert.equal(out().length, 1);
		assert.equal(now?.topic, `solar-yield/${SITE}/now`);
		assert.equal(now?.retain, true);
		assert.equal(now?.every, 5);
		assert.deepEqual(now?.quota, forecast?.quota);
		assert.deepEqual(now?.solar, forecast?.solar);
		// 11:02 in Berlin lies in the quarter that ends at 11:15.
		const row = forecast?.payload.values.find(
			({ timestamp }: Message) => timestamp === "2026-06-10T11:15:00+02:00",
		);
		assert.equal(now?.payload.power_now_w, row.pv_power);
		assert.ok(row.pv_power > 0);
		assert.equal(
			now?.payload.energy_today_kwh.toFixed(2),
			forecast?.payload.daily[0].pv_energy_kwh.toFixed(2),
		);
		await flows.runFor(30 * MINUTE);
		assert.equal(flows.forecastRequests, 1);
		assert.equal(out().length, 7);
	});

	for (const [every, minutes] of [
		["1", [3, 4, 5, 6, 7]],
		[5, [5, 10, 15, 20]],
		["15", [15, 30, 45]],
		["", [5, 10]],
		[undefined, [5, 10]],
	] as const) {
		it(`every ${every ?? "undefined"}: on the clock, with one timer`, async () => {
			await flows.load(node({ every }));
			assert.equal(flows.clock.timers, 0);
			await flows.input("n", message());
			flows.clear();
			for (const minute of minutes) {
				await flows.clock.runTo(
					Date.parse("2026-06-10T09:00:00Z") + minute * MINUTE,
					flows.settle,
				);
				await flows.settle();
				assert.equal(flows.clock.timers, 1);
			}
			assert.equal(out().length, minutes.length);
		});
	}

	it("a day begins at the site's midnight, in a zone of :45 too, without a forecast", async () => {
		// Midnight in Kathmandu is 18:15 UTC.
		const plan = { ...THREE_DAYS, zone: "Asia/Kathmandu" };
		await flows.load(node({ every: "15" }));
		await flows.input("n", message(plan));
		await flows.clock.runTo("2026-06-10T18:14:59Z", flows.settle);
		const evening = last().payload as NowPayload;
		assert.equal(evening.days[0]?.date, "2026-06-10");
		await flows.clock.runTo("2026-06-10T18:15:00Z", flows.settle);
		await flows.settle();
		const night = last().payload as NowPayload;
		assert.equal(night.days[0]?.date, "2026-06-11");
		assert.equal(night.energy_today_kwh, evening.energy_tomorrow_kwh);
		assert.equal(night.energy_remaining_today_kwh, evening.energy_tomorrow_kwh);
		assert.equal(night.energy_so_far_today_kwh, 0);
	});

	it("answers the energy of a window", async () => {
		await flows.load(node());
		await flows.input("n", {
			payload: { from: "2026-06-10", to: "2026-06-11" },
		});
		assert.match(
			flows.of("caught")[0]?.error.message,
			/No forecast is known yet; /,
		);
		await flows.input("n", message());
		flows.clear();
		const [today] = makeForecast(THREE_DAYS).days;
		for (const payload of [
			{ from: "2026-06-10", to: "2026-06-11" },
			JSON.stringify({
				from: String(today?.start),
				to: "2026-06-10T22:00:00Z",
			}),
		]) {
			flows.clear();
			await flows.input("n", { topic: "mine", payload, house: "north" });
			assert.equal(flows.of("caught").length, 0);
			assert.equal(last().topic, "mine");
			assert.equal(last().house, "north");
			assert.equal(last().solar.site_id, "site_a1");
			assert.equal(last().payload.gaps, 0);
			assert.ok(
				Math.abs(last().payload.energy_kwh - (today?.energy ?? 0)) < 1e-9,
			);
		}
		// Beyond the rows nothing is known.
		await flows.input("n", {
			payload: { from: "2026-06-12", to: "2026-06-14" },
		});
		assert.deepEqual(last().payload, { energy_kwh: null, gaps: 96 });
		flows.clear();
		await flows.input("n", { payload: { from: "2026-06-11" } });
		assert.match(flows.of("caught")[0]?.error.message, /^to is missing/);
		assert.equal(out().length, 0);
		flows.clear();
		await flows.input("n", {
			siteId: "site_b",
			payload: { from: "2026-06-10", to: "2026-06-11" },
		});
		assert.match(
			flows.of("caught")[0]?.error.message,
			/follows site "site_a1"/,
		);
	});

	it("shows what it knows in its status", () => {
		const values = {
			power_now_w: 1834.4,
			energy_today_kwh: 31.68,
			stale: false,
		} as NowPayload;
		const say = translator("en-US");
		for (const [state, demo, text] of [
			[undefined, false, "grey ring no forecast yet"],
			[values, false, "green dot 1834 W · 31.7 kWh today"],
			[
				{ ...values, power_now_w: null },
				true,
				"green dot demo · power unknown · 31.7 kWh today",
			],
			[
				{ ...values, energy_today_kwh: null, stale: true },
				false,
				"yellow ring 1834 W · stale",
			],
		] as const) {
			const shown = nowStatus(state, demo, say);
			assert.equal(`${shown.fill} ${shown.shape} ${shown.text}`, text);
		}
	});
});
