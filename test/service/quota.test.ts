import assert from "node:assert/strict";
import { nextReset, type Quota, readCount } from "../../src/service/quota";

const NOW = Date.UTC(2026, 7, 12, 15, 30);
const NEXT_MONTH = Date.UTC(2026, 8, 1);

function quota(
	limit?: string,
	used?: string,
	remaining?: string,
	reset?: string,
	asOf = NOW,
): Quota | undefined {
	return readCount(
		Object.fromEntries(
			Object.entries({
				"requestlimit-limit": limit,
				"requestlimit-used": used,
				"requestlimit-remaining": remaining,
				"requestlimit-reset": reset,
			}).filter((entry): entry is [string, string] => entry[1] !== undefined),
		),
		asOf,
	).quota;
}

describe("the count of an answer", () => {
	it("reads numbers", () => {
		assert.deepEqual(quota("250", "31", "219", "2026-09-01T00:00:00Z"), {
			limit: 250,
			used: 31,
			remaining: 219,
			reset: NEXT_MONTH,
			asOf: NOW,
		});
	});

	it("reads a plan without a limit", () => {
		assert.deepEqual(
			quota("unmetered", "31", "unmetered", "2026-09-01T00:00:00Z"),
			{ limit: null, used: 31, remaining: null, reset: NEXT_MONTH, asOf: NOW },
		);
	});

	it("takes nothing left for what it is, not for unknown", () => {
		const none = quota("250", "250", "0", "2026-09-01T00:00:00Z");
		assert.equal(none?.remaining, 0);
		assert.equal(quota("0", "0", "0")?.limit, 0);
	});

	it("works out the one number that is missing", () => {
		assert.equal(quota(undefined, "31", "219")?.limit, 250);
		assert.equal(quota("250", undefined, "219")?.used, 31);
		assert.equal(quota("250", "31")?.remaining, 219);
		assert.equal(quota("250", "251")?.remaining, 0);
		assert.equal(quota("250", undefined, "300")?.used, 0);
	});

	it("knows nothing without the headers, or without two of the three numbers", () => {
		assert.equal(quota(), undefined);
		assert.equal(
			quota(undefined, undefined, undefined, "2026-09-01T00:00:00Z"),
			undefined,
		);
		assert.equal(quota("250"), undefined);
		assert.equal(quota(undefined, "31"), undefined);
		assert.equal(quota(undefined, undefined, "219"), undefined);
	});

	it("reads decimals as whole requests, and words in any case", () => {
		assert.deepEqual(
			[quota("250.0", "31.50", "218.5")].map(
				(it) => it && [it.limit, it.used, it.remaining],
			),
			[[250, 31, 218]],
		);
		assert.equal(quota("Unmetered", "31", "UNMETERED")?.limit, null);
		assert.equal(quota("Unmetered", "31", "UNMETERED")?.remaining, null);
	});

	it("takes garbage for nothing, never for a number", () => {
		for (const garbage of [
			"",
			" ",
			"-1",
			"1e3",
			"0x10",
			"250.",
			".5",
			"2.5.0",
			"250, 250",
			"many",
			"NaN",
			"Infinity",
			"1".repeat(400),
			"unlimited",
		]) {
			assert.equal(quota(garbage, garbage, garbage), undefined, garbage);
			assert.equal(quota("250", garbage, "219")?.used, 31, garbage);
		}
	});

	it("reads numbers with blanks around", () => {
		assert.equal(quota(" 250 ", " 31", "219 ")?.used, 31);
		assert.equal(quota(" unmetered ", "31", "unmetered")?.limit, null);
	});

	it("says the 1st of the next month where the reset is missing or garbage", () => {
		for (const reset of [
			undefined,
			"",
			"soon",
			"2026-09-01",
			"2026-09-01T00:00:00",
			"2026-09-31T00:00:00Z",
			"2026-12-01T00:00:00Z",
			"9999-01-01T00:00:00Z",
			"2026-07-01T00:00:00Z",
			"1970-01-01T00:00:00Z",
		]) {
			assert.equal(quota("250", "31", "219", reset)?.reset, NEXT_MONTH, reset);
		}
	});

	it("reads a reset with blanks around or an offset", () => {
		assert.equal(
			quota("250", "31", "219", " 2026-09-01T02:00:00+02:00 ")?.reset,
			NEXT_MONTH,
		);
	});

	it("does not wait a month for a count that lags behind its own reset", () => {
		const justAfter = NEXT_MONTH + 20_000;
		assert.equal(
			quota("250", "250", "0", "2026-09-01T00:00:00Z", justAfter)?.reset,
			NEXT_MONTH,
		);
	});
});

describe("nextReset", () => {
	it("is the 1st of the next month in UTC, over the year's end too", () => {
		assert.equal(
			nextReset(Date.UTC(2026, 0, 31, 23, 59)),
			Date.UTC(2026, 1, 1),
		);
		assert.equal(nextReset(Date.UTC(2026, 1, 1)), Date.UTC(2026, 2, 1));
		assert.equal(
			nextReset(Date.UTC(2026, 11, 31, 23, 59, 59)),
			Date.UTC(2027, 0, 1),
		);
	});
});
