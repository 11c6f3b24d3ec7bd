import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import helper from "node-red-node-test-helper";
import { openLearn } from "../../nodes/learn/node";
import { learnStatus } from "../../nodes/learn/status";
import { NOTE_CODES } from "../../src/learn/notes";
import { Zone } from "../../src/util/zone";
import {
	bow,
	DAY,
	HOUR,
	HOUSE,
	MINUTE,
	message,
	QUARTER,
} from "../learn/support";
import { until } from "../support/broker";
import { translator } from "../support/catalogue";
import { Flows } from "../support/flows";
import { learnNode } from "../support/own-nodes";

type Message = Record<string, any>;

const ZONE = Zone.of(HOUSE.zone) as Zone;

/** Output 1 of a forecast node: local dates from one to another, counted from today. */
function forecast(
	now: number,
	solar: Message = {},
	[from, to] = [0, 2],
): Message {
	const start = (days: number) => ZONE.dayStart(ZONE.dayOf(now) + days);
	const said: Message = message(
		start(from),
		start(to),
		(quarter) => bow(quarter + QUARTER / 2),
		{ site: "site_a1", solar },
	);
	said.payload.solar = structuredClone(said.solar);
	return { topic: "pv/site_a1/forecast", ...said };
}

/** What a roof that gives a share of the forecast gave over local dates up to now. */
function pastReadings(now: number, days: number, share: number): Message[] {
	const rows: Message[] = [];
	const from = ZONE.dayStart(ZONE.dayOf(now) - days);
	for (let time = from; time < now; time += 5 * MINUTE) {
		rows.push({ time, power_w: share * bow(time) });
	}
	return rows;
}

/** Archived forecasts, as a history node sends them. */
const history = (now: number, days: number) => ({
	...forecast(now, {}, [-days, 0]),
	topic: "pv/site_a1/history",
});

describe("solar-yield-learn in Node-RED", () => {
	let flows: Flows;

	beforeEach(async () => {
		flows = new Flows("2026-06-10T09:02:00Z");
		// The test helper's own lookup gives keys for texts.
		const _ = translator("en-US");
		flows.onClock("solar-yield-learn", (RED, ...rest) =>
			openLearn(Object.create(RED, { _: { value: _ } }), ...rest),
		);
		await flows.start();
	});
	afterEach(() => flows.stop());

	const node = (more: Message = {}): object[] => [
		learnNode({ id: "n", wires: [["n-out"], ["n-acc"]], ...more }),
		{ id: "n-out", type: "helper", z: "tab" },
		{ id: "n-acc", type: "helper", z: "tab" },
		...Flows.catchNode,
	];
	const last = (): Message => flows.of("n-out").at(-1) as Message;
	const accuracy = () => flows.of("n-acc");
	const text = () => flows.status("n")?.text as string;
	const warnings = (): string[] =>
		(helper.getNode("n") as any).warn.args.map(([said]: [unknown]) =>
			String(said),
		);
	const folder = () => join(flows.userDir, "solar-yield");
	const files = () =>
		existsSync(folder())
			? readdirSync(folder()).filter((name) => name.startsWith("learn-"))
			: [];
	const send = (msg: Message) => flows.call("n", msg);
	const written = () =>
		until("the file", () => String(files()) === "learn-n.json");
	/** Lets time pass, and what is to be written be written. */
	const runFor = async (ms: number) => {
		await flows.runFor(ms);
		await flows.quiet();
	};
	/** Sum of a field over the rows of the site's today, kWh. */
	const energy = (message: Message, field = "pv_power") =>
		message.payload.values
			.slice(0, 96)
			.reduce((sum: number, row: Message) => sum + row[field], 0) / 4000;

	/** Teaches a month in which the roof gave a share of its forecast. */
	async function teach(share = 0.8, days = 30): Promise<void> {
		await send(history(flows.clock.time, days));
		await send({ payload: pastReadings(flows.clock.time, days, share) });
		await send(forecast(flows.clock.time));
	}

	it("hands a forecast on as it came while it knows nothing", async () => {
		await flows.load(node());
		assert.equal(text(), "no forecast yet");
		const sent = forecast(flows.clock.time, { house: "kept" });
		sent.house = "north";
		const { answers, error } = await send(sent);
		assert.equal(error, undefined);
		const [message] = answers as [Message];
		assert.equal(message.topic, "pv/site_a1/forecast");
		assert.equal(message.house, "north");
		assert.equal(message.retain, true);
		assert.equal(message.payload.values.length, 192);
		for (const row of message.payload.values) {
			assert.equal(row.pv_power, row.pv_power_raw);
		}
		assert.deepEqual(message.solar.learned, {
			days: 0,
			quarters: 0,
			share_today: 0,
			since: null,
		});
		assert.deepEqual(message.payload.solar, message.solar);
		assert.equal(text(), "no reading yet");
		await send({ payload: "unavailable" });
		assert.equal(text(), "meter unavailable");
	});

	it("learns from archived forecasts and a list of readings in one go", async () => {
		await flows.load(node());
		await teach();
		assert.equal(flows.of("n-out").length, 1, "the past is not sent on");
		const message = last();
		const ratio = energy(message) / energy(message, "pv_power_raw");
		assert.ok(ratio > 0.79 && ratio < 0.83, String(ratio));
		assert.equal(message.solar.learned.days, 30);
		assert.ok(message.solar.learned.share_today > 0.9);
		assert.match(text(), /^corrected −(19|20) %$/);
		assert.deepEqual(warnings(), []);
	});

	it("keeps readings for the first forecast over a deploy of its own", async () => {
		await flows.load(node());
		const now = flows.clock.time;
		const rows = pastReadings(now, 8, 0.8);
		await send({ payload: rows.slice(0, 1000) });
		await flows.deploy(node({ name: "renamed" }), "nodes");
		await send({ payload: rows.slice(1000) });
		assert.equal(text(), "no forecast yet");
		await send(history(now, 8));
		await send(forecast(now));
		assert.equal(last().solar.learned.days, 8);
		assert.deepEqual(warnings(), []);
	});

	it("sends again when the site's day begins, with the day's accuracy, once", async () => {
		await flows.load(node());
		await teach();
		await send({ power_w: 0.8 * bow(flows.clock.time) });
		flows.clear();
		// It is 11:02 in Berlin.
		await runFor(12 * HOUR);
		assert.deepEqual([...flows.of("n-out"), ...accuracy()], []);
		await runFor(24 * HOUR);
		const [message, ...others] = flows.of("n-out") as [Message];
		assert.deepEqual(others, []);
		assert.equal(message.solar.cached, true);
		assert.equal(message.topic, "pv/site_a1/forecast");
		const [report, ...reports] = accuracy() as [Message];
		assert.deepEqual(reports, []);
		assert.equal(report.topic, "pv/site_a1/accuracy");
		assert.equal(report.payload.meters[0].string_id, null);
	});

	it("hands a removal on, and keeps what it learned", async () => {
		await flows.load(node());
		await teach(0.8, 8);
		await send({ power_w: 0.8 * bow(flows.clock.time) });
		await send({ operation: "remove", siteId: "another" });
		flows.clear();
		await send({ operation: "remove", siteId: "site_a1" });
		for (const [message, leaf] of [
			[last(), "forecast"],
			[accuracy().at(-1) as Message, "accuracy"],
		] as const) {
			assert.equal(message.topic, `pv/site_a1/${leaf}`);
			assert.equal(message.payload, "");
		}
		flows.clear();
		await runFor(36 * HOUR);
		assert.deepEqual([...flows.of("n-out"), ...accuracy()], []);
		await send(forecast(flows.clock.time));
		assert.ok(last().solar.learned.days >= 8);
	});

	it("survives a restart, and writes every six hours at most", async () => {
		await flows.load(node());
		await teach();
		const before = last();
		await written();
		const stamp = () =>
			readFileSync(join(folder(), "learn-n.json"), "utf8").slice(0, 32);
		const first = stamp();
		for (let hour = 0; hour < 5; hour += 1) {
			await send({ power_w: 4000 });
			await runFor(HOUR);
		}
		assert.equal(stamp(), first);
		await runFor(HOUR);
		await until("a file", () => stamp() !== first);
		await helper.unload();
		flows.clear();
		await flows.load(node());
		await send(forecast(flows.clock.time));
		await until("the status", () => /^corrected −(19|20) %/.test(text()));
		const after = last();
		assert.equal(after.solar.learned.days, before.solar.learned.days);
		assert.ok(Math.abs(energy(after) - energy(before)) < 0.2);
	});

	it("exports what it knows, and another node goes on with it", async () => {
		await flows.load(node());
		await teach();
		await send({ operation: "export", house: "kept" });
		const [exported] = accuracy() as [Message];
		assert.equal(exported.house, "kept");
		assert.equal(typeof exported.payload, "string");
		await send({ operation: "reset" });
		const bytes = Buffer.from(exported.payload);
		await send({ operation: "import", payload: bytes });
		assert.equal(last().solar.learned.days, 30);
		assert.match(text(), /^corrected −(19|20) %$/);
		const other = JSON.parse(exported.payload);
		other.site_id = "site_b2";
		const { error } = await send({ operation: "import", payload: other });
		assert.match(error?.message, /is of site "site_b2", but .* "site_a1"; imp/);
		const broken = await send({ operation: "import", payload: "[" });
		assert.equal(broken.error?.code, "SOLAR_YIELD_INPUT");
		assert.match(text(), /^corrected −(19|20) %$/);
	});

	it("refuses with field and value what it cannot read, and loses nothing by it", async () => {
		await flows.load(node());
		await teach();
		const known = last().solar.learned;
		for (const [msg, says] of [
			[{ power_w: "much" }, /^msg\.power_w is "much"; give a number/],
			[{ payload: "12,5 kW" }, /^msg\.payload is "12,5 kW"; give a number/],
			[{ operation: "forget" }, /^msg\.operation is "forget"; give report/],
			[{ payload: {} }, /msg\.payload is no forecast/],
			[{}, /msg\.payload is missing and no forecast/],
			[forecast(flows.clock.time, { site_id: "b" }), /is of site "b", but/],
			[
				forecast(flows.clock.time, { demo: true }),
				/is of site "demo-site_a1", but what has been learned is of site "site_a1"/,
			],
			[
				{ payload: [{ time: flows.clock.time, power_w: "x" }, 5] },
				/^payload\[0\]\.power_w is "x".*\(2 of 2 rows were left out/,
			],
			[
				{
					payload: [
						{ time: flows.clock.time, power_w: 1 },
						{ time: flows.clock.time, power_w: "x" },
					],
				},
				/^payload\[1\]\.power_w is "x".*\(1 of 2 rows were left out, the others were taken\)/,
			],
			[
				{ payload: [{ time: flows.clock.time, kwh: 1 }] },
				/^payload\[0\] is .*; give rows \{time, power_w\}/,
			],
		] as [Message, RegExp][]) {
			const { answers, error } = await send(msg);
			assert.deepEqual(answers, []);
			assert.match(error?.message ?? "no error", says);
		}
		await send(forecast(flows.clock.time));
		assert.deepEqual(last().solar.learned, known);
	});

	it("tells of readings that cannot be right, once", async () => {
		await flows.load(node());
		await send(forecast(flows.clock.time));
		for (let time = 0; time < 3; time += 1) {
			await send({ power_w: 50 * HOUSE.peak });
			const { error } = await send({
				power_w: 100,
				time: flows.clock.time + HOUR,
			});
			assert.match(error?.message, /^msg\.time is .*check the clocks/);
			await flows.runFor(MINUTE);
		}
		assert.equal(warnings().length, 1, warnings().join("\n"));
		assert.match(warnings()[0] as string, /^Readings were far above/);
		await send({ operation: "report" });
		const { notes } = (accuracy().at(-1) as Message).payload;
		assert.deepEqual(
			notes.map(({ code, count }: Message) => [code, count]),
			[["wrong_unit", 3]],
		);
	});

	it("answers its dialog", async () => {
		await flows.load(node());
		await teach();
		await send({ power_w: 3000 });
		const view: Message = (helper.getNode("n") as any).solarYieldLearn();
		// As it travels.
		assert.deepEqual(JSON.parse(JSON.stringify(view)), view);
		assert.equal(view.timezone, "Europe/Berlin");
		assert.equal(view.facts.days, 30);
		assert.equal(view.facts.percent, -20);
		assert.equal(view.meters.length, 1);
		const [{ points }] = view.meters;
		assert.ok(points.length > 50);
		for (const { factor } of points) assert.ok(Math.abs(factor - 0.8) < 0.05);
	});

	it("with an unknown unit says so", async () => {
		await flows.load(node({ unit: "MW" }));
		assert.equal(flows.status("n")?.fill, "red");
		const { error } = await send({ power_w: 1 });
		assert.match(error?.message, /^unit is "MW"; choose W, kW, kWh, Wh/);
	});
});

describe("the status of a learn node", () => {
	const facts = {
		isKnown: true,
		days: 40,
		percent: -9,
		limit_w: null,
		error: 11.2,
		rawError: 17.4,
		readUntil: 1,
	};
	const status = (
		change: object,
		language: "en-US" | "de",
		code?: string,
		now = HOUR,
	) =>
		learnStatus(
			{
				facts: () => ({ ...facts, ...change }),
				notes: () => (code ? [{ code, last: HOUR }] : []) as never,
				state: { timezone: "Europe/Berlin", demo: false } as never,
				isMissing: false,
			},
			now,
			translator(language),
		).text;

	it("is short, in both languages", () => {
		assert.equal(status({}, "en-US"), "corrected −9 % · error 11 % (raw 17 %)");
		assert.equal(status({}, "de"), "korrigiert −9 % · Fehler 11 % (roh 17 %)");
		const learning = { percent: 0, error: null, days: 5 };
		assert.equal(status(learning, "en-US"), "learning, day 6");
		assert.equal(status(learning, "de"), "lernt, Tag 6");
		assert.equal(
			status({ percent: 4, error: null }, "en-US"),
			"corrected +4 %",
		);
		assert.match(
			String(status({}, "en-US", undefined, 2 * DAY)),
			/^no reading since Jan 1, \d\d:\d\d · corrected −9 %/,
		);
		for (const code of NOTE_CODES.filter((each) => each !== "coarse")) {
			assert.match(
				String(status({}, "en-US", code)),
				/^[a-zA-Z].{3,30} · corrected −9 %/,
			);
			assert.match(
				String(status({}, "de", code)),
				/^[a-zA-Z].{3,35} · korrigiert −9 %/,
			);
		}
	});
});
