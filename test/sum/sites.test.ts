import assert from "node:assert/strict";
import { SumParts, readSumSettings as settings } from "../../src/sum";
import {
	type MadeForecast,
	makeForecast,
	type Plan,
} from "../export/forecasts";

const NOON = Date.parse("2026-07-01T10:00:00Z");

/** A forecast of a site of its own. */
const site = (site_id: string, plan: Partial<Plan> = {}): MadeForecast =>
	makeForecast({
		zone: "Europe/Berlin",
		date: "2026-07-01",
		days: 1,
		peaks: [8000],
		...plan,
		solar: { site_id, ...plan.solar },
	});

describe("sum: which sites", () => {
	it("all that come, by id, with the latest forecast of each", () => {
		const parts = new SumParts(settings({}));
		assert.equal(parts.complete(), undefined);
		for (const each of [site("b"), site("a"), site("b", { peaks: [1] })]) {
			assert.equal(parts.take(each), true);
		}
		assert.deepEqual(
			parts.complete()?.map(({ solar }) => solar.site_id),
			["a", "b"],
		);
		const power = parts
			.complete()?.[1]
			?.forecast.values.valueAt(NOON, "pv_power");
		assert.ok((power ?? 9) < 1.01);
		assert.equal(
			parts.forget((id) => id === "a"),
			true,
		);
		assert.equal(parts.complete()?.length, 1);
	});

	it("the named ones in their order, nothing before all are known, no others", () => {
		const parts = new SumParts(settings({ sites: " b \r\n\na\n" }));
		assert.deepEqual(parts.missing, ["b", "a"]);
		parts.take(site("a"));
		assert.equal(parts.take(site("c", { zone: "UTC" })), false);
		assert.equal(parts.complete(), undefined);
		assert.deepEqual(parts.missing, ["b"]);
		parts.take(site("b"));
		assert.deepEqual(
			parts.complete()?.map(({ solar }) => solar.site_id),
			["b", "a"],
		);
	});

	it("never another zone, itself, or demo beside real data", () => {
		const parts = new SumParts(settings({ sumId: "house" }));
		parts.take(site("a"));
		for (const [other, message] of [
			[
				site("b", { zone: "Asia/Kathmandu" }),
				/Site "b" lies in Asia\/Kathmandu and site "a" in Europe\/Berlin.*; /,
			],
			[site("house"), /site "house", which is this sum itself; /],
			[
				site("b", { solar: { demo: true } }),
				/Site "b" is demo data and site "a" is not; /,
			],
		] as const) {
			assert.throws(() => parts.take(other), {
				code: "SOLAR_YIELD_INPUT",
				message,
			});
		}
		// A site's own forecast may change in all of this.
		parts.take(site("a", { zone: "Asia/Kathmandu" }));
	});

	it("a zone under another name, but none that has the same clock for half of the year", () => {
		for (const [one, other, isOne] of [
			["Asia/Kolkata", "Asia/Calcutta", true],
			["America/New_York", "US/Eastern", true],
			["Europe/Berlin", "Africa/Lagos", false],
			["America/Phoenix", "America/Los_Angeles", false],
		] as const) {
			const parts = new SumParts(settings({}));
			parts.take(site("a", { zone: one }));
			const take = () => parts.take(site("b", { zone: other }));
			if (isOne) assert.equal(take(), true, other);
			else assert.throws(take, /different days/, other);
		}
	});

	it("settings are refused by name and value", () => {
		assert.deepEqual(settings({}), {
			sites: null,
			sumId: "sum",
			name: null,
			acLimitW: null,
		});
		for (const [raw, message] of [
			[{ sites: "a\na" }, /sites names "a" twice/],
			[{ sites: 7 }, /sites is 7; give/],
			[{ sites: "a", sumId: "a" }, /sumId is "a", which is one of the sites/],
			[{ acLimitW: "0" }, /acLimitW is "0"; give/],
			[{ acLimitW: "many" }, /acLimitW is "many"/],
			[{ acLimitW: -1 }, /acLimitW is -1/],
		] as const) {
			assert.throws(() => settings(raw), {
				code: "SOLAR_YIELD_INPUT",
				message,
			});
		}
		assert.equal(settings({ acLimitW: "10000" }).acLimitW, 10_000);
	});
});
