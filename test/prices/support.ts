import assert from "node:assert/strict";
import { type PriceRow, readPrices } from "../../src/prices/reader";
import { HOUR_MS as HOUR } from "../../src/util/time";
import { Zone } from "../../src/util/zone";

export const T0 = Date.UTC(2026, 6, 1, 10);
export const berlin = Zone.of("Europe/Berlin") as Zone;
export const at = (hour: number) => new Date(T0 + hour * HOUR).toISOString();
/** The site's clock, without an offset. */
export const local = (ms: number) => berlin.format(ms).slice(0, 19);

export const read = (value: unknown, zone: Zone | undefined = berlin) =>
	readPrices("prices", value, zone);
export const rows = (value: unknown) => {
	const { value: list, errors, question } = read(value);
	assert.deepEqual([errors, question], [[], undefined]);
	return list?.rows ?? assert.fail("nothing was read");
};
/** One error with these words; the rows that were read all the same. */
export const told = (value: unknown, ...words: string[]) => {
	const { value: list, errors } = read(value);
	assert.equal(errors.length, 1, String(errors));
	for (const word of words) {
		assert.ok(errors[0]?.message.includes(word), errors[0]?.message);
	}
	return list?.rows;
};
export const hourly = (...prices: number[]): PriceRow[] =>
	prices.map((price, index) => ({
		start: T0 + index * HOUR,
		end: T0 + (index + 1) * HOUR,
		price,
	}));
export const near = (
	found: readonly PriceRow[],
	wanted: readonly PriceRow[],
) => {
	const spans = (list: readonly PriceRow[]) =>
		list.map(
			({ start, end }) => `${new Date(start).toISOString()} ${end - start}`,
		);
	assert.deepEqual(spans(found), spans(wanted));
	for (const [index, { price }] of found.entries()) {
		assert.ok(Math.abs(price - (wanted[index]?.price ?? 0)) < 1e-9, `${price}`);
	}
};
