import assert from "node:assert/strict";
import fc from "fast-check";
import { readPrices } from "../../src/prices/reader";
import {
	HOUR_MS as HOUR,
	MINUTE_MS as MINUTE,
	QUARTER_MS as QUARTER,
} from "../../src/util/time";
import { at, berlin, hourly, local, near, rows, T0, told } from "./support";

describe("the times of prices", () => {
	it("are epoch seconds and milliseconds, ISO 8601, and the site's clock", () => {
		const WRITERS: readonly ((ms: number) => unknown)[] = [
			(ms) => ms,
			(ms) => String(ms),
			(ms) => ms / 1000,
			(ms) => `${ms / 1000}.0`,
			(ms) => new Date(ms),
			(ms) => new Date(ms).toISOString(),
			(ms) => berlin.format(ms),
			(ms) => berlin.format(ms).replace("T", " "),
			(ms) => berlin.format(ms).replace(/:(\d\d)$/, "$1"),
			local,
			(ms) => local(ms).slice(0, 16),
			(ms) => local(ms).replace("T", " "),
		];
		for (const write of WRITERS) {
			for (const field of [
				"start",
				"time",
				"timestamp",
				"period",
				"hour",
				"date",
				"start_time",
				"StartTime",
				"valid_from",
			]) {
				const list = [0.3, 0.2].map((price, hour) => ({
					[field]: write(T0 + hour * HOUR),
					price,
				}));
				near(rows(list), hourly(0.3, 0.2));
			}
		}
	});

	it("of autumn's repeated hour come in their order, in spring's a time that is not is told", () => {
		// 2026-10-25: 02:00 comes twice.
		const autumn = Date.UTC(2026, 9, 24, 22);
		for (const step of [HOUR, QUARTER]) {
			const starts = Array.from(
				{ length: (25 * HOUR) / step },
				(_, index) => autumn + index * step,
			);
			const list = starts.map((ms, index) => ({
				start: local(ms),
				end: local(ms + step),
				price: index / 100,
			}));
			near(
				rows(list),
				starts.map((start, index) => ({
					start,
					end: start + step,
					price: index / 100,
				})),
			);
		}
		const spring = ["00", "01", "02", "03"].map((hour, index) => ({
			start: `2026-03-29T${hour}:00`,
			price: index / 10,
		}));
		assert.equal(
			told(spring, "prices[2].start", "2026-03-29T02:00")?.length,
			3,
		);
	});

	it("need an offset where no site is known", () => {
		const naive = [{ start: "2026-07-01T12:00:00", price: 0.3 }];
		const { value, errors } = readPrices("prices", naive);
		assert.equal(value, undefined);
		assert.match(
			errors[0]?.message ?? "",
			/prices\[0\]\.start is "2026-07-01T12:00:00"; give a time like/,
		);
	});

	it("that are none are told", () => {
		for (const start of [
			"soon",
			13,
			"13",
			20260701,
			"202607011200",
			"2026-02-30T00:00:00Z",
			1e15,
			true,
			{},
		]) {
			told([{ start, price: 0.3 }], "prices[0].start", JSON.stringify(start));
		}
		told(
			[{ price: 0.3 }, { start: at(0), price: 0.3 }],
			"prices[0]",
			"no start",
		);
	});
});

describe("the ends of prices", () => {
	it("are the next start where they are missing, wrong, beyond it or a moment before it", () => {
		for (const end of [
			(next: number) => next - 1000,
			(next: number) => next - 1,
			(next: number) => next - MINUTE,
			(next: number) => next + 1000,
			(next: number) => next + HOUR,
			(next: number) => next - 2 * HOUR,
			(next: number) => next - HOUR,
			() => null,
			() => "soon",
		]) {
			const list = [0.3, 0.2, 0.1].map((price, hour) => ({
				start: T0 + hour * HOUR,
				...(hour < 2 && { end: end(T0 + (hour + 1) * HOUR) }),
				price,
			}));
			near(rows(list), hourly(0.3, 0.2, 0.1));
		}
		// The last one's as well, and a start a second late.
		const row = (hour: number, from: string, to: string) => ({
			start: `2026-07-01T${hour}:${from}+02:00`,
			end: `2026-07-01T${hour}:${to}+02:00`,
			price: 0.3,
		});
		near(
			rows([row(12, "00:00", "59:59"), row(13, "00:00", "59:59")]),
			hourly(0.3, 0.3),
		);
		near(
			rows([row(12, "00:01", "59:59"), row(13, "00:01", "59:59")]),
			hourly(0.3, 0.3),
		);
		near(
			rows([row(12, "00:00", "59:00"), row(13, "00:00", "59:00")]),
			hourly(0.3, 0.3),
		);
	});

	it("leave a hole where they are before the next start, and so does a price of null", () => {
		assert.deepEqual(
			rows([
				{ start: T0, price: 0.1 },
				{ start: T0 + QUARTER, price: 0.2 },
				{ start: T0 + 2 * QUARTER, price: null },
				{ start: T0 + 4 * QUARTER, end: T0 + 5 * QUARTER, price: 0.3 },
				{ start: T0 + 6 * QUARTER, price: 0.4 },
			]),
			[
				{ start: T0, end: T0 + QUARTER, price: 0.1 },
				{ start: T0 + QUARTER, end: T0 + 2 * QUARTER, price: 0.2 },
				{ start: T0 + 4 * QUARTER, end: T0 + 5 * QUARTER, price: 0.3 },
				{ start: T0 + 6 * QUARTER, end: T0 + 7 * QUARTER, price: 0.4 },
			],
		);
		assert.deepEqual(rows([{ start: T0, price: 0.1 }]), hourly(0.1));
	});
});

describe("prices without ends", () => {
	const spans = (starts: readonly string[], more: object = {}) =>
		rows(
			starts.map((start) => ({
				start: `2026-07-${start}`,
				price: 0.3,
				...more,
			})),
		).map(({ start, end }) => (end - start) / HOUR);

	it("last no longer than the usual step", () => {
		const hours = ["09", "10", "11", "12"].map((hour) => `02T${hour}:00`);
		const evening = ["01T16:00", "01T17:00"];
		assert.deepEqual(spans([...evening, ...hours]), Array(6).fill(1));
		assert.deepEqual(
			spans(["01T15:30", "01T15:45", "01T16:00", "01T16:15", "01T17:15"]),
			Array(5).fill(0.25),
		);
		// Hours after quarters, and one that is missing.
		const quarters = ["00", "15", "30", "45"].map((min) => `02T08:${min}`);
		assert.deepEqual(spans([...quarters, ...hours, "02T14:00"]), [
			...Array(4).fill(0.25),
			...Array(5).fill(1),
		]);
		// What says its end is believed.
		const said = [
			...evening.map((start) => `2026-07-${start}`),
			...hours.map((start) => `2026-07-${start}`),
		].map((start, index) => ({
			start,
			...(index === 1 && { end: "2026-07-02T09:00" }),
			price: 0.3,
		}));
		assert.equal(rows(said)[1]?.end, rows(said)[2]?.start);
	});

	it("last to the next start where they are the blocks of a tariff", () => {
		assert.deepEqual(spans(["01T06:00", "01T22:00"]), [16, 16]);
		const week = [1, 2, 3, 4, 5, 6, 7].map((day) => `0${day}`);
		for (const [blocks, lengths] of [
			[
				["06", "22"],
				[16, 8],
			],
			[
				["00", "06", "22"],
				[6, 16, 2],
			],
			[
				["04", "07", "13", "16", "19", "22"],
				[3, 6, 3, 3, 3, 6],
			],
		] as const) {
			const starts = week.flatMap((day) =>
				blocks.map((hour) => `${day}T${hour}:00`),
			);
			assert.deepEqual(
				spans(starts).slice(0, -1),
				week.flatMap(() => lengths).slice(0, -1),
			);
		}
	});

	it("but valid to null hold until further notice", () => {
		const now = { value_inc_vat: 24.5, valid_from: at(-9000), valid_to: null };
		const before = {
			...{ value_inc_vat: 22, valid_from: at(-9999), valid_to: at(-9000) },
		};
		const [old, open] = rows({ results: [now, before] });
		assert.deepEqual([old?.price, old?.end], [0.22, T0 - 9000 * HOUR]);
		assert.equal(open?.price, 0.245);
		assert.ok(open.end > T0 + 10_000 * HOUR);
		// One that is followed lasts to the next.
		const next = { value_inc_vat: 30, valid_from: at(5), valid_to: null };
		assert.equal(rows([next, now])[0]?.end, T0 + 5 * HOUR);
	});
});

describe("rows of prices", () => {
	it("that are good stay beside what is not", () => {
		const [first, second, third] = hourly(0.1, 0.2, 0.3);
		for (const [bad, ...words] of [
			[{ ...second, price: "dear" }, 'prices[1].price is "dear"'],
			[{ ...second, price: "NaN" }, 'prices[1].price is "NaN"'],
			[{ ...second, price: Number.NaN }, 'prices[1].price is "NaN"'],
			[{ ...second, start: "soon" }, 'prices[1].start is "soon"'],
			[{ start: T0 + HOUR, end: T0 + 2 * HOUR }, "prices[1]", "has no price"],
			[{ ...second, unit: "furlongs" }, "prices[1].unit"],
			["x", 'prices[1] is "x"'],
			[null, "prices[1] is null"],
			[{ ...first, price: 0.5 }, "prices[1] begins when prices[0] does"],
		] as [unknown, ...string[]][]) {
			assert.deepEqual(told([first, bad, third], ...words), [first, third]);
		}
		// Many faults of a kind are one error.
		const bad = ["x", "y"].map((start) => ({ start, price: 0.1 }));
		told(
			[...bad, first],
			"prices[0].start",
			"1 more row is wrong",
			"the other rows are used",
		);
		assert.equal(told(bad, "prices[0].start", "no row is used"), undefined);
		// Of 24 hours beside a date nobody knows whether the first is 0 or 1.
		const hours = [0, 1].map((hour) => ({
			date: "2026-07-01",
			hour,
			price: 1,
		}));
		assert.equal(told(hours, "hour is 0", "no row is used"), undefined);
		told([{ start: T0, price: null }], "none has a price");
		// What is wrong in one of two lists is told, and the other used.
		const days = { today: [{ start: "x", price: 0.1 }], tomorrow: [first] };
		assert.deepEqual(told(days, "prices.today[0].start"), [first]);
	});

	it("that cannot be read end the row before them", () => {
		const list = [0, 1, 2].map((hour) => ({
			start: at(hour),
			price: hour === 1 ? "dear" : 0.1,
		}));
		assert.deepEqual(told(list, "prices[1].price"), [
			hourly(0.1)[0],
			hourly(0, 0, 0.1)[2],
		]);
	});
});

describe("prices in any order and repeated", () => {
	/** A zone's day on which the clock changes, or not. */
	const days = [
		"2026-03-28T23:00Z",
		"2026-06-30T22:00Z",
		"2026-10-24T22:00Z",
	].map(Date.parse);
	const model = fc
		.record({
			day: fc.constantFrom(...days),
			step: fc.constantFrom(QUARTER, 2 * QUARTER, HOUR),
			prices: fc.array(
				fc.option(fc.integer({ min: 30, max: 900 }), { freq: 8 }),
				{ minLength: 1, maxLength: 100 },
			),
		})
		.map(({ day, step, prices }) =>
			// The first has a price: how long the only one lasts nobody knows.
			[500, ...prices].map((price, index) => ({
				start: day + index * step,
				end: day + (index + 1) * step,
				price: price === null ? null : price / 1000,
			})),
		);
	it("are the same", () => {
		fc.assert(
			fc.property(
				model,
				fc.boolean(),
				fc.func(fc.integer()),
				(wanted, withEnds, order) => {
					const list = wanted.map(({ start, end, price }) => ({
						start,
						...(withEnds && { end }),
						price,
					}));
					const shuffled = [...list, ...list.slice(0, 5)].sort(
						(a, b) => order(a.start) - order(b.start),
					);
					assert.deepEqual(rows(shuffled), rows(list));
					let before = 0;
					for (const { start, end } of rows(list)) {
						assert.ok(start >= before && end > start);
						before = end;
					}
				},
			),
			{ numRuns: 300 },
		);
	});
});
