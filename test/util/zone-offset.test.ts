import assert from "node:assert/strict";
import { IANAZone } from "luxon";
import { zoneOffsets } from "../../src/util/zone-offset";

const MINUTE_MS = 60_000;

describe("zoneOffsets", () => {
	it("agrees with luxon in every zone, summer and winter of two centuries", () => {
		for (const name of Intl.supportedValuesOf("timeZone")) {
			const offsetAt = zoneOffsets(name);
			const zone = IANAZone.create(name);
			for (let year = 1880; year < 2080; year += 5) {
				for (const month of [0, 6]) {
					const instant = Date.UTC(year, month, 17, 3);
					assert.equal(
						offsetAt(instant),
						Math.round(zone.offset(instant) * MINUTE_MS),
						`${name}, ${new Date(instant).toISOString()}`,
					);
				}
			}
		}
	});

	it("knows offsets of 45 minutes, and those with seconds", () => {
		const at = Date.UTC(2026, 0, 1);
		assert.equal(zoneOffsets("Asia/Kathmandu")(at), 345 * MINUTE_MS);
		assert.equal(zoneOffsets("America/St_Johns")(at), -210 * MINUTE_MS);
		assert.equal(zoneOffsets("UTC")(at), 0);
		// Liberia kept its own time until 1972.
		assert.equal(
			zoneOffsets("Africa/Monrovia")(Date.UTC(1971, 0, 1)),
			-(44 * MINUTE_MS + 30_000),
		);
	});

	it("refuses what is no zone", () => {
		assert.throws(() => zoneOffsets("Mars/Base"), RangeError);
	});
});
