import assert from "node:assert/strict";
import { openNow } from "../../nodes/now/node";
import { nowStatus } from "../../nodes/now/status";
import type { NowPayload } from "../../src/forecast/now";
import { HOUR_MS as HOUR, MINUTE_MS as MINUTE } from "../../src/util/time";
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
	const wattsAt = (plan: Plan, instant: number) =>
		makeForecast(plan).quarters.find(
			({ start }) => start <= instant && instant < start + 15 * MINUTE,
		)?.watts;

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

	it("reckons on with the forecast as it came, whatever a flow does to the message", async () => {
		await flows.load(node());
		const sent = message();
		const { values, strings, daily } = sent.payload;
		await flows.input("n", sent);
		values.sort((a: Message, b: Message) => b.pv_power - a.pv_power);
		for (const row of [...values, ...strings, ...daily]) {
			row.pv_power = 1;
			row.pv_energy_kwh = 1;
		}
		strings.splice(0);
		daily.splice(0);
		flows.clear();
		await flows.clock.runTo(Date.parse("2026-06-10T09:05:00Z"), flows.settle);
		await flows.settle();
		const { payload } = last();
		assert.equal(payload.power_now_w, wattsAt(THREE_DAYS, flows.clock.time));
		await flows.input("n", message());
		assert.deepEqual(last().payload, payload);
	});

	it("keeps the properties of the message that brings the forecast", async () => {
		await flows.load(node());
		await flows.input(
			"n",
			message(THREE_DAYS, { house: "north", _msgid: "m1" }),
		);
		assert.equal(last().house, "north");
		assert.equal(last()._msgid, "m1");
		assert.equal(last().topic, "pv/site_a1/now");
		await flows.runFor(5 * MINUTE);
		assert.equal(last().house, undefined);
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
				// The values are those of the very minute.
				const { days } = makeForecast(THREE_DAYS);
				const end = days[0]?.end ?? 0;
				const { quarters } = makeForecast(THREE_DAYS);
				const remaining = quarters
					.filter(({ start }) => start < end)
					.reduce(
						(sum, { start, watts }) =>
							sum +
							(watts *
								Math.min(
									15 * MINUTE,
									Math.max(0, start + 15 * MINUTE - flows.clock.time),
								)) /
								HOUR /
								1000,
						0,
					);
				assert.ok(
					Math.abs(last().payload.energy_remaining_today_kwh - remaining) <
						1e-6,
				);
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

	it("reads JSON text, bytes, and a payload without anything beside it", async () => {
		await flows.load(node());
		const { payload, solar } = message();
		const text = JSON.stringify(payload);
		for (const msg of [
			{ payload, solar },
			{ payload },
			{ payload: text },
			{ payload: `\uFEFF${text}` },
			{ payload: Buffer.from(text) },
		]) {
			flows.clear();
			await flows.input("n", structuredClone(msg));
			assert.equal(last().topic, "solar-yield/site_a1/now");
			assert.equal(
				last().payload.power_now_w,
				wattsAt(THREE_DAYS, flows.clock.time),
				JSON.stringify(flows.of("caught")[0]?.error.message),
			);
			assert.equal(last().solar.site_name, "Barn");
		}
		// Hand-made: the payload's own zone, and stamps at the end.
		flows.clear();
		const { solar: _inner, ...bare } = payload;
		await flows.input("n", { payload: bare });
		assert.equal(
			last().payload.power_now_w,
			wattsAt(THREE_DAYS, flows.clock.time),
		);
		assert.equal(last().quota, undefined);
	});

	it("a bare forecast is stale an hour after its next_poll_at", async () => {
		await flows.load(node());
		const { solar: _, ...bare } = message().payload;
		await flows.input("n", {
			payload: { ...bare, next_poll_at: "2026-06-10T09:30:00Z" },
		});
		await flows.runTo("2026-06-10T10:30:00Z");
		await flows.quiet();
		assert.equal(last().payload.stale, false);
		await flows.runTo("2026-06-10T10:35:00Z");
		await flows.quiet();
		assert.equal(last().payload.stale, true);
		assert.equal(flows.status("n")?.fill, "yellow");
	});

	it("settled quarters fill the morning of a day whose rows are missing", async () => {
		await flows.load(node());
		await flows.input("n", message());
		const whole = last().payload.energy_today_kwh;
		const { payload, solar } = message();
		const begin = Date.parse("2026-06-10T11:00:00+02:00");
		const isPast = ({ timestamp }: Message) => Date.parse(timestamp) <= begin;
		const settled = payload.values
			.filter(isPast)
			.map((row: Message) => [Date.parse(row.timestamp), row.pv_power]);
		const values = payload.values.filter((row: Message) => !isPast(row));
		const [today, ...later] = payload.daily;
		for (const partial of [true, undefined]) {
			await flows.input("n", {
				payload: {
					...payload,
					values,
					daily: [{ ...today, pv_energy_kwh: whole / 2, partial }, ...later],
					solar: undefined,
				},
				solar: { ...solar, settled },
			});
			const now = last().payload;
			assert.ok(Math.abs(now.energy_today_kwh - whole) < 0.01);
			assert.ok(Math.abs(now.energy_today_settled_kwh - whole) < 0.01);
			assert.equal(now.gaps, 0);
		}
	});

	it("a later forecast counts from the moment it comes", async () => {
		await flows.load(node());
		await flows.input("n", message());
		await flows.runFor(7 * MINUTE);
		flows.clear();
		const next = { ...THREE_DAYS, peaks: [2000] };
		await flows.input("n", message(next));
		assert.equal(out().length, 1);
		assert.equal(last().payload.power_now_w, wattsAt(next, flows.clock.time));
		await flows.runFor(5 * MINUTE);
		assert.equal(out().length, 2);
		assert.equal(last().payload.power_now_w, wattsAt(next, flows.clock.time));
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
			{ from: "2026-06-10T00:00:00", to: "2026-06-11T00:00:00+02:00" },
			{ from: today?.start, to: today?.end },
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
		for (const [payload, text] of [
			[{ from: "noon", to: "2026-06-11" }, /^from is "noon"/],
			[{ from: "2026-06-11" }, /^to is missing/],
			[{ from: "2026-06-11", to: "2026-06-10" }, /lies after/],
		] as const) {
			flows.clear();
			await flows.input("n", { payload });
			assert.match(flows.of("caught")[0]?.error.message, text);
			assert.equal(out().length, 0);
		}
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

	it("tells a Catch node what is no forecast, and goes on", async () => {
		await flows.load(node());
		await flows.input("n", message());
		for (const [msg, text] of [
			[{ payload: 1781082120000 }, /msg\.payload is 1781082120000/],
			[{ payload: "on" }, /is text and no JSON/],
			[{ payload: { date: "2026-06-10" } }, /output 2/],
			[{ payload: { power_now_w: 1 } }, /solar-yield-now/],
			[message(THREE_DAYS, { solar: { gaps: "x" } }), /msg\.solar\.gaps/],
			[message(THREE_DAYS, { quota: { used: "x" } }), /msg\.quota\.used/],
			[message(THREE_DAYS, { siteId: {} }), /siteId/],
		] as const) {
			flows.clear();
			await flows.input("n", { ...msg });
			const [caught] = flows.of("caught");
			assert.equal(caught?.error.code, "SOLAR_YIELD_INPUT");
			assert.match(caught?.error.message, text);
			assert.match(caught?.error.message, /; /);
			assert.equal(out().length, 0);
		}
		await flows.runFor(5 * MINUTE);
		assert.equal(last().topic, "pv/site_a1/now");
	});

	it("never holds on to a value: beyond the rows all is null, and it says stale", async () => {
		await flows.load(node());
		await flows.input("n", message());
		assert.equal(flows.status("n")?.fill, "green");
		await flows.clock.runTo("2026-06-12T22:00:00Z", flows.settle);
		await flows.settle();
		const { payload, solar } = last();
		assert.equal(payload.power_now_w, null);
		assert.equal(payload.energy_today_kwh, null);
		assert.equal(payload.energy_remaining_today_kwh, null);
		assert.equal(payload.horizon_hours, 0);
		assert.equal(payload.stale, true);
		assert.equal(solar.stale, true);
		assert.equal(flows.status("n")?.fill, "yellow");
	});

	it("survives a clock that jumps and a host that sleeps", async () => {
		await flows.load(node());
		await flows.input("n", message());
		await flows.runFor(3 * MINUTE);
		// Set back by two hours: it goes on at the clock's next minute of five.
		flows.clear();
		flows.clock.wallError = -2 * HOUR;
		await flows.runFor(6 * MINUTE);
		assert.ok(out().length >= 1 && out().length <= 2);
		assert.equal(
			last().payload.power_now_w,
			wattsAt(
				THREE_DAYS,
				flows.clock.now() - (flows.clock.now() % (5 * MINUTE)),
			),
		);
		flows.clear();
		flows.clock.wallError = 0;
		await flows.runFor(5 * MINUTE);
		assert.ok(out().length >= 1);
		// Awake after eight hours, it has the values of the moment within a minute.
		flows.clear();
		flows.clock.sleep(8 * HOUR + 2 * MINUTE);
		await flows.runFor(MINUTE);
		assert.equal(out().length, 1);
		assert.equal(
			last().payload.power_now_w,
			wattsAt(THREE_DAYS, flows.clock.time),
		);
		assert.equal(flows.clock.timers, 1);
	});

	it("a deploy of this node alone keeps what it knows; a full one asks what feeds it", async () => {
		await flows.load(node());
		await flows.input("n", message());
		await flows.deploy(node({ every: "1" }), "nodes");
		assert.equal(flows.status("n")?.fill, "green");
		assert.equal(flows.clock.timers, 1);
		flows.clear();
		await flows.runFor(MINUTE);
		assert.equal(last().topic, "pv/site_a1/now");
		assert.equal(last().every, 1);
		// The first forecast after it decides which site is followed.
		await flows.input(
			"n",
			message({ ...THREE_DAYS, solar: { site_id: "site_b" } }),
		);
		assert.equal(last().topic, "pv/site_b/now");

		await flows.deploy(node({ every: "1" }), "full");
		assert.equal(flows.status("n")?.fill, "grey");
		assert.equal(flows.clock.timers, 0);
	});

	it("says in status and error when its interval is none", async () => {
		await flows.load(node({ every: "7" }));
		assert.equal(flows.status("n")?.fill, "red");
		await flows.input("n", message());
		assert.match(
			flows.of("caught")[0]?.error.message,
			/^every is "7"; choose 1, 5, 15 minutes/,
		);
		assert.equal(flows.clock.timers, 0);
	});

	it("shows what it knows in its status, in both languages", () => {
		const values = {
			power_now_w: 1834.4,
			energy_today_kwh: 31.68,
			stale: false,
		} as NowPayload;
		const texts = ["en-US", "de"].map((language) => {
			const say = translator(language);
			return [
				nowStatus(undefined, false, say),
				nowStatus(values, false, say),
				nowStatus({ ...values, power_now_w: null }, true, say),
				nowStatus(
					{ ...values, energy_today_kwh: null, stale: true },
					false,
					say,
				),
			];
		});
		assert.deepEqual(texts[0], [
			{ fill: "grey", shape: "ring", text: "no forecast yet" },
			{ fill: "green", shape: "dot", text: "1834 W · 31.7 kWh today" },
			{
				fill: "green",
				shape: "dot",
				text: "demo · power unknown · 31.7 kWh today",
			},
			{ fill: "yellow", shape: "ring", text: "1834 W · stale" },
		]);
		assert.deepEqual(texts[1]?.map(({ text }) => text).slice(0, 2), [
			"noch keine Prognose",
			texts[1]?.[1]?.text,
		]);
	});

	it("demo data is named everywhere", async () => {
		await flows.load(node());
		await flows.input("n", message({ ...THREE_DAYS, solar: { demo: true } }));
		assert.equal(last().topic, "pv/demo-site_a1/now");
		assert.equal(last().solar.demo, true);
		assert.match(flows.status("n")?.text, /^demo · /);
	});
});
