import assert from "node:assert/strict";
import {
	advance,
	correct,
	correctInput,
	exportState,
	factorMap,
	importState,
} from "../../src/learn";
import { modelOf } from "../../src/learn/days";
import { meterOf } from "../../src/learn/learn-state";
import { SunTrack } from "../../src/learn/sun";
import {
	bow,
	chance,
	DAY,
	energy,
	forecast,
	HOUR,
	HOUSE,
	MINUTE,
	message,
	QUARTER,
	Watched,
} from "./support";

const START = "2026-05-01";

/** Rows of the next date, corrected. */
function nextDay(house: Watched, days: number, power = bow) {
	const start = house.dayStart(START, days);
	const given = message(start, house.dayStart(START, days + 1), (at) =>
		power(at + QUARTER / 2, house.house),
	);
	const input = forecast(start, house.dayStart(START, days + 1), (at) =>
		power(at + QUARTER / 2, house.house),
	);
	return correctInput(house.state, input, given.payload, start + MINUTE).payload
		.values as Record<string, number>[];
}

/** Energy of the next date, corrected to raw. */
function ratio(house: Watched, days: number): number {
	const rows = nextDay(house, days);
	return energy(rows) / energy(rows, "pv_power_raw");
}

/** Weather that no forecast knows: a day's share, and a quarter's. */
const weather = (day: number, time: number, seed = 1) =>
	1 +
	0.25 * (chance(seed, day) - 0.5) +
	0.3 * (chance(seed, Math.floor(time / HOUR)) - 0.5);

describe("learning", () => {
	it("changes nothing before the first day has taught", () => {
		const house = new Watched();
		house.pass(START, 10, () => null);
		const rows = nextDay(house, 10);
		assert.ok(energy(rows) > 10);
		for (const row of rows) assert.equal(row.pv_power, row.pv_power_raw);
	});

	it("finds a constant error, and half of it within a week", () => {
		const house = new Watched();
		house.pass(START, 7, (watts) => 0.8 * watts);
		assert.ok(ratio(house, 7) < 0.9);
		house.pass("2026-05-08", 23, (watts) => 0.8 * watts);
		assert.ok(Math.abs(ratio(house, 30) - 0.8) < 0.02);
	});

	it("finds a constant error through the weather", () => {
		const house = new Watched();
		house.pass(
			START,
			30,
			(watts, day, time) => 0.85 * watts * weather(day, time),
		);
		assert.ok(Math.abs(ratio(house, 30) - 0.85) < 0.05);
	});

	it("takes a good forecast for good, whatever the weather", () => {
		for (let seed = 1; seed <= 5; seed += 1) {
			const house = new Watched();
			house.pass(
				START,
				30,
				(watts, day, time) => watts * weather(day, time, seed),
			);
			assert.ok(Math.abs(ratio(house, 30) - 1) < 0.03, `seed ${seed}`);
		}
	});

	it("finds a shadow where the sun is, and leaves the rest", () => {
		const house = new Watched();
		const sun = new SunTrack(HOUSE as { latitude: number; longitude: number });
		const isShaded = (time: number) => {
			sun.moveTo(time);
			return sun.azimuth < 120;
		};
		house.pass(
			START,
			30,
			(watts, day, time) =>
				weather(day, time) * watts * (isShaded(time) ? 0.3 : 1),
		);
		const rows = nextDay(house, 30);
		const start = house.dayStart(START, 30);
		for (const [index, row] of rows.entries()) {
			const raw = row.pv_power_raw as number;
			const time = start + index * QUARTER;
			sun.moveTo(time);
			// Points of the grid are 10° apart: the edge is soft.
			if (raw < 1000 || Math.abs(sun.azimuth - 120) < 12) continue;
			const factor = (row.pv_power as number) / raw;
			if (isShaded(time)) assert.ok(factor < 0.5, `${factor} at ${index}`);
			else assert.ok(Math.abs(factor - 1) < 0.1, `${factor} at ${index}`);
		}
	});

	it("keeps every factor between 0.2 and 2", () => {
		for (const [error, least, most] of [
			[0.31, 0.2, 0.6],
			[2.9, 1.3, 2],
		] as const) {
			const house = new Watched();
			house.pass(START, 40, (watts) => error * watts);
			for (const row of nextDay(house, 40)) {
				const raw = row.pv_power_raw as number;
				if (raw < 1) continue;
				const factor = (row.pv_power as number) / raw;
				assert.ok(factor >= 0.2 && factor <= 2, String(factor));
				if (raw > 4000) assert.ok(factor >= least && factor <= most);
			}
		}
	});

	it("forgets what has changed", () => {
		const house = new Watched();
		house.pass(START, 30, (watts) => 0.8 * watts);
		house.pass("2026-05-31", 40, (watts) => watts);
		assert.ok(Math.abs(ratio(house, 70) - 1) < 0.05);
	});

	it("follows what is washed off within two sunny days", () => {
		const soil = (day: number) => 1 - 0.004 * day;
		const house = new Watched();
		house.pass(
			START,
			34,
			(watts, day, time) =>
				soil(day) * watts * (0.7 + 0.3 * weather(day, time)),
		);
		assert.ok(ratio(house, 34) < 0.92, String(ratio(house, 34)));
		house.pass("2026-06-04", 2, (watts) => watts);
		assert.ok(Math.abs(ratio(house, 36) - 1) < 0.03, String(ratio(house, 36)));
	});

	it("does not take one odd day for a change that lasts", () => {
		const house = new Watched();
		house.pass(START, 30, (watts) => 0.85 * watts);
		house.pass("2026-05-31", 1, (watts) => 0.6 * watts);
		house.pass("2026-06-01", 1, (watts) => 0.85 * watts);
		assert.ok(Math.abs(ratio(house, 32) - 0.85) < 0.03);
	});

	it("knows today when its light is gone, and is judged by what it showed then", () => {
		const house = new Watched();
		house.pass(START, 4, (watts) => 0.8 * watts);
		const start = house.dayStart(START, 4);
		const given = message(house.dayStart(START, 5), start + 2 * DAY, (at) =>
			bow(at + QUARTER / 2),
		);
		const tomorrow = (now: number) =>
			correct(house.state, given, now).payload.values as Record<
				string,
				number
			>[];
		const readUntil = (end: number) => {
			for (let time = start; time < end; time += 5 * MINUTE) {
				house.read(time, { power_w: 0.8 * bow(time) }, time);
			}
		};
		readUntil(start + 12 * HOUR);
		const noon = energy(tomorrow(start + 12 * HOUR));
		readUntil(start + 21 * HOUR);
		house.foresee(
			forecast(start, start + 2 * DAY, (at) => bow(at + QUARTER / 2)),
			start + 23 * HOUR,
		);
		const shown = tomorrow(start + 23 * HOUR);
		assert.ok(energy(shown) < noon);
		const next = start + DAY + MINUTE;
		house.state = advance(house.state, next);
		assert.deepEqual(
			meterOf(house.state, null)?.today?.day_ahead?.corrected,
			shown.map(({ pv_power }) => Math.round(pv_power as number)),
		);
		const after = energy(tomorrow(next));
		assert.ok(Math.abs(energy(shown) - after) < 0.01 * after);
	});

	for (const hour of [12, 23]) {
		it(`is judged by what it knew when a forecast came at ${hour}:00, asked for then or not`, () => {
			const house = new Watched();
			house.pass(START, 4, (watts) => 0.8 * watts);
			const start = house.dayStart(START, 4);
			const now = start + hour * HOUR;
			for (let time = start; time < now; time += 5 * MINUTE) {
				house.read(time, { power_w: 0.8 * bow(time) });
			}
			const foreseen = (at: number) => bow(at + QUARTER / 2);
			house.foresee(forecast(start, start + 2 * DAY, foreseen), now);
			// Of a copy, so that the house itself is not asked.
			const { payload } = correct(
				importState(exportState(house.state)),
				message(start + DAY, start + 2 * DAY, foreseen),
				now,
			);
			for (let time = now; time < start + DAY; time += 5 * MINUTE) {
				house.read(time, { power_w: 0.8 * bow(time) });
			}
			house.state = advance(house.state, start + DAY + MINUTE);
			assert.deepEqual(
				meterOf(house.state, null)?.today?.day_ahead?.corrected,
				(payload.values as Record<string, number>[]).map(({ pv_power }) =>
					Math.round(pv_power as number),
				),
			);
		});
	}

	it("goes without the sun where the place is not known, and says so", () => {
		const house = new Watched({ ...HOUSE, latitude: null, longitude: null });
		house.pass(START, 20, (watts) => 0.8 * watts);
		assert.ok(Math.abs(ratio(house, 20) - 0.8) < 0.05);
		assert.deepEqual(house.codes(), ["no_position"]);
		assert.deepEqual(factorMap(house.state)?.points, []);
	});
});

describe("what must not teach", () => {
	/** Factor after 30 days of which some were wrong, and what was noted. */
	const learned = (
		metered: Parameters<Watched["pass"]>[2],
		foreseen?: Parameters<Watched["pass"]>[3],
	) => {
		const house = new Watched();
		house.pass(START, 30, metered, foreseen);
		return { house, ratio: ratio(house, 30) };
	};
	const good = (watts: number, day: number, time: number) =>
		watts * weather(day, time);

	it("snow", () => {
		const { house, ratio } = learned(
			(watts, day, time) =>
				good(watts, day, time) * (day >= 10 && day < 16 ? 0.05 : 1),
		);
		assert.ok(Math.abs(ratio - 1) < 0.03, String(ratio));
		assert.equal(house.state.notes[0]?.code, "low_day");
		assert.equal(house.state.notes[0]?.count, 6);
	});

	it("a meter that shows zero, or the same for days", () => {
		for (const watts of [0, 2345]) {
			const { house, ratio } = learned((real, day, time) =>
				day >= 10 && day < 16 ? watts : good(real, day, time),
			);
			assert.ok(Math.abs(ratio - 1) < 0.03, `${watts}: ${ratio}`);
			assert.ok(house.codes().includes("dead_meter"));
		}
	});

	it("a meter that dies within days", () => {
		const { ratio } = learned((watts, day, time) =>
			day >= 5 && new Date(time).getUTCHours() >= 11
				? 0
				: good(watts, day, time),
		);
		assert.ok(Math.abs(ratio - 1) < 0.03, String(ratio));
	});

	it("hours that a message calls curtailed", () => {
		const { house, ratio } = learned((watts, day, time) => {
			const isHeld = Math.abs(new Date(time).getUTCHours() - 11) <= 2;
			return isHeld
				? { power_w: 300 + 200 * chance(day, time), curtailed: true }
				: good(watts, day, time);
		});
		assert.ok(Math.abs(ratio - 1) < 0.04, String(ratio));
		assert.ok(house.codes().includes("curtailed"));
	});

	it("a plateau below what other days reach", () => {
		const { house, ratio } = learned((watts, day, time) =>
			day % 3 === 0 || day >= 27
				? good(watts, day, time)
				: Math.min(3000, good(watts, day, time)),
		);
		assert.ok(Math.abs(ratio - 1) < 0.03, String(ratio));
		assert.equal(factorMap(house.state)?.limit_w, null);
	});

	it("kW for W, and W for kW", () => {
		for (const [factor, code] of [
			[0.001, "unit_kw"],
			[1000, "too_high"],
		] as const) {
			const { house, ratio } = learned(
				(watts, day, time) =>
					good(watts, day, time) * (day >= 10 && day < 15 ? factor : 1),
			);
			assert.ok(Math.abs(ratio - 1) < 0.03, `${code}: ${ratio}`);
			assert.ok(house.codes().includes(code), house.codes().join());
		}
	});

	it("night and weak light", () => {
		const { house } = learned(
			(watts, day, time) => 0.9 * good(watts, day, time),
		);
		const other = structuredClone(house.state);
		let changed = 0;
		for (const { metered, foreseen } of other.meters[0]?.past ?? []) {
			for (const [index, watts] of foreseen.entries()) {
				if (watts === null || watts > 0.02 * HOUSE.peak) continue;
				metered[index] = 100 + (index % 7);
				changed += 1;
			}
		}
		assert.ok(changed > 30 * 40);
		assert.deepEqual(factorMap(other), factorMap(house.state));
	});

	it("a counter in MWh or Wh for kWh, and two counters in turn", () => {
		for (const [change, code] of [
			[(kwh: number) => kwh / 1000, "unit_kw"],
			[(kwh: number) => kwh * 1000, "counter_jump"],
			[
				(kwh: number, time: number) =>
					(time / (5 * MINUTE)) % 2 === 0 ? kwh : kwh / 3,
				"counter_jump",
			],
		] as const) {
			let kwh = 1000;
			const { house, ratio } = learned((watts, day, time) => {
				kwh += good(watts, day, time) / 12_000;
				const isWrong = day >= 10 && day < 15;
				return { energy_kwh: isWrong ? change(kwh, time) : kwh };
			});
			assert.ok(Math.abs(ratio - 1) < 0.03, `${code}: ${ratio}`);
			assert.ok(house.codes().includes(code), house.codes().join());
		}
	});

	it("the wrong sign", () => {
		const { house, ratio } = learned((watts, day, time) =>
			day >= 10 && day < 15 ? -watts : good(watts, day, time),
		);
		assert.ok(Math.abs(ratio - 1) < 0.03, String(ratio));
		assert.ok(house.codes().includes("negative"));
	});

	it("two meters in turn", () => {
		const { house, ratio } = learned((watts, day, time) =>
			day >= 10 && day < 15
				? (time / (5 * MINUTE)) % 2 === 0
					? 0.8 * watts
					: 0.2 * watts
				: good(watts, day, time),
		);
		assert.ok(Math.abs(ratio - 1) < 0.03, String(ratio));
		assert.ok(house.codes().includes("two_meters"));
	});

	it("two meters in turn, for no longer than they send", () => {
		const house = new Watched();
		house.pass(START, 6, (watts, day, time) =>
			day < 3 && (time / (5 * MINUTE)) % 2 === 0 ? 0.2 * watts : 0.8 * watts,
		);
		assert.deepEqual(
			meterOf(house.state, null)?.past.map(({ mixed }) => mixed),
			[true, true, true, false, false, false],
		);
	});

	it("a day that gives far more than any forecast", () => {
		const { house, ratio } = learned(
			good,
			(start, day) => (day >= 10 && day < 13 ? 0.25 : 1) * bow(start),
		);
		assert.ok(ratio < 1.08, String(ratio));
		assert.ok(house.codes().includes("high_day"));
	});
});

describe("a limit of the inverter", () => {
	it("is learned where it shows, and cuts the forecast", () => {
		const house = new Watched();
		house.pass(START, 10, (watts) => Math.min(5000, watts));
		const rows = nextDay(house, 10);
		assert.equal(Math.max(...rows.map((row) => row.pv_power as number)), 5000);
		for (const row of rows) {
			const raw = row.pv_power_raw as number;
			if (raw > 500 && raw < 4500) {
				assert.ok(Math.abs((row.pv_power as number) / raw - 1) < 0.03);
			}
		}
		assert.equal(factorMap(house.state)?.limit_w, 5000);
		assert.ok(house.codes().includes("clipping"));
	});

	it("is forgotten when more comes through", () => {
		const house = new Watched();
		house.pass(START, 10, (watts) => Math.min(5000, watts));
		house.pass("2026-05-11", 2, (watts) => watts);
		assert.equal(factorMap(house.state)?.limit_w, null);
	});

	it("is not taken for one where the top of a day is flat", () => {
		const house = new Watched();
		house.pass(START, 20, (watts, day) => watts * (1 - 0.001 * (day % 2)));
		assert.equal(factorMap(house.state)?.limit_w, null);
	});
});

describe("what is known of the past", () => {
	it("teaches in one go from archived forecasts and late readings", () => {
		const house = new Watched();
		const now = house.dayStart(START, 30) + 20 * HOUR;
		house.foresee(
			forecast(house.dayStart(START), house.dayStart(START, 32), (at) =>
				bow(at + QUARTER / 2),
			),
			now,
		);
		for (let day = 0; day < 30; day += 1) {
			const start = house.dayStart(START, day);
			for (let time = start; time < start + DAY; time += 10 * MINUTE) {
				house.read(time, { power_w: 0.8 * bow(time) }, now);
			}
		}
		assert.ok(Math.abs(ratio(house, 30) - 0.8) < 0.03);
		const meter = meterOf(house.state, null);
		assert.equal(meter && modelOf(house.state, meter).days, 30);
	});

	it("teaches the same whether it came day by day or at once", () => {
		const house = new Watched();
		house.pass(
			START,
			20,
			(watts, day, time) => 0.8 * watts * weather(day, time),
		);
		const made = factorMap(house.state);
		const copy = JSON.parse(JSON.stringify(house.state));
		assert.deepEqual(factorMap(copy), made);
		assert.ok((made?.points.length as number) > 50);
	});
});
