import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import helper from "node-red-node-test-helper";
import { openWindow } from "../../nodes/window/node";
import { windowPreview, windowsWith } from "../../nodes/window/preview";
import { reasonText } from "../../nodes/window/reason";
import { windowStatus } from "../../nodes/window/status";
import { HOUR_MS as HOUR, MINUTE_MS as MINUTE } from "../../src/util/time";
import { Zone } from "../../src/util/zone";
import type { Output, Why } from "../../src/window/output";
import type { Shortage } from "../../src/window/plan";
import type { Limit } from "../../src/window/search";
import { makeForecast, type Plan } from "../export/forecasts";
import { translator } from "../support/catalogue";
import { Flows } from "../support/flows";
import { windowNode } from "../support/own-nodes";
import { THREE_DAYS } from "./three-days";

type Message = Record<string, any>;

/** 06:00 in Berlin, before the sunniest hours of THREE_DAYS. */
const START = "2026-06-10T04:00:00Z";
const at = (time: string, day = 10) =>
	Date.parse(`2026-06-${day}T${time}:00+02:00`);

describe("solar-yield-window in Node-RED", () => {
	let flows: Flows;

	beforeEach(async () => {
		flows = new Flows(START);
		flows.onClock("solar-yield-window", openWindow);
		const settle = flows.settle;
		flows.settle = async () => {
			await settle();
			await node()?.solarYield?.idle();
			await settle();
		};
		await flows.start();
	});
	afterEach(() => flows.stop());

	const nodes = (more: Message = {}): object[] => [
		windowNode({ wires: [["switch"], ["plan"]], ...more }),
		{ id: "switch", type: "helper", z: "tab" },
		{ id: "plan", type: "helper", z: "tab" },
		...Flows.catchNode,
	];
	/** A message as the forecast node sends it, computed now. */
	const forecast = (plan: Plan = THREE_DAYS, more: Message = {}): Message => {
		const { body, solar } = makeForecast(plan);
		const computed_at = new Date(flows.clock.now()).toISOString();
		return {
			topic: `pv/${solar.site_id}/forecast`,
			payload: { ...body, computed_at, solar },
			solar: { ...structuredClone(solar), computed_at },
			retain: true,
			...more,
		};
	};
	/** The plan's own hourly prices, as Tibber sends them. */
	const tibber = (price: (hour: number) => number) =>
		Array.from({ length: 24 }, (_, hour) => ({
			total: price(hour),
			startsAt: new Date(at("00:00") + hour * HOUR).toISOString(),
		}));
	const runTo = async (time: string, day = 10) => {
		await flows.clock.runTo(at(time, day), flows.settle);
		await flows.quiet();
	};
	const switched = () => flows.of("switch").map(({ payload }) => payload);
	const last = () => flows.of("switch").at(-1) as Message;
	const plan = () => flows.of("plan").at(-1)?.payload as Message[];
	const errors = () => flows.of("caught").map(({ error }) => error.message);
	const node = () => helper.getNode("win") as any;
	const folder = () => join(flows.userDir, "solar-yield");
	const file = () => join(folder(), "window-win.json");
	const stored = () =>
		JSON.parse(readFileSync(file(), "utf8").split("\n")[1] ?? "");

	it("is off once after a start, and says why", async () => {
		await flows.load(nodes());
		assert.deepEqual(switched(), [false]);
		assert.equal(last().topic, "solar-yield/window/win");
		assert.deepEqual(last().window, {
			on: false,
			start: null,
			end: null,
			next_start: null,
			next_end: null,
			energy_kwh: null,
			solar_share: null,
			power_w: 0,
			reason:
				"@solar-yield/node-red-solar-yield/solar-yield-window:solar-yield-window.reason.no_forecast",
		});
		await flows.runFor(2 * HOUR);
		assert.deepEqual(switched(), [false]);
		assert.deepEqual(flows.of("plan"), []);
	});

	it("switches on and off once a day, with a new forecast each hour", async () => {
		await flows.load(nodes({ name: "boiler", loadW: "2000" }));
		for (let hour = 6; hour < 30; hour += 1) {
			// A forecast that says something else each time.
			const peak = 5000 + ((hour * 7919) % 3000);
			await flows.input(
				"win",
				forecast({ ...THREE_DAYS, peaks: [peak, 4000] }),
			);
			await flows.clock.runTo(flows.clock.time + HOUR, flows.settle);
		}
		await flows.quiet();
		assert.deepEqual(switched(), [false, true, false]);
		const [, on, off] = flows.of("switch");
		assert.equal(on?.topic, "pv/site_a1/window/boiler");
		assert.equal(on?.retain, false);
		assert.equal(on?.solar.site_id, "site_a1");
		const { start, end, energy_kwh, solar_share } = on?.window ?? {};
		assert.match(start, /^2026-06-10T\d\d:\d\d:00\+02:00$/);
		assert.equal(Date.parse(end) - Date.parse(start), 2 * HOUR);
		assert.ok(energy_kwh > 3.9 && energy_kwh <= 4, String(energy_kwh));
		assert.ok(solar_share > 0.97 && solar_share <= 1);
		assert.equal(off?.window.start, null);
		assert.match(off?.window.next_start, /^2026-06-11T/);
		assert.deepEqual(errors(), []);
	});

	it("sends the plan when it changes, and the properties of the message along", async () => {
		await flows.load(nodes());
		await flows.input(
			"win",
			forecast(THREE_DAYS, { house: "north", hours: 3 }),
		);
		const [sent] = flows.of("plan");
		assert.equal(sent?.topic, "pv/site_a1/window/win/plan");
		assert.equal(sent?.house, "north");
		assert.equal(sent?.hours, undefined);
		assert.equal(sent?.retain, false);
		assert.equal(plan().length, 2);
		for (const { start, end, mean_w, solar_share, cost } of plan()) {
			assert.equal(Date.parse(end) - Date.parse(start), 3 * HOUR);
			assert.ok(mean_w > 0);
			assert.deepEqual([solar_share, cost], [null, null]);
		}
		await flows.input("win", forecast());
		assert.equal(flows.of("plan").length, 1);
		await flows.input("win", { hours: null });
		assert.equal(flows.of("plan").length, 2);
		assert.equal(
			Date.parse(plan()[0]?.end) - Date.parse(plan()[0]?.start),
			2 * HOUR,
		);
	});

	for (const minutes of [0, 1, 59, 90, 119]) {
		it(`goes on after a restart ${minutes} min into a run, and ends on time`, async () => {
			await flows.load(nodes());
			await flows.input("win", forecast());
			const [{ start, end }] = plan() as [Message];
			await flows.clock.runTo(
				Date.parse(start) + minutes * MINUTE,
				flows.settle,
			);
			await flows.quiet();
			assert.equal(last().payload, true);
			flows.clear();
			// As after a start: nothing is handed over, and no forecast comes.
			await flows.deploy(nodes({ d: true }), "full");
			await flows.clock.runTo(flows.clock.time + 10_000, flows.settle);
			await flows.deploy(nodes(), "full");
			assert.deepEqual(switched(), [true]);
			assert.equal(last().window.end, end);
			await flows.clock.runTo(Date.parse(end) - 1000, flows.settle);
			await flows.quiet();
			assert.deepEqual(switched(), [true]);
			await flows.clock.runTo(Date.parse(end), flows.settle);
			await flows.quiet();
			assert.deepEqual(switched(), [true, false]);
			// What ran counts: a forecast of the same day begins nothing anew.
			await flows.input("win", forecast());
			await runTo("23:59");
			assert.deepEqual(switched(), [true, false]);
		});
	}

	it("wakes at the edge, whatever was done to the clock", async () => {
		await flows.load(nodes());
		await flows.input("win", forecast());
		const { start, end } = plan()[0] as Message;
		flows.clear();
		// The host sleeps into the window.
		flows.clock.sleep(Date.parse(start) + 5 * MINUTE - flows.clock.time);
		await flows.runFor(MINUTE);
		assert.deepEqual(switched(), [true]);
		// The wall clock is set back by a day: the run ends after its length.
		flows.clock.wallError = -24 * HOUR;
		await flows.runFor(Date.parse(end) - Date.parse(start) + 2 * MINUTE);
		await flows.quiet();
		assert.deepEqual(switched(), [true, false]);
		assert.equal(flows.clock.timers, 1);
	});

	it("runs for as long as the appliance says, and no more once it is done", async () => {
		await flows.load(nodes());
		await flows.input("win", forecast());
		const { start } = plan()[0] as Message;
		await flows.clock.runTo(Date.parse(start) + HOUR, flows.settle);
		await flows.quiet();
		flows.clear();
		await flows.input("win", { run_minutes: 90 });
		assert.equal(
			Date.parse(plan()[0]?.end),
			Date.parse(start) + HOUR + 30 * MINUTE,
		);
		await flows.input("win", { payload: "off", done: "false" });
		assert.deepEqual(switched(), []);
		await flows.input("win", { payload: "off", done: "True" });
		assert.deepEqual(switched(), [false]);
		assert.match(last().window.reason, /reason\.told_done$/);
		await runTo("23:00");
		assert.deepEqual(switched(), [false]);
		assert.deepEqual(errors(), []);
		assert.match(plan()[0]?.start, /^2026-06-11T/);
	});

	it("chooses by prices of any shape, and by the sun without", async () => {
		await flows.load(nodes({ rank: "cost", loadW: "2000", hours: "2" }));
		await flows.input("win", forecast());
		assert.match(flows.status("win")?.text, /no_prices/);
		const sunny = plan()[0]?.start;
		await flows.input("win", {
			feedIn: "0.08",
			prices: tibber((hour) => (hour === 20 || hour === 21 ? -0.5 : 0.4)),
		});
		assert.match(plan()[0]?.start, /T20:00/);
		// The evening's 2 kW come from the grid as far as the sun lacks.
		assert.ok(plan()[0]?.cost < 0);
		assert.doesNotMatch(flows.status("win")?.text, /no_prices/);
		// Two hours are one piece where each ends a moment before the next.
		for (const moment of [1, 1000]) {
			const ending = tibber((hour) => (hour > 17 && hour < 20 ? -0.5 : 0.4));
			const prices = ending.map(({ startsAt, total }) => {
				const end = Date.parse(startsAt) + HOUR - moment;
				return { start: startsAt, end: new Date(end).toISOString(), total };
			});
			await flows.input("win", { prices: null });
			await flows.input("win", { prices });
			assert.match(plan()[0]?.start, /T18:00/);
			assert.doesNotMatch(flows.status("win")?.text, /no_prices/);
		}
		await flows.input("win", { prices: null });
		assert.equal(plan()[0]?.start, sunny);
		assert.deepEqual(errors(), []);
	});

	it("does not choose by prices a hundred times too high, and says so each time", async () => {
		await flows.load(nodes({ rank: "cost", loadW: "2000", hours: "2" }));
		const cents = tibber((hour) => (hour === 20 || hour === 21 ? 5 : 25));
		await flows.input("win", { prices: cents });
		await flows.input("win", forecast());
		const sunny = plan()[0]?.start;
		await flows.input("win", { prices: cents, feedIn: "0.3" });
		assert.equal(plan()[0]?.start, sunny);
		assert.match(flows.status("win")?.text, /no_prices/);
		assert.equal(errors().length, 2);
		assert.equal(errors()[0], errors()[1]);
		assert.match(errors()[0] ?? "", /prices are about 25 per kWh.*unit/);
		await flows.input("win", { prices: { unit: "c€/kWh", list: cents } });
		assert.match(plan()[0]?.start, /T20:00/);
		assert.equal(errors().length, 2);
		await flows.input("win", { prices: cents });
		assert.equal(errors().length, 3);
		assert.match(plan()[0]?.start, /T20:00/);
		// Next to nothing: used, and asked about once until others came.
		const tiny = tibber(() => 0.0003);
		await flows.input("win", { prices: tiny, feedIn: 0.0001 });
		await flows.input("win", { prices: tiny });
		assert.equal(errors().length, 4);
		assert.match(errors()[3] ?? "", /prices are .*feedIn are /);
		await flows.input("win", { prices: { unit: "ct/kWh", list: cents } });
		await flows.input("win", { prices: tiny });
		assert.equal(errors().length, 5);
	});

	it("takes what is good beside what is not", async () => {
		await flows.load(nodes());
		await flows.input(
			"win",
			forecast(THREE_DAYS, {
				hours: 99,
				to: "12:00",
				prices: "dear",
				feedIn: "x",
				done: "yes",
				run_minutes: -1,
			}),
		);
		const [message = ""] = errors();
		for (const word of [
			"hours is 99",
			'prices is "dear"',
			'feedIn is "x"',
			'done is "yes"',
			"run_minutes is -1",
		]) {
			assert.ok(message.includes(word), `${word}: ${message}`);
		}
		assert.match(plan()[0]?.end, /T12:00/);
		flows.clear();
		for (const [msg, says] of [
			[{ payload: "on" }, /no JSON/],
			[{ payload: 5 }, /no forecast/],
			[{}, /no forecast/],
			[
				forecast({
					...THREE_DAYS,
					solar: { site_id: "site_other" },
				}),
				/follows site "site_a1"/,
			],
		] as const) {
			flows.clear();
			await flows.input("win", msg);
			assert.match(errors()[0] ?? "", says);
			assert.equal(errors().length, 1);
		}
	});

	it("takes what a sensor says in place of a value for none, and says so in the status", async () => {
		await flows.load(nodes({ loadW: "2000" }));
		await flows.input("win", forecast());
		await flows.input("win", { hours: 3, run_minutes: 30 });
		const before = stored();
		const said = () => /absent$/.test(String(flows.status("win")?.text));
		for (const word of ["unavailable", "unknown", "none"]) {
			await flows.input("win", {
				run_minutes: word,
				done: word,
				hours: word,
				feedIn: word,
				prices: word,
			});
			assert.ok(said());
		}
		await flows.input("win", { run_minutes: "" });
		await flows.input("win", { run_minutes: null });
		assert.deepEqual(errors(), []);
		assert.deepEqual(stored(), before);
		await flows.input("win", {
			run_minutes: 30,
			done: false,
			hours: 3,
			feedIn: 0,
			prices: null,
		});
		assert.ok(!said());
		assert.deepEqual(errors(), []);
	});

	it("plans with an old forecast as long as that has rows, and ends what it began", async () => {
		await flows.load(nodes({ hours: "1", from: "15:00", to: "17:00" }));
		await flows.input("win", forecast());
		await runTo("15:30", 11);
		// Of yesterday 06:00: 33 hours old, and better than nothing.
		assert.deepEqual(switched(), [false, true, false, true]);
		assert.match(flows.status("win")?.text, /old/);
		assert.match(last().window.reason, /reason\.old/);
		await runTo("00:30", 13);
		assert.equal(last().payload, false);
		assert.match(flows.status("win")?.text, /forecast_ended/);
	});

	it("with settings that cannot be used says so, and leaves nothing on", async () => {
		await flows.load(nodes({ hours: "${HOURS}" }));
		assert.deepEqual(switched(), [false]);
		assert.match(last().window.reason, /^hours is .*; give/);
		assert.equal(flows.status("win")?.fill, "red");
		await flows.input("win", forecast());
		assert.match(errors()[0] ?? "", /^hours is/);
		assert.equal(windowPreview(node()), undefined);
	});

	it("tells its dialog the windows as deployed, and as other settings would make them", async () => {
		await flows.load(nodes());
		const bare = windowPreview(node());
		assert.deepEqual(
			[bare?.windows, bare?.curve, bare?.days, bare?.timezone],
			[[], [], [], null],
		);
		await flows.input("win", forecast(THREE_DAYS, { minPowerW: 100 }));
		const deployed = windowPreview(node());
		assert.equal(deployed?.curve.length, 192);
		assert.equal(deployed?.timezone, "Europe/Berlin");
		assert.deepEqual(
			deployed?.days.map(({ date }) => date),
			["2026-06-10", "2026-06-11"],
		);
		assert.deepEqual(deployed?.overridden, ["minPowerW"]);
		assert.deepEqual(
			deployed?.windows.map(({ start }) => start),
			plan().map(({ start }) => Date.parse(start)),
		);
		const before = stored();
		const edited = windowsWith(node(), {
			hours: "1",
			to: "10:00",
			rank: "cost",
		});
		assert.equal(edited?.windows.length, 2);
		for (const [index, { start, end }] of edited?.windows.entries() ?? []) {
			assert.equal(end - start, HOUR);
			assert.ok(end <= at("10:00", 10 + index));
		}
		assert.equal(edited?.lacksPrices, true);
		assert.deepEqual(stored(), before);
		assert.deepEqual(windowPreview(node()), deployed);
		assert.equal(deployed?.prices, null);
		await flows.input("win", { prices: tibber(() => 0.3) });
		const { rows, midnights } = windowPreview(node())?.prices ?? {};
		assert.deepEqual(midnights, [
			at("00:00"),
			at("00:00", 11),
			at("00:00", 12),
		]);
		assert.deepEqual(rows?.[0]?.[2], 0.3);
		assert.throws(() => windowsWith(node(), { hours: "x" }), /hours is "x"/);
		assert.throws(() => windowsWith(node(), []), /settings are/);
		assert.equal(windowsWith(null, {}), undefined);
	});
});

describe("the status of a best time", () => {
	const zone = Zone.of("Europe/Berlin") as Zone;
	const now = at("08:00");
	const window = (time: string, day = 10) => ({
		start: at(time, day),
		end: at(time, day) + 2 * HOUR,
		energyKwh: 3,
		meanW: 2000,
		solarShare: 1,
		cost: null,
	});
	const output = (why: Why, more: Partial<Output> = {}): Output => ({
		on: why.code === "running",
		current: null,
		next: null,
		windows: [],
		why,
		shortage: null,
		powerW: null,
		oldHours: null,
		lacksPrices: false,
		tickAt: null,
		...more,
	});
	const shortage = (by: Limit): Shortage => ({
		code: "short",
		by,
		unit: "h",
		wanted: 2,
		missing: 0.5,
		found: 1.5,
	});
	const cases: [Output, look: string, en: string, de: string][] = [
		[
			output({ code: "running", until: at("13:30") }),
			"green dot",
			"on until 13:30",
			"an bis 13:30",
		],
		[
			output(
				{ code: "waiting", from: at("11:30") },
				{ next: window("11:30"), shortage: shortage("minPowerW") },
			),
			"grey ring",
			"next 11:30 · 1.5 of 2 h",
			"nächste 11:30 · 1,5 von 2 h",
		],
		[
			output({ code: "done", ran_hours: 2 }, { next: window("10:45", 11) }),
			"grey ring",
			"done for today · tomorrow 10:45",
			"fertig für heute · morgen 10:45",
		],
		[
			output({ code: "done", ran_hours: null }),
			"grey ring",
			"done for today",
			"fertig für heute",
		],
		[
			output({ code: "too-late" }, { next: window("10:45", 11) }),
			"grey ring",
			"too late for today · tomorrow 10:45",
			"heute zu spät · morgen 10:45",
		],
		[
			output({ code: "override", on: false, until: at("23:00") }),
			"grey ring",
			"off by message",
			"aus durch Nachricht",
		],
		[
			output(shortage("maxPrice"), { oldHours: 49 }),
			"yellow ring",
			"too dear · forecast 49 h old",
			"zu teuer · Prognose 49 h alt",
		],
		[
			output({ code: "no-forecast", until: at("07:00") }),
			"grey ring",
			"waiting for a new forecast",
			"wartet auf neue Prognose",
		],
		[
			output({ code: "no-forecast", until: null }),
			"grey ring",
			"no forecast yet",
			"noch keine Prognose",
		],
	];

	it("says until when, when next, or why not", () => {
		for (const [state, look, ...texts] of cases) {
			for (const [index, language] of ["en-US", "de"].entries()) {
				const { fill, shape, text } = windowStatus(
					{ output: state, zone, demo: false, now },
					translator(language),
				);
				assert.equal(`${fill} ${shape}`, look);
				assert.equal(text, texts[index]);
			}
		}
	});

	it("says demo, and that no prices are known", () => {
		const state = output(
			{ code: "waiting", from: at("11:30") },
			{ next: window("11:30"), lacksPrices: true },
		);
		const { text } = windowStatus(
			{ output: state, zone, demo: true, now },
			translator("en-US"),
		);
		assert.equal(text, "demo · no prices: by the sun · next 11:30");
	});

	it("has a reason in words for each code, in both languages", () => {
		const reasons: Why[] = [
			...cases.map(([{ why }]) => why),
			{ code: "override", on: true, until: at("07:00") },
			...(
				["time", "forecast", "minPowerW", "sun", "price", "runs"] as const
			).map(shortage),
		];
		for (const language of ["en-US", "de"]) {
			const look = translator(language);
			const texts = reasons.map((why) =>
				reasonText(
					output(why, {
						shortage: shortage("minPowerW"),
						oldHours: 49,
						lacksPrices: true,
					}),
					{
						say: (key, values) =>
							look(
								`@solar-yield/node-red-solar-yield/solar-yield-window:solar-yield-window.reason.${key}`,
								values,
							),
						time: (instant) => zone.format(instant).slice(11, 16),
						number: String,
					},
				),
			);
			for (const text of texts) {
				assert.doesNotMatch(text, /__|undefined/);
				assert.match(text, /; .*1.5.*2 h.*; .*49 h/);
			}
			assert.equal(new Set(texts).size, texts.length);
		}
	});
});
