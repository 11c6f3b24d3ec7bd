import assert from "node:assert/strict";
import fc from "fast-check";
import { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import { type Text, textIn } from "../../src/texts/texts";
import { checkV1Parameters } from "../../src/v1/check-parameters";
import {
	V1_PARAMETERS,
	type V1Endpoint,
	type V1Limits,
	type V1Type,
	v1Limits,
} from "../../src/v1/parameters";
import { ENDPOINTS, everythingFor, goodValue, requiredFor } from "./samples";

function query(
	params: Record<string, unknown>,
	endpoint: V1Endpoint = "forecast",
): Record<string, string> {
	const all = { ...requiredFor(endpoint), ...params };
	return Object.fromEntries(checkV1Parameters(endpoint, all).query);
}

/** Asserts one INPUT error whose message holds every one of the words. */
function refused(
	params: Record<string, unknown>,
	words: readonly (string | number)[],
	endpoint: V1Endpoint = "forecast",
): void {
	assert.throws(
		() => checkV1Parameters(endpoint, { ...requiredFor(endpoint), ...params }),
		(error) => {
			assert.ok(error instanceof SolarYieldError);
			assert.equal(error.code, "SOLAR_YIELD_INPUT");
			for (const word of words)
				assert.ok(
					error.message.includes(String(word)),
					`"${error.message}" names ${word}`,
				);
			return true;
		},
	);
}

/** Values of the wrong type for each type. */
const WRONG: Record<V1Type, unknown[]> = {
	number: ["steep", true, Number.NaN, { a: 1 }, "0x10"],
	azimuth: ["south", [180], Number.NEGATIVE_INFINITY],
	integer: [1.5, "1.5", "two", Number.NaN],
	boolean: ["yes", 2, {}],
	enum: ["wood", 1, ["perc"]],
	date: ["2026-02-30", "2026-2-3", "2026-01-01T00:00", 20260101],
	months: ["00000111100", "000001111002", 111111111111],
	obstructions: ["90:120", "90:120:x", "90:120:5_", 90],
	tracker: ["180:0:60", "180:0:60:maybe", "180:0:60:T:1", 180],
	soiling: ["2:2:0.11", "2:2:0.11:x", {}],
	columns: ["temp,,GHI", ["temp", 3], 7],
	timezone: ["Europe/Nowhere", "+01:00", "local", 1],
	text: [1, { a: 1 }],
};

describe("V1 parameter check", () => {
	for (const endpoint of ENDPOINTS)
		it(`holds every parameter of ${endpoint} to its type and bounds, and no other is taken`, () => {
			for (const parameter of V1_PARAMETERS) {
				const { name, type } = parameter;
				const limits = v1Limits(parameter, endpoint);
				if (limits === undefined) {
					const [home] = parameter.limits as [V1Limits];
					refused(
						{ [name]: goodValue(parameter, home) },
						[name, endpoint, ...home.endpoints],
						endpoint,
					);
					continue;
				}
				const { min, max } = limits;
				const good = goodValue(parameter, limits);
				for (const value of [min, max, good])
					if (value !== undefined) {
						const params = /^(start|end)_date$/.test(name)
							? { start_date: value, end_date: value }
							: { [name]: value };
						assert.equal(query(params, endpoint)[name], String(value));
					}
				const step = type === "integer" ? 1 : 0.001;
				for (const value of [
					...(min === undefined ? [] : [min - step]),
					...(max === undefined ? [] : [max + step]),
				])
					for (const given of [value, String(value)])
						refused(
							{ [name]: given },
							[name, value, min ?? "", max ?? ""],
							endpoint,
						);
				for (const value of WRONG[type])
					refused({ [name]: value }, [name, min ?? "", max ?? ""], endpoint);
			}
			const order = V1_PARAMETERS.map((it) => it.name as string);
			const all = everythingFor(endpoint);
			assert.deepEqual(
				checkV1Parameters(
					endpoint,
					Object.fromEntries(Object.entries(all).reverse()),
				),
				{
					query: order
						.filter((name) => Object.hasOwn(all, name))
						.map((name) => [name, String(all[name])]),
					warnings: [],
				},
			);
			assert.throws(
				() => checkV1Parameters(endpoint, { slope: "  " }),
				(error: Error) =>
					Object.keys(requiredFor(endpoint)).every((name) =>
						error.message.includes(name),
					) && /missing/.test(error.message),
			);
		});

	it("takes null, undefined, blank and empty lists for not set", () => {
		const unset = {
			elevation: null,
			timezone: undefined,
			required_data: [],
			shading_config: "  ",
			// Not a parameter of this endpoint, but not set either.
			detailed_losses: "",
		};
		assert.deepEqual(
			Object.keys(query(unset)),
			Object.keys(requiredFor("forecast")),
		);
	});

	it("takes numbers as decimal text and says how decimals are written", () => {
		assert.equal(query({ latitude: " 48.50 " }).latitude, "48.5");
		assert.equal(query({ past_days: "2.0" }).past_days, "2");
		refused({ latitude: "48,5" }, ["48,5", "point", -89.99, 89.99]);
	});

	it("takes booleans in every usual form", () => {
		for (const value of [true, "true", "TRUE", 1, "1"])
			assert.equal(query({ nowcast: value }).nowcast, "true");
		for (const value of [false, "false", "False", 0, "0"])
			assert.equal(query({ nowcast: value }).nowcast, "false");
	});

	it("refuses an azimuth below 0 with the direction from north and from south", () => {
		for (const name of ["orientation", "second_array_orientation"])
			refused({ [name]: -45 }, [
				name,
				"-45",
				"write 315",
				"135",
				"0 to 360",
				"0 north",
				"90 east",
			]);
		refused({ orientation: "-400" }, ["write 320"]);
		refused({ orientation: -0.1 }, ["write 359.9"]);
		refused({ single_axis_tracker_config: "-90:0:60:T" }, ["-90", "write 270"]);
		refused({ sky_obstruction_config: "-10:20:5" }, ["-10", "write 350"]);
		assert.equal(query({ orientation: -0 }).orientation, "0");
	});

	it("takes triples joined by _ and warns of other separators", () => {
		const check = (text: string) =>
			checkV1Parameters("forecast", {
				...requiredFor("forecast"),
				sky_obstruction_config: text,
			});
		for (const text of ["0:90:10", "0:90:10_90:180:-2.5_180:360:0"])
			assert.deepEqual(check(text).warnings, []);
		for (const text of [
			"0:90:10,90:180:5",
			"0:90:10; 90:180:5",
			"0:90:10:90:180:5",
			"0:90:10-90:180:5",
			"0:90:10_90:180:5|180:360:0",
		]) {
			const { query: sent, warnings } = check(text);
			assert.equal(Object.fromEntries(sent).sky_obstruction_config, text);
			assert.equal(warnings.length, 1);
			assert.ok(textIn(warnings[0] as Text).includes(text));
		}
	});

	it("sends texts as they are, lists joined", () => {
		for (const [name, given, sent = given] of [
			["shading_config", " 1:2 \n3 "],
			["required_data", ["GHI", " never_heard_of "], "GHI,never_heard_of"],
			["required_data", "temp, GHI", "temp,GHI"],
			["timezone", "UTC"],
			["timezone", "Etc/GMT+3"],
			["single_axis_tracker_config", "180:-5.5:60:False"],
			["single_axis_tracker_config", "180:-5.5:60:1"],
		] as const)
			assert.equal(query({ [name]: given })[name], sent);
	});

	it("refuses a period that runs backwards, also from a default start", () => {
		refused(
			{ start_date: "2026-03-02", end_date: "2026-03-01" },
			["start_date", "end_date", "2026-03-02", "2026-03-01"],
			"history",
		);
		refused(
			{ end_date: "2024-12-31" },
			["end_date", "2024-12-31", "2025-01-01", "default"],
			"recent",
		);
		const day = { start_date: "2024-02-29", end_date: "2024-02-29" };
		assert.equal(query(day, "history").end_date, "2024-02-29");
		assert.equal(query(day, "recent").end_date, "2024-02-29");
		refused({ start_date: "2025-02-29" }, ["2025-02-29"], "recent");
	});

	it("refuses unknown names with the nearest one, even when blank", () => {
		refused({ orientaton: 180 }, ["orientaton", "write orientation"]);
		refused({ Latitude: 1 }, ["write latitude"]);
		refused({ pv_power: null }, ["write pv_power_kw"]);
		refused({ [`x${"y".repeat(9999)}`]: 1 }, ["is not a V1 parameter"]);
		refused(JSON.parse('{"__proto__": 1, "constructor": 2}'), ["constructor"]);
	});

	it("answers whatever it is given with a query or one INPUT error", () => {
		const names = V1_PARAMETERS.map((it) => it.name as string);
		fc.assert(
			fc.property(
				fc.constantFrom(...ENDPOINTS),
				fc.dictionary(fc.constantFrom(...names), fc.anything()),
				(endpoint, params) => {
					try {
						const all = { ...requiredFor(endpoint), ...params };
						for (const pair of checkV1Parameters(endpoint, all).query)
							assert.ok(
								pair.every((it) => typeof it === "string" && it !== ""),
							);
					} catch (error) {
						assert.ok(error instanceof SolarYieldError);
						assert.equal(error.kind, "INPUT");
					}
				},
			),
			{ numRuns: 300 },
		);
	});

	it("tells everything that is wrong in one error", () => {
		refused({ latitude: 95, nowcast: "maybe", sloppe: 3, pv_power_kw: -1 }, [
			"latitude 95",
			"-89.99 to 89.99",
			"nowcast",
			"sloppe",
			"pv_power_kw -1",
			"at least 0 kW",
		]);
	});

	it("refuses an unknown endpoint, and parameters that are no object", () => {
		const check = checkV1Parameters as (
			endpoint: unknown,
			params: unknown,
		) => unknown;
		for (const endpoint of ["forecasts", "toString", undefined])
			assert.throws(() => check(endpoint, {}), /yield, system, history/);
		for (const params of [null, "latitude", [1]])
			assert.throws(() => check("forecast", params), /object/);
	});
});
