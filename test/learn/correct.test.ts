import assert from "node:assert/strict";
import { forecastFromInput } from "../../src/messages/input/forecast-input";
import {
	bow,
	DAY,
	energy,
	HOUR,
	HOUSE,
	MINUTE,
	message,
	QUARTER,
	Watched,
} from "./support";

type Rows = Record<string, any>[];

const START = "2026-05-01";
const DAYS = 20;

/** A house whose meter gives 0.8 of what is foreseen. */
function taught(house = HOUSE): Watched {
	const watched = new Watched(house);
	watched.pass(START, DAYS, (watts) => 0.8 * watts);
	return watched;
}

/** The next two dates with all fields, and what is made of them. */
function corrected(
	watched: Watched,
	given: Parameters<typeof message>[3] = {},
	from = DAYS,
) {
	const start = watched.dayStart(START, from);
	const sent = message(
		start,
		watched.dayStart(START, from + 2),
		(at) => bow(at + QUARTER / 2, watched.house),
		{ house: watched.house, ...given },
	);
	const copy = structuredClone(sent);
	const result = watched.corrected(sent, start + 12 * HOUR);
	assert.deepEqual(sent, copy, "the message itself is as it was");
	return { sent, start, ...result };
}

describe("a corrected forecast", () => {
	it("has the shape that came in, and can be read by any node behind", () => {
		const { payload, sent, solar } = corrected(taught(), {
			fields: () => ({ temp: 12.5, weather_code: 3 }),
			daily: [{ date: "2026-05-21", pv_energy_kwh: 40, temp_max: 20 }],
		});
		assert.deepEqual(
			Object.keys(payload).sort(),
			[...Object.keys(sent.payload), "solar"].sort(),
		);
		const values = payload.values as Rows;
		for (const [index, row] of (sent.payload.values as Rows).entries()) {
			const { pv_power, pv_power_raw, ...rest } = values[index] as Rows[0];
			assert.equal(pv_power_raw, row.pv_power);
			assert.ok(row.pv_power === 0 ? pv_power === 0 : pv_power < row.pv_power);
			assert.deepEqual(
				rest,
				Object.fromEntries(
					Object.entries(row).filter(([field]) => field !== "pv_power"),
				),
			);
		}
		assert.deepEqual(payload.solar, solar);
		const { forecast } = forecastFromInput({ payload });
		assert.equal(forecast.values.rows.length, values.length);
	});

	it("has days of the energy of their rows, with what came beside it", () => {
		const { payload } = corrected(taught(), {
			daily: [
				{
					date: "2026-05-21",
					pv_energy_kwh: 61.125,
					pv_energy_kwh_max: 73.35,
					temp_max: 20,
				},
				{ date: "2026-06-30", pv_energy_kwh: 50 },
			],
			fields: (at) => ({ pv_power_max: 1.2 * bow(at + QUARTER / 2) }),
		});
		const [first, far] = payload.daily as Rows;
		const rows = (payload.values as Rows).slice(0, 96);
		assert.ok(
			Math.abs((first?.pv_energy_kwh as number) - energy(rows)) < 0.006,
		);
		assert.ok(
			Math.abs(
				(first?.pv_energy_kwh_max as number) - energy(rows, "pv_power_max"),
			) < 0.006,
		);
		assert.equal(first?.pv_energy_kwh_raw, 61.125);
		assert.equal(first?.temp_max, 20);
		// No rows: nothing is known of its hours.
		assert.equal(far?.pv_energy_kwh, 50);
	});

	it("moves the band and the cloudless power along", () => {
		const { payload } = corrected(taught(), {
			fields: (at) => {
				const watts = bow(at + QUARTER / 2);
				return {
					pv_power_min: Math.round(0.5 * watts),
					pv_power_max: Math.round(1.3 * watts),
					pv_power_clearsky: Math.round(1.4 * watts),
				};
			},
		});
		for (const row of payload.values as Rows) {
			const { pv_power, pv_power_raw, pv_power_min, pv_power_max } = row;
			assert.ok(pv_power_min <= pv_power && pv_power <= pv_power_max);
			if (pv_power_raw < 1000) continue;
			const ratio = pv_power / pv_power_raw;
			assert.ok(Math.abs(pv_power_min / (0.5 * pv_power_raw) - ratio) < 0.01);
			assert.ok(
				Math.abs(row.pv_power_clearsky / (1.4 * pv_power_raw) - ratio) < 0.01,
			);
		}
	});

	it("keeps unknown powers unknown", () => {
		const watched = taught();
		const start = watched.dayStart(START, DAYS);
		const sent = message(start, start + DAY, (at) =>
			at % HOUR === 0 ? null : bow(at),
		);
		const { payload } = watched.corrected(sent, start);
		for (const [index, row] of (payload.values as Rows).entries()) {
			if (index % 4 === 0) {
				assert.equal(row.pv_power, null);
				assert.equal(row.pv_power_raw, null);
			} else assert.equal(typeof row.pv_power, "number");
		}
	});

	it("corrects what has settled of today by the same factors", () => {
		const watched = taught();
		const start = watched.dayStart(START, DAYS);
		const noon = start + 12 * HOUR;
		const { solar, payload } = corrected(watched, {
			solar: { settled: [[noon, bow(noon - QUARTER / 2)]] },
		});
		const row = (payload.values as Rows)[47] as Rows[0];
		assert.deepEqual(solar.settled, [[noon, row.pv_power]]);
		// Also where the forecast has no longer a row.
		const late = watched.corrected(
			message(noon, start + DAY, bow, {
				solar: { settled: [[noon, row.pv_power_raw]] },
			}),
			noon,
		);
		assert.deepEqual(late.solar.settled, [[noon, row.pv_power]]);
	});

	it("tells what it knows", () => {
		const { solar } = corrected(taught());
		assert.equal(solar.learned.days, DAYS);
		assert.ok(solar.learned.quarters > DAYS * 30);
		assert.equal(solar.learned.since, "2026-04-30T22:00:00.000Z");
		assert.ok(solar.learned.share_today > 0.9);
		const { solar: fresh } = corrected(new Watched());
		assert.deepEqual(fresh.learned, {
			days: 0,
			quarters: 0,
			share_today: 0,
			since: null,
		});
	});

	it("is corrected from its raw values where another node has corrected it", () => {
		const first = taught();
		const now = first.dayStart(START, DAYS) + 12 * HOUR;
		const sent = message(
			first.dayStart(START, DAYS),
			first.dayStart(START, DAYS + 1),
			(at) => 0.9 * bow(at),
			{
				fields: (at) => ({ pv_power_max: 1.2 * bow(at) }),
				daily: [{ date: "2026-05-21", pv_energy_kwh: 55 }],
			},
		);
		const { payload, solar } = first.corrected(sent, now);
		const other = () => {
			const house = new Watched();
			house.pass(START, DAYS, (watts) => 0.9 * watts);
			return house;
		};
		const expected = other().corrected(sent, now).payload;
		const house = other();
		const again = house.corrected({ payload, solar }, now).payload;
		assert.notDeepEqual(again.values, payload.values);
		assert.deepEqual(again.daily, expected.daily);
		for (const [index, row] of (again.values as Rows).entries()) {
			const direct = (expected.values as Rows)[index] as Rows[0];
			assert.equal(row.pv_power_raw, direct.pv_power_raw);
			for (const field of ["pv_power", "pv_power_max"]) {
				assert.ok(Math.abs(row[field] - direct[field]) <= 0.03, field);
			}
		}
		assert.equal(house.foresee({ payload, solar }, now), false, "it is known");
	});

	it("is refused where it comes back, and never sent again", () => {
		for (const days of [0, DAYS]) {
			const watched = days ? taught() : new Watched();
			const { payload, solar, start } = corrected(watched);
			assert.throws(
				() => watched.foresee({ payload, solar }, start + 12 * HOUR),
				{
					code: "SOLAR_YIELD_INPUT",
					message: /this node's own output; do not/,
				},
			);
		}
	});

	for (const [date, quarters, zone, place] of [
		["2026-03-28", 92, "Europe/Berlin", [48.1, 11.6]],
		["2026-10-24", 100, "Europe/Berlin", [48.1, 11.6]],
		["2026-10-03", 94, "Australia/Lord_Howe", [-31.5, 159.1]],
		["2026-12-31", 96, "Asia/Kathmandu", [27.7, 85.3]],
	] as const) {
		it(`has the ${quarters} quarters of the day after ${date} in ${zone}`, () => {
			const [latitude, longitude] = place;
			const watched = new Watched({ ...HOUSE, zone, latitude, longitude });
			watched.pass(date, 1, (watts) => 0.8 * watts);
			const start = watched.dayStart(date, 1);
			const end = watched.dayStart(date, 2);
			assert.equal((end - start) / QUARTER, quarters);
			const name = new Date(Date.parse(date) + DAY).toISOString().slice(0, 10);
			const { payload } = watched.corrected(
				message(start, end, (at) => bow(at, watched.house), {
					house: watched.house,
					daily: [{ date: name, pv_energy_kwh: 1 }],
				}),
				start,
			);
			const rows = payload.values as Rows;
			assert.equal(rows.length, quarters);
			const [day] = payload.daily as Rows;
			const raw = energy(rows, "pv_power_raw");
			if (energy(rows) !== raw) {
				assert.ok(
					Math.abs((day?.pv_energy_kwh as number) - energy(rows)) < 0.01,
				);
			}
		});
	}
});

describe("strings of a corrected forecast", () => {
	const strings = {
		east: (at: number) => 0.6 * bow(at + 2 * HOUR),
		west: (at: number) => 0.4 * bow(at - 2 * HOUR),
	};
	const total = (at: number) => strings.east(at) + strings.west(at);

	/** Days in which each meter gives its share. */
	function house(shares: Readonly<Record<string, number>>): Watched {
		const watched = new Watched();
		for (let day = 0; day < DAYS; day += 1) {
			const start = watched.dayStart(START, day);
			const input = message(start, start + 2 * DAY, total, { strings });
			watched.foresee(input, start + MINUTE);
			for (let time = start; time < start + DAY; time += 5 * MINUTE) {
				for (const [id, share] of Object.entries(shares)) {
					const power = strings[id as keyof typeof strings] ?? total;
					watched.read(time, {
						power_w: share * power(time - QUARTER / 2),
						string_id: id === "site" ? null : id,
					});
				}
			}
			watched.foresee(input, start + 23 * HOUR);
		}
		return watched;
	}

	/** Energies of the next date, corrected to raw: of the site, east and west. */
	function ratios(watched: Watched) {
		const start = watched.dayStart(START, DAYS);
		const { payload } = watched.corrected(
			message(start, start + DAY, total, { strings }),
			start,
		);
		const values = payload.values as Rows;
		const all = payload.strings as Rows;
		for (const row of values) {
			const sum = all
				.filter(({ timestamp }) => timestamp === row.timestamp)
				.reduce((watts, string) => watts + string.pv_power, 0);
			assert.ok(
				Math.abs(sum - row.pv_power) < 0.03,
				`${row.timestamp}: ${sum}, not ${row.pv_power}`,
			);
		}
		const ratio = (rows: Rows) => energy(rows) / energy(rows, "pv_power_raw");
		const of = (id: string) =>
			ratio(all.filter(({ string_id }) => string_id === id));
		return [ratio(values), of("east"), of("west")];
	}

	for (const [what, shares, expected] of [
		["follow the site's meter", { site: 0.8 }, [0.8, 0.8, 0.8]],
		["follow their own meters", { east: 0.7, west: 1 }, [0.82, 0.7, 1]],
		[
			"follow the site's meter where not each has its own",
			{ site: 0.82, east: 0.7 },
			[0.82, 0.82, 0.82],
		],
		["stay as they are while others teach", { east: 0.7 }, [0.82, 0.7, 1]],
	] as const) {
		it(`${what}, and add up to the site`, () => {
			const given = ratios(house(shares));
			for (const [index, ratio] of expected.entries()) {
				const is = given[index] as number;
				assert.ok(Math.abs(is - ratio) < 0.04, `${is}, not ${ratio}`);
			}
		});
	}
});
