import assert from "node:assert/strict";
import fc from "fast-check";
import { openBattery } from "../../nodes/battery/node";
import { HOUR_MS as HOUR } from "../../src/util/time";
import { makeForecast } from "../export/forecasts";
import { Flows } from "../support/flows";
import { batteryNode } from "../support/own-nodes";
import { THREE_DAYS } from "./three-days";

type Message = Record<string, any>;

const NOW = Date.parse("2026-06-10T06:02:00Z");
const QUARTER_START = Date.parse("2026-06-10T06:00:00Z");

/** What an input may be, good and bad. */
interface Kind {
	readonly good: fc.Arbitrary<unknown>;
	readonly bad: fc.Arbitrary<unknown>;
	/** Whether the answer shows that the good value was taken. */
	readonly isTaken: (payload: Message, value: any) => boolean;
}

const noNumber = fc.constantFrom<unknown>(
	"much",
	Number.NaN,
	Number.POSITIVE_INFINITY,
	true,
	[],
	{},
	"1,5",
	-1e9,
	1e12,
);
const isNew = (name: string) => (payload: Message) =>
	payload.inputs[name]?.age_minutes === 0;

/** Rows as price nodes send them, some of them spoiled. */
const startNames = ["start", "startsAt", "time", "from", "valid_from"];
const priceNames = ["price", "total", "value"];
const goodRows = fc
	.record({
		count: fc.integer({ min: 2, max: 48 }),
		start: fc.constantFrom(...startNames),
		price: fc.constantFrom(...priceNames),
		wrapped: fc.constantFrom(null, "priceData", "prices", "data", "rates"),
		holes: fc.array(fc.integer({ min: 1, max: 47 }), { maxLength: 3 }),
	})
	.map(({ count, start, price, wrapped, holes }) => {
		const rows = Array.from({ length: count }, (_, hour) => ({
			[start]: new Date(QUARTER_START + hour * HOUR).toISOString(),
			[price]: holes.includes(hour) ? null : 0.1 + (hour % 7) / 20,
		})).reverse();
		return wrapped ? { [wrapped]: rows } : rows;
	});

const badRows = fc.constantFrom<unknown>(
	"dear",
	5,
	{ rows: [] },
	[{ start: "soon", price: 1 }],
	[{ start: "2026-06-10T08:00:00Z" }],
	[{ start: "2026-06-10T08:00:00Z", price: "dear" }],
	[{ start: "2020-06-10T08:00:00Z", price: 1 }],
	[{ start: "2026-06-10T08:00:00Z", price: 1, unit: "furlongs" }],
);

const KINDS: Readonly<Record<string, Kind>> = {
	soc: {
		good: fc.oneof(fc.integer({ min: 2, max: 105 }), fc.constant("55")),
		bad: fc.oneof(noNumber, fc.constantFrom(-6, 106)),
		isTaken: (payload, value) => {
			const percent = Math.min(100, Number(value));
			// The first row is at most a quarter hour of 5 kW away.
			return Math.abs(payload.plan[0].soc - percent) < 15;
		},
	},
	load: {
		good: fc.integer({ min: 0, max: 1500 }),
		bad: fc.oneof(
			fc.constantFrom<unknown>("much", true, [1, 2], {}, -1, Number.NaN),
			fc.constant([{ start: "soon", end: "late", power_w: 1 }]),
		),
		isTaken: (payload, value) => payload.plan[5].load_w === value,
	},
	prices: { good: goodRows, bad: badRows, isTaken: isNew("prices") },
	feedIn: {
		good: fc.oneof(goodRows, fc.double({ min: -0.5, max: 0.5, noNaN: true })),
		bad: badRows.filter((value) => value !== 5),
		isTaken: isNew("feedIn"),
	},
	targets: {
		good: fc.array(
			fc.record({
				soc: fc.integer({ min: 10, max: 100 }),
				by: fc.constantFrom("07:30", "23:59", "2026-06-11T06:00:00Z"),
			}),
			{ minLength: 1, maxLength: 3 },
		),
		bad: fc.constantFrom<unknown>(
			"full",
			[{ soc: 120, by: "07:00" }],
			[{ soc: 50, by: "25:00" }],
			[{ soc: 50, till: "07:00" }],
			[7],
		),
		isTaken: isNew("targets"),
	},
	settings: {
		good: fc.record({ minSoc: fc.integer({ min: 0, max: 30 }) }),
		bad: fc.constantFrom<unknown>(
			"fast",
			7,
			[],
			{ minsoc: 5 },
			{ maxSoc: 101 },
			{ strategy: "fastest" },
			{ sell: "ever" },
		),
		isTaken: isNew("settings"),
	},
	house_w: {
		good: fc.integer({ min: 0, max: 20_000 }),
		bad: noNumber,
		isTaken: () => true,
	},
};

/** For each input: a good value, a bad one, or none. */
const message = fc.record(
	Object.fromEntries(
		Object.entries(KINDS).map(([name, { good, bad }]) => [
			name,
			fc.oneof(
				fc.record({ isGood: fc.constant(true), value: good }),
				fc.record({ isGood: fc.constant(false), value: bad }),
				fc.constant(null),
			),
		]),
	),
);

describe("any message to a battery node", () => {
	const { body, solar } = makeForecast(THREE_DAYS);
	const computed_at = "2026-06-10T06:00:00Z";
	const forecast = (): Message => ({
		topic: "pv/site_a1/forecast",
		payload: structuredClone({ ...body, computed_at }),
		solar: { ...solar, computed_at },
	});
	let flows: Flows;

	before(async () => {
		flows = new Flows(new Date(NOW).toISOString());
		flows.onClock("solar-yield-battery", openBattery as never);
		await flows.start();
		await flows.load([
			batteryNode({ id: "b", strategy: "price", wires: [["b-out"]] }),
			{ id: "b-out", type: "helper", z: "tab" },
			...Flows.catchNode,
		]);
	});
	after(() => flows.stop());

	it("loses no good input to a bad one, and says what is wrong with each bad one", async () => {
		await fc.assert(
			fc.asyncProperty(
				message,
				fc.constantFrom("good", "bad", "none"),
				async (given, ofForecast) => {
					// What was known before must not pass for what came now.
					await flows.call("b", {
						...forecast(),
						soc: 50,
						...{ load: null, prices: null, feedIn: null, targets: null },
						...{ settings: null },
					});
					const parts = Object.entries(given).flatMap(([name, part]) =>
						part ? [[name, part as Message] as const] : [],
					);
					const msg: Message = {
						...(ofForecast === "good" && forecast()),
						...(ofForecast === "bad" && {
							payload: { values: [{ timestamp: "soon" }] },
						}),
						...Object.fromEntries(
							parts.map(([name, { value }]) => [name, structuredClone(value)]),
						),
					};
					const { answers, error } = await flows.call("b", msg);

					const bad = parts.filter(([, { isGood }]) => !isGood);
					const good = parts.filter(([, { isGood }]) => isGood);
					const isNothing = parts.length === 0 && ofForecast === "none";
					const isWrong = bad.length > 0 || ofForecast === "bad" || isNothing;
					assert.equal(error !== undefined, isWrong, error?.message);
					if (error) assert.equal(error.code, "SOLAR_YIELD_INPUT");
					for (const [name] of bad) {
						const ofThis = String(error?.message)
							.split(" · ")
							.filter((text) => text.startsWith(name));
						assert.ok(ofThis.length > 0, `${name}: ${error?.message}`);
						for (const text of ofThis) assert.match(text, /; | \(.*used\)/);
					}
					if (ofForecast === "bad") {
						assert.match(String(error?.message), /values|timestamp/);
					}
					const makesPlan =
						ofForecast === "good" || good.some(([name]) => name !== "house_w");
					assert.equal(answers.length, makesPlan ? 1 : 0);
					for (const [name, { value }] of good) {
						if (!makesPlan) continue;
						const { payload } = answers[0] as Message;
						assert.ok(
							KINDS[name]?.isTaken(payload, value),
							`${name} = ${JSON.stringify(value)} was lost`,
						);
					}
					if (makesPlan) {
						const answer = answers[0] as Message;
						assert.equal(answer.retain, false);
						assert.deepEqual(
							Object.keys(answer).sort(),
							["_msgid", "payload", "retain", "solar", "topic"].sort(),
						);
					}
				},
			),
			{ numRuns: 60 },
		);
	}).timeout(120_000);
});
