import assert from "node:assert/strict";
import { makeDocuments } from "../../src/export/documents";
import { readExportOptions } from "../../src/export/options";
import { stringCaptions } from "../../src/export/words";
import type { StringMeta } from "../../src/service/v2/sites/site";
import { QUARTER } from "../support/time";
import {
	type MadeForecast,
	makeForecast,
	PLACES,
	type Plan,
} from "./forecasts";

const DAY: Plan = {
	zone: "Europe/Berlin",
	date: "2026-07-01",
	days: 3,
	peaks: [8000, 4000, 6000],
	bandHours: 40,
	strings: [6, 4],
};
const NOON = Date.parse("2026-07-01T10:00:00Z");

/** Messages are read as a chart reads them, unchecked. */
type Loose = any;
interface Point {
	readonly series: string;
	readonly t: number;
	readonly kw: number;
}

function chart(
	made: Pick<MadeForecast, "forecast" | "solar">,
	options: Record<string, unknown>,
	nowMs = NOON,
): Loose {
	const [message, ...others] = makeDocuments(
		"chart",
		readExportOptions("chart", options),
		{ forecast: made.forecast, facts: made.solar, nowMs },
	);
	assert.equal(others.length, 0);
	return message;
}

const namesOf = (payload: readonly Point[]) => [
	...new Set(payload.map(({ series }) => series)),
];
const energyOf = (payload: readonly Point[], name: string) =>
	payload
		.filter(({ series }) => series === name)
		.reduce((sum, { kw }) => sum + kw / 4, 0);

describe("export: chart, ready to show", () => {
	it("names what the forecast has, in words, the forecast last and so on top", () => {
		const en = chart(makeForecast(DAY), { view: "two-days" });
		assert.deepEqual(namesOf(en.payload), [
			"Clear sky",
			"At least",
			"Range",
			"Forecast",
		]);
		assert.deepEqual(
			en.series.map(({ kind }: Loose) => kind),
			["clearsky", "low", "band", "forecast"],
		);
		assert.equal(en.language, "en");
		const de = chart(makeForecast(DAY), { view: "two-days", language: "de" });
		assert.deepEqual(namesOf(de.payload), [
			"Klarer Himmel",
			"Mindestens",
			"Spanne",
			"Prognose",
		]);
		assert.equal(de.language, "de");
		const [, , , forecast] = de.series;
		assert.deepEqual(forecast, {
			name: "Prognose",
			names: { en: "Forecast", de: "Prognose" },
			kind: "forecast",
		});
	});

	it("has the day's energy in kW, over days of 23 to 25 hours", () => {
		for (const [zone, date] of PLACES) {
			const made = makeForecast({ zone, date, days: 3, peaks: [8000, 4000] });
			const [today, tomorrow] = made.days as [Loose, Loose];
			const now = (today.start + today.end) / 2;
			const one = chart(made, { view: "today" }, now);
			assert.ok(
				Math.abs(energyOf(one.payload, "Forecast") - today.energy) < 0.001,
			);
			const two = chart(made, { view: "two-days" }, now);
			const energy = today.energy + tomorrow.energy;
			assert.ok(Math.abs(energyOf(two.payload, "Forecast") - energy) < 0.001);
			const { max, min } = two.ui_update.chartOptions.xAxis;
			assert.deepEqual([min, max], [today.start, tomorrow.end]);
		}
	});

	it("lays the range on its lower edge, point by point", () => {
		const made = makeForecast(DAY);
		const points: Point[] = chart(made, { view: "two-days" }).payload;
		const at = (name: string) =>
			new Map(
				points
					.filter(({ series }) => series === name)
					.map(({ kw, t }) => [t, kw]),
			);
		const [low, band] = [at("At least"), at("Range")];
		assert.deepEqual([...low.keys()], [...band.keys()]);
		const rows = made.body.values as Loose[];
		for (const { timestamp, pv_power_max } of rows) {
			const middle = Date.parse(timestamp) - QUARTER / 2;
			const least = low.get(middle);
			if (least === undefined) continue;
			const most = least + (band.get(middle) as number);
			assert.ok(Math.abs(most - pv_power_max / 1000) < 0.001);
		}
		assert.ok(low.size > 40);
	});

	it("has no empty legend and no band without one", () => {
		const { bandHours: _band, strings: _strings, ...plain } = DAY;
		const message = chart(makeForecast(plain), { view: "two-days" });
		assert.ok(!namesOf(message.payload).includes("Range"));
		const { data } = message.ui_update.chartOptions.legend;
		assert.deepEqual(
			[...new Set(data)].sort(),
			namesOf(message.payload).sort(),
		);
		assert.deepEqual(
			chart(makeForecast(plain), { view: "strings" }).payload,
			[],
		);
	});

	it("options keep their places, whatever a forecast has: ui-chart merges lists by place", () => {
		const { bandHours: _band, ...bandless } = DAY;
		const [rich, poor] = [DAY, bandless].map(
			(plan) =>
				chart(makeForecast(plan), { view: "today" }).ui_update.chartOptions,
		);
		const places = ({ series }: Loose) =>
			series.map(({ name, stack }: Loose) => [name, stack]);
		assert.deepEqual(places(poor), places(rich));
		assert.equal(poor.legend.data.length, rich.legend.data.length);
	});

	it("stacks the strings under names that people know", () => {
		const made = makeForecast(DAY);
		const message = chart(made, { view: "strings", language: "de" });
		const names = namesOf(message.payload);
		assert.equal(names.length, 2);
		assert.deepEqual(
			message.series.map(({ names }: Loose) => names.de),
			names,
		);
		const english = chart(made, { view: "strings", language: "en" });
		assert.deepEqual(
			message.series.map(({ names }: Loose) => names.en),
			namesOf(english.payload),
		);
		const whole = chart(made, { view: "two-days", language: "de" }).payload;
		const sum = names.reduce(
			(total, name) => total + energyOf(message.payload, name),
			0,
		);
		assert.ok(Math.abs(sum - energyOf(whole, "Prognose")) < 0.05);
		const stacks = message.ui_update.chartOptions.series.map(
			({ stack }: Loose) => stack,
		);
		assert.deepEqual(stacks, ["strings", "strings"]);
	});

	it("marks now, and moves the mark with each message", () => {
		const made = makeForecast(DAY);
		for (const nowMs of [NOON, NOON + 7 * 60_000]) {
			const { series } = chart(made, { view: "two-days" }, nowMs).ui_update
				.chartOptions;
			const marks = series.filter(({ markLine }: Loose) => markLine);
			assert.deepEqual(
				marks.map(({ markLine, name }: Loose) => [name, markLine.data]),
				[["Forecast", [{ xAxis: nowMs }]]],
			);
		}
	});

	it("shows the week as bars of whole days from today on", () => {
		const made = makeForecast(DAY);
		const { payload } = chart(made, { view: "week", language: "de" });
		assert.deepEqual(
			payload.map(({ day }: Loose) => day),
			["Mi 1", "Do 2", "Fr 3"],
		);
		for (const [index, { kwh }] of payload.entries()) {
			assert.ok(Math.abs(kwh - (made.days[index]?.energy ?? 0)) < 0.006);
		}
	});

	it("leaves out the hours in which all is zero, but for their ends", () => {
		const { payload } = chart(makeForecast(DAY), { view: "today" });
		const times = payload
			.filter(({ series }: Point) => series === "Forecast")
			.map(({ t }: Point) => t);
		assert.equal(times[0], Date.parse("2026-06-30T22:07:30Z"));
		assert.equal(times.at(-1), Date.parse("2026-07-01T21:52:30Z"));
		assert.ok(times.length < 70);
	});
});

describe("export: names of strings in charts", () => {
	const string = (facts: Partial<StringMeta>): StringMeta => ({
		string_id: "str_a",
		string_index: 0,
		slope: 35,
		orientation: 90,
		power_kw: 4.2,
		...facts,
	});
	const name = (
		facts: Partial<StringMeta>,
		language: "en-US" | "de" = "en-US",
	) => stringCaptions([string(facts)], language).get(0);

	it("say where it is and how large", () => {
		assert.equal(name({}), "East roof 4.2 kW");
		assert.equal(name({}, "de"), "Ostdach 4,2 kW");
		assert.equal(name({ orientation: 350 }), "North roof 4.2 kW");
		assert.equal(name({ orientation: 140 }, "de"), "Südostdach 4,2 kW");
		assert.equal(name({ slope: 90 }), "East wall 4.2 kW");
		assert.equal(name({ slope: 2, power_kw: 10 }), "Flat roof 10 kW");
	});

	it("do without what is not known", () => {
		assert.equal(name({ orientation: null }), "String 1 4.2 kW");
		assert.equal(name({ slope: null, power_kw: null }), "String 1");
	});

	it("differ", () => {
		const names = stringCaptions(
			[string({}), string({ string_id: null, string_index: 1 })],
			"en-US",
		);
		assert.deepEqual(
			[...names.values()],
			["East roof 4.2 kW (str_a)", "East roof 4.2 kW (2)"],
		);
	});
});
