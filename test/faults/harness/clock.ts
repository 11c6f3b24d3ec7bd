import assert from "node:assert/strict";
import {
	DAY,
	HOUR,
	household,
	MINUTE,
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
	"during an outage without any answer": async ({ house, service }, jump) => {
		await house.boot();
		service.fault = async () => {
			throw Object.assign(new Error("down"), { code: "ECONNRESET" });
		};
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
	"before a start, and back after it": async ({ house, clock }, jump) => {
		await house.boot();
		await house.runFor(20 * MINUTE);
		house.kill();
		jump();
		house.restart();
		await house.boot();
		await house.runFor(90 * MINUTE);
		clock.wallError = 0;
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
