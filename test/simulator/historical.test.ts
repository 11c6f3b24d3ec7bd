import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { PLACES, World } from "./support";

const NOW = "2026-11-27T08:12:33Z";
const PATH = "/v2/historical/site_a";

function world(plan: "plus" | "free" = "plus") {
	const made = new World(NOW, plan);
	made.addSite();
	return made;
}

describe("simulator: historical", () => {
	it("answers like a forecast, without next_poll_at", () => {
		const { status, json, headers } = world().get(
			PATH,
			"start_date=2026-10-24&end_date=2026-10-26&include=all",
		);
		assert.equal(status, 200);
		assert.equal(headers["requestlimit-limit"], "3000");
		assert.deepEqual(Object.keys(json), [
			"site_id",
			"timezone",
			"computed_at",
			"included",
			"available",
			"daily",
			"values",
			"strings",
		]);
		assert.equal(json.values.length, 96 + 100 + 96);
		assert.equal(json.values[0].timestamp, "2026-10-24T00:00:00+02:00");
		assert.equal(json.values.at(-1).timestamp, "2026-10-26T23:45:00+01:00");
		assert.deepEqual(
			json.daily.map(({ date }: { date: string }) => date),
			["2026-10-24", "2026-10-25", "2026-10-26"],
		);
	});

	const periods: readonly [string, string, number][] = [
		["1d", "2026-11-27", 1],
		["7d", "2026-11-21", 7],
		["1m", "2026-10-28", 31],
		["1y", "2025-11-28", 365],
	];
	for (const [period, first, days] of periods)
		it(`takes the period ${period} as the days from ${first} to today`, () => {
			const { json } = world().get(PATH, `period=${period}`);
			assert.equal(json.daily.length, days);
			assert.equal(json.daily[0].date, first);
			assert.equal(json.values.at(-1).timestamp, "2026-11-27T09:00:00+01:00");
		});

	it("says what happened: the same whenever it is asked", () => {
		const made = world();
		const query = "start_date=2026-11-01&end_date=2026-11-03&include=default";
		const first = made.get(PATH, query).json;
		made.now += 20 * 86_400_000;
		const second = made.get(PATH, query).json;
		assert.deepEqual(first.values, second.values);
		assert.deepEqual(first.daily, second.daily);
	});

	it("differs from the archived forecast of the same days", () => {
		const made = world();
		const archived = made.forecast("past_days=10&forecast_days=0").json.daily;
		const past = made.get(PATH, "period=11d").json.daily;
		assert.deepEqual(
			past.map(({ date }: { date: string }) => date),
			archived.map(({ date }: { date: string }) => date),
		);
		assert.notDeepEqual(past.slice(0, -1), archived.slice(0, -1));
	});

	const refused: readonly [string, string][] = [
		["", "start_date"],
		["start_date=2026-11-01", "end_date"],
		["start_date=2026-02-30&end_date=2026-03-01", "start_date"],
		["start_date=2026-11-02&end_date=2026-11-01", "end_date"],
		["start_date=2026-11-28&end_date=2026-11-29", "start_date"],
		["start_date=2020-01-01&end_date=2026-11-01", "end_date"],
		["period=7", "period"],
		["period=0d", "period"],
		["period=7d&start_date=2026-11-01", "period"],
		["period=7d&include=nothing", "include"],
		["period=7d&timezone=CET", "timezone"],
	];
	for (const [query, name] of refused)
		it(`refuses "${query}" naming ${name}, uncounted`, () => {
			const { status, json, headers } = world().get(PATH, query);
			assert.equal(status, 422);
			assert.equal(json.detail[0].loc[1], name);
			assert.equal(headers["requestlimit-used"], "0");
		});

	it("refuses unknown sites, and variability on a plan without", () => {
		const made = world("free");
		assert.equal(made.get("/v2/historical/site_x", "period=1d").status, 404);
		const plan = made.get(PATH, "period=1d&include=variability");
		assert.equal(plan.status, 403);
		assert.equal(plan.headers["requestlimit-used"], "0");
	});

	it("answers inline, in local days of the place", () => {
		const made = world();
		const { status, json } = made.send(
			"POST",
			"/v2/historical/inline",
			"start_date=2026-11-20&end_date=2026-11-20&timezone=utc",
			{
				...PLACES.kathmandu,
				strings: [{ slope: 0, orientation: 0, power_kw: 1 }],
			},
		);
		assert.equal(status, 200);
		assert.equal(json.timezone, "Asia/Kathmandu");
		assert.equal(json.values[0].timestamp, "2026-11-19T18:15:00Z");
		assert.equal(json.values.length, 96);
		assert.equal(
			made.send("POST", "/v2/historical/inline", "period=1d", {}).status,
			422,
		);
	});
});
