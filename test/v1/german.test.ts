import assert from "node:assert/strict";
import { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import { textIn } from "../../src/texts/texts";
import { checkV1Parameters } from "../../src/v1/check-parameters";
import { moveToV2 } from "../../src/v1/to-v2";

/** The German of what is thrown. */
function thrown(work: () => unknown): string {
	try {
		work();
	} catch (error) {
		assert.ok(error instanceof SolarYieldError, String(error));
		return textIn(error.text, "de");
	}
	return assert.fail("nothing was thrown");
}

describe("V1 in German", () => {
	it("has words for whatever is wrong with a set, and for each note of its move", () => {
		const params = {
			latitude: "north",
			longitude: 200,
			slope: "12,5",
			orientation: -20,
			panel_age_years: "old",
			pv_technology_type: "tar",
			enable_soiling_model: "perhaps",
			demand_profile: 1.5,
			past_days: 3,
			single_axis_tracker_config: "1:2",
			nonsense: 1,
		};
		const wrong = thrown(() =>
			checkV1Parameters("historical" as never, params),
		);
		const bad = thrown(() => checkV1Parameters("forecast", params));
		const missing = thrown(() => checkV1Parameters("forecast", {}));
		const set = { latitude: 51, longitude: 7, slope: 30, orientation: 180 };
		const { report } = moveToV2(
			[
				{
					params: {
						...set,
						required_data: "pv_watts,oddity",
						timezone: "utc",
						pv_technology_type: "perc",
					},
				},
				{
					endpoint: "forecast",
					params: { ...set, pv_power_kw: 0, second_array_power_kw: 4 },
				},
			],
			{ nowMs: Date.parse("2026-11-27T13:10:00Z"), language: "de" },
		);
		const notes = report.map(({ note }) => note);
		for (const text of [wrong, bad, missing, ...notes]) {
			assert.doesNotMatch(
				text,
				/\b(the|is|are|and|not|no|give|set|from|of|without|degrees|V2 (has|does|keeps|uses))\b/,
			);
		}
	});
});
