import assert from "node:assert/strict";
import { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import {
	mergeOverrides,
	readRunMinutes,
	readWindowSettings,
} from "../../src/window/settings";

const message = (read: () => unknown): string => {
	try {
		read();
	} catch (error) {
		assert.ok(error instanceof SolarYieldError);
		assert.equal(error.code, "SOLAR_YIELD_INPUT");
		return error.message;
	}
	throw new Error("it was taken");
};

describe("settings of a window", () => {
	it("take their defaults where they are blank", () => {
		const defaults = {
			hours: 2,
			pieces: "one",
			from: null,
			to: null,
			minPowerW: null,
			loadW: null,
			baseLoadW: 0,
			rank: "sun",
			minHours: 0,
			energyKwh: null,
			minLoadW: null,
			maxPrice: null,
			minRunMinutes: 0,
			maxStarts: null,
			maxPauseHours: null,
			sunOnly: false,
			runAnyway: false,
		};
		assert.deepEqual(readWindowSettings({}), defaults);
		assert.deepEqual(
			readWindowSettings(
				Object.fromEntries(Object.keys(defaults).map((name) => [name, " "])),
			),
			defaults,
		);
	});

	it("may be text, as dialogs give them", () => {
		assert.deepEqual(
			readWindowSettings({
				hours: "1.5",
				pieces: "any",
				from: "8:30",
				to: "24:00",
				minPowerW: "2000",
				loadW: "1800",
				baseLoadW: "250",
				rank: "cost",
				minHours: "1",
				energyKwh: "20",
				minLoadW: "1400",
				maxPrice: "-0.05",
				minRunMinutes: "60",
				maxStarts: "3",
				maxPauseHours: "12",
				sunOnly: "true",
				runAnyway: true,
			}),
			{
				hours: 1.5,
				pieces: "any",
				from: 510,
				to: 1440,
				minPowerW: 2000,
				loadW: 1800,
				baseLoadW: 250,
				rank: "cost",
				minHours: 1,
				energyKwh: 20,
				minLoadW: 1400,
				maxPrice: -0.05,
				minRunMinutes: 60,
				maxStarts: 3,
				maxPauseHours: 12,
				sunOnly: true,
				runAnyway: true,
			},
		);
	});

	it("give an energy the time since the last deadline", () => {
		const energy = { energyKwh: 20, loadW: 11_000 };
		for (const [given, from] of [
			[{ ...energy, to: "07:00" }, 420],
			[{ ...energy, to: "24:00" }, 0],
			[{ ...energy, to: "07:00", from: "12:00" }, 720],
			[energy, null],
			[{ to: "07:00" }, null],
		] as const) {
			assert.equal(readWindowSettings(given).from, from);
		}
	});

	it("are overridden by those of messages", () => {
		const settings = readWindowSettings(
			{ hours: 2, from: "08:00" },
			{ hours: "4" },
		);
		assert.deepEqual([settings.hours, settings.from], [4, 480]);
	});

	it("that are wrong are told by name, value and remedy", () => {
		for (const [given, told] of [
			[
				{ hours: 25 },
				"hours is 25; give the hours of running a day, 0.25 to 24, with a point for decimals",
			],
			[
				{ hours: "1,5" },
				'hours is "1,5"; give the hours of running a day, 0.25 to 24, with a point for decimals',
			],
			[
				{ from: "24:00" },
				'from is "24:00"; give a time of the site\'s day like "08:30", or leave it blank for the whole day',
			],
			[
				{ to: "17:60" },
				'to is "17:60"; give a time of the site\'s day like "08:30", or leave it blank for the whole day',
			],
			[
				{ to: 17 },
				'to is 17; give a time of the site\'s day like "08:30", or leave it blank for the whole day',
			],
			[
				{ maxStarts: 0 },
				"maxStarts is 0; give a number from 1 to 96, or leave it blank, with a point for decimals",
			],
			[
				{ energyKwh: 20 },
				"The energy is 20 kWh, and loadW is blank; give what the appliance takes at most in W as loadW",
			],
			[{ pieces: "two" }, 'pieces is "two"; give one of one, any'],
			[{ rank: true }, "rank is true; give one of sun, cost"],
			[
				{ minPowerW: -1 },
				"minPowerW is -1; give a power in W from 0, or leave it blank for none, with a point for decimals",
			],
			[
				{ loadW: 0 },
				"loadW is 0; give the appliance's power in W above 0, or leave it blank, with a point for decimals",
			],
			[
				{ baseLoadW: [1] },
				"baseLoadW is [1]; give the power of the house in W from 0, or leave it blank for none, with a point for decimals",
			],
		] as const) {
			assert.equal(
				message(() => readWindowSettings(given)),
				told,
			);
		}
	});
});

describe("settings in messages", () => {
	it("hold until a message takes them back; other properties are none", () => {
		const first = mergeOverrides({}, { hours: 3, payload: 1, topic: "x" });
		assert.deepEqual(first, { overrides: { hours: 3 }, errors: [] });
		const second = mergeOverrides(first.overrides, { from: "09:00" });
		assert.deepEqual(second.overrides, { hours: 3, from: "09:00" });
		const third = mergeOverrides(second.overrides, { hours: "", from: null });
		assert.deepEqual(third.overrides, {});
	});

	it("are each read alone: a wrong one discards no good one", () => {
		const { overrides, errors } = mergeOverrides(
			{ hours: 3 },
			{ hours: 99, to: "18:00", rank: "price" },
		);
		assert.deepEqual(overrides, { hours: 3, to: "18:00" });
		assert.deepEqual(
			errors.map((error) => error.message.split(" is ")[0]),
			["hours", "rank"],
		);
	});
});

describe("msg.run_minutes", () => {
	it("is read as ms", () => {
		assert.equal(readRunMinutes(90), 5_400_000);
		assert.equal(readRunMinutes("0"), 0);
	});

	it("that is wrong is told", () => {
		for (const wrong of [-1, "soon", 2000, null, Number.NaN, {}]) {
			assert.match(
				message(() => readRunMinutes(wrong)),
				/^run_minutes is .*; give the minutes that the appliance ran today/,
			);
		}
	});
});
