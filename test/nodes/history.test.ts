import assert from "node:assert/strict";
import { HOUR_MS as HOUR, MINUTE_MS as MINUTE } from "../../src/util/time";
import { Flows, KEY, SITE } from "../support/flows";
import { historyNode } from "../support/own-nodes";

const START = "2026-11-27T08:12:33Z";
const MONTH = { startDate: "2026-10-01", endDate: "2026-10-31" };
const INLINE = {
	latitude: 52.52,
	longitude: 13.4,
	strings: [{ slope: 35, orientation: 90, power_kw: 4.8 }],
};

/** A history node with a helper node behind it. */
const nodes = (more: object = {}): object[] => [
	historyNode({ id: "h", period: "", wires: [["h-out"]], ...more }),
	{ id: "h-out", type: "helper", z: "tab" },
];

describe("solar-yield-history in Node-RED", () => {
	let flows: Flows;
	const load = (more: object = {}, ...others: object[]) =>
		flows.load([
			flows.account(),
			...nodes(more),
			...Flows.catchNode,
			...others,
		]);
	const done = async (msg: object = {}) => {
		const { answers, error } = await flows.call("h", msg);
		assert.equal(error?.message, undefined);
		return answers as Record<string, any>[];
	};
	const refused = async (msg: object = {}) => {
		const { answers, error } = await flows.call("h", msg);
		assert.equal(answers.length, 0);
		assert.ok(error);
		return error;
	};
	/** Queries of the historical requests that the service saw. */
	const asked = () =>
		flows.simulator.requests.filter(({ path }) =>
			path.startsWith("/v2/historical/"),
		);
	beforeEach(async () => {
		flows = new Flows(START);
		await flows.start();
	});
	afterEach(() => flows.stop());

	it("sends a range in the shape of a forecast, with the quota of its own kind", async () => {
		await load({ ...MONTH, include: ["default", "weather"] });
		flows.simulator.spend(KEY, 7, "historical");
		flows.simulator.spend(KEY, 100, "forecast");
		const [msg, ...rest] = await done({ house: "north", _msgid: "m1" });
		assert.equal(rest.length, 0);
		assert.equal(msg?.topic, `solar-yield/${SITE}/history`);
		assert.equal(msg?.house, "north");
		assert.equal(msg?._msgid, "m1");
		assert.equal(
			asked()[0]?.query,
			"start_date=2026-10-01&end_date=2026-10-31&include=default&include=weather",
		);
		const { payload, solar, quota } = msg as any;
		assert.equal(payload.site_id, SITE);
		assert.equal(payload.timezone, "Europe/Berlin");
		assert.equal(payload.next_poll_at, null);
		assert.deepEqual(payload.included, ["default", "weather"]);
		assert.equal(payload.daily.length, 31);
		// The change to winter time gives October an hour more.
		assert.equal(payload.values.length, 31 * 96 + 4 - 1);
		assert.equal(payload.values[0].timestamp, "2026-10-01T00:15:00+02:00");
		assert.equal("ghi" in payload.values[0], false);
		assert.equal("temp" in payload.values[0], true);
		assert.equal(payload.strings, undefined);
		assert.deepEqual(payload.solar, solar);
		assert.equal(solar.site_name, "Berlin");
		assert.equal(solar.cached, false);
		assert.equal(solar.next_request_at, null);
		assert.deepEqual(quota, {
			limit: 3000,
			unmetered: false,
			used: 8,
			remaining: 2992,
			reset: "2026-12-01T00:00:00Z",
			as_of: "2026-11-27T08:12:33Z",
			own: 1,
			// What is asked on input only has no pace.
			projected: null,
			pace: null,
		});
		assert.equal(flows.forecastRequests, 0);
	});

	it("sends days one by one, with parts", async () => {
		await load({ ...MONTH, split: true, include: ["default", "strings"] });
		const messages = await done({ house: "north" });
		const days = messages.filter(({ topic }) =>
			/\/history\/[\d-]+$/.test(topic),
		);
		assert.equal(days.length, 31);
		assert.equal(messages.length, 31 * 3);
		for (const [index, day] of days.entries()) {
			const date = `2026-10-${String(index + 1).padStart(2, "0")}`;
			assert.equal(day.topic, `solar-yield/${SITE}/history/${date}`);
			assert.equal(day.house, "north");
			assert.equal(day.retain, undefined);
			assert.deepEqual(day.parts, {
				id: days[0]?.parts.id,
				type: "array",
				index,
				count: 31,
			});
			assert.deepEqual(
				day.payload.daily.map((row: any) => row.date),
				[date],
			);
		}
		assert.equal(
			messages[1]?.topic,
			`solar-yield/${SITE}/history/2026-10-01/strings/str_south`,
		);
		assert.equal(asked().length, 1);
		assert.equal(flows.status("h")?.fill, "green");
	});

	it("takes the range from node or message", async () => {
		await load({ period: "7d" });
		const [week] = await done();
		assert.equal(week?.payload.daily.length, 7);
		assert.equal(week?.payload.daily.at(-1).date, "2026-11-27");
		const [days] = await done({
			startDate: "2026-11-01",
			endDate: "2026-11-02",
			timezone: "utc",
			include: "default",
		});
		assert.equal(days?.payload.daily.length, 2);
		assert.equal(days?.payload.values[0].timestamp, "2026-10-31T23:15:00Z");
		await done({ period: "2d", params: { extra: 1 } });
		assert.deepEqual(
			asked().map(({ query }) => query),
			[
				"period=7d&include=default",
				"start_date=2026-11-01&end_date=2026-11-02&include=default",
				"period=2d&include=default&extra=1",
			],
		);
	});

	it("refuses what makes no range, without a request", async () => {
		await load({ period: "7d" });
		for (const [msg, words] of [
			[{ period: "7 days" }, /^period is "7 days"/],
			[{ startDate: "2026-11-01" }, /^endDate is ""/],
			[
				{ startDate: "2026-11-02", endDate: "2026-11-01" },
				/^endDate is 2026-11-01 and lies before/,
			],
			[
				{ startDate: "2026-11-29", endDate: "2026-11-30" },
				/lies in the future/,
			],
			[
				{ period: "7d", startDate: "2026-11-01" },
				/^period is "7d" and startDate/,
			],
			[{ split: "yes" }, /^split is "yes"/],
			[{ refresh: "now" }, /^refresh is "now"; give true or false$/],
			[{ source: "cloud" }, /^source is "cloud"/],
			[{ inline: "{", source: "inline" }, /^inline is no JSON/],
			[{ params: { period: "7d" } }, /^params\.period/],
		] as const) {
			const error = await refused({ ...msg });
			assert.equal(error.code, "SOLAR_YIELD_INPUT");
			assert.match(error.message, words);
		}
		assert.equal(flows.simulator.requests.length, 0);
		assert.equal(flows.status("h")?.fill, "red");
	});

	it("asks no more than once a quarter hour where today is in the range", async () => {
		await load();
		await flows.runTo("2026-11-27T13:16:00Z");
		const range = { startDate: "2026-11-20", endDate: "2026-11-27" };
		const [first] = await done({ ...range });
		for (let press = 0; press < 5; press += 1) {
			const [again] = await done({ ...range });
			assert.equal(again?.solar.cached, true);
			assert.equal(again?.solar.fetched_at, first?.solar.fetched_at);
			assert.deepEqual(again?.payload.values, first?.payload.values);
			await flows.runFor(2 * MINUTE);
		}
		assert.equal(asked().length, 1);
		// Another question, and one that wants the service's own word.
		await done({ ...range, include: ["weather"] });
		assert.equal(asked().length, 2);
		await done({ ...range, refresh: true });
		assert.equal(asked().length, 3);
		await flows.runTo("2026-11-27T13:30:01Z");
		const [next] = await done({ ...range });
		assert.equal(next?.solar.cached, false);
		assert.equal(next?.payload.values.length, first?.payload.values.length + 1);
		assert.equal(asked().length, 4);
	});

	it("forgets a site's history when the site is changed", async () => {
		await load(MONTH, {
			id: "s",
			type: "solar-yield-site",
			z: "tab",
			account: "acc",
			siteId: SITE,
			operation: "",
			wires: [[]],
		});
		await done();
		await flows.call("s", { operation: "update", payload: { name: "x" } });
		await done();
		assert.equal(asked().length, 1);
		await flows.call("s", {
			operation: "update-string",
			payload: { id: "str_west", power_kw: 5 },
		});
		const [msg] = await done();
		assert.equal(asked().length, 2);
		assert.equal(msg?.solar.strings[1].power_kw, 5);
	});

	it("makes one request for messages that come together", async () => {
		await load(MONTH);
		await Promise.all([flows.input("h"), flows.call("h", {})]);
		await flows.quiet();
		assert.equal(asked().length, 1);
	});

	it("stops at its own 429 until reset, and lets forecasts go on", async () => {
		await load({ period: "2d" }, ...flows.forecast("f", { poll: "manual" }));
		flows.simulator.spend(KEY, 3000, "historical");
		const error = await refused();
		assert.equal(error.code, "SOLAR_YIELD_QUOTA");
		assert.equal(error.cause.retry_at, "2026-12-01T00:00:00.000Z");
		assert.equal(asked().length, 1);
		const held = await refused();
		assert.equal(held.code, "SOLAR_YIELD_QUOTA");
		assert.equal(held.cause.retry_at, "2026-12-01T00:00:00.000Z");
		assert.equal(asked().length, 1);
		await flows.input("f");
		assert.equal(flows.forecastRequests, 1);
		assert.equal(flows.of("f-1")[0]?.quota.used, 1);
		await flows.runFor(4 * 24 * HOUR);
		const [msg] = await done();
		assert.equal(msg?.quota.used, 1);
		assert.equal(msg?.quota.own, 1);
	});

	it("describes systems that are not stored", async () => {
		await load({ source: "inline", inline: JSON.stringify(INLINE), ...MONTH });
		const include = ["default", "strings"];
		const [msg, string] = await done({ include });
		assert.equal(msg?.topic, "solar-yield/inline-h/history");
		assert.equal(msg?.payload.site_id, "inline-h");
		assert.equal(string?.topic, "solar-yield/inline-h/history/strings/0");
		assert.equal(string?.payload.slope, 35);
		assert.deepEqual(
			flows.simulator.requests.map(({ method, path }) => `${method} ${path}`),
			["POST /v2/historical/inline"],
		);
		const [again] = await done({ include });
		assert.equal(again?.solar.cached, true);
		const other = { ...INLINE, latitude: 48 };
		const [moved] = await done({ include, inline: other });
		assert.equal(moved?.solar.cached, false);
		const [stored] = await done({ siteId: SITE });
		assert.equal(stored?.payload.site_id, SITE);
	});

	it("leaves out a group that the plan refuses, and says so", async () => {
		flows.simulator.setPlan(KEY, "updates-96");
		await load({ ...MONTH, include: ["default", "variability"] });
		const [msg] = await done();
		assert.deepEqual(msg?.solar.missing, ["variability"]);
		assert.equal(msg?.quota.own, 1);
		const error = await refused({ include: ["variability"] });
		assert.equal(error.code, "SOLAR_YIELD_PLAN");
	});

	it("explains unknown and deleted sites, and failures that pass", async () => {
		await load(MONTH);
		const unknown = await refused({ siteId: "site_none" });
		assert.equal(unknown.code, "SOLAR_YIELD_NOT_FOUND");
		assert.equal(asked().length, 0);
		flows.fault = (_request, response) => {
			response.writeHead(503).end();
		};
		const down = await refused();
		assert.equal(down.code, "SOLAR_YIELD_SERVICE");
		assert.match(down.message, /send the message again later$/);
		flows.fault = undefined;
		await done();
	});
});
