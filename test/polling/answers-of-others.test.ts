import assert from "node:assert/strict";
import type { WireAnswer } from "../../src/service/http/exchange";
import {
	DAY,
	HOUR,
	household,
	MINUTE,
	SITE,
	shortPlan,
} from "../support/house";

const START = "2026-06-01T10:05:00Z";
const isForecast = ({ path }: { path: string }) =>
	path.startsWith("/v2/forecast/");

/** A house whose answers can be changed on the way, and those of before be sent again. */
function spoiled() {
	const parts = household(START, shortPlan(24));
	const { service, clock } = parts;
	const before: WireAnswer[] = [];
	let change: (answer: WireAnswer) => WireAnswer = (answer) => answer;
	service.fault = async (request, answer) => {
		const good = await answer(request);
		if (!isForecast(request)) return good;
		const sent = change(good);
		before.push(good);
		return {
			...sent,
			headers: { ...sent.headers, date: good.headers.date ?? "" },
		};
	};
	const withBody = (more: object) => (answer: WireAnswer) => ({
		...answer,
		body: JSON.stringify({ ...JSON.parse(answer.body), ...more }),
	});
	return {
		...parts,
		clock,
		before,
		withBody,
		change: (to: typeof change) => {
			change = to;
		},
	};
}

describe("an answer older than the forecast in hand", () => {
	it("does not replace it, and is taken for a service that is late", async () => {
		const { house, service, before, change } = spoiled();
		const listener = await house.boot();
		await house.runTo("2026-06-01T11:30:00Z");
		assert.equal(listener.forecasts.length, 2);
		const kept = house.state().forecast?.computed_at;
		// At 12:00 a server that is behind the others sends the forecast of 10:00.
		change(() => before[0] as WireAnswer);
		await house.runTo("2026-06-01T12:01:00Z");
		assert.equal(house.state().forecast?.computed_at, kept);
		assert.equal(listener.forecasts.length, 2);
		assert.equal(house.state().failure, null);
		assert.equal(house.state().plan.reason, "late");
		change((answer) => answer);
		await house.runTo("2026-06-01T12:04:00Z");
		assert.equal(listener.forecasts.length, 3);
		assert.ok((house.state().forecast?.computed_at ?? 0) > (kept ?? 0));
		assert.ok(service.forecasts.length <= 5);
	});

	it("does not bring the next request forward when a message asked for it", async () => {
		const { house, service, before, change } = spoiled();
		const listener = await house.boot();
		await house.runTo("2026-06-01T11:30:00Z");
		const { plan } = house.state();
		const asked = service.forecasts.length;
		change(() => before[0] as WireAnswer);
		const { state, error } = await house.ask(SITE, {}, true);
		assert.equal(error, undefined);
		assert.equal(
			state?.forecast.computed_at,
			listener.forecasts.at(-1)?.computedAt,
		);
		assert.deepEqual(house.state().plan, plan);
		assert.equal(service.forecasts.length, asked + 1);
	});

	it("replaces one whose computed_at lay ahead of its own answer", async () => {
		const { house, withBody, change } = spoiled();
		change(withBody({ computed_at: "2027-01-01T00:00:00Z" }));
		const listener = await house.boot();
		assert.equal(listener.forecasts.length, 1);
		change((answer) => answer);
		await house.runFor(HOUR);
		assert.equal(listener.forecasts.length, 2);
		assert.ok(
			(listener.forecasts[1]?.computedAt ?? 0) < Date.parse("2026-06-02"),
		);
	});

	it("replaces one that has no row ahead any more", async () => {
		const { house, before, change } = spoiled();
		const listener = await house.boot();
		await house.runFor(2 * HOUR);
		change(() => before[0] as WireAnswer);
		await house.runFor(2 * DAY);
		assert.equal(
			house.state().forecast?.computed_at,
			listener.forecasts.at(-1)?.computedAt,
		);
		assert.ok(listener.forecasts.length > 3);
	});
});

describe("an answer of another site", () => {
	it("is refused by name, and the forecast in hand stays", async () => {
		const { house, withBody, change, service } = spoiled();
		const listener = await house.boot();
		const kept = house.state().forecast;
		change(withBody({ site_id: "site-of-others" }));
		await house.runFor(HOUR + 10 * MINUTE);
		assert.equal(house.state().forecast, kept);
		const [failure] = listener.failures;
		assert.equal(failure?.code, "SOLAR_YIELD_RESPONSE");
		assert.match(failure?.message ?? "", /site_id is "site-of-others".*site-1/);
		change((answer) => answer);
		await house.runFor(HOUR);
		assert.equal(house.state().failure, null);
		assert.ok(service.forecasts.length <= 8);
	});

	for (const site_id of [undefined, null, SITE]) {
		it(`is not one that names ${site_id}`, async () => {
			const { house, withBody, change } = spoiled();
			change(withBody({ site_id }));
			const listener = await house.boot();
			assert.equal(listener.forecasts.length, 1);
		});
	}
});
