import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { openExporter, readExportOptions } from "../../src/export";
import { HomeAssistant } from "../../src/export/home-assistant/home-assistant";
import { makeForecast } from "./forecasts";

// Mocha reads its own configuration with it.
const yaml = createRequire(require.resolve("mocha/package.json"))("js-yaml");
type Loose = any;

const [SOLAR, SENSORS, BATTERY]: Loose[] = [
	"solar",
	"battery-sensors",
	"battery",
].map((name) =>
	yaml.load(
		readFileSync(
			join(__dirname, `../../docs/home-assistant/${name}.yaml`),
			"utf8",
		),
	),
);

const NOW = Date.parse("2026-07-01T10:00:00Z");
const MADE = makeForecast({
	zone: "Europe/Berlin",
	date: "2026-07-01",
	days: 8,
	peaks: [8000],
	bandHours: 48,
	strings: [6, 4],
});

/** What the export publishes for a site named Barn: ids, and the attributes of each. */
function published(): { ids: Set<string>; states: Loose } {
	const home = openExporter(
		"home-assistant",
		readExportOptions("home-assistant", {}),
	);
	assert.ok(home instanceof HomeAssistant);
	const messages = home.update({
		forecast: MADE.forecast,
		facts: {
			...MADE.solar,
			site_name: "Barn",
			learned: { days: 12 },
		} as Loose,
		quota: {
			limit: 3000,
			unmetered: false,
			used: 1,
			remaining: 2999,
			reset: "2026-08-01T00:00:00Z",
			as_of: "2026-07-01T10:00:00Z",
			own: 1,
		},
		nowMs: NOW,
	});
	const payload = (end: string): Loose =>
		messages.find(({ topic }) => topic.endsWith(end))?.payload;
	const components: Loose[] = Object.values(payload("/config").components);
	return {
		ids: new Set(components.map((each) => each.default_entity_id)),
		states: Object.fromEntries(
			components.map(
				({
					default_entity_id,
					value_template,
					json_attributes_topic: topic,
				}) => {
					const field = /value_json\.(\w+)/.exec(value_template)?.[1] ?? "";
					return [
						default_entity_id,
						{
							state: String(payload("/state")[field]),
							attributes: topic ? payload(topic) : {},
						},
					];
				},
			),
		),
	};
}

/** The scripts of a dashboard's curves, by the name of each. */
function scripts(dashboard: Loose): [name: string, code: string][] {
	if (Array.isArray(dashboard)) return dashboard.flatMap(scripts);
	if (dashboard === null || typeof dashboard !== "object") return [];
	const { name, data_generator } = dashboard;
	return data_generator
		? [[name, data_generator]]
		: Object.values(dashboard).flatMap(scripts);
}

describe("docs: the dashboard for Home Assistant", () => {
	it("names only entities that are published, or made by its own lines", () => {
		const { ids } = published();
		for (const { default_entity_id } of SENSORS.mqtt.sensor) {
			ids.add(default_entity_id);
		}
		// Of the example that learns.
		ids.add("sensor.forecast_accuracy_error");
		const text = JSON.stringify([SOLAR, BATTERY]);
		const named = new Set(text.match(/\b(?:binary_)?sensor\.\w+/g) ?? []);
		assert.ok(named.size > 15);
		// Ids that scripts and templates put together end with a blank.
		const missing = [...named].filter(
			(id) => !id.endsWith("_") && !ids.has(id),
		);
		assert.deepEqual(missing, []);
		const keys = text.match(/\b(?:energy_)?(?:today|tomorrow|day_\d)\b/g) ?? [];
		for (const key of keys) {
			const name = key.startsWith("energy_") ? key : `energy_${key}`;
			assert.ok(ids.has(`sensor.barn_pv_${name}`), key);
		}
	});

	it("draws the curves, range and strings that the export sends", () => {
		const { states } = published();
		const curves = new Map(
			scripts(SOLAR).map(([name, code]) => [
				`${name} ${/watts_\w+|energy_day_7/.exec(code)?.[0] ?? ""}`.trim(),
				new Function("hass", code)({ states }) as [number, number | null][],
			]),
		);
		const at = (name: string, time: number) =>
			curves.get(name)?.find(([when]) => when === time)?.[1];
		const noon = NOW + 450_000;
		const watts =
			MADE.quarters.find(({ start }) => start === NOW)?.watts ?? Number.NaN;
		const isNear = (value: number | null | undefined, kw: number) =>
			assert.ok(
				Math.abs((value ?? Number.NaN) - kw) < 0.001,
				`${value}, ${kw}`,
			);
		assert.equal(curves.get("PV")?.length, 192);
		isNear(at("PV", noon), watts / 1000);
		isNear(at("max watts_max", noon), (watts * 1.2) / 1000);
		isNear(at("min watts_min", noon), (watts * 0.8) / 1000);
		isNear(at("1", noon), (watts * 0.6) / 1000);
		isNear(at("2", noon), watts / 1000);
		assert.deepEqual(curves.get("3"), []);
		isNear(at("☀ watts_clearsky", noon), (watts * 1.1) / 1000);
		assert.equal(curves.get("PV energy_day_7")?.length, 7);
	});

	it("draws a plan and prices as nodes send them", () => {
		const plan = [
			{
				start: "2026-07-01T10:00:00Z",
				end: "2026-07-01T10:15:00Z",
				pv_w: 4310,
				load_w: 500,
				soc: 50,
			},
		];
		const start = "2026-07-01T10:00:00Z";
		const prices = [
			{ start, price: 0.3 },
			{ startsAt: start, total: 0.2 },
			{ start, value: -0.1 },
		];
		const drawn = scripts(BATTERY).map(([, code]) =>
			new Function("entity", code)({ attributes: { plan, prices } }),
		);
		const begin = Date.parse(start);
		assert.deepEqual(drawn, [
			[[begin, 4.31]],
			[[begin, 0.5]],
			[[begin + 900_000, 50]],
			[
				[begin, 0.3],
				[begin, 0.2],
				[begin, -0.1],
			],
		]);
	});
});
