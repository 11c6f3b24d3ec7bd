import assert from "node:assert/strict";
import { readSettings } from "../../src/battery/settings";
import { SolarYieldError } from "../../src/service/errors/solar-yield-error";

const NEEDED = { capacityKwh: 10, maxChargeW: 5000, maxDischargeW: 4000 };

const refused = (given: Record<string, unknown>, ...words: string[]) =>
	assert.throws(
		() => readSettings({ ...NEEDED, ...given }),
		(error: unknown) => {
			assert.ok(error instanceof SolarYieldError);
			assert.equal(error.code, "SOLAR_YIELD_INPUT");
			for (const word of words) {
				assert.ok(error.message.includes(word), `${error.message} ⊉ ${word}`);
			}
			return true;
		},
	);

describe("battery settings", () => {
	it("take defaults for what is blank", () => {
		assert.deepEqual(
			readSettings({ ...NEEDED, minSoc: "", feedInLimitW: null }),
			{
				...NEEDED,
				minSoc: 10,
				maxSoc: 100,
				efficiency: 0.94,
				loadKwhPerDay: 11,
				feedInLimitW: null,
				feedInPrice: 0,
				safety: "expected",
				strategy: "self-consumption",
				maxAgeHours: 30,
				maxSocAgeMinutes: 30,
			},
		);
	});

	it("accept numbers as text", () => {
		const read = readSettings({
			capacityKwh: "9.5",
			maxChargeW: " 3000 ",
			maxDischargeW: "2e3",
			feedInLimitW: "0",
			strategy: "price",
			safety: "cautious",
		});
		assert.equal(read.capacityKwh, 9.5);
		assert.equal(read.maxChargeW, 3000);
		assert.equal(read.maxDischargeW, 2000);
		assert.equal(read.feedInLimitW, 0);
		assert.equal(read.strategy, "price");
		assert.equal(read.safety, "cautious");
	});

	it("refuse what is absurd, by field and value", () => {
		refused({ capacityKwh: 0 }, "capacityKwh is 0", "above 0");
		refused({ capacityKwh: undefined }, "capacityKwh is missing");
		refused({ capacityKwh: "" }, 'capacityKwh is ""');
		refused(
			{ capacityKwh: "9,5" },
			'capacityKwh is "9,5"',
			"point for decimals",
		);
		refused({ capacityKwh: Number.NaN }, "capacityKwh");
		refused({ capacityKwh: [10] }, "capacityKwh is [10]");
		refused({ maxChargeW: -1 }, "maxChargeW is -1");
		refused({ maxDischargeW: Number.POSITIVE_INFINITY }, "maxDischargeW");
		refused({ minSoc: -1 }, "minSoc is -1", "from 0 to 100");
		refused({ maxSoc: 140 }, "maxSoc is 140", "from 0 to 100");
		refused({ minSoc: 80, maxSoc: 80 }, "minSoc is 80", "maxSoc 80", "below");
		refused({ minSoc: 95, maxSoc: 90 }, "minSoc is 95", "maxSoc 90");
		refused({ efficiency: 0 }, "efficiency is 0");
		refused({ efficiency: 94 }, "efficiency is 94", "0.9 = 90 %");
		refused({ loadKwhPerDay: -3 }, "loadKwhPerDay is -3");
		refused({ feedInLimitW: -1 }, "feedInLimitW is -1");
		refused({ feedInPrice: -0.1 }, "feedInPrice is -0.1");
		refused({ maxAgeHours: 0 }, "maxAgeHours is 0");
		refused({ maxSocAgeMinutes: "soon" }, 'maxSocAgeMinutes is "soon"');
		refused({ strategy: "greedy" }, 'strategy is "greedy"', "peak-shaving");
		refused({ safety: true }, "safety is true", "cautious");
	});
});
