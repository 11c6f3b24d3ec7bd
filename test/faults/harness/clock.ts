import assert from "node:assert/strict";
import { SolarYieldError } from "../../../src/service/errors/solar-yield-error";
import {
	DAY,
	HOUR,
	household,
	MINUTE,
	SECOND,
	SITE,
	shortPlan,
	wireAnswer,
} from "../../support/house";
import type { Attempt } from "./table";
import { Bystander } from "./world";

const YEAR = 365 * DAY;
const JUMPS: readonly [string, number][] = [
	["+1 h", HOUR],
	["-1 h", -HOUR],
	["+1 year", YEAR],
	["-1 year", -YEAR],
];

type Parts = ReturnType<typeof household>;
type House = Parts["house"];

/** In what state of the poller the wall clock jumps. */
const MOMENTS: Readonly<
	Record<string, (parts: Parts, jump: () => void) => Promise<House>>
> = {
	"before the first answer": async ({ house }, jump) => {
		jump();
		await house.boot();
		return house;
	},
	"while it waits": async ({ house }, jump) => {
		await house.boot();
		await house.runFor(20 * MINUTE);
		jump();
		return house;
	},
	"while the host sleeps": async ({ house, clock }, jump) => {
		await house.boot();
		clock.sleep(3 * HOUR);
		jump();
		return house;
	},
	"during an outage": async ({ house, service, clock }, jump) => {
		await house.boot();
		service.fault = async () => wireAnswer(clock, 503);
		await house.runFor(3 * HOUR);
		jump();
		await house.runFor(HOUR);
		service.fault = undefined;
		return house;
	},
	"during a burst limit": async ({ house, service, clock }, jump) => {
		await house.boot();
		service.fault = async () =>
			wireAnswer(clock, 429, "", { "retry-after": "1800" });
		await house.runFor(2 * HOUR);
		service.fault = undefined;
		jump();
		return house;
	},
	"between two starts": async ({ house }, jump) => {
		await house.boot();
		await house.runFor(20 * MINUTE);
		house.kill();
		jump();
		house.restart();
		await house.boot();
		return house;
	},
	"again and again": async ({ house, clock }, jump) => {
		await house.boot();
		for (let times = 0; times < 12; times += 1) {
			jump();
			await house.runFor(10 * MINUTE);
			clock.wallError = 0;
			await house.runFor(10 * MINUTE);
		}
		return house;
	},
};

/** The wall clock jumps: polls come as before, neither more of them nor fewer. */
export function* clockJumps(): Generator<Attempt> {
	for (const [moment, play] of Object.entries(MOMENTS)) {
		for (const [jump, ms] of JUMPS) {
			yield {
				kind: "clock jumps",
				name: `${jump} ${moment}`,
				run: async () => {
					const bystander = new Bystander();
					const parts = household("2026-06-01T10:05:00Z", shortPlan(24));
					const { clock, service } = parts;
					const house = await play(parts, () => {
						clock.wallError = ms;
					});
					const begin = clock.time;
					const before = service.forecasts.length;
					await house.runFor(26 * HOUR);
					const asked = service.forecasts.length - before;
					// What was said before the jump may hold the first of them for a day at most.
					assert.ok(asked >= 1, "polls go on");
					assert.ok(asked <= 26 + 2 + 6, `${asked} requests in 26 h`);
					const then = service.forecasts.length;
					await house.runFor(DAY);
					assert.equal(service.forecasts.length - then, 24, "each hour again");
					assert.equal(house.state(SITE).failure, null);
					assert.ok(clock.time > begin);
					house.kill();
					bystander.stop();
					assert.deepEqual(bystander.seen, []);
				},
			};
		}
	}
}

/** What the host's clock may say at a start, and where it then is set. */
const HOSTS: readonly (readonly [
	name: string,
	/** Its error, ms, by the true time. */
	error: (time: number) => number,
])[] = [
	["1970", (time) => -time],
	["the last shutdown", () => -20 * DAY],
	["a year ahead", () => YEAR],
	["an hour behind", () => -HOUR],
	["an hour ahead", () => HOUR],
	["five minutes behind", () => -5 * MINUTE],
];

/** What happens between a start with a wrong clock and its correction. */
const STARTS: Readonly<
	Record<string, (parts: Parts, wrong: () => void) => Promise<void>>
> = {
	"at the first start": async ({ house }, wrong) => {
		wrong();
		await house.boot();
	},
	"at a later start": async ({ house, clock }, wrong) => {
		await house.boot();
		await house.runFor(20 * MINUTE);
		house.kill();
		clock.sleep(30 * MINUTE);
		wrong();
		house.restart();
		await house.boot();
	},
	"while it runs": async ({ house }, wrong) => {
		await house.boot();
		await house.runFor(20 * MINUTE);
		wrong();
		await house.runFor(2 * SECOND);
	},
	"at a start without a network": async ({ house, service }, wrong) => {
		await house.boot();
		await house.runFor(20 * MINUTE);
		house.kill();
		wrong();
		service.fault = async () => {
			throw new SolarYieldError("NETWORK", "no network yet; wait");
		};
		house.restart();
		await house.boot();
		await house.runFor(5 * MINUTE);
	},
};

/**
 * A host whose clock is wrong at a start or goes wrong, and is set right later: what is
 * shown and planned is never of another year, and polls come as before.
 */
export function* hostClocks(): Generator<Attempt> {
	for (const [when, play] of Object.entries(STARTS)) {
		for (const [name, error] of HOSTS) {
			yield {
				kind: "host's clock",
				name: `${name} ${when}, then set`,
				run: async () => {
					const bystander = new Bystander();
					const parts = household("2026-06-01T10:05:00Z", shortPlan(24));
					const { clock, service, house } = parts;
					/** What is shown, each second, of the time and of the next request. */
					const look = (most: number, what: string) => {
						const { now, plan } = house.state(SITE);
						const off = now - clock.time;
						assert.ok(Math.abs(off) <= most, `${what}: off by ${off} ms`);
						assert.ok(
							(plan.at ?? 0) < clock.time + 2 * DAY + most,
							`${what}: ${new Date(plan.at ?? 0).toISOString()}`,
						);
					};
					await play(parts, () => {
						clock.wallError = error(clock.time);
					});
					const isOffline = service.fault !== undefined;
					// With an answer of the service its time is known; a minute after a start that needs none.
					const isPlausible = Math.abs(error(clock.time)) <= HOUR;
					const isUntold = when === "at a later start" && isPlausible;
					if (!isOffline) look(isUntold ? HOUR : SECOND, "wrong");
					for (let minute = 0; minute < 10; minute += 1) {
						await house.runFor(MINUTE);
						if (!isOffline) look(2 * SECOND, "wrong");
					}
					clock.wallError = 0;
					look(isOffline ? HOUR : 2 * SECOND, "just set");
					service.fault = undefined;
					for (let second = 0; second < 120; second += 1) {
						await house.runFor(SECOND);
						look(isOffline ? HOUR : 2 * SECOND, "set");
					}
					await house.runFor(HOUR);
					look(2 * SECOND, "an hour later");
					const before = service.forecasts.length;
					await house.runFor(DAY);
					assert.equal(service.forecasts.length - before, 24);
					assert.equal(house.state(SITE).failure, null);
					assert.equal(house.state(SITE).clockOffsetMs, null);
					const said = house.reports.filter((text) => /clock is/.test(text));
					const isFar = Math.abs(error(clock.time)) > 2 * MINUTE;
					assert.equal(said.length, isFar && !isOffline ? 1 : 0, said.join());
					house.kill();
					bystander.stop();
					assert.deepEqual(bystander.seen, []);
				},
			};
		}
	}
}
