import assert from "node:assert/strict";
import { quotaFacts } from "../../../src/messages/facts";
import { siteSource } from "../../../src/polling/source/source";
import { Zone } from "../../../src/util/zone";
import {
	DAY,
	HOUR,
	household,
	KEY,
	MINUTE,
	SITE,
	shortPlan,
} from "../../support/house";
import { agesOf } from "../../support/quota-simulation/ages";
import { SEASONS, sunsOf } from "../../support/quota-simulation/cells";
import {
	lateMonthViolations,
	runFrom,
} from "../../support/quota-simulation/installations";
import {
	type Run,
	type RunOptions,
	runOurs,
} from "../../support/quota-simulation/ours";
import {
	LightService,
	type ServicePlan,
} from "../../support/quota-simulation/service";
import { chance, type Season, Sun } from "../../support/quota-simulation/sun";

const [DECEMBER, JUNE] = SEASONS as [Season, Season];
const QUARTERS: ServicePlan = { limit: 3000, updates: 96 };

/** A month like June at another time of the year. */
const month = (year: number, index: number): Season => ({
	...JUNE,
	start: Date.UTC(year, index, 1),
	end: Date.UTC(year, index + 1, 1),
});

const hasPower = (sun: Sun, at: number) =>
	sun.watts(Math.floor(at / 900_000) * 900_000) > 0;

/** Times of others' requests: how many on each day, and at which hour. */
function others(
	{ start, end }: Season,
	perDay: (day: number) => number,
	at = (day: number, index: number) => 24 * chance(day, index, 5),
): number[] {
	const times: number[] = [];
	for (let day = 0; start + day * DAY < end; day += 1) {
		for (let index = 0; index < perDay(day); index += 1) {
			times.push(start + day * DAY + at(day, index) * HOUR);
		}
	}
	return times.sort((a, b) => a - b);
}

interface Month extends Run {
	readonly left: number;
	readonly refused: number;
	readonly perDay: number[];
	/** Mean age, weighted by power, minutes. */
	readonly mean: number;
}

/** A month of polling. */
function run(
	season: Season,
	plan: ServicePlan,
	suns: readonly Sun[],
	foreign: readonly number[] = [],
	options: Partial<RunOptions> = {},
): Month {
	const { start, end } = { ...season, ...options };
	const zones = suns.map(({ zone }) => zone);
	const service = new LightService(plan, zones, foreign);
	const result = runOurs(service, suns, {
		forecastDays: 3,
		...options,
		start,
		end,
	});
	service.advance(end - 1);
	const perDay = Array<number>(Math.ceil((end - start) / DAY)).fill(0);
	for (const { at } of result.asked) {
		const day = Math.floor((at - start) / DAY);
		perDay[day] = (perDay[day] as number) + 1;
	}
	return {
		...result,
		perDay,
		left: (plan.limit ?? Number.POSITIVE_INFINITY) - service.used,
		refused: result.asked.filter(({ status }) => status === 429).length,
		mean: agesOf(result.asked, suns, start, end).mean ?? 0,
	};
}

describe("requests that are spread over a month", () => {
	describe("leave the reserve, while others use what they used the week before", () => {
		const patterns: Record<string, number[]> = {
			"at any hour": others(JUNE, () => 50),
			"all at noon": others(
				JUNE,
				() => 50,
				() => 12,
			),
			"in the last hour of each day": others(
				JUNE,
				() => 40,
				(_, index) => 23 + index / 60,
			),
			"on five days of seven": others(JUNE, (day) => (day % 7 < 5 ? 70 : 0)),
			"once a week": others(JUNE, (day) => (day % 7 === 4 ? 300 : 0)),
			"more and less": others(JUNE, (day) => 30 + 40 * chance(day, 8)),
		};
		for (const [pattern, foreign] of Object.entries(patterns)) {
			it(pattern, () => {
				const month = run(JUNE, QUARTERS, sunsOf(JUNE, 2), foreign);
				assert.equal(month.refused, 0);
				assert.ok(month.left >= 150, `${month.left} left`);
				assert.ok(month.left < 200, `${month.left} left`);
			});
		}
	});

	it("adapt at once to others who begin", () => {
		const { left, perDay, refused } = run(
			JUNE,
			QUARTERS,
			sunsOf(JUNE, 3),
			others(JUNE, (day) => (day >= 15 ? 60 : 0)),
		);
		assert.equal(refused, 0);
		assert.ok(left >= 150, `${left} left`);
		assert.ok(Math.min(...perDay) >= 8, perDay.join(" "));
	});

	it("adapt at once to others who stop", () => {
		const { left, perDay } = run(
			JUNE,
			QUARTERS,
			sunsOf(JUNE, 3),
			others(JUNE, (day) => (day < 15 ? 60 : 0)),
		);
		assert.ok(left >= 150 && left < 160, `${left} left`);
		const sum = (from: number, to: number) =>
			perDay.slice(from, to).reduce((total, day) => total + day, 0);
		assert.ok(sum(20, 29) > 2 * sum(5, 14), perDay.join(" "));
	});

	it("do not end for good when others use far more on one day", () => {
		const { perDay, refused } = run(
			JUNE,
			QUARTERS,
			sunsOf(JUNE, 1),
			others(JUNE, (day) => (day === 20 ? 700 : 10)),
		);
		assert.equal(refused, 0);
		const last = perDay.slice(21);
		assert.ok(last.filter((day) => day > 0).length >= 5, perDay.join(" "));
	});

	for (const index of [1, 2, 9, 11]) {
		it(`last as many days as there are, of any length: month ${index + 1}`, () => {
			const season = month(2027, index);
			const { left, perDay, refused } = run(
				season,
				{ limit: 1000, updates: 24 },
				sunsOf(season, 3),
			);
			assert.equal(refused, 0);
			assert.ok(left >= 50 && left <= 55, `${left} left`);
			assert.ok(Math.min(...perDay.slice(1, -1)) > 20, perDay.join(" "));
		});
	}

	it("are shared by sites that are far apart", () => {
		const places: [string, number, number][] = [
			["America/Los_Angeles", 34, -118],
			["Asia/Kathmandu", 28, 85],
			["Pacific/Auckland", -37, 175],
			["Australia/Lord_Howe", -31.5, 159],
		];
		const season = month(2027, 3);
		const suns = places.map(
			([zone, latitude, longitude], index) =>
				new Sun({ ...season, zone, latitude, longitude }, index + 1, 8),
		);
		const { left, asked, refused } = run(season, QUARTERS, suns);
		assert.equal(refused, 0);
		assert.ok(left >= 150 && left <= 155, `${left} left`);
		for (const [site, sun] of suns.entries()) {
			const own = asked.filter((one) => one.site === site);
			assert.ok(own.length > 500 && own.length < 900, String(own.length));
			const byDay = own.filter(({ at }) => hasPower(sun, at));
			assert.ok(byDay.length > 0.75 * own.length);
		}
	});

	it("are denser by day than by night, and densest at noon", () => {
		const season = month(2027, 3);
		const { asked } = run(
			season,
			{ limit: 1500, updates: 96 },
			sunsOf(season, 3),
		);
		const zone = Zone.of("Europe/Berlin") as Zone;
		const perHour = Array<number>(24).fill(0);
		for (const { at } of asked) {
			const hour = Math.floor((zone.wallClock(at) % DAY) / HOUR);
			perHour[hour] = (perHour[hour] as number) + 1;
		}
		const mean = (from: number, to: number) =>
			perHour.slice(from, to).reduce((total, one) => total + one, 0) /
			(to - from);
		assert.ok(mean(12, 15) > mean(8, 10), perHour.join(" "));
		assert.ok(mean(8, 10) > 5 * mean(1, 5), perHour.join(" "));
	});

	it("go to the night where the day does not need them, evenly", () => {
		const sun = new Sun(DECEMBER, 1, 10);
		const { asked } = run(DECEMBER, { limit: 2000, updates: 96 }, [sun]);
		const gaps = asked.slice(1).flatMap(({ at }, index) => {
			const before = asked[index]?.at as number;
			return before > DECEMBER.start + DAY &&
				!hasPower(sun, before) &&
				!hasPower(sun, at)
				? [(at - before) / HOUR]
				: [];
		});
		assert.ok(gaps.length > 600, String(gaps.length));
		assert.ok(Math.max(...gaps) <= 3, String(Math.max(...gaps)));
	});

	it("make a budget last for the whole month, and are no more", () => {
		const { asked, perDay } = run(
			JUNE,
			{ limit: null, updates: 96 },
			sunsOf(JUNE, 2),
			others(JUNE, () => 50),
			{ budget: 300 },
		);
		assert.ok(asked.length <= 300 && asked.length >= 297);
		assert.ok(Math.min(...perDay) >= 4, perDay.join(" "));
	});

	it("end at a reserve that others will not leave", () => {
		const { asked, refused } = run(
			JUNE,
			QUARTERS,
			sunsOf(JUNE, 1),
			others(JUNE, () => 50),
			{ reserve: 2000 },
		);
		assert.equal(refused, 0);
		const least = Math.min(...asked.map(({ remaining }) => remaining ?? 0));
		assert.ok(least < 2100, `${least} left after the last request`);
		const late = asked.slice(1).filter((_, index) => {
			const before = asked[index]?.remaining ?? 0;
			return before <= 2000;
		});
		assert.equal(late.length, 0);
	});

	it("bear a start in the middle of a month that others have used", () => {
		for (const day of [3, 15, 28]) {
			const { left, refused } = run(
				JUNE,
				QUARTERS,
				sunsOf(JUNE, 3),
				others(JUNE, () => 70),
				{ start: JUNE.start + day * DAY },
			);
			assert.equal(refused, 0);
			assert.ok(left >= 150, `${left} left`);
		}
	});

	describe("do not starve for what the month's count held before the first of them", () => {
		const cases = [
			{ limit: 3000, updates: 24, day: 21, used: 2500, least: 24, most: 24 },
			{ limit: 3000, updates: 144, day: 11, used: 1400, least: 68, most: 80 },
			{ limit: 250, updates: 1, day: 28, used: 225, least: 1, most: 1 },
			{ limit: 250, updates: 96, day: 29, used: 220, least: 7, most: 17 },
		];
		for (const { limit, updates, day, used, least, most } of cases) {
			for (const hour of [0, 9, 20]) {
				it(`${limit} a month, ${updates} a day, installed on ${day} at ${hour}:00 with ${used} used`, () => {
					const start = JUNE.start + (day - 1) * DAY + hour * HOUR;
					const foreign = Array.from(
						{ length: used },
						(_, index) => JUNE.start + ((start - JUNE.start) * index) / used,
					);
					const plan = { name: "", limit, updates, forecastDays: 3 };
					const season = { season: JUNE, plan, sites: 1 };
					const month = runFrom(season, start, foreign);
					const polls = month.days.map((one) => one.polls);
					assert.equal(polls.length, 30 - day);
					assert.ok(Math.min(...polls) >= least, polls.join(" "));
					assert.ok(Math.max(...polls) <= most, polls.join(" "));
					assert.deepEqual(lateMonthViolations(month), []);
				});
			}
		}
	});

	it("do not starve for what others did on one day", () => {
		for (const busy of [3, 10, 17, 24]) {
			const foreign = others(JUNE, (day) => (day === busy ? 700 : 10));
			const plan = { name: "", limit: 3000, updates: 96, forecastDays: 3 };
			const month = runFrom(
				{ season: JUNE, plan, sites: 2 },
				JUNE.start,
				foreign,
			);
			// Nobody can have known of it.
			const { mean } = month;
			assert.deepEqual(
				lateMonthViolations({ ...month, oracle: mean, left: null }),
				[],
				String(busy),
			);
		}
	});

	it("have one on each day while any are left, however few they are", () => {
		for (const limit of [35, 50, 80]) {
			for (const sites of [1, 2, 5]) {
				const plan = { name: "", limit, updates: 24, forecastDays: 3 };
				const month = runFrom({ season: JUNE, plan, sites }, JUNE.start, []);
				const open = month.days.filter(({ left }) => left >= 1);
				assert.ok(open.length >= 26, String(open.length));
				assert.ok(open.every(({ polls }) => polls >= 1));
				assert.ok((month.left ?? 0) >= 0);
			}
		}
	});

	it("cost 1,000 sites no more than a plan for each request, and a few paces a day", () => {
		const season = { ...JUNE, end: JUNE.start + 2 * DAY };
		const suns = sunsOf(season, 5);
		const sites = Array.from(
			{ length: 1000 },
			(_, index) => suns[index % 5] as Sun,
		);
		for (const limit of [null, 300_000]) {
			const plan = { limit, updates: 96 };
			const { asked, paces, plans } = run(season, plan, sites, [], {
				forecastDays: 1,
			});
			assert.ok(paces < 20, `${paces} paces`);
			assert.ok(
				plans <= asked.length + (paces + 1) * sites.length,
				`${plans} plans of ${asked.length} requests`,
			);
		}
	});

	it("are not misled by a service that computes late", () => {
		for (const lagMs of [MINUTE, 10 * MINUTE, 40 * MINUTE, 5 * HOUR]) {
			const { left, mean, perDay } = run(
				JUNE,
				{ ...QUARTERS, lagMs },
				sunsOf(JUNE, 3),
			);
			assert.ok(left >= 150 && left <= 155, `${left} left`);
			assert.ok(mean < lagMs / MINUTE + 18, `${mean} min`);
			assert.ok(Math.max(...perDay.slice(1)) < 160, perDay.join(" "));
		}
	});
});

describe("the hub at its pace", () => {
	const START = "2026-06-02T04:10:00Z";
	const SHORT = shortPlan(96, { forecastRequests: 700 });

	it("leaves out what the month does not allow, and says so", async () => {
		const { house, service } = household(START, SHORT);
		await house.boot();
		await house.runTo("2026-06-03T11:00:00Z");
		const state = house.state();
		assert.equal(state.plan.reason, "spread");
		assert.equal(state.stale, false);
		const { pace, projected } = quotaFacts(state);
		assert.equal(pace, "spread");
		assert.ok(
			projected != null && projected > 600 && projected <= 670,
			String(projected),
		);
		assert.ok(service.forecasts.length > 20 && service.forecasts.length < 60);
		const known = await house.hub.account();
		assert.equal(known.pace.kind, "spread");
	});

	it("is full on a plan that allows it", async () => {
		const { house, service } = household(
			START,
			shortPlan(24, { forecastRequests: 3000 }),
		);
		await house.boot();
		await house.runFor(10 * HOUR);
		assert.equal(service.forecasts.length, 11);
		assert.equal(quotaFacts(house.state()).pace, "full");
		assert.equal(house.state().plan.reason, "next_poll_at");
	});

	it("tells a month's requests once two forecasts have told their rhythm", async () => {
		const { house, service } = household(
			"2026-06-02T05:40:00Z",
			shortPlan(4, { forecastRequests: 3000 }),
		);
		await house.boot();
		assert.equal(service.forecasts.length, 1);
		const first = await house.hub.account();
		assert.equal(quotaFacts(first).projected, null);
		assert.equal(quotaFacts(house.state()).projected, null);
		await house.runFor(DAY);
		const { projected } = quotaFacts(await house.hub.account());
		assert.ok(projected != null && Math.abs(projected - 4 * 29) < 5);
	});

	it("never projects below what is used", async () => {
		const { house, service } = household(
			START,
			shortPlan(24, { forecastRequests: 3000 }),
		);
		await house.boot();
		await house.runFor(5 * HOUR);
		service.simulator.spend(KEY, 2950);
		await house.runFor(2 * HOUR);
		const facts = quotaFacts(await house.hub.account());
		assert.ok((facts.used ?? 0) > 2950);
		assert.ok((facts.projected ?? 0) >= (facts.used ?? 0));
		// An answer may be newer than the pace.
		const { used, projected } = quotaFacts({
			quota: {
				limit: 3000,
				used: 3000,
				remaining: 0,
				reset: Date.UTC(2026, 6, 1),
				asOf: Date.UTC(2026, 5, 2),
			},
			own: 9,
			pace: { kind: "full", projected: 79 },
		});
		assert.deepEqual([used, projected], [3000, 3000]);
	});

	it("keeps its plan over a restart", async () => {
		const { house, service } = household(START, SHORT);
		await house.boot();
		await house.runFor(2 * DAY + 3 * HOUR);
		const before = house.state().plan;
		const asked = service.forecasts.length;
		house.restart();
		await house.boot();
		await house.settle();
		assert.equal(service.forecasts.length, asked);
		const after = house.state().plan;
		assert.ok(Math.abs((after.at ?? 0) - (before.at ?? 0)) <= 30 * MINUTE);
	});

	it("does not hold back what no poller asks for", async () => {
		const { house, service } = household(START, SHORT);
		await house.account();
		house.listen(SITE, { auto: false });
		await house.start();
		for (let quarter = 0; quarter < 20; quarter += 1) {
			await house.ask(SITE);
			await house.runFor(15 * MINUTE);
		}
		assert.equal(service.forecasts.length, 20);
		assert.equal(house.hub.state(siteSource(SITE)).pace.kind, "full");
	});

	it("asks for a changed site at once, at any pace", async () => {
		const { house, service } = household(START, SHORT);
		await house.boot();
		await house.runTo("2026-06-03T11:00:00Z");
		const asked = service.forecasts.length;
		house.hub.siteChanged(SITE);
		await house.runFor(MINUTE);
		assert.equal(service.forecasts.length, asked + 1);
	});

	it("sees what others use from answer to answer, and remembers it", async () => {
		const { house, service, storage } = household(START, SHORT);
		await house.boot();
		await house.runFor(DAY);
		const before = service.forecasts.length;
		service.simulator.spend(KEY, 100);
		await house.runFor(DAY);
		assert.equal(JSON.parse(storage.account ?? "").others.count, 100);
		assert.ok(service.forecasts.length - before < before);
		house.restart();
		await house.boot();
		assert.equal(JSON.parse(storage.account ?? "").others.count, 100);
	});
});
