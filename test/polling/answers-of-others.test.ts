import assert from "node:assert/strict";
import type { WireAnswer } from "../../src/service/http/exchange";
import { HOUR, household, MINUTE, SITE, shortPlan } from "../support/house";

const START = "2026-06-01T10:05:00Z";
const isForecast = ({ path }: { path: string }) =>
	path.startsWith("/v2/forecast/");

/** A house whose answers can be changed on the way, and those of before be sent again. */
function spoiled(updates = 24) {
	const parts = household(START, shortPlan(updates));
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
