import assert from "node:assert/strict";
import fc from "fast-check";
import type { WireAnswer } from "../../src/service/http/exchange";
import {
	DAY,
	HOUR,
	household,
	MINUTE,
	SITE,
	shortPlan,
} from "../support/house";
import { isLong } from "../support/long";

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

describe("an answer older than the forecast in hand", () => {
	it("does not replace it, and is asked again when it would be had it been kept", async () => {
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
		// Its own time has passed: an hour, then two, as of any answer whose time is of no use.
		assert.equal(house.state().plan.reason, "no_poll_time");
		assert.equal(service.forecasts.length, 3);
		await house.runTo("2026-06-01T13:00:00Z");
		assert.equal(service.forecasts.length, 3);
		await house.runTo("2026-06-01T13:02:00Z");
		assert.equal(service.forecasts.length, 4);
		change((answer) => answer);
		await house.runTo("2026-06-01T15:00:00Z");
		assert.equal(service.forecasts.length, 4);
		await house.runTo("2026-06-01T15:03:00Z");
		assert.equal(service.forecasts.length, 5);
		assert.equal(listener.forecasts.length, 3);
		assert.ok((house.state().forecast?.computed_at ?? 0) > (kept ?? 0));
		await house.runTo("2026-06-01T18:02:00Z");
		assert.equal(service.forecasts.length, 8, "one an hour from then on");
	});

	it("is asked again at its own next_poll_at where that lies ahead", async () => {
		const { house, service, withBody, change } = spoiled();
		const listener = await house.boot();
		await house.runTo("2026-06-01T11:30:00Z");
		change(
			withBody({
				computed_at: "2026-06-01T09:00:00Z",
				next_poll_at: "2026-06-01T14:00:00Z",
			}),
		);
		await house.runTo("2026-06-01T13:59:00Z");
		assert.equal(service.forecasts.length, 3);
		change((answer) => answer);
		await house.runTo("2026-06-01T14:01:00Z");
		assert.equal(service.forecasts.length, 4);
		assert.equal(listener.forecasts.length, 3);
	});

	it("ends the requests for one that is late, and teaches no lateness", async () => {
		const { house, service, storage, before, change } = spoiled();
		await house.boot();
		await house.runTo("2026-06-01T11:30:00Z");
		// The one in hand once more: late.
		change(() => before[1] as WireAnswer);
		await house.runTo("2026-06-01T12:00:40Z");
		assert.equal(service.forecasts.length, 3);
		assert.equal(house.state().plan.reason, "late");
		change(() => before[0] as WireAnswer);
		await house.runTo("2026-06-01T13:01:00Z");
		assert.equal(service.forecasts.length, 4);
		assert.equal(storage.site(SITE).lateness.ms, 0);
		change((answer) => answer);
		await house.runTo("2026-06-01T13:02:30Z");
		assert.equal(service.forecasts.length, 5);
		assert.equal(storage.site(SITE).lateness.ms, 0);
	});

	it("costs no request more than had it been kept, whatever comes when", async () => {
		/** Hours whose answers are not the service's own: with its time of the next one, or one that has passed. */
		type Hour = "own" | "passed" | "ahead";
		const requests = async (
			hours: readonly Hour[],
			updates: number,
			computed: (since: number) => number,
		) => {
			const { house, service, clock, withBody, change } = spoiled(updates);
			const listener = await house.boot();
			await house.runFor(2 * HOUR);
			const since = clock.time;
			change((answer) => {
				const index = Math.floor((clock.time - since) / HOUR);
				const kind = hours[index] ?? "own";
				if (kind === "own") return answer;
				let first = index;
				while (hours[first - 1] === kind) first -= 1;
				const begin = since + first * HOUR;
				return withBody({
					computed_at: new Date(computed(begin)).toISOString(),
					...(kind === "passed" && {
						next_poll_at: new Date(begin - HOUR).toISOString(),
					}),
				})(answer);
			});
			for (const [index] of hours.entries()) {
				await house.runFor(HOUR / 2);
				if (index % 3 === 0) await house.ask(SITE, {}, true);
				await house.runFor(HOUR / 2);
			}
			await house.runFor(8 * HOUR);
			assert.ok(listener.forecasts.length > 0);
			return service.forecasts.length;
		};
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.constantFrom<Hour>("own", "passed", "ahead"), {
					minLength: 4,
					maxLength: 16,
				}),
				fc.constantFrom(4, 24, 96),
				async (hours, updates) => {
					const kept = await requests(hours, updates, (begin) => begin);
					const older = await requests(
						hours,
						updates,
						(begin) => begin - 2 * DAY,
					);
					assert.ok(older <= kept, `${older} requests, kept ${kept}`);
				},
			),
			{ numRuns: isLong ? 100 : 15 },
		);
	}).timeout(120_000);

	it("confirms no forecast that is suddenly all zero", async () => {
		const { house, before, change } = spoiled();
		const listener = await house.boot();
		await house.runTo("2026-06-01T11:30:00Z");
		change(() => before[0] as WireAnswer);
		await house.runTo("2026-06-01T12:01:00Z");
		change((answer) => ({
			...answer,
			body: answer.body.replace(/"pv_power":[\d.]+/g, '"pv_power":0'),
		}));
		await house.runTo("2026-06-01T13:30:00Z");
		assert.equal(listener.forecasts.length, 2);
		await house.runTo("2026-06-01T14:30:00Z");
		assert.equal(listener.forecasts.length, 3, "a second one says the same");
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
		assert.ok(Number(house.state().plan.at) >= Number(plan.at));
		assert.equal(service.forecasts.length, asked + 1);
		// Kept, it would have been asked again in an hour, since its own time has passed.
		await house.runTo("2026-06-01T12:30:00Z");
		assert.equal(service.forecasts.length, asked + 1);
		await house.runTo("2026-06-01T12:32:00Z");
		assert.equal(service.forecasts.length, asked + 2);
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
