import assert from "node:assert/strict";
import { SolarYieldClient } from "../../src/service/client";
import { GROUP_NAMES, GROUPS } from "../../src/service/v2/groups";
import { createDemo, type Demo } from "../../src/simulator/demo";
import { DAY, MINUTE } from "../support/time";

type Json = Record<string, any>;

const NOW = Date.parse("2026-06-10T09:07:11Z");
const ALL = "include=all&include=variability";

/** A demo whose clock can be set. */
function demoAt(time = NOW) {
	const clock = { time };
	return { clock, demo: createDemo(() => clock.time) };
}

async function ask(
	{ exchange }: Demo,
	path: string,
	body?: object,
): Promise<{ status: number; headers: Json; json: Json }> {
	const [plain = "", query] = path.split("?");
	const answer = await exchange({
		method: body ? "POST" : "GET",
		path: plain,
		query: [...new URLSearchParams(query)],
		...(body && { body }),
	});
	return { ...answer, json: JSON.parse(answer.body) };
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
const HOUSE = "/v2/forecast/site_demo";

describe("the demo: its forecast", () => {
	it("is the same for the same date, whenever the demo was started", async () => {
		const { clock, demo } = demoAt(NOW - 40 * DAY);
		await ask(demo, HOUSE);
		clock.time = NOW;
		assert.deepEqual(
			(await ask(demo, `${HOUSE}?${ALL}`)).json,
			(await ask(demoAt().demo, `${HOUSE}?${ALL}`)).json,
		);
	});

	it("has the fields and rows of every group, of both roofs", async () => {
		const { demo } = demoAt();
		const { json } = await ask(demo, `${HOUSE}?${ALL}&past_days=1`);
		assert.equal(json.site_id, "site_demo");
		assert.equal(json.timezone, "Europe/Berlin");
		assert.deepEqual(json.included, [...GROUP_NAMES].sort());
		assert.deepEqual([...json.available].sort(), [...GROUP_NAMES].sort());
		assert.deepEqual(json.daily.map(({ date }: Json) => date).slice(0, 2), [
			"2026-06-09",
			"2026-06-10",
		]);
		assert.equal(json.daily.length, 9);
		assert.equal(json.values.length, 9 * 96);
		assert.equal(json.strings.length, 2 * 9 * 96);
		assert.equal(json.values[0].timestamp, "2026-06-09T00:00:00+02:00");
		for (const group of GROUP_NAMES) {
			for (const block of ["values", "strings", "daily"] as const) {
				for (const field of GROUPS[group][block])
					assert.equal(typeof json[block][0][field], "number", field);
			}
		}
		const [few] = (await ask(demo, `${HOUSE}?include=weather`)).json.values;
		assert.deepEqual(
			Object.keys(few).sort(),
			["timestamp", ...GROUPS.weather.values].sort(),
		);
		for (const [at, row] of json.values.entries()) {
			const strings = [json.strings[at], json.strings[at + 9 * 96]];
			const power = sum(strings.map(({ pv_power }) => pv_power));
			assert.ok(Math.abs(row.pv_power - power) < 0.01, row.timestamp);
			assert.ok(row.pv_power_min <= row.pv_power, row.timestamp);
			assert.ok(row.pv_power_max >= row.pv_power, row.timestamp);
			// Thin clouds light roofs that face away from the sun.
			assert.ok(1.1 * row.pv_power_clearsky >= row.pv_power, row.timestamp);
		}
	});

	it("looks like real weeks: dark nights, roofs that peak in the morning and in the afternoon, sunny and cloudy days", async () => {
		const { clock, demo } = demoAt();
		const shares: number[] = [];
		for (const month of [2, 5, 9]) {
			clock.time = Date.UTC(2026, month, 20, 9);
			const { json } = await ask(demo, `${HOUSE}?include=all&past_days=14`);
			for (const day of json.daily) {
				shares.push(day.pv_energy_kwh / day.pv_energy_kwh_clearsky);
			}
			for (const { timestamp, pv_power } of json.values)
				if (/T(23|0[0-2])/.test(timestamp)) assert.equal(pv_power, 0);
			const best = (index: number) =>
				Number(
					json.strings
						.filter(({ string_index }: Json) => string_index === index)
						.reduce((a: Json, b: Json) => (b.gti > a.gti ? b : a))
						.timestamp.slice(11, 13),
				);
			assert.ok(best(0) < 12 && best(1) >= 12, `${best(0)} ${best(1)}`);
		}
		const part = (is: (share: number) => boolean) =>
			shares.filter(is).length / shares.length;
		assert.ok(part((share) => share < 0.4) > 0.15, "cloudy days");
		assert.ok(part((share) => share > 0.85) > 0.15, "sunny days");
	});

	it("comes anew each quarter of an hour, a little changed", async () => {
		const { clock, demo } = demoAt();
		const kwh = (json: Json, date: string) =>
			json.daily.find((day: Json) => day.date === date).pv_energy_kwh;
		const { json: first } = await ask(demo, HOUSE);
		assert.equal(first.computed_at, "2026-06-10T11:00:00+02:00");
		assert.equal(first.next_poll_at, "2026-06-10T11:15:00+02:00");
		clock.time += MINUTE;
		assert.deepEqual((await ask(demo, HOUSE)).json, first);
		clock.time += 15 * MINUTE;
		const { json: next } = await ask(demo, HOUSE);
		assert.equal(next.computed_at, "2026-06-10T11:15:00+02:00");
		assert.notDeepEqual(next.values, first.values);
		for (const { date, pv_energy_kwh } of first.daily)
			assert.ok(Math.abs(kwh(next, date) / pv_energy_kwh - 1) < 0.05, date);
	});

	it("goes through days of 23 and 25 hours, and writes UTC when asked", async () => {
		for (const [date, rows] of [
			["2026-03-29", 92],
			["2026-10-25", 100],
		] as const) {
			const { demo } = demoAt(Date.parse(`${date}T09:00:00Z`));
			const path = `${HOUSE}?forecast_days=0`;
			const { json } = await ask(demo, path);
			assert.equal(json.values.length, rows);
			const utc = (await ask(demo, `${path}&timezone=utc`)).json;
			assert.match(utc.computed_at, /Z$/);
			assert.deepEqual(
				utc.values.map(({ timestamp }: Json) => Date.parse(timestamp)),
				json.values.map(({ timestamp }: Json) => Date.parse(timestamp)),
			);
		}
	});
});

describe("the demo: the rest of the service", () => {
	it("keeps sites: lists, creates, reads, changes, deletes and restores them", async () => {
		const { demo } = demoAt();
		const client = new SolarYieldClient(demo.exchange);
		assert.deepEqual(
			(await client.sites()).map(({ site_id, state }) => [site_id, state]),
			[["site_demo", "active"]],
		);
		const hut = await client.createSite({
			name: "Hut",
			latitude: -33.9,
			longitude: 151.2,
			strings: [{ id: "mine", slope: 10, orientation: 0, power_kw: 2 }],
		});
		assert.notEqual(hut.strings[0]?.string_id, "mine");
		const changed = await client.updateSite(hut.site_id, {
			name: "Cabin",
			strings: [
				{ ...hut.strings[0], id: hut.strings[0]?.string_id, slope: 12 },
				{ slope: 5, orientation: 90, power_kw: 1 },
			],
		});
		assert.equal(changed.name, "Cabin");
		assert.equal(changed.strings[0]?.string_id, hut.strings[0]?.string_id);
		assert.deepEqual(
			changed.strings.map(({ string_index, slope }) => [string_index, slope]),
			[
				[0, 12],
				[1, 5],
			],
		);
		const forecast = await ask(
			demo,
			`/v2/forecast/${hut.site_id}?include=strings`,
		);
		assert.equal(
			forecast.json.strings[0].string_id,
			changed.strings[0]?.string_id,
		);

		assert.equal((await client.deleteSite(hut.site_id)).state, "deleted");
		const gone = await ask(demo, `/v2/forecast/${hut.site_id}`);
		assert.equal(gone.status, 404);
		assert.equal((await client.restoreSite(hut.site_id)).state, "active");
		assert.equal((await client.sites()).length, 2);
	});

	it("forecasts and looks back at a system that is not stored", async () => {
		const { demo } = demoAt();
		const system = {
			latitude: 52.52,
			longitude: 13.41,
			strings: [{ slope: 35, orientation: 90, power_kw: 4.8 }],
		};
		const query = "include=strings&include=default";
		const { json } = await ask(demo, `/v2/forecast/inline?${query}`, system);
		assert.ok(!("site_id" in json) && !("next_poll_at" in json));
		assert.ok(!("string_id" in json.strings[0]));
		const past = await ask(
			demo,
			"/v2/historical/inline?period=2d&include=default",
			system,
		);
		assert.deepEqual(
			past.json.daily.map(({ date }: Json) => date),
			["2026-06-09", "2026-06-10"],
		);
		// What has not happened yet is not told.
		assert.equal(
			past.json.values.at(-1).timestamp,
			"2026-06-10T11:00:00+02:00",
		);
	});

	it("counts forecasts and history, each by the month", async () => {
		const { clock, demo } = demoAt();
		const used = async (path: string) => {
			const { headers } = await ask(demo, path);
			return ["limit", "used", "remaining", "reset"].map(
				(name) => headers[`requestlimit-${name}`],
			);
		};
		const july = "2026-07-01T00:00:00Z";
		assert.deepEqual(await used(HOUSE), ["3000", "1", "2999", july]);
		assert.equal((await used(HOUSE))[1], "2");
		assert.equal((await used("/v2/historical/site_demo?period=1d"))[1], "1");
		assert.deepEqual(await used("/v2/sites/"), Array(4).fill(undefined));
		clock.time = Date.parse("2026-07-01T00:00:00Z");
		assert.equal((await used(HOUSE))[1], "1");
	});
});
