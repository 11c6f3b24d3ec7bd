import assert from "node:assert/strict";
import { sunOfDay } from "../../src/learn/sun";
import type { Reading } from "../../src/learn/tally";
import {
	bow,
	chance,
	DAY,
	energy,
	HOUR,
	HOUSE,
	MINUTE,
	message,
	QUARTER,
	Watched,
} from "./support";

const START = "2026-05-01";
type Passing = Parameters<Watched["pass"]>;

/** Rows of a date as corrected. */
const dayAfter = (
	house: Watched,
	days: number,
	power: (at: number) => number = (at) => bow(at, house.house),
) => {
	const start = house.dayStart(START, days);
	return house.corrected(
		message(
			start,
			house.dayStart(START, days + 1),
			(at) => power(at + QUARTER / 2),
			{ house: house.house },
		),
		start + MINUTE,
	).rows;
};

/** Energy of a date, corrected to as it came. */
function ratio(...given: Parameters<typeof dayAfter>): number {
	const rows = dayAfter(...given);
	return energy(rows) / energy(rows, "pv_power_raw");
}

const near = (value: number, expected: number, by: number, what = "") =>
	assert.ok(Math.abs(value - expected) <= by, `${what} ${value}`);

/** Weather that no forecast knows: a day's share, and an hour's. */
const weather = (day: number, time: number, seed = 1) =>
	1 +
	0.25 * (chance(seed, day) - 0.5) +
	0.3 * (chance(seed, Math.floor(time / HOUR)) - 0.5);
const good = (watts: number, day: number, time: number) =>
	watts * weather(day, time);

function passed(
	metered: Passing[2],
	days = 30,
	foreseen?: Passing[3],
): Watched {
	const house = new Watched();
	house.pass(START, days, metered, foreseen);
	return house;
}

describe("learning", () => {
	it("changes nothing before five days have taught", () => {
		for (const house of [
			passed(() => null, 10),
			passed((watts) => 0.7 * watts, 4),
		]) {
			for (const row of dayAfter(house, 10)) {
				assert.equal(row.pv_power, row.pv_power_raw);
			}
		}
	});

	it("finds a constant error, and half of it within a week", () => {
		const house = passed((watts) => 0.8 * watts, 7);
		assert.ok(ratio(house, 7) < 0.9);
		house.pass("2026-05-08", 23, (watts) => 0.8 * watts);
		near(ratio(house, 30), 0.8, 0.02);
	});

	it("finds a constant error through the weather", () => {
		const house = passed((...given) => 0.85 * good(...given));
		near(ratio(house, 30), 0.85, 0.05);
	});

	it("takes a good forecast for good, whatever the weather", () => {
		for (let seed = 1; seed <= 5; seed += 1) {
			const house = passed(
				(watts, day, time) => watts * weather(day, time, seed),
			);
			near(ratio(house, 30), 1, 0.03, `seed ${seed}`);
		}
	});

	it("finds a shadow where the sun is, and leaves the rest", () => {
		const azimuth = (time: number) =>
			sunOfDay(HOUSE, Math.floor(time / DAY))[
				2 * Math.floor((time % DAY) / QUARTER)
			] as number;
		const isShaded = (time: number) => azimuth(time) < 120;
		const house = passed(
			(watts, day, time) => good(watts, day, time) * (isShaded(time) ? 0.3 : 1),
		);
		const start = house.dayStart(START, 30);
		for (const [index, row] of dayAfter(house, 30).entries()) {
			const time = start + index * QUARTER;
			const raw = row.pv_power_raw as number;
			// Points of the grid are 6° apart: the edge is soft.
			if (raw < 1000 || Math.abs(azimuth(time) - 120) < 10) continue;
			const factor = (row.pv_power as number) / raw;
			if (isShaded(time)) assert.ok(factor < 0.55, `${factor} at ${index}`);
			else near(factor, 1, 0.1, `${index}:`);
		}
	});

	it("leaves sunny days alone where clouds are foreseen too bright", () => {
		const dim = (day: number) => (chance(9, day) < 0.5 ? 0.4 : 1);
		const house = passed(
			(watts, day, time) =>
				watts *
				dim(day) *
				(dim(day) < 1 ? 0.8 : 1) *
				(0.97 + 0.06 * chance(time)),
			45,
			(start, day) => dim(day) * bow(start + QUARTER / 2),
		);
		near(ratio(house, 45), 1, 0.01, "sun");
		near(
			ratio(house, 45, (at) => 0.4 * bow(at)),
			0.8,
			0.06,
			"clouds",
		);
	});

	it("keeps every factor between 0.2 and 2", () => {
		for (const error of [0.31, 2.9]) {
			const house = passed((watts) => error * watts, 40);
			for (const row of dayAfter(house, 40)) {
				const factor = (row.pv_power as number) / (row.pv_power_raw || 1);
				if ((row.pv_power_raw as number) < 4000) continue;
				assert.ok(factor >= 0.2 && factor <= 2, String(factor));
				assert.ok(error < 1 ? factor < 0.6 : factor > 1.3, String(factor));
			}
		}
	});

	it("forgets what has changed", () => {
		const house = passed((watts) => 0.8 * watts);
		house.pass("2026-05-31", 60, (watts) => watts);
		near(ratio(house, 90), 1, 0.04);
	});

	it("does not take one odd day for a change that lasts", () => {
		const house = passed((watts) => 0.85 * watts);
		house.pass("2026-05-31", 1, (watts) => 0.6 * watts);
		house.pass("2026-06-01", 1, (watts) => 0.85 * watts);
		near(ratio(house, 32), 0.85, 0.03);
	});

	it("is judged by what it showed when the forecast came", () => {
		const house = passed((watts) => 0.8 * watts, 10);
		const start = house.dayStart(START, 10);
		const { rows } = house.corrected(
			message(start, start + 2 * DAY, (at) => bow(at + QUARTER / 2)),
			start + 23 * HOUR,
		);
		house.learner.advance(start + DAY + MINUTE);
		const ahead = house.days().find((each) => each.start === start + DAY);
		assert.deepEqual(
			ahead?.day_ahead?.corrected,
			rows.slice(96).map(({ pv_power }) => Math.round(pv_power as number)),
		);
	});

	it("goes by the hour where the place is not known", () => {
		const house = new Watched({ ...HOUSE, latitude: null, longitude: null });
		house.pass(START, 20, (watts) => 0.8 * watts);
		near(ratio(house, 20), 0.8, 0.05);
	});

	for (const order of ["HRF", "HFR", "RHF", "RFH", "FHR", "FRH"]) {
		it(`comes to the same by history (H), readings (R) and forecast (F) as ${order}`, () => {
			const house = new Watched();
			const from = house.dayStart(START);
			const today = house.dayStart(START, 20);
			const now = today + 20 * HOUR;
			const rows: object[] = [];
			for (let time = from; time < now; time += 10 * MINUTE) {
				rows.push({ time, power_w: 0.8 * bow(time) });
			}
			const foresee = (start: number, end: number) =>
				house.foresee(
					message(start, end, (at) => bow(at + QUARTER / 2)),
					now,
				);
			for (const step of order) {
				if (step === "R") house.list(rows, now);
				else if (step === "F") foresee(today, today + 2 * DAY);
				else assert.equal(foresee(from, today), false, "it is not sent on");
			}
			near(ratio(house, 20), 0.8, 0.03);
			assert.equal(house.learner.facts(now).days, 20);
			assert.deepEqual(house.codes(), []);
		});
	}
});

describe("what must not teach", () => {
	const some =
		(wrong: (watts: number, time: number) => number, from = 10, to = 15) =>
		(watts: number, day: number, time: number) =>
			day >= from && day < to ? wrong(watts, time) : good(watts, day, time);
	const hour = (time: number) => new Date(time).getUTCHours();
	const isOdd = (time: number) => (time / (5 * MINUTE)) % 2 === 1;

	for (const [what, code, metered] of [
		["snow", "odd_day", some((watts) => 0.05 * watts)],
		["a meter that shows zero", "odd_day", some(() => 0)],
		["a meter that is stuck", "odd_day", some(() => 2345)],
		[
			"a meter that dies within days",
			"odd_day",
			some((watts, time) => (hour(time) >= 10 ? 0 : watts), 5, 30),
		],
		[
			"hours that a message calls curtailed",
			undefined,
			(watts, day, time) =>
				Math.abs(hour(time) - 11) <= 2
					? { power_w: 300 + 200 * chance(day, time), curtailed: true }
					: good(watts, day, time),
		],
		["kW for W", "wrong_unit", some((watts) => watts / 1000)],
		["the wrong sign", undefined, some((watts) => -watts)],
		[
			"two meters in turn",
			"two_meters",
			some((watts, time) => (isOdd(time) ? 0.8 : 0.2) * watts),
		],
	] as [string, string | undefined, Passing[2]][]) {
		it(what, () => {
			const house = passed(metered);
			near(ratio(house, 30), 1, 0.04);
			assert.deepEqual(house.codes(), code ? [code] : []);
		});
	}

	it("a counter in MWh or Wh for kWh, and two counters in turn", () => {
		for (const change of [
			(kwh: number) => kwh / 1000,
			(kwh: number) => kwh * 1000,
			(kwh: number, time: number) => (isOdd(time) ? kwh / 3 : kwh),
		]) {
			let kwh = 1000;
			const house = passed((watts, day, time) => {
				kwh += good(watts, day, time) / 12_000;
				const isWrong = day >= 10 && day < 15;
				return { energy_kwh: isWrong ? change(kwh, time) : kwh };
			});
			near(ratio(house, 30), 1, 0.03, String(change));
			assert.ok(house.codes().length > 0, String(change));
		}
	});
});

describe("what is no meter of the roof", () => {
	/** A house's load: a base, and what is switched on by the half hour. */
	const load = (time: number) =>
		400 +
		100 * chance(time) +
		(chance(5, Math.floor(time / (HOUR / 2))) < 0.15 ? 1800 : 0);
	const from = (time: number, shift: number) =>
		bow(time + shift) * weather(0, time + shift);
	/** A battery takes what the house does not need; full, it holds the roof down to the load. */
	const zeroExport = (kwh: number) => {
		let stored = 0;
		return (watts: number, _day: number, time: number) => {
			const need = 500 + 700 * chance(Math.floor(time / QUARTER));
			const given = stored < kwh ? watts : Math.min(watts, need);
			stored = Math.max(0, stored + (given - need) / 12_000);
			return given;
		};
	};
	for (const [what, code, metered] of [
		[
			"a grid meter, import above zero",
			"grid_meter",
			(...given) => load(given[2]) - good(...given),
		],
		[
			"a grid meter, export above zero",
			"grid_meter",
			(...given) => good(...given) - load(given[2]),
		],
		[
			"import alone",
			"grid_meter",
			(...given) => Math.max(0, load(given[2]) - good(...given)),
		],
		["the house's load", "house_load", (_w, _d, time) => load(time)],
		[
			"export behind the load",
			"export_meter",
			(...given) => Math.max(0, good(...given) - load(given[2])),
		],
		[
			"readings an hour late",
			"wrong_time",
			(_w, _d, time) => from(time, -HOUR),
		],
		[
			"readings an hour early",
			"wrong_time",
			(_w, _d, time) => from(time, HOUR),
		],
		["zero export", "held_down", zeroExport(8)],
		[
			"noons held at a level",
			"held_down",
			(watts, day, time) =>
				Math.abs(((time / HOUR) % 24) - 11) < 2
					? Math.min(2400, watts)
					: good(watts, day, time),
		],
	] as [string, string, Passing[2]][]) {
		it(`${what}: teaches nothing, and is named`, () => {
			const house = passed(metered, 34);
			near(ratio(house, 34), 1, 0.02);
			assert.ok(house.codes().includes(code), house.codes().join());
		});
	}
});

describe("meters of every kind", () => {
	/** Those readings that differ from the last, rounded to a step. */
	const onChange = (step: number, of: Passing[2]): Passing[2] => {
		let last: number | undefined;
		return (...given) => {
			const watts = Math.round((of(...given) as number) / step) * step;
			if (watts === last) return null;
			last = watts;
			return watts;
		};
	};

	it("that speak on change only: what stays is the power, and hours are not left out", () => {
		const dim = (day: number) => 0.35 + 0.65 * chance(4, day);
		for (const step of [10, 100]) {
			const house = passed(
				onChange(step, (watts, day, time) =>
					Math.min(3500, watts * dim(day) * (0.9 + 0.2 * chance(time))),
				),
				34,
				(start, day) => dim(day) * bow(start + QUARTER / 2),
			);
			const highest = Math.max(
				...dayAfter(house, 34).map((row) => row.pv_power as number),
			);
			near(highest, 3500, 50, `${step} W:`);
			assert.ok(!house.codes().includes("gap"), `${step} W`);
			const [meter] = house.learner.report(
				house.dayStart(START, 34),
				"de",
			).meters;
			const { days_30 } = meter?.periods ?? {};
			assert.ok((days_30?.same_day?.raw.energy_kwh as number) > 700);
			assert.equal(days_30?.same_day?.raw.days, 30);
		}
	});

	it("that count in whole kWh: a right forecast stays right at noon", () => {
		for (const minutes of [5, 15, 60]) {
			let kwh = 1000.4;
			const house = passed((watts, day, time) => {
				kwh += good(watts, day, time) / 12_000;
				const energy_kwh = Math.floor(kwh);
				return time % (minutes * MINUTE) === 0 ? { energy_kwh } : null;
			});
			for (const row of dayAfter(house, 30)) {
				if ((row.pv_power_raw as number) < 4000) continue;
				near(
					(row.pv_power as number) / (row.pv_power_raw as number),
					1,
					0.04,
					`${minutes} min:`,
				);
			}
			assert.deepEqual(house.codes(), ["coarse"]);
		}
	});

	for (const [what, metered, codes] of [
		[
			"a counter every hour",
			(time: number, kwh: number) =>
				time % HOUR === 0 ? { energy_kwh: kwh } : null,
			[],
		],
		[
			"a counter every two hours",
			(time: number, kwh: number) =>
				time % (2 * HOUR) === 0 ? { energy_kwh: kwh } : null,
			["coarse"],
		],
		[
			"a counter that begins anew each day",
			(time: number, kwh: number) => ({
				energy_kwh: kwh % 1 ? kwh - Math.floor(time / DAY) : kwh,
			}),
			[],
		],
	] as [
		string,
		(time: number, kwh: number) => Partial<Reading> | null,
		string[],
	][]) {
		it(`that are ${what} teach the roof`, () => {
			let kwh = 30_000;
			const house = passed((watts, day, time) => {
				kwh += (0.8 * good(watts, day, time)) / 12_000;
				return metered(time, kwh);
			});
			near(ratio(house, 30), 0.8, 0.05);
			assert.deepEqual(house.codes(), codes);
		});
	}

	it("that send a power every half hour teach nothing, which is told", () => {
		const house = passed((watts, _day, time) =>
			time % (30 * MINUTE) === 0 ? 0.8 * watts : null,
		);
		near(ratio(house, 30), 1, 0);
		assert.deepEqual(house.codes(), ["gap"]);
		assert.ok((house.learner.notes()[0]?.value as number) > 10);
	});
});

describe("a limit of the inverter", () => {
	const limit = (house: Watched) =>
		house.learner.facts(house.dayStart(START, 40)).limit_w;

	it("is learned where it shows, and cuts the forecast and its band", () => {
		const house = passed((watts) => Math.min(5000, watts), 10);
		const start = house.dayStart(START, 10);
		const { rows } = house.corrected(
			message(start, start + DAY, bow, {
				fields: (at) => ({ pv_power_max: 1.2 * bow(at) }),
			}),
			start,
		);
		for (const row of rows) {
			const raw = row.pv_power_raw as number;
			assert.ok((row.pv_power_max as number) <= 5000);
			if (raw > 500 && raw < 4500) {
				near((row.pv_power as number) / raw, 1, 0.03);
			}
		}
		near(limit(house) as number, 5000, 5);
		assert.deepEqual(house.codes(), []);
	});

	it("is forgotten when more comes through", () => {
		const house = passed((watts) => Math.min(5000, watts), 10);
		house.pass("2026-05-11", 2, (watts) => watts);
		assert.equal(limit(house), null);
	});

	it("is not taken for one where the top of a day is flat", () => {
		for (const share of [1, 0.8]) {
			const house = passed(
				(watts, day) => share * watts * (1 - 0.001 * (day % 2)),
			);
			assert.equal(limit(house), null);
			assert.deepEqual(house.codes(), []);
		}
	});
});
