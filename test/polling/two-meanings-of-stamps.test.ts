import assert from "node:assert/strict";
import { forecastMessages } from "../../src/messages/forecast-messages";
import type { ForecastSnapshot } from "../../src/polling/account/snapshots";
import {
	HOUR,
	type House,
	household,
	MINUTE,
	SITE,
	shortPlan,
} from "../support/house";
import { QUARTER } from "../support/time";

const START = "2026-06-01T10:05:00Z";

/** Two accounts on one key that take stamps to mean different things, with a node each. */
async function twoAccounts(house: House) {
	await house.account({ interval: "end" }, "one");
	await house.account({ interval: "start" }, "other");
	const listeners = {
		end: house.listen(SITE, { interval: "end" }),
		start: house.listen(SITE, { interval: "start" }),
	};
	await house.start();
	return listeners;
}

const startsOf = ({ forecast }: ForecastSnapshot) => forecast.values.starts;

const messageOf = (state: ForecastSnapshot) => {
	const [[message]] = forecastMessages(
		state,
		{
			key: SITE,
			topic: "solar-yield",
			demo: false,
			selection: {
				include: ["default"],
				timezone: "utc",
				pastDays: 0,
				forecastDays: 7,
			},
		},
		false,
		() => "id",
	);
	assert.ok(message);
	return message;
};

describe("two accounts on one key that take stamps to mean different things", () => {
	it("each give their own meaning to their nodes, with one request for both", async () => {
		const { house, service } = household(START, shortPlan(24));
		const { end, start } = await twoAccounts(house);
		for (let hour = 0; hour < 5; hour += 1) {
			await house.runFor(HOUR);
			const [one, other] = [end, start].map(
				({ forecasts }) => forecasts.at(-1)?.state as ForecastSnapshot,
			) as [ForecastSnapshot, ForecastSnapshot];
			assert.deepEqual(
				startsOf(one).map((at) => at + QUARTER),
				startsOf(other),
			);
			assert.deepEqual(
				one.forecast.values.rows.map(({ pv_power }) => pv_power),
				other.forecast.values.rows.map(({ pv_power }) => pv_power),
			);
			assert.equal(messageOf(one).solar.interval, "end");
			assert.equal(messageOf(other).solar.interval, "start");
		}
		assert.equal(service.forecasts.length, 6);
		assert.equal(end.forecasts.length, 6);
		assert.equal(start.forecasts.length, 6);
	});

	it("do so for inputs and statuses as well, and from disk", async () => {
		const { house, service } = household(START, shortPlan(24));
		await twoAccounts(house);
		await house.runFor(10 * MINUTE);
		const see = async () => {
			const [one, other] = await Promise.all(
				(["end", "start"] as const).map((interval) =>
					house.ask(SITE, {}, false, interval),
				),
			);
			assert.equal(one?.state?.interval, "end");
			assert.equal(other?.state?.interval, "start");
			const first = house.state(SITE, "end").forecast?.values.starts[0];
			const second = house.state(SITE, "start").forecast?.values.starts[0];
			assert.equal((first ?? 0) + QUARTER, second);
			assert.equal(first, one?.state?.forecast.values.starts[0]);
			assert.equal(second, other?.state?.forecast.values.starts[0]);
		};
		await see();
		house.restart();
		const { end, start } = await twoAccounts(house);
		assert.equal(end.forecasts[0]?.state.interval, "end");
		assert.equal(start.forecasts[0]?.state.interval, "start");
		await see();
		assert.equal(service.forecasts.length, 1);
	});

	it("each settle the quarters that began, over restarts", async () => {
		const parts = household("2026-06-01T04:05:00Z", shortPlan(24));
		const { house, service } = parts;
		let count = 0;
		service.fault = async (request, answer) => {
			const result = await answer(request);
			if (!request.path.startsWith("/v2/forecast/")) return result;
			count += 1;
			const body = JSON.parse(result.body);
			for (const row of body.values) row.pv_power = 1000 * count;
			return { ...result, body: JSON.stringify(body) };
		};
		await twoAccounts(house);
		await house.runTo("2026-06-01T09:20:00Z");
		house.restart();
		await twoAccounts(house);
		await house.runTo("2026-06-01T12:50:00Z");
		for (const interval of ["end", "start"] as const) {
			const { settled } = house.state(SITE, interval);
			for (const [begin, watts] of settled) {
				if (begin < Date.parse("2026-06-01T04:15:00Z")) continue;
				// Forecast n is computed just after the hour, from 4 o'clock on.
				const hours = (begin - Date.parse("2026-06-01T04:00:00Z")) / HOUR;
				assert.equal(watts, 1000 * Math.ceil(hours), `${interval} ${begin}`);
			}
			assert.ok(settled.length >= 8 * 4);
		}
	});

	it("keep what has settled when one of them changes its mind", async () => {
		const { house } = household("2026-06-01T04:05:00Z", shortPlan(24));
		await house.account({ interval: "end" });
		house.listen(SITE);
		await house.start();
		await house.runTo("2026-06-01T09:20:00Z");
		const { settled } = house.state(SITE, "end");
		assert.ok(settled.length > 10);
		await house.account({ interval: "start", fingerprint: "b" });
		assert.deepEqual(
			house.state(SITE, "start").settled,
			settled.map(([start, watts]) => [start + QUARTER, watts]),
		);
	});
});
