import assert from "node:assert/strict";
import { nowValues } from "../../src/forecast/now";
import { windowEnergy } from "../../src/forecast/window";
import { forecastFromInput } from "../../src/messages/input/forecast-input";
import { makeForecast, offsetsOf, type Plan } from "../export/forecasts";
import { HOUR, MINUTE, QUARTER } from "../support/time";
import { place, quartersOf, stringRows, sun, valueRows } from "./answers";

const close = (actual: number | null, expected: number, what: string) =>
	assert.ok(
		actual !== null && Math.abs(actual - expected) < 2e-6,
		`${what}: ${actual} instead of ${expected}`,
	);

const DAY: Plan = {
	zone: "Europe/Berlin",
	date: "2026-07-01",
	days: 3,
	peaks: [8000, 4000, 6000],
};
const at = (text: string) => Date.parse(text);

/** A deterministic row of numbers in [0, 1). */
function* numbers(): Generator<number> {
	for (let state = 12345; ; state = (state * 48271) % 2147483647) {
		yield state / 2147483647;
	}
}

describe("now: against an integral at steps of one second", () => {
	const places: Plan[] = (
		[
			["Europe/Berlin", "2026-03-28"],
			["Europe/Berlin", "2026-10-24"],
			["Asia/Kathmandu", "2026-06-01"],
			["America/St_Johns", "2026-03-07"],
			["Pacific/Apia", "2026-09-26"],
			["Australia/Lord_Howe", "2026-04-04"],
			["Australia/Lord_Howe", "2026-10-03"],
		] as const
	).map(([zone, date]) => ({ zone, date, days: 4, peaks: [9000, 5000, 7000] }));
	const random = numbers();

	for (const plan of places) {
		it(`${plan.zone} from ${plan.date}`, () => {
			const made = makeForecast(plan);
			const first = made.quarters[0]?.start ?? 0;
			// Watt seconds up to each second of the forecast.
			const sums = new Float64Array(made.quarters.length * 900 + 1);
			for (let second = 0; second + 1 < sums.length; second += 1) {
				const watts = made.quarters[Math.floor(second / 900)]?.watts ?? 0;
				sums[second + 1] = (sums[second] ?? 0) + watts;
			}
			const energy = (from: number, to: number) =>
				((sums[(to - first) / 1000] ?? Number.NaN) -
					(sums[(from - first) / 1000] ?? Number.NaN)) /
				3.6e6;
			const offsetAt = offsetsOf(plan.zone);
			/** Two minutes lie in one clock hour when the clock shows one hour, at one offset. */
			const hour = (ms: number) => {
				const offset = offsetAt(Math.floor(ms / QUARTER) * QUARTER) / MINUTE;
				return `${Math.floor((ms / MINUTE + offset) / 60)} ${offset}`;
			};
			for (let round = 0; round < 75; round += 1) {
				const day = made.days[Math.floor((random.next().value ?? 0) * 3)];
				const next = made.days[made.days.indexOf(day as never) + 1];
				assert.ok(day && next);
				const now =
					day.start +
					Math.floor(
						((random.next().value ?? 0) * (day.end - day.start)) / 1000,
					) *
						1000;
				const minute = Math.floor(now / MINUTE) * MINUTE;
				let hourStart = minute;
				while (hour(hourStart - MINUTE) === hour(now)) hourStart -= MINUTE;
				let hourEnd = minute + MINUTE;
				while (hour(hourEnd) === hour(now)) hourEnd += MINUTE;
				let nextEnd = hourEnd + MINUTE;
				while (hour(nextEnd) === hour(hourEnd)) nextEnd += MINUTE;

				const values = nowValues(made.forecast, made.solar, now);
				const where = `${new Date(now).toISOString()} `;
				const watts = (ms: number) =>
					made.quarters[Math.floor((ms - first) / QUARTER)]?.watts ?? null;
				assert.equal(values.power_now_w, watts(now), where);
				assert.equal(values.power_in_30min_w, watts(now + HOUR / 2), where);
				assert.equal(values.power_in_1h_w, watts(now + HOUR), where);
				const sumsOf = {
					energy_this_hour_kwh: energy(hourStart, hourEnd),
					energy_next_hour_kwh: energy(hourEnd, nextEnd),
					energy_today_kwh: energy(day.start, day.end),
					energy_so_far_today_kwh: energy(day.start, now),
					energy_remaining_today_kwh: energy(now, day.end),
					energy_tomorrow_kwh: energy(next.start, next.end),
					energy_today_settled_kwh: energy(day.start, day.end),
				} as const;
				for (const [field, expected] of Object.entries(sumsOf)) {
					close(values[field as keyof typeof sumsOf], expected, where + field);
				}
				const today = made.quarters.filter(
					({ start }) => start >= day.start && start < day.end,
				);
				const peak = Math.max(...today.map((quarter) => quarter.watts));
				assert.equal(values.peak_power_today_w, peak);
				assert.equal(
					Date.parse(values.peak_time_today ?? ""),
					today.find((quarter) => quarter.watts === peak)?.start,
				);
				assert.equal(
					values.peak_time_today_local,
					new Intl.DateTimeFormat("en-GB", {
						timeZone: plan.zone,
						hour: "2-digit",
						minute: "2-digit",
					}).format(Date.parse(values.peak_time_today ?? "")),
				);
				const bright = today.filter((quarter) => quarter.watts > 0);
				assert.equal(
					Date.parse(values.production_start_today ?? ""),
					bright[0]?.start,
				);
				assert.equal(
					Date.parse(values.production_end_today ?? ""),
					(bright[bright.length - 1]?.start ?? 0) + QUARTER,
				);
				assert.equal(values.gaps, 0);
				assert.deepEqual(
					values.days.map((each) => each.date),
					made.days.slice(made.days.indexOf(day)).map((each) => each.date),
				);
			}
		});
	}
});

describe("now: what it says", () => {
	it("has weather, days and strings", () => {
		const made = makeForecast({ ...DAY, strings: [6, 4], bandHours: 48 });
		const values = nowValues(
			made.forecast,
			made.solar,
			at("2026-07-01T12:05:00+02:00"),
		);
		assert.equal(values.temp_now, 11.5);
		assert.equal(values.weather_code_now, 3);
		assert.deepEqual(Object.keys(values.days[0] ?? {}), [
			"date",
			"pv_energy_kwh",
			"pv_energy_kwh_min",
			"pv_energy_kwh_max",
			"weather_code",
		]);
		assert.equal(values.days[0]?.weather_code, 2);
		assert.deepEqual(
			values.strings.map(({ string_id }) => string_id),
			["str_0", "str_1"],
		);
		const [one, two] = values.strings;
		close(
			one?.energy_today_kwh ?? null,
			(values.energy_today_kwh ?? 0) * 0.6,
			"first string today",
		);
		close(
			(one?.energy_remaining_today_kwh ?? 0) +
				(two?.energy_remaining_today_kwh ?? 0),
			values.energy_remaining_today_kwh ?? 0,
			"strings remaining",
		);
	});

	it("four rows of 1000 W are 1 kWh, not 4", () => {
		const payload = {
			timezone: "UTC",
			daily: [],
			values: ["00:15", "00:30", "00:45", "01:00"].map((time) => ({
				timestamp: `2026-07-01T${time}:00Z`,
				pv_power: 1000,
			})),
		};
		const { forecast, solar } = forecastFromInput({ payload });
		const values = nowValues(forecast, solar, at("2026-07-01T00:20:00Z"));
		assert.equal(values.energy_this_hour_kwh, 1);
		assert.equal(values.energy_so_far_today_kwh, 0.333333);
	});

	it("an end-keyed row belongs to the hour before its stamp", () => {
		const payload = {
			timezone: "UTC",
			daily: [],
			values: Array.from({ length: 8 }, (_, index) => ({
				timestamp: new Date(at("2026-07-01T10:15:00Z") + index * QUARTER)
					.toISOString()
					.replace(".000Z", "Z"),
				pv_power: index < 4 ? 400 : 800,
			})),
		};
		const end = forecastFromInput({ payload });
		const start = forecastFromInput({ payload, solar: { interval: "start" } });
		const now = at("2026-07-01T10:59:59Z");
		const hours = ({ forecast, solar }: typeof end) => {
			const values = nowValues(forecast, solar, now);
			return [values.energy_this_hour_kwh, values.energy_next_hour_kwh];
		};
		assert.deepEqual(hours(end), [0.4, 0.8]);
		assert.deepEqual(hours(start), [null, 0.7]);
	});

	it("rolls at the site's midnight without a new forecast", () => {
		const made = makeForecast(DAY);
		const say = (text: string) =>
			nowValues(made.forecast, made.solar, at(text));
		const evening = say("2026-07-01T23:59:59+02:00");
		const night = say("2026-07-02T00:00:00+02:00");
		assert.ok((evening.energy_so_far_today_kwh ?? 0) > 30);
		assert.equal(night.energy_so_far_today_kwh, 0);
		assert.equal(night.energy_today_kwh, evening.energy_tomorrow_kwh);
		assert.equal(night.days[0]?.date, "2026-07-02");
		assert.equal(night.peak_time_today, evening.peak_time_tomorrow);
	});

	it("moves with the clock between polls, and never holds the last value on", () => {
		const made = makeForecast({
			...DAY,
			days: 1,
			solar: { next_request_at: "2026-07-01T18:00:00Z" },
		});
		const say = (text: string) =>
			nowValues(made.forecast, made.solar, at(text));
		assert.equal(
			say("2026-07-01T14:00:00+02:00").power_now_w,
			made.quarters[56]?.watts,
		);
		const after = say("2026-07-02T00:00:00+02:00");
		assert.equal(after.power_now_w, null);
		assert.equal(after.energy_today_kwh, null);
		assert.equal(after.energy_remaining_today_kwh, null);
		assert.equal(after.horizon_hours, 0);
		assert.equal(after.stale, true);
		assert.equal(after.gaps, 96);
		assert.deepEqual(after.days, []);
	});

	it("a later forecast that rewrites the past leaves the settled day alone", () => {
		const morning = makeForecast(DAY);
		const now = at("2026-07-01T20:00:00+02:00");
		const settled = morning.quarters
			.filter(({ start }) => start + QUARTER <= now)
			.map(({ start, watts }) => [start + QUARTER, watts]);
		// The 20:00 forecast halves the whole day.
		const evening = makeForecast({
			...DAY,
			peaks: [4000, 4000, 6000],
			solar: { settled },
		});
		const before = nowValues(morning.forecast, morning.solar, now);
		const after = nowValues(evening.forecast, evening.solar, now);
		assert.ok(
			(after.energy_today_kwh ?? 0) < 0.6 * (before.energy_today_kwh ?? 0),
		);
		assert.equal(
			after.energy_today_settled_kwh,
			before.energy_today_settled_kwh,
		);
	});

	it("is stale when its poller says so, an hour after a planned request, and without rows ahead", () => {
		const stale = (solar: Record<string, unknown>, text: string) => {
			const made = makeForecast({ ...DAY, solar });
			return nowValues(made.forecast, made.solar, at(text)).stale;
		};
		const planned = { next_request_at: "2026-07-01T10:00:00Z" };
		assert.equal(stale({}, "2026-07-01T12:00:00Z"), false);
		assert.equal(stale({ stale: true }, "2026-07-01T12:00:00Z"), true);
		assert.equal(stale(planned, "2026-07-01T11:00:00Z"), false);
		assert.equal(stale(planned, "2026-07-01T11:00:01Z"), true);
		assert.equal(stale({}, "2026-07-03T21:59:59Z"), false);
		assert.equal(stale({}, "2026-07-03T22:00:00Z"), true);
	});

	it("tells age and horizon", () => {
		const made = makeForecast(DAY);
		const values = nowValues(
			made.forecast,
			made.solar,
			made.forecast.computed_at ?? 0,
		);
		assert.equal(values.age_minutes, 0);
		const later = nowValues(
			made.forecast,
			made.solar,
			at("2026-07-01T03:30:30+02:00"),
		);
		assert.equal(later.age_minutes, 210);
		assert.equal(later.horizon_hours, 68.49);
		assert.equal(later.computed_at, "2026-07-01T00:00:00+02:00");
	});
});

describe("now: what an inverter takes at night", () => {
	it("is no power: all is as if the service had said 0", () => {
		const zone = "Europe/Berlin";
		const starts = quartersOf(zone, "2026-07-01", "2026-07-03");
		const night = (power: number) => (start: number) =>
			sun(zone, start) || power;
		const values = (power: number, at: number) => {
			const rows = valueRows(zone, starts, "local", night(power)).map(
				(row) => ({
					...row,
					pv_power_min: row.pv_power,
					pv_power_max: row.pv_power,
					pv_power_clearsky: row.pv_power,
				}),
			);
			const forecast = place({
				timezone: zone,
				computed_at: "2026-07-01T00:00:00Z",
				values: rows,
				strings: stringRows(zone, starts, "local", 0, "a", night(power)),
				daily: [{ date: "2026-07-04", pv_energy_kwh: power / 1000 }],
			});
			const facts = {
				fetched_at: null,
				next_request_at: null,
				stale: false,
				settled: [],
			};
			return nowValues(forecast, facts, at);
		};
		for (const time of ["00:05", "03:50", "05:50", "12:00", "19:55", "23:59"]) {
			const at = Date.parse(`2026-07-01T${time}:00+02:00`);
			for (const power of [-0.4, -0.001, -12]) {
				assert.deepEqual(values(power, at), values(0, at), `${time} ${power}`);
			}
		}
		const { power_now_w, strings, production_start_today } = values(
			-0.4,
			Date.parse("2026-07-01T03:50:00+02:00"),
		);
		assert.ok(Object.is(power_now_w, 0));
		assert.ok(Object.is(strings[0]?.power_now_w, 0));
		assert.equal(production_start_today, "2026-07-01T06:00:00+02:00");
	});
});

describe("now: what is unknown is null", () => {
	// 12:00 to 13:00 of the first day.
	const gap = { at: 48, length: 4, absent: false };

	it("a gap hides sums over it and no others", () => {
		const made = makeForecast({ ...DAY, gaps: [gap] });
		const say = (text: string) =>
			nowValues(made.forecast, made.solar, at(text));
		const before = say("2026-07-01T11:30:00+02:00");
		assert.equal(before.energy_remaining_today_kwh, null);
		assert.equal(before.energy_next_hour_kwh, null);
		assert.ok(before.energy_so_far_today_kwh !== null);
		assert.equal(before.power_in_30min_w, null);
		assert.equal(before.gaps, 4);
		assert.equal(before.peak_power_today_w, null);
		assert.equal(before.peak_time_today, null);
		assert.equal(before.peak_time_today_local, null);
		assert.ok(before.production_start_today);
		assert.equal(before.energy_today_settled_kwh, null);
		// The service's own figure for the day holds.
		close(before.energy_today_kwh, made.days[0]?.energy ?? 0, "day");
		const after = say("2026-07-01T13:00:00+02:00");
		assert.ok(after.energy_remaining_today_kwh !== null);
		assert.equal(after.energy_so_far_today_kwh, null);
	});

	it("a gap before the first power hides the start, one after the last the end", () => {
		const early = makeForecast({
			...DAY,
			gaps: [{ at: 20, length: 3, absent: true }],
		});
		const late = makeForecast({
			...DAY,
			gaps: [{ at: 77, length: 3, absent: true }],
		});
		const now = at("2026-07-01T12:00:00+02:00");
		const one = nowValues(early.forecast, early.solar, now);
		const two = nowValues(late.forecast, late.solar, now);
		assert.equal(one.production_start_today, null);
		assert.ok(one.production_end_today);
		assert.ok(two.production_start_today);
		assert.equal(two.production_end_today, null);
	});

	it("the band ends where the service's does; darkness beyond it is known", () => {
		const made = makeForecast({ ...DAY, bandHours: 36 });
		const say = (text: string) =>
			nowValues(made.forecast, made.solar, at(text));
		const values = say("2026-07-01T12:00:00+02:00");
		const day = made.days[0]?.energy ?? 0;
		close(values.energy_today_min_kwh, day * 0.8, "minimum");
		close(values.energy_today_max_kwh, day * 1.2, "maximum");
		close(values.power_now_min_w, (values.power_now_w ?? 0) * 0.8, "now");
		assert.equal(values.energy_tomorrow_min_kwh, null);
		assert.equal(values.days[2]?.pv_energy_kwh_max, null);
		assert.equal(say("2026-07-02T13:00:00+02:00").power_now_min_w, null);
		const evening = makeForecast({ ...DAY, bandHours: 46 });
		const full = nowValues(
			evening.forecast,
			evening.solar,
			at("2026-07-01T12:00:00+02:00"),
		);
		close(
			full.energy_tomorrow_min_kwh,
			(evening.days[1]?.energy ?? 0) * 0.8,
			"tomorrow",
		);
	});

	it("without the group default powers are unknown, the rest is not", () => {
		const { forecast, solar } = forecastFromInput({
			payload: {
				timezone: "UTC",
				values: [{ timestamp: "2026-07-01T00:15:00Z", temp: 9 }],
			},
		});
		const values = nowValues(forecast, solar, at("2026-07-01T00:10:00Z"));
		assert.equal(values.power_now_w, null);
		assert.equal(values.temp_now, 9);
		assert.equal(values.stale, false);
	});
});

describe("energy of a window", () => {
	const made = makeForecast(DAY);
	const energy = (from: unknown, to: unknown) =>
		windowEnergy(made.forecast, { from, to });

	it("reads every way to write a time, and the site's zone where none is said", () => {
		const expected = energy(
			at("2026-07-01T10:00:00Z"),
			at("2026-07-01T12:00:00Z"),
		);
		assert.ok((expected.energy_kwh ?? 0) > 5);
		for (const [from, to] of [
			["2026-07-01T12:00:00+02:00", "2026-07-01T12:00:00Z"],
			["2026-07-01T12:00", "2026-07-01 14:00:00"],
			[
				String(at("2026-07-01T10:00:00Z")),
				new Date(at("2026-07-01T12:00:00Z")),
			],
		]) {
			assert.deepEqual(energy(from, to), expected);
		}
		close(
			energy("2026-07-01", "2026-07-02").energy_kwh,
			made.days[0]?.energy ?? 0,
			"a date",
		);
	});

	it("is unknown beyond the rows, and counts what is missing there", () => {
		assert.deepEqual(energy("2026-07-03T23:30", "2026-07-04T01:00"), {
			energy_kwh: null,
			gaps: 4,
		});
		assert.deepEqual(energy("2020-01-01T00:00Z", "2020-01-02T00:00Z"), {
			energy_kwh: null,
			gaps: 96,
		});
		assert.equal(
			energy("1990-01-01T00:00Z", "2090-01-01T00:00Z").energy_kwh,
			null,
		);
	});

	it("refuses what is no window, by field and value", () => {
		const refused = (from: unknown, to: unknown, words: RegExp) =>
			assert.throws(() => energy(from, to), {
				code: "SOLAR_YIELD_INPUT",
				message: words,
			});
		refused(undefined, 1, /from is missing/);
		refused("2026-07-01", "noon", /to is "noon".*ISO 8601/);
		refused("2026-02-30", "2026-07-01", /from is "2026-02-30"/);
		refused(1_782_892_800, 1_782_892_900, /from is 1782892800.*milliseconds/);
		refused("2026-07-02", "2026-07-01", /from .*lies after to/);
		refused(Number.NaN, "2026-07-01", /from is/);
		refused({}, [], /from is \{\}/);
	});
});

describe("now: a day of which rows are missing", () => {
	const from = at("2026-07-01T00:00:00+02:00");
	const noon = at("2026-07-01T12:30:00+02:00");
	/** Half a day of rows, each 2360 W: the day's row says 29.5 kWh of its own part. */
	const body = (daily: object) => ({
		site_id: "s",
		timezone: "Europe/Berlin",
		computed_at: "2026-07-01T12:00:00+02:00",
		next_poll_at: "2026-07-01T13:00:00+02:00",
		daily: [{ date: "2026-07-01", pv_energy_kwh: 29.5, ...daily }],
		values: Array.from({ length: 46 }, (_, index) => ({
			timestamp: new Date(noon + (index + 1) * QUARTER).toISOString(),
			pv_power: 2565.217391,
		})),
	});
	/** 50 settled quarters, 25.6 kWh. */
	const settled = Array.from({ length: 50 }, (_, index): [number, number] => [
		from + (index + 1) * QUARTER,
		2048,
	]);
	const of = (daily: object, known: [number, number][]) => {
		const { forecast, solar } = forecastFromInput({
			payload: body(daily),
			solar: { settled: known, timezone: "Europe/Berlin" },
		});
		return nowValues(forecast, solar, noon + HOUR);
	};

	for (const daily of [{}, { partial: true }, { partial: false }]) {
		it(`and whose row says ${JSON.stringify(daily)}: settled quarters fill what they know`, () => {
			const now = of(daily, settled);
			close(now.energy_today_kwh, 55.1, "today");
			close(now.energy_today_settled_kwh, 55.1, "settled");
			close(now.days[0]?.pv_energy_kwh ?? null, 55.1, "the day");
			close(now.energy_so_far_today_kwh, 25.6 + 2.565217391, "so far");
			assert.equal(now.gaps, 0);
			assert.equal(now.peak_power_today_w, 2565.217391);
			assert.equal(now.production_start_today, "2026-07-01T00:00:00+02:00");
		});
	}

	it("and of which too little has settled: a part is not taken for the day", () => {
		const known = settled.slice(0, 40);
		assert.equal(of({ partial: true }, known).energy_today_kwh, null);
		assert.equal(of({ partial: true }, known).gaps, 10);
		assert.equal(of({}, known).energy_today_kwh, 29.5);
		assert.equal(of({}, known).energy_so_far_today_kwh, null);
	});
});

describe("now: a bare forecast", () => {
	it("is stale an hour after its next_poll_at", () => {
		const made = makeForecast(DAY);
		const { solar: _, ...body } = made.body as Record<string, unknown>;
		const next = at("2026-07-01T13:00:00+02:00");
		const payload = { ...body, next_poll_at: new Date(next).toISOString() };
		const { forecast, solar } = forecastFromInput({ payload });
		assert.equal(nowValues(forecast, solar, next + HOUR - 1).stale, false);
		assert.equal(nowValues(forecast, solar, next + HOUR + 1).stale, true);
		// Where it is said when it is asked next, that counts.
		const planned = new Date(next + 5 * HOUR).toISOString();
		const said = { ...solar, next_request_at: planned };
		assert.equal(nowValues(forecast, said, next + 5 * HOUR).stale, false);
		assert.equal(nowValues(forecast, said, next + 6 * HOUR + 1).stale, true);
	});

	it("without any time of the next one is good as long as rows lie ahead", () => {
		const made = makeForecast(DAY);
		const {
			solar: _,
			next_poll_at: __,
			...payload
		} = made.body as Record<string, unknown>;
		const { forecast, solar } = forecastFromInput({ payload });
		const end = (forecast.values.starts.at(-1) as number) + QUARTER;
		assert.equal(nowValues(forecast, solar, end - 1).stale, false);
		assert.equal(nowValues(forecast, solar, end).stale, true);
	});
});
