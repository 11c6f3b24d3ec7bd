import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { slotAt } from "../../src/simulator/answers/slots";
import { ZoneClock } from "../../src/simulator/physics/zone-clock";
import { PLANS } from "../../src/simulator/plans";
import { MINUTE } from "../support/time";
import { KEY, PLACES, World } from "./support";

/** Starts of all slots from one instant to another. */
function slots(zone: string, updates: number, from: string, to: string) {
	const clock = ZoneClock.of(zone);
	const starts: number[] = [];
	let at = Date.parse(from);
	while (at < Date.parse(to)) {
		const { start, next } = slotAt(clock, updates, at);
		assert.ok(start <= at && next > at);
		assert.deepEqual(slotAt(clock, updates, next - 1), { start, next });
		starts.push(start);
		at = next;
	}
	return starts;
}

describe("simulator: slots", () => {
	const days: readonly [string, string, string, string, number][] = [
		["Europe/Berlin", "2026-06-01", "+02:00", "+02:00", 24],
		["Europe/Berlin", "2026-03-29", "+01:00", "+02:00", 23],
		["Europe/Berlin", "2026-10-25", "+02:00", "+01:00", 25],
		["Asia/Kathmandu", "2026-06-01", "+05:45", "+05:45", 24],
		["America/St_Johns", "2026-03-08", "-03:30", "-02:30", 23],
		["America/St_Johns", "2026-11-01", "-02:30", "-03:30", 25],
		["Pacific/Apia", "2026-12-31", "+13:00", "+13:00", 24],
	];
	for (const [zone, date, before, after, hours] of days)
		it(`counts from local midnight in ${zone} on ${date}, ${hours} h`, () => {
			const from = `${date}T00:00:00${before}`;
			const next = new Date(Date.parse(`${date}T00:00:00Z`) + 24 * 60 * MINUTE);
			const to = `${next.toISOString().slice(0, 10)}T00:00:00${after}`;
			const length = Date.parse(to) - Date.parse(from);
			assert.equal(length, hours * 60 * MINUTE);
			assert.deepEqual(slots(zone, 1, from, to), [Date.parse(from)]);
			assert.deepEqual(
				slots(zone, 4, from, to).map((at) =>
					ZoneClock.of(zone).format(at).slice(11, 19),
				),
				["00:00:00", "06:00:00", "12:00:00", "18:00:00"],
			);
			for (const updates of [24, 96, 144]) {
				const starts = slots(zone, updates, from, to);
				assert.equal(starts.length, (updates * hours) / 24);
				starts.forEach((at, k) => {
					assert.equal(
						at,
						Date.parse(from) + k * ((24 * 60 * MINUTE) / updates),
					);
				});
			}
		});

	it("starts a day at the jump when midnight does not exist", () => {
		const clock = ZoneClock.of("America/Havana");
		const day = Date.parse("2026-03-08T00:00:00Z") / (24 * 60 * MINUTE);
		assert.equal(clock.dayStart(day), Date.parse("2026-03-08T05:00:00Z"));
		assert.equal(
			clock.format(clock.dayStart(day)),
			"2026-03-08T01:00:00-04:00",
		);
		assert.equal(clock.dayStart(day + 1), Date.parse("2026-03-09T04:00:00Z"));
	});

	it("starts a day at the first of two midnights", () => {
		const clock = ZoneClock.of("America/Havana");
		const day = Date.parse("2026-11-01T00:00:00Z") / (24 * 60 * MINUTE);
		assert.equal(clock.dayStart(day), Date.parse("2026-11-01T04:00:00Z"));
		assert.equal(
			clock.dayStart(day + 1) - clock.dayStart(day),
			25 * 60 * MINUTE,
		);
	});

	const polls: readonly [number, string, string, string][] = [
		[1, "berlin", "2026-10-25T08:12:33.400Z", "2026-10-26T00:00:00+01:00"],
		[1, "kathmandu", "2026-05-01T18:14:59Z", "2026-05-02T00:00:00+05:45"],
		[4, "berlin", "2026-03-29T00:30:00Z", "2026-03-29T06:00:00+02:00"],
		[4, "berlin", "2026-10-25T10:59:59Z", "2026-10-25T12:00:00+01:00"],
		[24, "kathmandu", "2026-05-01T10:00:00Z", "2026-05-01T16:00:00+05:45"],
		[24, "berlin", "2026-10-25T00:30:00Z", "2026-10-25T02:00:00+01:00"],
		[96, "berlin", "2026-08-12T15:30:08Z", "2026-08-12T17:45:00+02:00"],
		[96, "berlin", "2026-08-12T15:44:59.999Z", "2026-08-12T17:45:00+02:00"],
		[144, "berlin", "2026-08-12T15:30:08.400Z", "2026-08-12T17:45:09+02:00"],
	];
	for (const [updates, place, at, expected] of polls)
		it(`with ${updates} updates a day, at ${at} in ${place}, names ${expected}`, () => {
			const world = new World(at, { ...PLANS.plus, updatesPerDay: updates });
			world.addSite(PLACES[place as keyof typeof PLACES]);
			const { json } = world.forecast();
			assert.equal(json.next_poll_at, expected);
			assert.equal(
				Date.parse(json.computed_at),
				Math.floor(Date.parse(at) / 1000) * 1000,
			);
		});

	it("never names a time under 15 min away with more than 96 updates", () => {
		const world = new World("2026-03-28T20:00:00Z");
		world.addSite();
		for (let k = 0; k < 40; k++) {
			world.now += 7 * MINUTE + 1;
			const { json } = world.forecast("forecast_days=0");
			const ahead = Date.parse(json.next_poll_at) - world.now;
			assert.ok(ahead >= 15 * MINUTE && ahead < 16 * MINUTE);
		}
	});

	for (const updates of [1, 4, 24, 96, 144])
		it(`brings something newer at next_poll_at and not before, ${updates} a day`, () => {
			const world = new World("2026-10-24T21:00:00Z", {
				...PLANS.unmetered,
				updatesPerDay: updates,
			});
			world.addSite();
			for (let k = 0; k < 6; k++) {
				const { json } = world.forecast("forecast_days=0");
				if (updates <= 96) {
					world.now = Date.parse(json.next_poll_at) - 1;
					assert.equal(
						world.forecast("forecast_days=0").text,
						JSON.stringify(json),
					);
				}
				world.now = Date.parse(json.next_poll_at);
				const later = world.forecast("forecast_days=0").json;
				assert.equal(
					Date.parse(later.computed_at),
					Date.parse(json.next_poll_at),
				);
			}
		});

	it("gives one computation to all requests of a slot, whatever their parameters", () => {
		const world = new World("2026-05-10T06:01:00Z", "light");
		world.addSite();
		const first = world.forecast("include=all&past_days=2").json;
		world.set("2026-05-10T06:59:00Z");
		const second = world.forecast("timezone=utc").json;
		assert.equal(Date.parse(second.computed_at), Date.parse(first.computed_at));
		assert.deepEqual(
			second.values.map((row: { pv_power: number }) => row.pv_power),
			first.values
				.slice(2 * 96)
				.map((row: { pv_power: number }) => row.pv_power),
		);
		world.set("2026-05-10T07:00:00Z");
		assert.equal(
			world.forecast("timezone=utc").json.computed_at,
			"2026-05-10T07:00:00Z",
		);
	});

	it("computes again after a change of strings, config, location or plan, not of the name", () => {
		const world = new World("2026-05-10T06:01:00Z", {
			...PLANS.plus,
			updatesPerDay: 1,
		});
		world.addSite();
		const computed = () => {
			world.now += MINUTE;
			return Date.parse(world.forecast().json.computed_at) === world.now;
		};
		const patch = (body: unknown) => {
			const { status } = world.send("PATCH", "/v2/sites/site_a", "", body);
			assert.equal(status, 200);
		};
		assert.equal(computed(), true);
		assert.equal(computed(), false);
		patch({ name: "Other" });
		assert.equal(computed(), false);
		patch({ strings: [{ slope: 1, orientation: 1, power_kw: 1 }] });
		assert.equal(computed(), true);
		patch({ config: { losses: { albedo: 0.3 } } });
		assert.equal(computed(), true);
		patch({ latitude: 52.6 });
		assert.equal(computed(), true);
		assert.equal(computed(), false);
		world.simulator.setPlan(KEY, "light");
		assert.equal(computed(), true);
		assert.equal(computed(), false);
	});
});
