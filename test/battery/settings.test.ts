import assert from "node:assert/strict";
import { readSettingChanges, readSettings } from "../../src/battery/settings";
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
				margin: null,
				gridCharge: null,
				sell: false,
				acLimitW: null,
				coupling: "ac",
				wearPrice: 0,
				importLimitW: null,
				gridChargeW: null,
				mayCurtail: false,
				load: "profile",
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
		refused({ feedInPrice: "little" }, 'feedInPrice is "little"');
		refused({ margin: 101 }, "margin is 101", "from 0 to 100");
		refused({ gridCharge: "yes" }, 'gridCharge is "yes"', "true or false");
		refused({ sell: 1 }, "sell is 1", "true or false");
		refused({ load: "house" }, 'load is "house"', "learned");
		refused({ maxAgeHours: 0 }, "maxAgeHours is 0");
		refused({ maxSocAgeMinutes: "soon" }, 'maxSocAgeMinutes is "soon"');
		refused({ strategy: "greedy" }, 'strategy is "greedy"', "peak-shaving");
		refused({ safety: true }, "safety is true", "cautious");
	});
});

describe("battery settings by message", () => {
	const given = (
		value: unknown,
		changes: Parameters<typeof readSettingChanges>[2] = {},
	) => {
		const read = readSettingChanges(value, NEEDED, changes);
		return {
			changes: read.value,
			errors: read.errors.map(({ message }) => message),
		};
	};

	it("change what they name, until null takes it back", () => {
		assert.deepEqual(given({ minSoc: "30", sell: true, feedInPrice: -0.1 }), {
			changes: { minSoc: "30", sell: true, feedInPrice: -0.1 },
			errors: [],
		});
		const before = { minSoc: 30, strategy: "price" };
		assert.deepEqual(given({ minSoc: null }, before).changes, {
			strategy: "price",
		});
		assert.deepEqual(given(null, before).changes, {});
		assert.deepEqual(given({ maxSoc: 90 }, before).changes, {
			...before,
			maxSoc: 90,
		});
	});

	it("are read one by one: a wrong one is told and takes no other with it", () => {
		const { changes, errors } = given(
			{ minSoc: 30, capacityKwh: -1, min_soc: 5, strategy: "greedy" },
			{ capacityKwh: 8 },
		);
		assert.deepEqual(changes, { capacityKwh: 8, minSoc: 30 });
		assert.equal(errors.length, 3);
		assert.match(errors[0] ?? "", /^settings\.capacityKwh is -1; give/);
		assert.match(
			errors[1] ?? "",
			/^settings\.min_soc is not known; give .*minSoc/,
		);
		assert.match(errors[2] ?? "", /^settings\.strategy is "greedy"/);
	});

	it("must fit together with the settings that stay", () => {
		assert.deepEqual(given({ minSoc: 60, maxSoc: 80 }, { maxSoc: 50 }), {
			changes: { minSoc: 60, maxSoc: 80 },
			errors: [],
		});
		const { changes, errors } = given(
			{ minSoc: 60, sell: true },
			{ maxSoc: 50 },
		);
		assert.deepEqual(changes, { maxSoc: 50, sell: true });
		assert.match(errors[0] ?? "", /^settings\.minSoc is 60 and maxSoc 50/);
		assert.match(given([]).errors[0] ?? "", /^settings is \[\]/);
	});
});
