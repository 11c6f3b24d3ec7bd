import assert from "node:assert/strict";
import fc from "fast-check";
import { bandUntil } from "../../src/forecast/forecast";
import { nowValues } from "../../src/forecast/now";
import {
	type ForecastInput,
	forecastFromInput,
} from "../../src/messages/input/forecast-input";
import {
	type ForecastSum,
	readSumSettings,
	type SumSettings,
	sumForecasts,
} from "../../src/sum";
import {
	type MadeForecast,
	makeForecast,
	PLACES,
	type Plan,
} from "../export/forecasts";
import { QUARTER } from "../support/time";

const DAY: Plan = {
	zone: "Europe/Berlin",
	date: "2026-07-01",
	days: 3,
	peaks: [8000, 4000],
};
const NOON = Date.parse("2026-07-01T10:00:00Z");

/** Payloads are read as flows do, unchecked. */
type Loose = any;

/** A forecast of a site of its own. */
const site = (site_id: string, plan: Partial<Plan> = {}): MadeForecast =>
	makeForecast({ ...DAY, ...plan, solar: { site_id, ...plan.solar } });

const settings = (raw: Record<string, unknown> = {}): SumSettings =>
	readSumSettings(raw);

const add = (
	parts: readonly ForecastInput[],
	raw: Record<string, unknown> = {},
	nowMs = NOON,
): ForecastSum => sumForecasts(parts, settings(raw), nowMs);

/** The sum as the node behind it reads it from a broker. */
const read = ({ payload }: ForecastSum) =>
	forecastFromInput({ payload: JSON.stringify(payload) });

const kwh = (watts: readonly number[]) =>
	watts.reduce((sum, each) => sum + each / 4000, 0);
const close = (a: number, b: number, by = 1e-6) =>
	assert.ok(Math.abs(a - b) < by, `${a} is not ${b}`);

describe("sum: powers", () => {
	it("add up in every quarter hour, whatever day, zone and label", () => {
		fc.assert(
			fc.property(
				fc.constantFrom(...PLACES),
				fc.constantFrom("end" as const, "start" as const),
				fc.constantFrom("end" as const, "start" as const),
				fc.array(fc.integer({ min: 100, max: 20_000 }), {
					minLength: 2,
					maxLength: 3,
				}),
				([zone, date], one, other, peaks) => {
					const parts = peaks.map((peak, index) =>
						site(`s${index}`, {
							zone,
							date,
							peaks: [peak, peak / 2],
							interval: index === 0 ? one : other,
						}),
					);
					const now = (parts[0]?.quarters[40]?.start ?? 0) + 1234;
					const { forecast, solar } = read(add(parts, {}, now));
					const quarters = parts.map((part) => part.quarters);
					assert.equal(forecast.values.starts.length, quarters[0]?.length);
					for (const [index, start] of forecast.values.starts.entries()) {
						assert.equal(start, quarters[0]?.[index]?.start);
						const watts = quarters.reduce(
							(sum, each) => sum + (each[index]?.watts ?? Number.NaN),
							0,
						);
						close(forecast.values.valueAt(start, "pv_power") ?? -1, watts);
					}
					const values = nowValues(forecast, solar, now);
					const today = parts.reduce(
						(sum, { days }) => sum + (days[0]?.energy ?? 0),
						0,
					);
					close(values.energy_today_kwh ?? -1, today, 1e-5);
					// The rows of `daily` say the same.
					close(forecast.daily[0]?.pv_energy_kwh ?? -1, today, 1e-5);
				},
			),
			{ numRuns: 15 },
		);
	});

	it("are there only where all parts have them", () => {
		const parts = [
			site("a", { days: 3 }),
			site("b", {
				days: 2,
				gaps: [{ at: 40, length: 8, absent: true }],
			}),
		];
		const { forecast, solar } = read(add(parts));
		const { starts } = forecast.values;
		assert.equal(starts.length, 192 - 8);
		assert.equal(
			starts[40],
			(parts[0]?.quarters[40]?.start ?? 0) + 8 * QUARTER,
		);
		assert.equal(solar.gaps, 8);
		assert.deepEqual(
			forecast.daily.map(({ date }) => date),
			["2026-07-01", "2026-07-02"],
		);
	});

	it("that a part does not know are unknown, and nothing else of the row", () => {
		const { payload } = add([
			site("a"),
			site("b", { gaps: [{ at: 48, length: 1, absent: false }] }),
		]);
		assert.equal(payload.values[48]?.pv_power, null);
		assert.ok(typeof payload.values[48]?.pv_power_clearsky === "number");
		assert.ok((payload.values[47]?.pv_power as number) > 0);
	});

	it("weather stands where all parts agree on it", () => {
		const { payload } = add([site("a"), site("b", { peaks: [100] })]);
		const row = payload.values[48];
		assert.equal(row?.temp, 11.5);
		// Irradiance differs by the made-up power.
		assert.ok(row && !("ghi" in row));
		assert.equal(payload.daily[0]?.weather_code, 2);
	});

	it("without a quarter hour in common are an error that names the sites", () => {
		assert.throws(() => add([site("a"), site("b", { date: "2026-07-09" })]), {
			code: "SOLAR_YIELD_INPUT",
			message: /forecasts of a, b have no quarter hour in common.*; /,
		});
	});
});

describe("sum: the limit of the inverter", () => {
	const parts = [
		site("a", { strings: [6], bandHours: 40 }),
		site("b", { strings: [4, 2], bandHours: 40 }),
	];
	const LIMIT = 9000;
	const limited = add(parts, { acLimitW: String(LIMIT) });

	it("cuts power, band and clear sky, and tells what is lost", () => {
		const plain = add(parts);
		const lost = new Map<string, number>();
		for (const [index, row] of plain.payload.values.entries()) {
			const cut = limited.payload.values[index] as Loose;
			for (const field of [
				"pv_power",
				"pv_power_min",
				"pv_power_max",
				"pv_power_clearsky",
			]) {
				close(cut[field], Math.min(row[field] as number, LIMIT));
			}
			const start = Date.parse(row.timestamp as string) - QUARTER;
			const date = parts[0]?.days.filter((day) => day.start <= start).at(-1)
				?.date as string;
			const over = Math.max(0, (row.pv_power as number) - LIMIT) / 4000;
			lost.set(date, (lost.get(date) ?? 0) + over);
		}
		assert.deepEqual(Object.keys(limited.solar.limited_kwh ?? {}), [
			...lost.keys(),
		]);
		for (const [date, energy] of lost) {
			close(limited.solar.limited_kwh?.[date] ?? -1, energy, 1e-5);
		}
		assert.ok((lost.get("2026-07-01") ?? 0) > 5);
		assert.equal(lost.get("2026-07-02"), 0);
		assert.equal("limited_kwh" in plain.solar, false);
		// A battery on the DC side stores what the limit cuts.
		assert.equal(limited.solar.ac_limit_w, LIMIT);
		const uncut = new Map(limited.solar.above_limit);
		for (const row of plain.payload.values) {
			const start = Date.parse(row.timestamp as string) - QUARTER;
			const watts = row.pv_power as number;
			if (watts > LIMIT) close(uncut.get(start) ?? -1, watts, 1e-5);
			else assert.equal(uncut.has(start), false);
		}
	});

	it("is in the days too, and in the strings in proportion", () => {
		const { forecast, solar } = read(limited);
		const values = nowValues(forecast, solar, NOON);
		close(
			values.energy_today_kwh ?? -1,
			forecast.daily[0]?.pv_energy_kwh ?? -2,
			1e-5,
		);
		const noon = forecast.values.valueAt(NOON, "pv_power");
		assert.equal(noon, LIMIT);
		const powers = (forecast.strings ?? []).map(({ series }) =>
			series.valueAt(NOON, "pv_power"),
		) as number[];
		close(
			powers.reduce((sum, watts) => sum + watts, 0),
			LIMIT,
			1e-5,
		);
		// Site b's power is shared 4 to 2.
		close((powers[1] ?? 0) / (powers[2] ?? 1), 2, 1e-6);
	});
});

describe("sum: the band", () => {
	it("is least and least, most and most, as far as all parts know it", () => {
		const sum = add([
			site("a", { bandHours: 40 }),
			site("b", { bandHours: 14, peaks: [1000] }),
		]);
		const { forecast, solar } = read(sum);
		assert.equal(bandUntil(forecast), Date.parse("2026-07-01T12:00:00Z"));
		assert.equal(solar.band_until, "2026-07-01T12:00:00Z");
		const row = sum.payload.values[44] as Loose;
		close(row.pv_power_min, row.pv_power * 0.8);
		close(row.pv_power_max, row.pv_power * 1.2);
		const beyond = sum.payload.values[60] as Loose;
		assert.equal(beyond.pv_power_min, beyond.pv_power);
	});

	it("is missing where a part has none", () => {
		const { payload, solar } = add([site("a", { bandHours: 40 }), site("b")]);
		assert.ok(!("pv_power_min" in (payload.values[44] as object)));
		assert.equal(solar.band_until, null);
	});
});

describe("sum: strings", () => {
	it("are named by their sites and counted anew", () => {
		const { payload, solar } = add(
			[site("a", { strings: [6] }), site("b", { strings: [4, 2] })],
			{ sumId: "house", name: "The house" },
		);
		assert.equal(payload.site_id, "house");
		assert.equal(solar.site_name, "The house");
		assert.deepEqual(
			solar.strings.map(({ string_id, string_index, power_kw }) => [
				string_id,
				string_index,
				power_kw,
			]),
			[
				["a.str_0", 0, 6],
				["b.str_0", 1, 4],
				["b.str_1", 2, 2],
			],
		);
		const { forecast } = read({ payload, solar });
		for (const { string_id, string_index, series } of forecast.strings ?? []) {
			assert.equal(string_id, solar.strings[string_index]?.string_id);
			assert.equal(series.starts.length, 288);
		}
		const total = kwh(
			(forecast.strings ?? []).map(
				({ series }) => series.valueAt(NOON, "pv_power") as number,
			),
		);
		close(total, kwh([forecast.values.valueAt(NOON, "pv_power") as number]));
	});

	it("are left out where a site has none, but for what is known of them", () => {
		const { payload, solar } = add([site("a", { strings: [6] }), site("b")]);
		assert.ok(!("strings" in payload));
		assert.deepEqual(
			solar.strings.map(({ string_id }) => string_id),
			["a.str_0"],
		);
	});
});

describe("sum: what it says of itself", () => {
	it("where it is, when all its roofs are there", () => {
		const at = (latitude: number | null, longitude: number | null) => [
			site("a", { solar: { latitude: 52.5, longitude: 13.4 } }),
			site("b", { solar: { latitude, longitude } }),
		];
		const place = (parts: ForecastInput[]) => {
			const { latitude, longitude } = add(parts).solar;
			return [latitude, longitude];
		};
		assert.deepEqual(place(at(52.6, 13.3)), [52.5, 13.4]);
		assert.deepEqual(place(at(48.1, 11.6)), [null, null]);
		assert.deepEqual(place(at(null, null)), [null, null]);
	});

	it("the oldest forecast, the earliest time, stale when a part is", () => {
		const { payload, solar } = add([
			site("b", {
				solar: {
					next_request_at: "2026-07-01T11:00:00Z",
					reason: "new forecast",
					fetched_at: "2026-07-01T09:00:00Z",
					stale: true,
				},
			}),
			site("a", {
				date: "2026-06-30",
				days: 4,
				solar: {
					next_request_at: "2026-07-01T10:30:00Z",
					reason: "spread",
					fetched_at: "2026-07-01T09:30:00Z",
				},
			}),
		]);
		assert.equal(solar.computed_at, "2026-06-30T00:00:00+02:00");
		assert.equal(payload.computed_at, solar.computed_at);
		assert.equal(solar.next_request_at, "2026-07-01T10:30:00Z");
		assert.equal(solar.reason, "spread");
		assert.equal(solar.fetched_at, "2026-07-01T09:00:00Z");
		assert.equal(solar.stale, true);
		assert.deepEqual(solar.sum_of, ["b", "a"]);
		assert.deepEqual(payload.solar, solar);
	});

	it("settled quarters that all parts have, cut at the limit", () => {
		const settled = (site_id: string, pairs: [number, number][]) =>
			site(site_id, { solar: { settled: pairs } });
		const { solar } = add(
			[
				settled("a", [
					[NOON, 5000],
					[NOON + QUARTER, 7000],
					[NOON + 2 * QUARTER, 1],
				]),
				settled("b", [
					[NOON, 1000],
					[NOON + QUARTER, 4000],
				]),
			],
			{ acLimitW: 10_000 },
		);
		assert.deepEqual(solar.settled, [
			[NOON, 6000],
			[NOON + QUARTER, 10_000],
		]);
	});

	it("changes no part, and shares nothing with them", () => {
		const parts = [site("a", { strings: [1] }), site("b", { strings: [1] })];
		const before = JSON.stringify(
			parts.map(({ body, solar }) => [body, solar]),
		);
		const sum = add(parts) as Loose;
		sum.payload.values[0].pv_power = -1;
		sum.payload.strings[0].pv_power = -1;
		sum.solar.strings[0].power_kw = -1;
		sum.payload.daily[0].pv_energy_kwh = -1;
		assert.equal(
			JSON.stringify(parts.map(({ body, solar }) => [body, solar])),
			before,
		);
	});
});
