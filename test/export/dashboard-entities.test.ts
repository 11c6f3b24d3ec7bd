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

const PAGE = readFileSync(
	join(__dirname, "../../docs/home-assistant-dashboard.md"),
	"utf8",
);
const BLOCKS: Loose[] = [...PAGE.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(
	([, code]) => yaml.load(code),
);

/** Ids of the entities that the export publishes for a site named Barn. */
function publishedIds(): Set<string> {
	const made = makeForecast({
		zone: "Europe/Berlin",
		date: "2026-07-01",
		days: 8,
		peaks: [8000],
		bandHours: 48,
	});
	const home = openExporter(
		"home-assistant",
		readExportOptions("home-assistant", {}),
	);
	assert.ok(home instanceof HomeAssistant);
	const messages = home.update({
		forecast: made.forecast,
		facts: { ...made.solar, site_name: "Barn" },
		quota: {
			limit: 3000,
			unmetered: false,
			used: 1,
			remaining: 2999,
			reset: "2026-08-01T00:00:00Z",
			as_of: "2026-07-01T10:00:00Z",
			own: 1,
		},
		nowMs: Date.parse("2026-07-01T10:00:00Z"),
	});
	const text = JSON.stringify(messages.map(({ payload }) => payload));
	return new Set(
		[...text.matchAll(/default_entity_id\\*":\\*"([\w.]+)/g)].map(
			([, id]) => id as string,
		),
	);
}

describe("docs: the dashboard for Home Assistant", () => {
	it("names only entities that the export publishes", () => {
		const [dashboard] = BLOCKS;
		const known = publishedIds();
		const text = JSON.stringify(dashboard);
		const named = new Set(text.match(/\b(?:binary_)?sensor\.barn_\w+/g) ?? []);
		assert.ok(named.size > 10);
		// Ids that scripts put together end with a blank.
		const missing = [...named].filter(
			(id) => !id.endsWith("_") && !known.has(id),
		);
		assert.deepEqual(missing, []);
		const keys = text.match(/\benergy_(?:today|tomorrow|day_\d)\b/g) ?? [];
		for (const key of keys) assert.ok(known.has(`sensor.barn_pv_${key}`), key);
	});

	it("runs: its scripts read the attributes that the export sends", () => {
		const [dashboard, , battery] = BLOCKS;
		const scripts = [
			...JSON.stringify([dashboard, battery]).matchAll(
				/"data_generator":("(?:[^"\\]|\\.)*")/g,
			),
		].map(([, code]) => JSON.parse(code as string) as string);
		assert.equal(scripts.length, 4);
		const forecast = [{ datetime: "2026-07-01T10:07:30Z", watts: 4310 }];
		const day = { state: "31.7", attributes: { forecast } };
		const hass = {
			states: {
				"sensor.barn_pv_energy_today": day,
				"sensor.barn_pv_energy_tomorrow": day,
			},
		};
		const plan = [
			{
				start: "2026-07-01T10:00:00Z",
				end: "2026-07-01T10:15:00Z",
				pv_w: 4310,
				soc: 50,
			},
		];
		const [curve, week, sun, charge] = scripts.map((code) =>
			new Function("hass", "entity", code)(hass, { attributes: { plan } }),
		);
		const middle = Date.parse("2026-07-01T10:07:30Z");
		assert.deepEqual(curve, [
			[middle, 4.31],
			[middle, 4.31],
		]);
		assert.deepEqual(
			week.map(([, kwh]: Loose) => kwh),
			[31.7, 31.7],
		);
		assert.deepEqual(sun, [[Date.parse("2026-07-01T10:00:00Z"), 4.31]]);
		assert.deepEqual(charge, [[Date.parse("2026-07-01T10:15:00Z"), 50]]);
	});
});
