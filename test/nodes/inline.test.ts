import assert from "node:assert/strict";
import { HOUR_MS as HOUR, MINUTE_MS as MINUTE } from "../../src/util/time";
import { Flows } from "../support/flows";

const SYSTEM = {
	latitude: 52.52,
	longitude: 13.4,
	strings: [
		{ slope: 35, orientation: 90, power_kw: 4.8 },
		{ slope: 35, orientation: 270, power_kw: 5.2 },
	],
};

describe("solar-yield-forecast with a system of its own", () => {
	let flows: Flows;
	const inline = (more: object = {}) =>
		flows.forecast("f", {
			source: "inline",
			inline: JSON.stringify(SYSTEM),
			include: ["default", "strings"],
			...more,
		});
	const load = (more: object = {}) =>
		flows.load([
			flows.account({ siteId: "" }),
			...inline(more),
			...Flows.catchNode,
		]);
	beforeEach(async () => {
		flows = new Flows("2026-06-10T09:01:00Z");
		await flows.start();
	});
	afterEach(() => flows.stop());

	it("asks every six hours unless told otherwise, and counts each request", async () => {
		await load();
		assert.equal(flows.forecastRequests, 1);
		await flows.runFor(6 * HOUR - MINUTE);
		assert.equal(flows.forecastRequests, 1);
		await flows.runFor(2 * MINUTE);
		assert.equal(flows.forecastRequests, 2);
		const last = flows.of("f-1").at(-1);
		assert.equal(last?.quota.own, 2);
		assert.equal(last?.quota.used, 2);
		assert.equal(last?.payload.next_poll_at, null);
		assert.match(last?.solar.reason, /interval/);
		assert.equal(last?.solar.next_request_at, "2026-06-10T21:01:00Z");
		assert.ok(
			flows.simulator.requests.every(
				({ method, path }) =>
					`${method} ${path}` === "POST /v2/forecast/inline",
			),
		);
	});

	it("names topics by the node and strings by their index, with what is known of them", async () => {
		await load();
		assert.equal(flows.of("f-1")[0]?.topic, "solar-yield/inline-f/forecast");
		assert.equal(flows.of("f-1")[0]?.payload.site_id, "inline-f");
		assert.equal(flows.of("f-2")[0]?.topic, "solar-yield/inline-f/daily/0");
		const [east, west] = flows.of("f-3");
		assert.equal(east?.topic, "solar-yield/inline-f/strings/0");
		assert.equal(west?.payload.string_id, null);
		assert.equal(west?.payload.orientation, 270);
		assert.equal(west?.payload.power_kw, 5.2);
		assert.deepEqual(
			east?.solar.strings.map(({ slope }: any) => slope),
			[35, 35],
		);
	});

	it("says what is wrong with a system", async () => {
		await load({
			inline: JSON.stringify({
				...SYSTEM,
				strings: [{ slope: 35, orientation: -90, power_kw: 4.8 }],
			}),
		});
		await flows.input("f");
		assert.match(
			flows.of("caught")[0]?.error.message,
			/^inline\.strings\[0\]\.orientation is -90; .*add 180/,
		);
	});
});
