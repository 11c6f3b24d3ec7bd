import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { PLANS } from "../../src/simulator/plans";
import { KEY, World } from "./support";

const START = "2026-05-10T10:00:00Z";

/** The four quota headers in order: limit, used, remaining, reset. */
function quota({ headers }: { headers: Readonly<Record<string, string>> }) {
	return ["limit", "used", "remaining", "reset"].map(
		(name) => headers[`requestlimit-${name}`],
	);
}

describe("simulator: quota and entitlements", () => {
	it("counts forecasts and history apart, as strings", () => {
		const world = new World(START, "free");
		world.addSite();
		const reset = "2026-06-01T00:00:00Z";
		assert.deepEqual(quota(world.forecast()), ["250", "1", "249", reset]);
		assert.deepEqual(quota(world.forecast()), ["250", "2", "248", reset]);
		const past = world.get("/v2/historical/site_a", "period=1d");
		assert.deepEqual(quota(past), ["50", "1", "49", reset]);
		const inline = world.send("POST", "/v2/forecast/inline", "", {
			latitude: 1,
			longitude: 2,
		});
		assert.deepEqual(quota(inline), ["250", "3", "247", reset]);
		assert.deepEqual(
			world.simulator.requests.map(({ counted }) => counted),
			[true, true, true, true],
		);
	});

	it("draws several sites from one counter, and scales with them where the plan does", () => {
		const world = new World(START, {
			...PLANS.plus,
			forecastRequests: 100,
			requestsPerExtraSite: 50,
		});
		world.addSite();
		world.addSite({ id: "site_b" });
		world.forecast();
		const second = quota(world.forecast("", "site_b"));
		assert.deepEqual(second.slice(0, 3), ["150", "2", "148"]);
	});

	it("says unmetered, with a numeric use", () => {
		const world = new World(START, "unmetered");
		world.addSite();
		assert.deepEqual(quota(world.forecast()), [
			"unmetered",
			"1",
			"unmetered",
			"2026-06-01T00:00:00Z",
		]);
	});

	it("answers 429 with headers at the limit, uncounted, until the month of UTC ends", () => {
		const world = new World(START, "free");
		world.addSite();
		world.simulator.spend(KEY, 249);
		assert.equal(world.forecast().status, 200);
		for (let k = 0; k < 3; k++) {
			const refused = world.forecast();
			assert.equal(refused.status, 429);
			assert.deepEqual(quota(refused).slice(0, 3), ["250", "250", "0"]);
		}
		assert.equal(world.get("/v2/sites").status, 200);
		assert.equal(world.get("/v2/historical/site_a", "period=1d").status, 200);
		world.set("2026-05-31T23:59:59.999Z");
		assert.equal(world.forecast().status, 429);
		world.set("2026-06-01T00:00:00Z");
		const next = world.forecast();
		assert.equal(next.status, 200);
		assert.deepEqual(quota(next), ["250", "1", "249", "2026-07-01T00:00:00Z"]);
		world.set("2026-12-31T23:00:00Z");
		assert.equal(quota(world.forecast())[3], "2027-01-01T00:00:00Z");
	});

	it("lets others spend up to the limit and no further", () => {
		const world = new World(START, "free");
		world.addSite();
		world.simulator.spend(KEY, 9999);
		world.simulator.spend(KEY, 7, "historical");
		assert.equal(quota(world.forecast())[1], "250");
		const past = world.get("/v2/historical/site_a", "period=1d");
		assert.equal(quota(past)[1], "8");
	});

	it("takes a raised plan at once", () => {
		const world = new World(START, "free");
		world.addSite();
		world.simulator.spend(KEY, 250);
		assert.equal(world.forecast().status, 429);
		world.simulator.setPlan(KEY, "light");
		assert.deepEqual(quota(world.forecast()).slice(0, 3), [
			"3000",
			"251",
			"2749",
		]);
	});

	it("refuses a missing or wrong key and shows no quota", () => {
		const world = new World(START);
		world.addSite();
		for (const key of ["wrong", "", KEY.slice(1)]) {
			const answer = world.send(
				"GET",
				"/v2/forecast/site_a",
				"",
				undefined,
				key,
			);
			assert.equal(answer.status, 401);
			assert.equal(answer.headers["requestlimit-used"], undefined);
			assert.ok(answer.headers.date);
		}
		const none = world.simulator.handle({
			method: "GET",
			path: "/v2/sites",
			query: new URLSearchParams(),
			headers: {},
			body: "",
		});
		assert.equal(none.status, 401);
		const seen = JSON.stringify(world.simulator.requests);
		assert.ok(!seen.includes(KEY));
		assert.ok(
			world.simulator.requests.every(({ account }) => account === null),
		);
	});

	it("refuses without counting, with the quota in the headers", () => {
		const world = new World(START, "light");
		world.addSite();
		const refusals: readonly [string, string, number, RegExp][] = [
			["site_a", "include=variability", 403, /variability/],
			["site_x", "", 404, /not found/i],
			["site_a", "include=everything", 422, /include/],
			["site_a", "forecast_days=-1", 422, /forecast_days/],
			["site_a", "past_days=1.5", 422, /past_days/],
			["site_a", "timezone=Europe/Berlin", 422, /timezone/],
		];
		for (const [id, query, status, text] of refusals) {
			const answer = world.forecast(query, id);
			assert.equal(answer.status, status, query);
			assert.match(answer.text, text);
			assert.equal(answer.headers["requestlimit-used"], "0");
		}
		world.simulator.setPlan(KEY, { ...PLANS.light, forecastAccess: false });
		const refused = world.forecast();
		assert.equal(refused.status, 403);
		assert.match(refused.json.detail, /forecast access/);
		assert.equal(refused.headers["requestlimit-used"], "0");
	});

	it("keeps a month of the densest polling within 3000 requests", () => {
		const world = new World("2026-05-01T00:00:00Z", {
			...PLANS.plus,
			forecastDays: 0,
		});
		world.addSite();
		let last = "";
		let polls = 0;
		while (world.now < Date.parse("2026-06-01T00:00:00Z")) {
			const { status, json } = world.forecast();
			assert.equal(status, 200);
			assert.notEqual(json.computed_at, last);
			last = json.computed_at;
			polls++;
			world.now = Date.parse(json.next_poll_at);
		}
		assert.equal(polls, 31 * 96);
	});

	it("stamps every answer with its date and knows its paths", () => {
		const world = new World("2026-11-27T08:12:33.900Z");
		const answers = [
			world.get("/v2/sites"),
			world.get("/nowhere"),
			world.get("/v2/sites/%E0%A4%A"),
			world.send("PUT", "/v2/sites"),
		];
		assert.deepEqual(
			answers.map(({ status }) => status),
			[200, 404, 404, 405],
		);
		for (const { headers } of answers)
			assert.equal(headers.date, "Fri, 27 Nov 2026 08:12:33 GMT");
		world.simulator.requests.length = 0;
		world.get("/v2/sites/", "a=1");
		assert.deepEqual(world.simulator.requests, [
			{
				at: world.now,
				method: "GET",
				path: "/v2/sites/",
				query: "a=1",
				status: 200,
				counted: false,
				account: 0,
			},
		]);
	});
});
