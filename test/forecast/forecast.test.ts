import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import {
	bandUntil,
	dailyRow,
	type Forecast,
	siteDayEnergy,
} from "../../src/forecast/forecast";
import { dayEnergy, type Series } from "../../src/forecast/series";
import { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import { dateDay, dateText } from "../../src/util/time";
import { Zone } from "../../src/util/zone";
import {
	at,
	DAY,
	kwh,
	near,
	place,
	QUARTER,
	quartersOf,
	type StampForm,
	stringRows,
	sun,
	valueRows,
} from "./answers";

const BERLIN = "Europe/Berlin";
const RECORDED = join(
	__dirname,
	"../fixtures/recorded-v2-forecast-2026-08-12.json",
);

const content = (series: Series) =>
	series.starts.map((start, index) => [start, series.rows[index]?.pv_power]);

/** Place, first and last date: each holds a day of another length, or a year's end. */
const PLACES: [zone: string, first: string, last: string][] = [
	["Europe/Berlin", "2026-03-28", "2026-03-30"],
	["Europe/Berlin", "2026-07-01", "2026-07-02"],
	["Europe/Berlin", "2026-10-24", "2026-10-26"],
	["Europe/Berlin", "2026-12-31", "2027-01-01"],
	["Asia/Kathmandu", "2025-12-31", "2026-01-01"],
	["America/St_Johns", "2026-03-07", "2026-03-09"],
	["America/St_Johns", "2026-10-31", "2026-11-02"],
	["Pacific/Apia", "2026-12-31", "2027-01-01"],
	["Africa/Cairo", "2026-04-23", "2026-04-25"],
	["Africa/Cairo", "2026-10-28", "2026-10-30"],
	["Asia/Beirut", "2026-10-24", "2026-10-25"],
	["America/Havana", "2026-10-31", "2026-11-02"],
	["Australia/Lord_Howe", "2026-04-04", "2026-04-06"],
	["Australia/Lord_Howe", "2026-10-03", "2026-10-05"],
];
const FORMS: StampForm[] = ["local", "utc", "naive"];

/** A power that differs in each quarter, at night too, so that none can be mistaken. */
const unlike = (start: number) => ((start / QUARTER) % 4999) + 1;

describe("placeForecast", () => {
	describe("places rows", () => {
		for (const [zone, first, last] of PLACES) {
			it(`of ${first} to ${last} in ${zone}, however stamps are written`, () => {
				const starts = quartersOf(zone, first, last);
				for (const form of FORMS) {
					const { values } = place({
						timezone: zone,
						values: valueRows(zone, starts, form, unlike),
					});
					assert.deepEqual(
						content(values),
						starts.map((start) => [start, unlike(start)]),
						form,
					);
					assert.equal(values.zone.name, zone);
				}
			});

			it(`of strings of ${first} to ${last} in ${zone}, string by string and step by step`, () => {
				const starts = quartersOf(zone, first, last);
				const power = [unlike, (start: number) => 2 * unlike(start)] as const;
				for (const form of FORMS) {
					const [a, b] = power.map((of, index) =>
						stringRows(zone, starts, form, index, `str_${index}`, of),
					) as [object[], object[]];
					for (const strings of [
						[...b, ...a],
						a.flatMap((row, index) => [b[index], row]),
					]) {
						const forecast = place({
							timezone: zone,
							values: valueRows(zone, starts, form, unlike),
							strings,
						});
						assert.deepEqual(
							forecast.strings?.map((string) => string.string_id),
							["str_0", "str_1"],
						);
						for (const [index, { series }] of (
							forecast.strings ?? []
						).entries()) {
							const of = power[index] as (start: number) => number;
							assert.deepEqual(
								content(series),
								starts.map((start) => [start, of(start)]),
							);
						}
					}
				}
			});
		}

		it("by the end of their quarter: the row of 00:00 is of the day before", () => {
			const { values } = place({
				timezone: BERLIN,
				values: [
					{ timestamp: "2026-07-02T00:00:00+02:00", pv_power: 400 },
					{ timestamp: "2026-07-02T00:15:00+02:00", pv_power: 800 },
				],
			});
			assert.deepEqual(values.days().map(dateText), [
				"2026-07-01",
				"2026-07-02",
			]);
			assert.equal(
				values.valueAt(at("2026-07-01T23:50:00+02:00"), "pv_power"),
				400,
			);
			assert.equal(
				values.valueAt(at("2026-07-02T00:00:00+02:00"), "pv_power"),
				800,
			);
		});

		it("by its start where the account says so", () => {
			const { values, interval } = place(
				{
					timezone: BERLIN,
					values: [
						{ timestamp: "2026-07-02T00:00:00+02:00", pv_power: 400 },
						{ timestamp: "2026-07-02T00:15:00+02:00", pv_power: 800 },
					],
				},
				{ interval: "start" },
			);
			assert.equal(interval, "start");
			assert.deepEqual(values.days().map(dateText), ["2026-07-02"]);
			assert.equal(
				values.valueAt(at("2026-07-02T00:10:00+02:00"), "pv_power"),
				400,
			);
		});

		it("in order of time, whatever the order received", () => {
			const starts = quartersOf(BERLIN, "2026-03-29");
			for (const form of ["local", "utc"] as const) {
				const rows = valueRows(BERLIN, starts, form, unlike);
				fc.assert(
					fc.property(
						fc.shuffledSubarray(rows, { minLength: rows.length }),
						(values) => {
							assert.deepEqual(
								content(place({ timezone: BERLIN, values }).values),
								starts.map((start) => [start, unlike(start)]),
							);
						},
					),
					{ numRuns: 20 },
				);
			}
		});

		it("once: of two for one quarter the later received counts", () => {
			for (const stamps of [
				["2026-07-01T12:00:00+02:00", "2026-07-01T12:00:00+02:00"],
				["2026-07-01T12:00:00+02:00", "2026-07-01T10:00:00Z"],
				["2026-07-01T12:00:00", "2026-07-01T12:00:00"],
				["2026-07-01T12:00:00Z", "2026-07-01T14:00:00"],
			]) {
				const { values } = place({
					timezone: BERLIN,
					values: stamps.map((timestamp, n) => ({ timestamp, pv_power: n })),
				});
				assert.deepEqual(
					values.rows.map((row) => row.pv_power),
					[1],
					String(stamps),
				);
			}
		});

		it("mixed of stamps with and without an offset", () => {
			const { values } = place({
				timezone: BERLIN,
				values: [
					{ timestamp: "2026-07-01T12:15:00", pv_power: 2 },
					{ timestamp: "2026-07-01T10:00:00Z", pv_power: 1 },
					{ timestamp: "2026-07-01T12:30:00+02:00", pv_power: 3 },
				],
			});
			assert.deepEqual(
				values.rows.map((row) => row.pv_power),
				[1, 2, 3],
			);
		});

		it("of the repeated hour by their order, strings each by its own", () => {
			const stamps = ["02:15", "02:30", "02:45", "02:00", "02:15", "02:30"];
			const expected = [
				"2026-10-25T00:15:00.000Z",
				"2026-10-25T00:30:00.000Z",
				"2026-10-25T00:45:00.000Z",
				"2026-10-25T01:00:00.000Z",
				"2026-10-25T01:15:00.000Z",
				"2026-10-25T01:30:00.000Z",
			];
			// The row of 02:00 that stands first is of the first pass.
			const rows = ["02:00", ...stamps].map((time, n) => ({
				timestamp: `2026-10-25T${time}:00`,
				pv_power: n,
			}));
			const forecast = place({
				timezone: BERLIN,
				values: rows,
				strings: [0, 1].flatMap((string_index) =>
					rows.map((row) => ({ ...row, string_index })),
				),
			});
			for (const series of [
				forecast.values,
				...(forecast.strings ?? []).map((string) => string.series),
			]) {
				assert.deepEqual(
					series.starts
						.slice(1)
						.map((start) => new Date(start + QUARTER).toISOString()),
					expected,
				);
				assert.deepEqual(
					series.rows.map((row) => row.pv_power),
					[0, 1, 2, 3, 4, 5, 6],
				);
			}
		});

		it("with a blank for T and 24:00 for midnight as with the usual form", () => {
			for (const [zone, first, last] of PLACES) {
				const starts = quartersOf(zone, first, last);
				for (const form of FORMS) {
					const rows = valueRows(zone, starts, form, unlike);
					const written = rows.map((row) => {
						const stamp = row.timestamp as string;
						if (stamp.slice(11, 19) !== "00:00:00") {
							return { ...row, timestamp: stamp.replace("T", " ") };
						}
						const before = dateText(dateDay(stamp.slice(0, 10)) - 1);
						return {
							...row,
							timestamp: `${before}T24:00:00${stamp.slice(19)}`,
						};
					});
					const [usual, other] = [rows, written].map(
						(values) => place({ timezone: zone, values }).values,
					) as [Series, Series];
					assert.deepEqual(content(other), content(usual), `${zone} ${form}`);
				}
			}
		});

		for (const minutes of [30, 60]) {
			it(`not in steps of ${minutes} minutes, which it names`, () => {
				for (const [zone, first, last] of PLACES) {
					const starts = quartersOf(zone, first, last).filter(
						(_, index) => index % (minutes / 15) === 0,
					);
					for (const form of FORMS) {
						const values = valueRows(zone, starts, form, unlike);
						const byDay = values.filter(
							({ timestamp }) => !/T0[0-4]|T2[1-3]/.test(timestamp as string),
						);
						for (const rows of [values, [...values].reverse(), byDay]) {
							assert.throws(() => place({ timezone: zone, values: rows }), {
								code: "SOLAR_YIELD_RESPONSE",
								message: new RegExp(
									`values: rows are ${minutes} minutes apart; 15 are expected; `,
								),
							});
						}
					}
				}
			});
		}

		it("not in steps of 5 minutes: it names the first that is no quarter", () => {
			const first = at("2026-07-01T00:00:00Z");
			const rows = Array.from({ length: 40 }, (_, index) => ({
				timestamp: new Date(first + index * 300_000).toISOString(),
				pv_power: 1,
			}));
			assert.throws(() => place({ timezone: BERLIN, values: rows }), {
				message: /values\[1\]\.timestamp is .* quarter hour/,
			});
		});

		it("of which most are missing, as gaps", () => {
			const starts = quartersOf(BERLIN, "2026-07-01", "2026-07-02").filter(
				(_, index) => index % 4 === 0 || index === 101,
			);
			const { values } = place({
				timezone: BERLIN,
				values: valueRows(BERLIN, starts, "local", unlike),
			});
			assert.equal(values.rows.length, starts.length);
		});

		it("not of a wall-clock time that spring skips", () => {
			const stamps = ["01:45", "02:15", "02:30", "03:00"];
			const { values } = place({
				timezone: BERLIN,
				values: stamps.map((time, n) => ({
					timestamp: `2026-03-29T${time}:00`,
					pv_power: n,
				})),
			});
			assert.deepEqual(
				values.rows.map((row) => row.pv_power),
				[0, 3],
			);
			assert.throws(
				() =>
					place({
						timezone: BERLIN,
						values: [{ timestamp: "2026-03-29T02:30:00" }],
					}),
				{ code: "SOLAR_YIELD_RESPONSE", message: /values holds no rows/ },
			);
		});

		it("that reach past `daily`, and keeps `daily` as it is", () => {
			const starts = quartersOf(BERLIN, "2026-07-01", "2026-07-03").slice(
				0,
				193,
			);
			const daily = [
				{ date: "2026-07-02", pv_energy_kwh: 22 },
				{ date: "2026-07-01", pv_energy_kwh: 11 },
			];
			const forecast = place({
				timezone: BERLIN,
				daily,
				values: valueRows(BERLIN, starts),
			});
			assert.equal(forecast.values.rows.length, 193);
			assert.deepEqual(forecast.daily, [daily[1], daily[0]]);
			assert.equal(dailyRow(forecast, "2026-07-03"), undefined);
			assert.equal(dailyRow(forecast, "2026-07-02")?.pv_energy_kwh, 22);
			assert.equal(siteDayEnergy(forecast, dateDay("2026-07-03")), null);
		});
	});

	describe("joins strings", () => {
		const starts = quartersOf(BERLIN, "2026-07-01").slice(40, 42);
		const rows = (index: number, id?: string | null) =>
			stringRows(BERLIN, starts, "local", index, undefined, () => index).map(
				(row) => (id === undefined ? row : { ...row, string_id: id }),
			);
		const joined = (...strings: object[][]) =>
			place({
				timezone: BERLIN,
				values: valueRows(BERLIN, starts),
				strings: strings.flat(),
			}).strings?.map(({ string_id, string_index, series }) => {
				assert.equal(series.rows.length, starts.length);
				return [string_id, string_index];
			});

		for (const [how, [first, second], expected] of [
			[
				"by id, in order of index",
				[rows(1, "a"), rows(0, "b")],
				["b", 0, "a", 1],
			],
			[
				"by id, even where two share an index",
				[rows(0, "a"), rows(0, "b")],
				["a", 0, "b", 0],
			],
			["by index where there is no id", [rows(1), rows(0)], [null, 0, null, 1]],
			[
				"by index where the id is null",
				[rows(1, null), rows(0, null)],
				[null, 0, null, 1],
			],
		] as [string, [object[], object[]], unknown[]][]) {
			it(how, () => {
				assert.deepEqual(joined(first, second)?.flat(), expected);
			});
		}

		it("and knows none where there is no block, or an empty one", () => {
			const values = valueRows(BERLIN, starts);
			assert.equal(place({ timezone: BERLIN, values }).strings, undefined);
			assert.deepEqual(
				place({ timezone: BERLIN, values, strings: [] }).strings,
				[],
			);
		});
	});

	describe("finds the zone", () => {
		const values = [{ timestamp: "2026-07-01T12:00:00Z", pv_power: 1 }];
		const zone = (timezone: unknown, placement = {}) =>
			place({ timezone, values }, placement).zone.name;

		it("that the answer names, before that of the record", () => {
			assert.equal(zone(BERLIN, { siteZone: "Asia/Kathmandu" }), BERLIN);
		});

		it("of the record where the answer says UTC, or nothing, or nonsense", () => {
			for (const timezone of [
				"UTC",
				"utc",
				"Etc/UTC",
				"GMT",
				"Z",
				"",
				"Mars/Olympus",
				null,
				undefined,
			]) {
				assert.equal(zone(timezone, { siteZone: BERLIN }), BERLIN);
			}
		});

		it("UTC where nobody knows better", () => {
			assert.equal(zone("UTC"), "UTC");
			assert.equal(zone("UTC", { siteZone: null }), "UTC");
			assert.equal(zone("UTC", { siteZone: "Mars/Olympus" }), "UTC");
		});

		it("or says that there is none", () => {
			for (const timezone of [undefined, null, "", "Mars/Olympus"]) {
				assert.throws(
					() => zone(timezone),
					(error) =>
						error instanceof SolarYieldError &&
						error.kind === "RESPONSE" &&
						/timezone is/.test(error.message),
				);
			}
		});

		it("of stamps without an offset: that of the answer, also when it is UTC", () => {
			const forecast = place(
				{
					timezone: "UTC",
					computed_at: "2026-07-01T09:00:00",
					values: [{ timestamp: "2026-07-01T12:00:00", pv_power: 1 }],
				},
				{ siteZone: BERLIN },
			);
			assert.equal(
				(forecast.values.starts[0] as number) + QUARTER,
				at("2026-07-01T12:00:00Z"),
			);
			assert.equal(forecast.computed_at, at("2026-07-01T09:00:00Z"));
			assert.equal(forecast.zone.name, BERLIN);
		});

		it("and days are the site's although the answer's are of UTC", () => {
			const zone = "America/St_Johns";
			const starts = quartersOf(zone, "2026-07-01", "2026-07-02");
			const forecast = place(
				{ timezone: "UTC", values: valueRows(zone, starts, "utc", unlike) },
				{ siteZone: zone },
			);
			assert.ok(
				near(
					siteDayEnergy(forecast, dateDay("2026-07-01")),
					kwh(starts.slice(0, 96).map(unlike)),
				),
			);
		});
	});

	describe("takes the clock from the rows where they deny this machine's data", () => {
		/** Quarters whose stamps end as they would in another zone. */
		const stamped = (other: string, first: string, last: string) =>
			place({
				timezone: BERLIN,
				values: valueRows(other, quartersOf(other, first, last), "local"),
			}).zone;
		const berlin = Zone.of(BERLIN) as Zone;

		it("for times and days", () => {
			// As if Berlin had kept its winter time.
			const zone = stamped("Africa/Lagos", "2026-07-01", "2026-07-03");
			assert.equal(zone.name, BERLIN);
			assert.equal(
				zone.format(at("2026-07-02T11:00:00Z")),
				"2026-07-02T12:00:00+01:00",
			);
			assert.equal(
				zone.dayStart(dateDay("2026-07-02")),
				at("2026-07-01T23:00:00Z"),
			);
			// As it is before and after the rows.
			for (const day of ["2026-06-30", "2026-07-05"]) {
				assert.match(zone.format(at(`${day}T12:00:00Z`)), /\+01:00$/);
			}
		});

		it("on the days alone on which they do", () => {
			// As if its summer began with that of Cairo, or did not end.
			const spring = stamped("Africa/Cairo", "2026-10-24", "2026-10-31");
			for (const [instant, text] of [
				["2026-10-24T12:00:00Z", "2026-10-24T15:00:00+03:00"],
				["2026-10-29T20:45:00Z", "2026-10-29T23:45:00+03:00"],
				["2026-10-29T21:00:00Z", "2026-10-29T23:00:00+02:00"],
				["2026-11-09T12:00:00Z", "2026-11-09T14:00:00+02:00"],
			] as const) {
				assert.equal(spring.format(at(instant)), text);
			}
		});

		it("and not where they are of UTC, or of another place", () => {
			assert.equal(stamped("UTC", "2026-07-01", "2026-07-02"), berlin);
			for (const other of ["America/Vancouver", "Pacific/Apia"]) {
				assert.equal(stamped(other, "2026-07-01", "2026-07-02"), berlin);
			}
		});

		it("and not where a row that ends with a change is written on the old clock", () => {
			for (const [date, change, text] of [
				["2026-10-25", "2026-10-25T01:00:00Z", "2026-10-25T03:00:00+02:00"],
				["2026-03-29", "2026-03-29T01:00:00Z", "2026-03-29T02:00:00+01:00"],
			] as const) {
				const values = valueRows(BERLIN, quartersOf(BERLIN, date)).map((row) =>
					at(row.timestamp as string) === at(change)
						? { ...row, timestamp: text }
						: row,
				);
				assert.equal(place({ timezone: BERLIN, values }).zone, berlin);
			}
		});
	});

	describe("reads the rest", () => {
		const values = [{ timestamp: "2026-07-01T12:00:00Z", pv_power: 1 }];

		it("of a whole answer", () => {
			const forecast = place({
				site_id: "site_1",
				timezone: BERLIN,
				computed_at: "2026-07-01T12:00:08+02:00",
				next_poll_at: "2026-07-01T18:00:00+02:00",
				included: ["default"],
				available: ["default", "weather"],
				values,
				engine: { version: 7 },
			});
			assert.equal(forecast.site_id, "site_1");
			assert.equal(forecast.computed_at, at("2026-07-01T10:00:08Z"));
			assert.equal(forecast.next_poll_at, at("2026-07-01T16:00:00Z"));
			assert.deepEqual(forecast.included, ["default"]);
			assert.deepEqual(forecast.available, ["default", "weather"]);
			assert.deepEqual(forecast.extra, { engine: { version: 7 } });
		});

		it("of an answer that holds rows alone", () => {
			const forecast = place({ values }, { siteZone: BERLIN });
			assert.equal(forecast.site_id, null);
			assert.equal(forecast.computed_at, null);
			assert.equal(forecast.next_poll_at, null);
			assert.equal(forecast.available, null);
			assert.deepEqual(forecast.daily, []);
			assert.deepEqual(forecast.extra, {});
		});

		it("takes a site id in digits for text", () => {
			assert.equal(
				place({ site_id: 42, timezone: "UTC", values }).site_id,
				"42",
			);
		});

		it("takes next_poll_at for unknown when it is unreadable", () => {
			for (const next_poll_at of ["soon", 7, null, {}, "2026-07-01"]) {
				assert.equal(
					place({ timezone: "UTC", next_poll_at, values }).next_poll_at,
					null,
				);
			}
		});

		it("reads naive times in the zone, the first of two", () => {
			const forecast = place({
				timezone: BERLIN,
				computed_at: "2026-10-25T02:30:00",
				next_poll_at: "2026-03-29T02:30:00",
				values,
			});
			assert.equal(forecast.computed_at, at("2026-10-25T00:30:00Z"));
			assert.equal(forecast.next_poll_at, at("2026-03-29T01:00:00Z"));
		});

		it("derives `included` from the rows where it is missing", () => {
			const timestamp = "2026-07-01T12:00:00Z";
			const cases: [row: object, more: object, included: string[]][] = [
				[{ pv_power: 1 }, {}, ["default"]],
				[{ pv_power: null }, {}, ["default"]],
				[{ temp: 20 }, {}, ["weather"]],
				[{ wind_speed: 3, ghi: 1 }, {}, ["weather", "irradiance"]],
				[
					{ pv_power: 1, pv_power_clearsky: 2 },
					{ strings: [{ timestamp, string_index: 0, pv_power: 1 }] },
					["default", "clearsky", "strings"],
				],
				[{ pv_power: 1, pv_power_min: 0 }, {}, ["default", "variability"]],
				[{ pv_power: 1 }, { strings: [] }, ["default"]],
				[{ other: 1 }, {}, []],
			];
			for (const [row, more, included] of cases) {
				for (const missing of [{}, { included: null }]) {
					const forecast = place({
						timezone: "UTC",
						values: [
							{ timestamp },
							{ timestamp: "2026-07-01T12:15:00Z", ...row },
						],
						...more,
						...missing,
					});
					assert.deepEqual(forecast.included, included);
				}
			}
		});

		it("takes `all` in `included` for the groups it stands for", () => {
			const { included } = place({
				timezone: "UTC",
				included: ["all", "variability"],
				values,
			});
			for (const group of [
				"default",
				"weather",
				"irradiance",
				"clearsky",
				"strings",
				"variability",
			]) {
				assert.ok(included.includes(group), group);
			}
		});

		it("lets no field set a prototype", () => {
			const forecast = place(
				JSON.parse(
					'{"timezone":"UTC","__proto__":{"evil":1},"values":[{"timestamp":"2026-07-01T12:00:00Z","__proto__":{"evil":1}}]}',
				),
			);
			for (const object of [
				forecast,
				forecast.extra,
				forecast.values.rows[0],
			]) {
				assert.equal((object as { evil?: unknown }).evil, undefined);
			}
		});
	});
});

describe("siteDayEnergy", () => {
	const day = dateDay("2026-07-01");
	const starts = quartersOf(BERLIN, "2026-07-01", "2026-07-02");
	const daily = [
		{
			date: "2026-07-01",
			pv_energy_kwh: 11,
			pv_energy_kwh_min: 10,
			pv_energy_kwh_max: 12,
			pv_energy_kwh_clearsky: 13,
		},
	];
	const forecast = (
		power: (start: number) => number | null,
		more: object = { daily },
	): Forecast =>
		place({
			timezone: BERLIN,
			values: valueRows(BERLIN, starts, "local", power).map((row) => ({
				...row,
				pv_power_min: row.pv_power,
				pv_power_max: row.pv_power,
				pv_power_clearsky: row.pv_power,
			})),
			...more,
		});
	const fromRows = kwh(starts.slice(0, 96).map((start) => sun(BERLIN, start)));
	const noon = at("2026-07-01T12:00:00+02:00");

	it("is from the rows when they are complete", () => {
		assert.ok(
			near(
				siteDayEnergy(
					forecast((start) => sun(BERLIN, start)),
					day,
				),
				fromRows,
			),
		);
	});

	it("is from `daily` when a quarter is unknown, each field from its own", () => {
		const gap = forecast((start) =>
			start === noon ? null : sun(BERLIN, start),
		);
		assert.equal(siteDayEnergy(gap, day), 11);
		assert.equal(siteDayEnergy(gap, day, "pv_power_min"), 10);
		assert.equal(siteDayEnergy(gap, day, "pv_power_max"), 12);
		assert.equal(siteDayEnergy(gap, day, "pv_power_clearsky"), 13);
		assert.equal(siteDayEnergy(gap, day, "gti"), null);
	});

	it("is unknown when neither knows", () => {
		const gap = (more: object) =>
			forecast((start) => (start === noon ? null : sun(BERLIN, start)), more);
		assert.equal(siteDayEnergy(gap({}), day), null);
		assert.equal(
			siteDayEnergy(
				gap({ daily: [{ date: "2026-07-01", pv_energy_kwh: null }] }),
				day,
			),
			null,
		);
		assert.equal(siteDayEnergy(gap({ daily }), day + 5), null);
	});
});

describe("bandUntil", () => {
	const starts = quartersOf(BERLIN, "2026-07-01");
	const until = (band: (index: number) => object) =>
		bandUntil(
			place({
				timezone: BERLIN,
				values: valueRows(BERLIN, starts).map((row, index) => ({
					...row,
					...band(index),
				})),
			}),
		);

	it("is the end of the last quarter whose edges differ", () => {
		assert.equal(
			until((index) => ({
				pv_power_min: 1,
				pv_power_max: [3, 50].includes(index) ? 2 : 1,
			})),
			(starts[50] as number) + QUARTER,
		);
	});

	it("is null where none differ, or one edge is missing", () => {
		assert.equal(
			until(() => ({})),
			null,
		);
		assert.equal(
			until(() => ({ pv_power_min: 1, pv_power_max: 1 })),
			null,
		);
		assert.equal(
			until(() => ({ pv_power_min: 1 })),
			null,
		);
		assert.equal(
			until(() => ({ pv_power_min: null, pv_power_max: 5 })),
			null,
		);
	});
});

describe("the recorded answer", () => {
	const recorded = () => JSON.parse(readFileSync(RECORDED, "utf8"));

	it("holds the days and strings that it says", () => {
		const forecast = place(recorded(), { siteZone: "UTC" });
		assert.equal(forecast.values.rows.length, 192);
		assert.equal(forecast.strings?.length, 2);
		for (const { series } of forecast.strings ?? []) {
			assert.equal(series.rows.length, 192);
		}
		assert.equal(forecast.computed_at, at("2026-08-12T15:30:08Z"));
		assert.equal(forecast.next_poll_at, at("2026-08-12T15:45:00Z"));
		for (const [date, energy] of [
			["2026-08-12", 78.03],
			["2026-08-13", 75.43],
		] as const) {
			const day = dateDay(date);
			const fromRows = siteDayEnergy(forecast, day) as number;
			assert.ok(Math.abs(fromRows - energy) < 0.01, `${fromRows}`);
			assert.equal(dailyRow(forecast, date)?.pv_energy_kwh, energy);
			const strings = (forecast.strings ?? []).map(
				({ series }) => dayEnergy(series, day) as number,
			);
			const sum = strings.reduce((a, b) => a + b, 0);
			assert.ok(Math.abs(sum - fromRows) < 0.01, `${sum}`);
		}
	});

	it("says the same by the start of quarters: nights are dark", () => {
		const forecast = place(recorded(), { siteZone: "UTC", interval: "start" });
		const energy = siteDayEnergy(forecast, dateDay("2026-08-13")) as number;
		assert.ok(Math.abs(energy - 75.43) < 0.01);
	});

	it("is placed in the days of the site's own zone", () => {
		const body = recorded();
		const forecast = place(body, { siteZone: BERLIN });
		assert.equal(forecast.zone.name, BERLIN);
		const day = dateDay("2026-08-13");
		const from = at("2026-08-12T22:00:00Z");
		const own = body.values.filter((row: { timestamp: string }) => {
			const end = at(row.timestamp);
			return end > from && end <= from + DAY;
		});
		assert.equal(own.length, 96);
		assert.ok(
			near(
				siteDayEnergy(forecast, day),
				kwh(own.map((row: { pv_power: number }) => row.pv_power)),
			),
		);
	});
});
