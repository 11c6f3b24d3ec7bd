import assert from "node:assert/strict";
import { answerV1Demo } from "../../src/v1/demo";
import { V1_ENDPOINTS, type V1Endpoint } from "../../src/v1/parameters";

type Row = Record<string, number | string>;

const NOW = Date.parse("2026-11-27T08:12:33Z");

function ask(endpoint: V1Endpoint, query: string, now = NOW) {
	const { status, body } = answerV1Demo(
		{
			method: "GET",
			path: V1_ENDPOINTS[endpoint],
			query: [
				...new URLSearchParams(
					`latitude=50.9&longitude=6.4&slope=30&orientation=180&${query}`,
				),
			],
		},
		now,
	);
	return { status, json: JSON.parse(body) };
}

describe("V1 of the demo", () => {
	it("forecasts seven days from today in UTC, in the columns asked for", () => {
		const { json } = ask("forecast", "");
		assert.equal(json.data, "forecast");
		assert.equal(json.values.length, 672);
		assert.equal(json.values[0].dtm, "2026-11-27 00:00:00");
		assert.deepEqual(
			Object.keys(json.values[0]).join(),
			"dtm,GHI,DHI,BNI,spec_watts,temp,weather_code",
		);
		const more = ask(
			"forecast",
			"required_data=pv_watts,moon&clearsky_data=true&past_days=2&forecast_days=1",
		);
		assert.equal(more.json.values.length, 3 * 96);
		assert.deepEqual(
			Object.keys(more.json.values[0]).join(),
			"dtm,pv_watts,spec_watts_clearsky,pv_watts_clearsky",
		);
	});

	it("tells of the past in a named zone, up to now, of two arrays together", () => {
		const range = "start_date=2026-10-25&end_date=2026-10-25";
		const zone = "timezone=Europe/Berlin&required_data=pv_watts";
		const watts = (more: string) =>
			ask("history", `${range}&${zone}&${more}`).json.values.map(
				({ pv_watts }: Row) => pv_watts,
			);
		const first = watts("pv_power_kw=5");
		assert.equal(first.length, 100);
		const second =
			"second_array_power_kw=3&second_array_slope=30&second_array_orientation=180";
		const both = watts(`pv_power_kw=5&${second}`);
		const noon = both.indexOf(Math.max(...both));
		assert.ok(Math.abs(both[noon] / first[noon] - 1.6) < 0.01);
		const recent = ask("recent", "start_date=2026-11-26").json.values;
		assert.equal(recent.at(-1).dtm, "2026-11-27 08:00:00");
	});

	it("sums a year by months, and ends with 2026", () => {
		for (const endpoint of ["yield", "system"] as const) {
			const { json } = ask(endpoint, "pv_power_kw=10");
			const kwh = json.values.map(({ pv_energy_kwh }: Row) => pv_energy_kwh);
			assert.equal(kwh.length, 12);
			assert.ok(kwh[5] > 2 * kwh[11], kwh.join());
		}
		assert.equal(ask("forecast", "", Date.UTC(2027, 0, 1)).status, 410);
	});
});
