import assert from "node:assert/strict";
import type { Forecast } from "../../src/forecast/forecast";
import type { Selection } from "../../src/messages/selection";
import {
	missingGroups,
	showDays,
	showForecast,
	showStrings,
	stringMeta,
} from "../../src/messages/view";
import type { Row } from "../../src/service/v2/forecast-answer";
import { GROUP_NAMES, type Group } from "../../src/service/v2/groups";
import { dateDay, dateText, utcText } from "../../src/util/time";
import {
	at,
	dateOf,
	ends,
	kwh,
	near,
	place,
	QUARTER,
	quartersOf,
	stamp,
	stringRows,
	sun,
} from "../forecast/answers";

const BERLIN = "Europe/Berlin";
const NOW = at("2026-07-10T14:07:00+02:00");
const DATES = Array.from({ length: 13 }, (_, n) =>
	dateText(dateDay("2026-07-05") + n),
);

const FIELDS: Record<Group, string[]> = {
	default: ["pv_power"],
	weather: [
		"precipitation_mm",
		"relative_humidity",
		"snow_water_equivalent",
		"temp",
		"weather_code",
		"wind_speed",
	],
	irradiance: ["bni", "dhi", "ghi"],
	clearsky: ["pv_power_clearsky"],
	strings: [],
	variability: ["pv_power_max", "pv_power_min"],
};

/** An answer with every group, and with fields that no group knows. */
function fullAnswer(zone = BERLIN, dates = DATES) {
	const starts = quartersOf(zone, dates[0] as string, dates.at(-1));
	const rows = (index: number, id: string) =>
		stringRows(zone, starts, "local", index, id, (start) =>
			sun(zone, start, 1000 * (index + 1)),
		).map(
			(row): Row => ({
				...row,
				gti: 1,
				gti_shaded: 2,
				pv_power_min: 3,
				pv_power_max: 4,
				soiling: { rate: 5 },
			}),
		);
	return {
		starts,
		body: {
			site_id: "site_1",
			timezone: zone,
			computed_at: "2026-07-10T12:00:08Z",
			next_poll_at: "2026-07-10T18:00:00Z",
			included: [...GROUP_NAMES],
			available: [...GROUP_NAMES],
			daily: dates.map((date, n) => ({
				date,
				pv_energy_kwh: n,
				pv_energy_kwh_min: n - 1,
				pv_energy_kwh_max: n + 1,
				pv_energy_kwh_clearsky: n + 2,
				temp_min: 10,
				temp_max: 20,
				weather_code: 3,
				partial: false,
				notes: ["a"],
			})),
			values: starts.map((start) => ({
				timestamp: stamp(zone, start + QUARTER, "local"),
				pv_power: sun(zone, start, 3000),
				...Object.fromEntries(
					Object.values(FIELDS)
						.flat()
						.filter((field) => field !== "pv_power")
						.map((field, n) => [field, n]),
				),
				quality: { flags: ["x"] },
			})),
			strings: [...rows(1, "str_b"), ...rows(0, "str_a")],
			engine: { version: [7] },
		},
	};
}

const forecast = place(fullAnswer().body);
const select = (more: Partial<Selection> = {}): Selection => ({
	include: ["default"],
	forecastDays: null,
	pastDays: 0,
	timezone: "local",
	...more,
});
const show = (more: Partial<Selection> = {}, of: Forecast = forecast) =>
	showForecast(of, select(more), "fallback", NOW);

/** Every set of groups. */
const SETS: Group[][] = Array.from(
	{ length: 2 ** GROUP_NAMES.length },
	(_, bits) => GROUP_NAMES.filter((_name, n) => bits & (1 << n)),
);

describe("showForecast", () => {
	it("has the shape of the response", () => {
		const view = show({ include: ["default", "strings"] });
		assert.equal(view.site_id, "site_1");
		assert.equal(view.timezone, BERLIN);
		assert.deepEqual(view.included, ["default", "strings"]);
		assert.deepEqual(view.available, GROUP_NAMES);
		assert.deepEqual(view.engine, { version: [7] });
	});

	it("shows each set of groups its own fields, and unknown ones always", () => {
		for (const include of SETS) {
			const view = showForecast(
				forecast,
				select({ include, forecastDays: 0 }),
				"x",
				NOW,
			);
			assert.deepEqual(view.included, include);
			assert.deepEqual(
				Object.keys(view.values[0] as Row).sort(),
				[
					"quality",
					"timestamp",
					...include.flatMap((group) => FIELDS[group]),
				].sort(),
			);
			const band = include.includes("variability");
			assert.equal("pv_energy_kwh_min" in (view.daily[0] as Row), band);
			assert.equal("pv_energy_kwh_max" in (view.daily[0] as Row), band);
			assert.equal("strings" in view, include.includes("strings"));
			if (view.strings) {
				assert.deepEqual(
					Object.keys(view.strings[0] as Row).sort(),
					[
						"gti",
						"gti_shaded",
						"pv_power",
						"soiling",
						"string_id",
						"string_index",
						"timestamp",
						...(band ? ["pv_power_max", "pv_power_min"] : []),
					].sort(),
				);
			}
		}
	});

	it("keeps the day's other fields, whatever the groups", () => {
		assert.deepEqual(show({ forecastDays: 0 }).daily, [
			{
				date: "2026-07-10",
				pv_energy_kwh: 5,
				pv_energy_kwh_clearsky: 7,
				temp_min: 10,
				temp_max: 20,
				weather_code: 3,
				partial: false,
				notes: ["a"],
			},
		]);
	});

	it("does not claim groups that the answer lacks", () => {
		const bare = place({
			timezone: BERLIN,
			included: ["default"],
			values: [{ timestamp: "2026-07-10T12:00:00Z", pv_power: 1 }],
		});
		const view = show({ include: ["default", "weather", "strings"] }, bare);
		assert.deepEqual(view.included, ["default"]);
		assert.deepEqual(view.available, []);
		assert.equal(view.strings, undefined);
		assert.equal(view.site_id, "fallback");
		assert.equal(view.computed_at, null);
		assert.equal(view.next_poll_at, null);
		assert.deepEqual(missingGroups(bare, ["default", "weather", "strings"]), [
			"weather",
			"strings",
		]);
		assert.deepEqual(missingGroups(forecast, [...GROUP_NAMES]), []);
	});

	describe("cuts to days", () => {
		for (const pastDays of [0, 1, 5, 30]) {
			for (const forecastDays of [0, 1, 2, 3, 4, 5, 6, 7, null]) {
				it(`${pastDays} before and ${forecastDays ?? "all"} after today`, () => {
					const view = show({
						include: ["default", "strings"],
						pastDays,
						forecastDays,
					});
					const expected = DATES.filter((date) => {
						const n = dateDay(date) - dateDay("2026-07-10");
						return n >= -pastDays && n <= (forecastDays ?? 99);
					});
					assert.deepEqual(
						view.daily.map(({ date }) => date),
						expected,
					);
					assert.equal(view.values.length, 96 * expected.length);
					assert.equal(view.strings?.length, 2 * 96 * expected.length);
					const dates = new Set(
						view.values.map(({ timestamp }) =>
							dateOf(BERLIN, at(timestamp as string) - QUARTER),
						),
					);
					assert.deepEqual([...dates], expected);
				});
			}
		}

		it("from the row that ends at 00:15 to the one that ends at 00:00", () => {
			assert.deepEqual(ends(show({ forecastDays: 0 }).values), [
				"2026-07-10T00:15:00+02:00",
				"2026-07-11T00:00:00+02:00",
			]);
		});

		it("from 00:00 to 23:45 where stamps are starts", () => {
			const starts = place(fullAnswer().body, { interval: "start" });
			assert.deepEqual(ends(show({ forecastDays: 0 }, starts).values), [
				"2026-07-10T00:00:00+02:00",
				"2026-07-10T23:45:00+02:00",
			]);
		});

		it("that begin and end at the site's midnight", () => {
			const today = (now: string) =>
				showDays(forecast, select({ forecastDays: 0 }), at(now))[0]?.date;
			assert.equal(today("2026-07-09T23:59:59.999+02:00"), "2026-07-09");
			assert.equal(today("2026-07-10T00:00:00+02:00"), "2026-07-10");
			assert.equal(today("2026-07-10T21:59:59Z"), "2026-07-10");
			assert.equal(today("2026-07-10T22:00:00Z"), "2026-07-11");
		});

		it("of 92, 94, 98 and 100 quarters", () => {
			for (const [zone, date, quarters] of [
				[BERLIN, "2026-03-29", 92],
				[BERLIN, "2026-10-25", 100],
				["Africa/Cairo", "2026-04-24", 92],
				["Australia/Lord_Howe", "2026-10-04", 94],
				["Australia/Lord_Howe", "2026-04-05", 98],
			] as const) {
				const day = dateDay(date);
				const { body, starts } = fullAnswer(zone, [
					dateText(day - 1),
					date,
					dateText(day + 1),
				]);
				const noon = starts[144] as number;
				const view = showForecast(
					place(body),
					select({ forecastDays: 0 }),
					"x",
					noon,
				);
				assert.equal(view.values.length, quarters);
				assert.deepEqual(
					view.values.map(({ timestamp }) => timestamp),
					starts
						.filter((start) => dateOf(zone, start) === date)
						.map((start) => stamp(zone, start + QUARTER, "local")),
				);
			}
		});

		it("and shows rows past `daily` only when all is wanted", () => {
			const { body } = fullAnswer();
			body.daily = body.daily.slice(0, -1);
			const stray = place(body);
			assert.equal(show({}, stray).values.length, 96 * 8);
			assert.equal(show({}, stray).daily.length, 7);
			assert.equal(show({ forecastDays: 6 }, stray).values.length, 96 * 7);
		});
	});

	describe("writes times", () => {
		it("where the clock was no whole number of quarters from UTC", () => {
			const starts = [0, 1].map(
				(n) => at("1971-06-01T00:00:00Z") + n * QUARTER,
			);
			const early = place({
				timezone: "Africa/Monrovia",
				values: starts.map((start) => ({
					timestamp: utcText(start),
					pv_power: 1,
				})),
			});
			const { values } = show({ pastDays: 30_000 }, early);
			assert.deepEqual(
				values.map((row) => row.timestamp),
				["1971-05-31T23:15:30-00:44", "1971-05-31T23:30:30-00:44"],
			);
		});

		it("in the site's own time, or in UTC", () => {
			const local = show({ forecastDays: 0 });
			assert.equal(local.computed_at, "2026-07-10T14:00:08+02:00");
			assert.equal(local.next_poll_at, "2026-07-10T20:00:00+02:00");
			const utc = show({ forecastDays: 0, timezone: "utc" });
			assert.equal(utc.computed_at, "2026-07-10T12:00:08Z");
			assert.equal(utc.next_poll_at, "2026-07-10T18:00:00Z");
			assert.equal(utc.timezone, BERLIN);
			assert.deepEqual(ends(utc.values), [
				"2026-07-09T22:15:00Z",
				"2026-07-10T22:00:00Z",
			]);
			assert.deepEqual(
				utc.values.map(({ timestamp }) => at(timestamp as string)),
				local.values.map(({ timestamp }) => at(timestamp as string)),
			);
		});

		it("whatever the answer wrote, and with every offset", () => {
			for (const zone of [
				"Asia/Kathmandu",
				"America/St_Johns",
				"Pacific/Apia",
				BERLIN,
			]) {
				const starts = quartersOf(zone, "2026-10-25", "2026-11-01");
				const of = place(
					{
						timezone: "UTC",
						values: starts.map((start) => ({
							timestamp: stamp(zone, start + QUARTER, "utc"),
							pv_power: 1,
						})),
					},
					{ siteZone: zone },
				);
				const now = starts[300] as number;
				const all = { pastDays: 30 };
				for (const [timezone, form] of [
					["local", "local"],
					["utc", "utc"],
				] as const) {
					assert.deepEqual(
						showForecast(of, select({ ...all, timezone }), "x", now).values.map(
							({ timestamp }) => timestamp,
						),
						starts.map((start) => stamp(zone, start + QUARTER, form)),
					);
				}
			}
		});
	});

	it("gives objects of its own: changing them changes nothing", () => {
		const everything = select({ include: [...GROUP_NAMES], pastDays: 30 });
		const text = () =>
			JSON.stringify([
				showForecast(forecast, everything, "x", NOW),
				showDays(forecast, everything, NOW),
				[...showStrings(forecast, everything, [], NOW)],
			]);
		const before = text();
		const spoil = (value: unknown): void => {
			if (value === null || typeof value !== "object") return;
			for (const [key, inner] of Object.entries(value)) {
				spoil(inner);
				(value as Record<string, unknown>)[key] = "spoilt";
			}
			if (Array.isArray(value)) value.length = 0;
		};
		spoil(showForecast(forecast, everything, "x", NOW));
		spoil(showDays(forecast, everything, NOW));
		spoil([...showStrings(forecast, everything, [], NOW)]);
		assert.equal(text(), before);
	});

	it("lets no row set a prototype", () => {
		const evil = place(
			JSON.parse(
				'{"timezone":"UTC","daily":[{"date":"2026-07-10","__proto__":{"evil":1}}],"values":[{"timestamp":"2026-07-10T12:00:00Z","__proto__":{"evil":1},"constructor":1,"toString":2}],"strings":[{"timestamp":"2026-07-10T12:00:00Z","string_index":0,"__proto__":{"evil":1}}]}',
			),
		);
		const view = show({ include: ["default", "strings"] }, evil);
		for (const row of [view.values[0], view.daily[0], view.strings?.[0]]) {
			assert.equal(Object.getPrototypeOf(row), Object.prototype);
			assert.equal((row as { evil?: unknown }).evil, undefined);
		}
		assert.equal(view.values[0]?.toString, 2);
	});
});

describe("an answer out of all proportion", () => {
	const timestamp = "2026-07-10T12:00:00Z";

	it("of more strings than a call takes arguments is shown whole", () => {
		const strings = Array.from({ length: 150_000 }, (_, string_index) => ({
			timestamp,
			string_index,
			pv_power: 1,
		}));
		const many = place({ timezone: BERLIN, values: [{ timestamp }], strings });
		const shown = show({ include: ["default", "strings"] }, many);
		assert.equal(shown.strings?.length, strings.length);
	});

	it("of many fields keeps them all", () => {
		const row: Record<string, unknown> = { timestamp };
		for (let n = 0; n < 100_000; n += 1) row[`f${n}`] = n;
		const { f99999, ...others } = row;
		const wide = place({
			timezone: BERLIN,
			values: [others, { timestamp: "2026-07-10T12:15:00Z", f99999 }],
		});
		const [first, second] = show({}, wide).values;
		assert.equal(Object.keys(first ?? {}).length, 100_000);
		assert.deepEqual(Object.keys(second ?? {}), ["timestamp", "f99999"]);
	});
});

describe("showStrings", () => {
	const known = [
		{
			string_id: "str_b",
			string_index: 0,
			slope: 30,
			orientation: 90,
			power_kw: 5,
		},
		{
			string_id: "str_a",
			string_index: 1,
			slope: 20,
			orientation: 270,
			power_kw: 4,
		},
	];
	const strings = (more: Partial<Selection> = {}, of: Forecast = forecast) => [
		...showStrings(of, select({ include: ["strings"], ...more }), known, NOW),
	];

	it("gives each string its rows, in order of index", () => {
		const [a, b] = strings({ forecastDays: 1 });
		assert.equal(a?.string_id, "str_a");
		assert.equal(b?.string_id, "str_b");
		for (const [n, string] of [a, b].entries()) {
			assert.equal(string?.values.length, 192);
			assert.ok(string?.values.every((row) => row.string_index === n));
			assert.deepEqual(ends(string?.values ?? []), [
				"2026-07-10T00:15:00+02:00",
				"2026-07-12T00:00:00+02:00",
			]);
		}
		assert.equal(strings({}).length, 2);
	});

	it("joins the record by id, although the order has changed since", () => {
		const [a, b] = strings();
		assert.deepEqual(
			[a?.slope, a?.orientation, a?.power_kw, a?.string_index],
			[20, 270, 4, 0],
		);
		assert.deepEqual([b?.slope, b?.power_kw, b?.string_index], [30, 5, 1]);
	});

	it("sums each string's local days from its own rows", () => {
		const views = strings({ pastDays: 2, forecastDays: 1 });
		for (const [index, { daily }] of views.entries()) {
			assert.deepEqual(
				daily.map(({ date }) => date),
				["2026-07-08", "2026-07-09", "2026-07-10", "2026-07-11"],
			);
			for (const { date, pv_energy_kwh } of daily) {
				const own = quartersOf(BERLIN, date).map((start) =>
					sun(BERLIN, start, 1000 * (index + 1)),
				);
				assert.ok(near(pv_energy_kwh, kwh(own)), date);
			}
		}
	});

	it("takes days from the rows where the service sends none", () => {
		const { body } = fullAnswer();
		const { daily: _, ...rest } = body;
		const [a] = strings({ forecastDays: 1 }, place(rest));
		assert.deepEqual(
			a?.daily.map(({ date }) => date),
			["2026-07-10", "2026-07-11"],
		);
		assert.equal(typeof a?.daily[0]?.pv_energy_kwh, "number");
	});

	it("shows the band only with its group", () => {
		const edge = (more: Partial<Selection>) =>
			strings(more)[0]?.values[0]?.pv_power_min;
		assert.equal(edge({}), undefined);
		assert.equal(edge({ include: ["strings", "variability"] }), 3);
	});

	it("is empty where the answer has no strings", () => {
		const { body } = fullAnswer();
		const { strings: _, ...rest } = body;
		assert.deepEqual(strings({}, place(rest)), []);
	});
});

describe("stringMeta", () => {
	const known = [
		{ string_id: "a", string_index: 1, slope: 1, orientation: 2, power_kw: 3 },
		{ string_id: null, string_index: 0, slope: 4, orientation: 5, power_kw: 6 },
	];
	const meta = (string_id: string | null, string_index: number) =>
		stringMeta({ string_id, string_index, series: forecast.values }, known);

	it("joins by index only without an id", () => {
		assert.equal(meta(null, 0).slope, 4);
		assert.equal(meta("b", 1).slope, null);
		assert.equal(meta(null, 7).power_kw, null);
	});
});
