import assert from "node:assert/strict";
import { Documents, readExportOptions } from "../../src/export";
import { forecastFromInput } from "../../src/messages/input/forecast-input";
import { type MadeForecast, makeForecast, type Plan } from "./forecasts";

const PLAN: Plan = {
	zone: "Europe/Berlin",
	date: "2026-07-01",
	days: 2,
	peaks: [4000, 5000],
};
const NIGHT: Plan = { ...PLAN, peaks: [4000, 0] };

/** The same forecast with a weather code in some hours of tomorrow, by the site's clock, two in the first days of July. */
function withWeather(plan: Plan, hours: readonly number[], code: number) {
	const { body, solar } = makeForecast(plan);
	const values = (body.values as Record<string, unknown>[]).map((row) => {
		const end = String(row.timestamp);
		const isIt =
			end > "2026-07-02T00:00" && hours.includes(Number(end.slice(11, 13)));
		return isIt ? { ...row, weather_code: code } : row;
	});
	return forecastFromInput({ payload: { ...body, values }, solar });
}

const input = (
	{ forecast, solar: facts }: Pick<MadeForecast, "forecast" | "solar">,
	clock: string,
) => ({ forecast, facts, nowMs: Date.parse(`2026-07-01T${clock}+02:00`) });

const open = (settings: Record<string, unknown>) =>
	new Documents("text", readExportOptions("text", settings));

describe("export: a text for people", () => {
	const made = makeForecast(PLAN);
	for (const [what, settings, given, clock, wanted] of [
		[
			"before 16:00 it is of today",
			{ language: "en" },
			made,
			"15:59",
			/^Today 29 kWh, (\d|\d\.\d) kWh of it still to come\. Best from 16:00 to 19:00\.$/,
		],
		[
			"from 16:00 on of tomorrow",
			{ language: "en" },
			made,
			"16:00",
			/^Tomorrow 36 kWh, more than today\. Best from 10:00 to 13:00\.$/,
		],
		[
			"or as it is set",
			{ day: "today", language: "de" },
			made,
			"17:00",
			/^Heute 29 kWh, davon noch [1-5],\d kWh zu erwarten\. Am besten von 17:00 bis 20:00\.$/,
		],
		[
			"in the evening",
			{ day: "today", language: "de" },
			made,
			"20:30",
			/^Heute 29 kWh\. Keine nennenswerte Sonne mehr\.$/,
		],
		[
			"of a dark day",
			{ language: "de" },
			makeForecast(NIGHT),
			"19:00",
			/^Morgen 0 kWh, weniger als heute\. Kaum Sonne\.$/,
		],
		[
			"with rain",
			{ language: "en" },
			withWeather(PLAN, [19, 20, 21], 63),
			"19:00",
			/to 13:00, rain in the evening\.$/,
		],
		[
			"with more than one part of it",
			{ language: "de" },
			withWeather(PLAN, [8, 9, 19, 20, 21], 95),
			"19:00",
			/bis 13:00, Gewitter am Vormittag und am Abend\.$/,
		],
		[
			"with fog all day",
			{ language: "en" },
			withWeather(PLAN, [...Array(24).keys()], 45),
			"19:00",
			/, fog all day\.$/,
		],
		[
			"of demo data",
			{ language: "de" },
			{ ...made, solar: { ...made.solar, demo: true } },
			"19:00",
			/^Demodaten: Morgen 36 kWh, /,
		],
	] as const) {
		it(`${what}, ${JSON.stringify(settings)} at ${clock}`, () => {
			const [message] = open(settings).update(input(given, clock));
			assert.match(String(message?.payload), wanted);
			assert.equal((message as { text?: unknown }).text, message?.payload);
		});
	}

	it("says nothing of a day that is not known", () => {
		const made = makeForecast({ ...PLAN, days: 1 });
		assert.throws(() => open({}).update(input(made, "19:00")), {
			code: "SOLAR_YIELD_RESPONSE",
			message: /does not hold all of Jul 2, 2026, .*; choose another day/,
		});
	});
});
