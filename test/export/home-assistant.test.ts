import assert from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import {
	type ExportMessage,
	HomeAssistant,
	type Published,
	readExportOptions,
} from "../../src/export";
import { slug } from "../../src/export/home-assistant/slug";
import { nowValues } from "../../src/forecast/now";
import { factsFromInput } from "../../src/messages/facts";
import { exportForecast } from "../support/export-forecast";
import { gappedPlans, makeForecast, type Plan, wholePlans } from "./forecasts";

/** Payloads are read as Home Assistant does, unchecked. */
type Loose = any;

const OPTIONS = readExportOptions("home-assistant", {});
const DAY: Plan = {
	zone: "Europe/Berlin",
	date: "2026-07-01",
	days: 4,
	peaks: [8000, 4000],
	strings: [6, 4],
};
const NOON = Date.parse("2026-07-01T10:00:00Z");
const TOPIC = "solar-yield/site_a1/forecast";
const QUOTA = {
	limit: 3000,
	unmetered: false,
	used: 120,
	remaining: 2880,
	reset: "2026-08-01T00:00:00Z",
	as_of: "2026-07-01T09:45:00Z",
	own: 60,
};

const open = (published?: Published) => new HomeAssistant(OPTIONS, published);

/** A forecast into Home Assistant. */
const forecast = (
	home: HomeAssistant,
	plan: Plan = DAY,
	nowMs: number = NOON,
	quota: typeof QUOTA | undefined = QUOTA,
) => {
	const made = makeForecast(plan);
	return home.update({
		forecast: made.forecast,
		facts: made.solar,
		quota,
		nowMs,
		topic: TOPIC,
	});
};

/** The values of a `now` node into Home Assistant. */
const now = (
	home: HomeAssistant,
	plan: Plan = DAY,
	nowMs: number = NOON,
	every: number | undefined = 5,
) => {
	const made = makeForecast(plan);
	return home.update({
		now: nowValues(made.forecast, made.solar, nowMs),
		every,
		facts: made.solar,
		nowMs,
		topic: "solar-yield/site_a1/now",
	});
};

const find = (messages: ExportMessage[], end: string): Loose =>
	messages.find(({ topic }) => topic.endsWith(end))?.payload;
const configOf = (messages: ExportMessage[]) => find(messages, "/config");
const stateOf = (messages: ExportMessage[]) => find(messages, "/state");
const topics = (messages: ExportMessage[]) =>
	messages.map(({ topic }) => topic);

const slugText = z.string().regex(/^[A-Za-z0-9_-]+$/);
const shared = {
	unique_id: slugText,
	object_id: z.string().regex(/^[a-z0-9_]+$/),
	name: z.string().min(1),
	entity_category: z.enum(["diagnostic", "config"]).optional(),
};
const state = {
	state_topic: z.string(),
	value_template: z
		.string()
		.regex(/^\{\{ (?:value_json\.[a-z]\w*|'ON' if .* else 'OFF') \}\}$/),
	expire_after: z.int().positive(),
	availability: z.tuple([
		z.strictObject({
			topic: z.string(),
			value_template: z
				.string()
				.regex(
					/^\{\{ 'online' if as_timestamp\(now\(\)\) - as_timestamp\(value_json\.sent_at, 0\) < \d+ else 'offline' \}\}$/,
				),
		}),
	]),
};
/** Home Assistant's rules of units and classes, which cost others bug reports. */
const Sensor = z
	.strictObject({
		platform: z.literal("sensor"),
		default_entity_id: z.string().regex(/^sensor\.[a-z0-9_]+$/),
		...shared,
		...state,
		device_class: z
			.enum(["power", "energy", "timestamp", "temperature", "duration", "enum"])
			.optional(),
		unit_of_measurement: z.string().optional(),
		state_class: z.literal("measurement").optional(),
		suggested_display_precision: z.int().optional(),
		enabled_by_default: z.literal(false).optional(),
		options: z.array(z.string()).min(1).optional(),
		json_attributes_topic: z.string().optional(),
	})
	.refine(
		({ device_class, options }) => (device_class === "enum") === !!options,
	)
	.refine(({ device_class, unit_of_measurement: unit, state_class }) => {
		switch (device_class) {
			case "power":
				return unit === "W" || unit === "kW";
			case "energy":
				return unit === "kWh" && state_class === undefined;
			case "timestamp":
				return unit === undefined && state_class === undefined;
			case "enum":
				return unit === undefined && state_class === undefined;
			case "temperature":
				return unit === "°C";
			case "duration":
				return unit === "min" || unit === "h" || unit === "d";
			default:
				return unit === undefined || unit === "requests";
		}
	});
const Config = z.strictObject({
	device: z.looseObject({
		identifiers: z.array(slugText).min(1),
		name: z.string().min(1),
	}),
	origin: z.strictObject({
		name: z.literal("@solar-yield/node-red-solar-yield"),
		sw_version: z.string(),
		support_url: z.url(),
	}),
	components: z.record(
		z.string().regex(/^[a-z0-9_]+$/),
		z.union([
			Sensor,
			z.strictObject({
				platform: z.literal("binary_sensor"),
				default_entity_id: z.string().regex(/^binary_sensor\.[a-z0-9_]+$/),
				...shared,
				...state,
				device_class: z.literal("problem"),
			}),
			z.strictObject({
				platform: z.literal("button"),
				default_entity_id: z.string().regex(/^button\.[a-z0-9_]+$/),
				...shared,
				command_topic: z.string(),
				payload_press: z.literal("PRESS"),
			}),
			z.strictObject({ platform: z.enum(["sensor", "button"]) }),
		]),
	),
});

/** Names that Home Assistant drops from attributes (its mqtt/entity.py). */
const BLOCKED_ATTRIBUTES =
	/^(assumed_state|available|device_(class|info)|entity_(category|picture|registry_enabled_default)|extra_state_attributes|force_update|friendly_name|icon|name|should_poll|state|supported_features|unique_id|unit_of_measurement)$/;
/** From this length on attributes are not recorded, bytes of compact JSON. */
const UNRECORDED_BYTES = 16_384;

/** What holds of all messages of one update, after those before it. */
function check(messages: ExportMessage[]): void {
	for (const { retain, topic } of messages) {
		assert.equal(retain, true);
		assert.doesNotMatch(topic, /[+#\s]/);
	}
	for (const { payload, topic } of messages) {
		if (!/\/day\/\d$/.test(topic) || payload === "") continue;
		for (const name of Object.keys(payload as object))
			assert.doesNotMatch(name, BLOCKED_ATTRIBUTES);
		assert.ok(
			Buffer.byteLength(JSON.stringify(payload)) < UNRECORDED_BYTES,
			topic,
		);
	}
	const config = configOf(messages);
	const fields = stateOf(messages);
	// The state comes last, when all that it means is known.
	if (fields)
		assert.match(messages[messages.length - 1]?.topic ?? "", /state$/);
	if (!config) return;
	Config.parse(config);
	assert.match(
		messages[0]?.topic ?? "",
		/^homeassistant\/device\/[\w-]+\/config$/,
	);
	const components = Object.values(config.components as Loose) as Loose[];
	const ids = components.flatMap(({ unique_id }) => unique_id ?? []);
	assert.equal(new Set(ids).size, ids.length);
	for (const component of components) {
		const field = /value_json\.(\w+)/.exec(component.value_template ?? "")?.[1];
		if (field === undefined) continue;
		assert.ok(field in fields, `the state has ${field}`);
		const value = fields[field];
		if (value === null) continue;
		assert.ok(String(value).length <= 255);
		if (component.device_class === "timestamp") {
			assert.match(value, /T.*(?:Z|[+-]\d\d:\d\d)$/);
		} else if (component.unit_of_measurement) {
			assert.equal(typeof value, "number");
			assert.ok(Number.isFinite(value));
		}
	}
}

describe("home assistant: discovery and state", () => {
	it("keeps its own rules over many forecasts, with and without now", () => {
		fc.assert(
			fc.property(
				fc.oneof(wholePlans, gappedPlans),
				fc.boolean(),
				fc.nat(95),
				(plan, live, quarter) => {
					const made = makeForecast(plan);
					const at = made.quarters[quarter]?.start ?? 0;
					const home = open();
					const first = forecast(home, plan, at);
					check(first);
					if (live) check(now(home, plan, at));
					for (const { topic, payload } of first) {
						if (!topic.includes("/day/")) continue;
						assert.ok(Buffer.byteLength(JSON.stringify(payload)) < 16_384);
						assert.ok(
							(payload as Loose).forecast.every(
								({ watts }: Loose) => Number.isFinite(watts) && watts >= 0,
							),
						);
					}
					const tomorrow = made.days[1];
					// Small negatives by night count in the rows' own sum.
					if (stateOf(first).energy_tomorrow_kwh !== null && tomorrow) {
						assert.ok(
							Math.abs(stateOf(first).energy_tomorrow_kwh - tomorrow.energy) <
								1e-3,
						);
					}
				},
			),
			{ numRuns: 20 },
		);
	});

	it("a forecast alone brings every sensor, good for a quarter hour", () => {
		const messages = forecast(open());
		assert.deepEqual(topics(messages), [
			"homeassistant/device/solar_yield_site_a1/config",
			"solar-yield/site_a1/home-assistant/day/0",
			"solar-yield/site_a1/home-assistant/day/1",
			"solar-yield/site_a1/home-assistant/day/2",
			"solar-yield/site_a1/home-assistant/day/3",
			"solar-yield/site_a1/home-assistant/state",
		]);
		const { components, device } = configOf(messages);
		assert.equal(device.name, "PV forecast Barn");
		assert.deepEqual(components.energy_today, {
			platform: "sensor",
			unique_id: "solar_yield_site_a1_energy_today",
			default_entity_id: "sensor.barn_pv_energy_today",
			object_id: "barn_pv_energy_today",
			name: "Energy today",
			device_class: "energy",
			unit_of_measurement: "kWh",
			suggested_display_precision: 2,
			state_topic: "solar-yield/site_a1/home-assistant/state",
			expire_after: 900,
			availability: [
				{
					topic: "solar-yield/site_a1/home-assistant/state",
					value_template:
						"{{ 'online' if as_timestamp(now()) - as_timestamp(value_json.sent_at, 0) < 900 else 'offline' }}",
				},
			],
			value_template: "{{ value_json.energy_today_kwh }}",
			json_attributes_topic: "solar-yield/site_a1/home-assistant/day/0",
		});
		assert.ok(components.energy_day_4.json_attributes_topic.endsWith("/day/3"));
		assert.ok(components.string_str_0_energy_today);
		assert.ok(components.requests_remaining);
		assert.equal(components.requests_remaining.entity_category, "diagnostic");
		assert.ok(components.peak_time_today);
		assert.equal(components.power_now.state_class, "measurement");
		assert.equal(components.power_in_1h.state_class, undefined);
		assert.ok(components.string_str_1_energy_remaining_today);
		assert.equal(
			components.refresh.command_topic,
			"solar-yield/site_a1/refresh",
		);
		// The button is no value, and works as long as Node-RED does.
		assert.equal(components.refresh.availability, undefined);
		const fields = stateOf(messages);
		assert.equal(fields.sent_at, "2026-07-01T10:00:00Z");
		assert.equal(fields.requests_remaining, 2880);
		const made = makeForecast(DAY);
		const noon = made.quarters.find(({ start }) => start === NOON);
		assert.equal(fields.power_now_w, noon?.watts);
		assert.ok(
			Math.abs(fields.energy_day_3_kwh - (made.days[2]?.energy ?? 0)) < 1e-5,
		);
	});

	it("what changes with every message is off, and a fixed list is an enum", () => {
		const home = open();
		const made = makeForecast(DAY);
		const { components } = configOf(
			home.update({
				forecast: made.forecast,
				facts: made.solar,
				quota: { ...QUOTA, pace: "spread" },
				nowMs: NOON,
			}),
		);
		const off = Object.entries<Loose>(components)
			.filter(([, { enabled_by_default: on }]) => on === false)
			.map(([key]) => key);
		assert.deepEqual(off, ["age_minutes", "horizon_hours"]);
		assert.deepEqual(components.requests_pace.options, [
			"full",
			"spread",
			"held",
		]);
		assert.equal(components.requests_pace.device_class, "enum");
	});

	it("with now: its values, for three times its interval", () => {
		for (const [every, seconds] of [
			[1, 900],
			[5, 900],
			[15, 2700],
		] as const) {
			const home = open();
			forecast(home);
			now(home, DAY, NOON, every);
			const { components } = configOf(home.birth(NOON));
			assert.equal(components.power_now.expire_after, seconds);
			assert.match(
				components.power_now.availability[0].value_template,
				new RegExp(`< ${seconds} else`),
			);
			// The same again: only the state; a forecast brings all, should it have been lost.
			assert.deepEqual(topics(now(home, DAY, NOON + 300_000, every)), [
				"solar-yield/site_a1/home-assistant/state",
			]);
		}
	});

	it("without now the values are sent every five minutes", () => {
		const home = open();
		assert.equal(home.nextRenewal(NOON), null);
		forecast(home, DAY, NOON + 1000);
		assert.equal(home.nextRenewal(NOON + 1000), NOON + 300_000);
		const messages = home.renew(NOON + 900_000);
		assert.deepEqual(topics(messages), [
			"solar-yield/site_a1/home-assistant/state",
		]);
		const next = makeForecast(DAY).quarters.find(
			({ start }) => start === NOON + 900_000,
		);
		assert.equal(stateOf(messages).power_now_w, next?.watts);
		assert.equal(stateOf(messages).sent_at, "2026-07-01T10:15:00Z");
	});

	it("while a now node speaks the export keeps silent, and steps in when it ends", () => {
		const home = open();
		forecast(home);
		now(home, DAY, NOON, 15);
		assert.deepEqual(home.renew(NOON + 1_500_000), []);
		const messages = home.renew(NOON + 1_800_000);
		check(messages);
		// Values are good for less now, which discovery tells.
		assert.equal(configOf(messages).components.power_now.expire_after, 900);
		assert.ok(stateOf(messages).power_now_w > 0);
	});

	it("a forecast brings the discovery again: an mqtt out node may have dropped it", () => {
		const home = open();
		const first = forecast(home);
		assert.deepEqual(topics(forecast(home)), topics(first));
		assert.deepEqual(configOf(forecast(home)), configOf(first));
	});

	it("now alone suffices, also with no more than its topic", () => {
		const made = makeForecast(DAY);
		const home = open();
		const messages = home.update({
			now: nowValues(made.forecast, made.solar, NOON),
			facts: factsFromInput({ topic: "pv/demo-s1/now" }),
			nowMs: NOON,
			topic: "pv/demo-s1/now",
		});
		check(messages);
		assert.deepEqual(topics(messages), [
			"homeassistant/device/solar_yield_demo-s1/config",
			"pv/demo-s1/home-assistant/state",
		]);
		assert.equal(configOf(messages).device.name, "PV forecast Demo s1");
		// Nobody said how often: the slowest.
		assert.equal(configOf(messages).components.power_now.expire_after, 2700);
	});

	it("an unknown value is null, which the template makes None", () => {
		const made = makeForecast({
			...DAY,
			gaps: [{ at: 44, length: 8, absent: false }],
		});
		const home = open();
		const messages = home.update({
			forecast: made.forecast,
			facts: made.solar,
			nowMs: NOON,
		});
		assert.equal(stateOf(messages).peak_time_today, null);
		assert.equal(find(messages, "/day/0").forecast.length, 88);
		check(messages);
	});

	it("what a plan does not have appears with its first value, and stays", () => {
		const home = open();
		const has = (messages: ExportMessage[]) =>
			"energy_today_min" in configOf(messages).components;
		assert.equal(has(forecast(home)), false);
		assert.equal(has(forecast(home, { ...DAY, bandHours: 48 })), true);
		forecast(home);
		assert.equal(has(home.birth(NOON)), true);
		const quotaless = exportForecast("home-assistant", OPTIONS, {
			forecast: makeForecast(DAY).forecast,
			facts: makeForecast(DAY).solar,
			nowMs: NOON,
		});
		assert.ok(!("requests_used" in configOf(quotaless).components));
	});
});

describe("home assistant: what it remembers", () => {
	it("the birth message brings everything of every site back", () => {
		const home = open();
		forecast(home);
		const other = makeForecast({ ...DAY, solar: { site_id: "b" } });
		home.update({ forecast: other.forecast, facts: other.solar, nowMs: NOON });
		const topic = "homeassistant/status";
		for (const payload of ["online", Buffer.from("online")]) {
			assert.equal(home.statusIn({ topic, payload }), "online");
		}
		assert.equal(home.statusIn({ topic, payload: "offline" }), "offline");
		for (const other of ["x/status", TOPIC]) {
			const message = { topic: other, payload: "online" };
			assert.equal(home.statusIn(message), undefined);
		}
		const messages = home.birth(NOON + 60_000);
		assert.equal(messages.length, 12);
		assert.equal(
			messages.filter(({ topic }) => topic.endsWith("/config")).length,
			2,
		);
	});

	it("strings and days that are gone are removed, and their curves cleared", () => {
		const home = open();
		forecast(home);
		const messages = forecast(home, { ...DAY, days: 2, strings: [10] });
		check(messages);
		const { components } = configOf(messages);
		assert.deepEqual(components.energy_day_4, { platform: "sensor" });
		assert.deepEqual(components.string_str_1_energy_today, {
			platform: "sensor",
		});
		assert.equal(find(messages, "/day/2"), "");
		assert.equal(find(messages, "/day/3"), "");
		assert.notEqual(find(messages, "/day/1"), "");
		// Cleared once; and what comes back is whole again.
		assert.equal(find(home.birth(NOON), "/day/3"), undefined);
		const back = configOf(forecast(home)).components;
		assert.equal(back.energy_day_4.name, "Energy day 4");
	});

	it("entities that an earlier instance published are removed too", () => {
		const home = open();
		forecast(home);
		const published = JSON.parse(JSON.stringify(home.published));
		const next = open(published);
		assert.deepEqual(next.published, published);
		const messages = forecast(next, { ...DAY, strings: [10] });
		assert.deepEqual(configOf(messages).components.string_str_1_energy_today, {
			platform: "sensor",
		});
	});

	it("curves that an earlier instance published are cleared", () => {
		const home = open();
		forecast(home);
		assert.equal(home.published.site_a1?.topics.length, 6);
		const messages = forecast(open(home.published), { ...DAY, days: 2 });
		assert.equal(find(messages, "/day/3"), "");
		assert.equal(
			find(forecast(open(home.published)), "/day/3").length,
			undefined,
		);
	});

	it("after a restart what was there before is there again, unknown where nobody tells", () => {
		const home = open();
		forecast(home, { ...DAY, bandHours: 40 });
		const made = makeForecast(DAY);
		// Without band and quota, which come again later or never.
		const messages = open(home.published).update({
			forecast: made.forecast,
			facts: made.solar,
			nowMs: NOON,
			topic: TOPIC,
		});
		check(messages);
		const { components } = configOf(messages);
		assert.ok(components.power_now_min.name);
		assert.ok(components.requests_used.name);
		assert.equal(stateOf(messages).power_now_min_w, null);
		assert.equal(stateOf(messages).requests_used, null);
		assert.ok(stateOf(messages).power_now_w > 0);
	});

	it("at the site's midnight the days move on without a forecast", () => {
		const home = open();
		const evening = forecast(home, DAY, Date.parse("2026-07-01T21:59:00Z"));
		const midnight = Date.parse("2026-07-01T22:00:00Z");
		assert.equal(home.nextRenewal(midnight - 1), midnight);
		assert.deepEqual(home.renew(midnight - 1), []);
		const night = home.renew(midnight);
		assert.equal(
			stateOf(night).energy_today_kwh,
			stateOf(evening).energy_tomorrow_kwh,
		);
		assert.equal(find(night, "/day/0").date, "2026-07-02");
		assert.equal(find(night, "/day/3"), "");
		assert.deepEqual(home.renew(midnight + 60_000), []);
		assert.equal(home.renew(midnight + 300_000).length, 1);
	});

	it("with now the first values of a day bring its curves", () => {
		const home = open();
		const evening = Date.parse("2026-07-01T21:55:00Z");
		forecast(home, DAY, evening);
		now(home, DAY, evening);
		const night = now(home, DAY, evening + 300_000);
		assert.equal(find(night, "/day/0").date, "2026-07-02");
	});

	it("values that nobody keeps up to date are not brought back to life", () => {
		const made = makeForecast(DAY);
		const home = open();
		home.update({
			now: nowValues(made.forecast, made.solar, NOON),
			every: 1,
			facts: made.solar,
			nowMs: NOON,
		});
		const again = home.birth(NOON + 899_000);
		assert.equal(again.length, 2);
		// Their time is told, not that of the birth message.
		assert.equal(stateOf(again).sent_at, "2026-07-01T10:00:00Z");
		assert.equal(home.birth(NOON + 900_000).length, 0);
	});

	it("curveDays leaves days without a curve, and 0 all of them", () => {
		const curves = (curveDays: unknown) => {
			const home = new HomeAssistant(
				readExportOptions("home-assistant", { curveDays }),
			);
			const messages = forecast(home);
			check(messages);
			const named = JSON.stringify(configOf(messages)).match(
				/json_attributes_topic/g,
			);
			const sent = topics(messages).filter((topic) => topic.includes("/day/"));
			assert.equal(named?.length ?? 0, sent.length);
			return sent.length;
		};
		assert.deepEqual([curves(""), curves("2"), curves(0)], [4, 2, 0]);
	});

	it("a day's attributes hold its weather and range, today's and tomorrow's all curves", () => {
		const home = new HomeAssistant(
			readExportOptions("home-assistant", { language: "de" }),
		);
		const plan: Plan = { ...DAY, bandHours: 36 };
		const messages = forecast(home, plan);
		check(messages);
		const today = find(messages, "/day/0");
		assert.equal(today.weather_code, 2);
		assert.ok(today.energy_min_kwh < today.energy_max_kwh);
		const index = today.forecast.findIndex(
			({ datetime }: Loose) => datetime === "2026-07-01T10:07:30Z",
		);
		const { watts } = today.forecast[index];
		assert.equal(today.watts_min[index], Math.round(watts * 0.8));
		assert.equal(today.watts_max[index], Math.round(watts * 1.2));
		assert.equal(today.watts_clearsky[index], Math.round(watts * 1.1));
		assert.deepEqual(
			today.strings.map(({ name }: Loose) => name),
			["Süddach 6 kW", "Süddach 4 kW"],
		);
		assert.equal(today.strings[0].watts[index], Math.round(watts * 0.6));
		const lists = ["watts_min", "watts_max", "watts_clearsky"] as const;
		for (const day of [today, find(messages, "/day/1")]) {
			for (const list of lists) {
				assert.equal(day[list].length, day.forecast.length);
			}
		}
		// The band ends at noon of the second day: beyond it is unknown, not narrow.
		const tomorrow = find(messages, "/day/1");
		assert.notEqual(tomorrow.watts_min[index - 8], null);
		assert.equal(tomorrow.watts_min[index + 8], null);
		assert.equal(tomorrow.energy_min_kwh, null);
		assert.deepEqual(Object.keys(find(messages, "/day/2")), [
			"date",
			"weather_code",
			"energy_min_kwh",
			"energy_max_kwh",
			"forecast",
		]);
	});

	it("gives the recorder some 4 MB a day, at 96 forecasts of 8 curves without lists", () => {
		const curve = find(forecast(open()), "/day/2");
		assert.equal(curve.watts_min, undefined);
		const bytes = Buffer.byteLength(JSON.stringify(curve)) * 8 * 96;
		assert.ok(bytes > 3.5e6 && bytes < 4.5e6, String(bytes));
	});

	it("leaves strings out where there are more than the recorder keeps", () => {
		const strings = Array.from({ length: 40 }, () => 1);
		const today = find(forecast(open(), { ...DAY, strings }), "/day/0");
		assert.equal(today.strings, undefined);
		assert.equal(today.forecast.length, 96);
		assert.ok(today.watts_clearsky);
	});

	it("tells the modules' power, and the days that a meter has taught", () => {
		const plain = forecast(open());
		assert.equal(stateOf(plain).installed_power_kw, 10);
		assert.equal(
			configOf(plain).components.installed_power.unit_of_measurement,
			"kW",
		);
		assert.equal(configOf(plain).components.learned_days, undefined);
		const solar = { learned: { days: 12 } };
		const learned = forecast(open(), { ...DAY, solar });
		check(learned);
		assert.equal(stateOf(learned).learned_days, 12);
		assert.equal(
			configOf(learned).components.learned_days.unit_of_measurement,
			"d",
		);
	});

	it("fewer days with a curve clear those that an earlier setting published", () => {
		const home = open();
		forecast(home);
		const messages = forecast(
			new HomeAssistant(
				readExportOptions("home-assistant", { curveDays: 1 }),
				home.published,
			),
		);
		assert.deepEqual(
			messages
				.filter(({ payload }) => payload === "")
				.map(({ topic }) => topic),
			[1, 2, 3].map((day) => `solar-yield/site_a1/home-assistant/day/${day}`),
		);
	});

	it("German names, the same ids", () => {
		const ids = (config: Loose) =>
			Object.entries<Loose>(config.components).map(
				([key, { unique_id, default_entity_id, object_id }]) => [
					key,
					unique_id,
					default_entity_id,
					object_id,
				],
			);
		const german = forecast(
			new HomeAssistant(
				readExportOptions("home-assistant", { language: "de" }),
			),
		);
		check(german);
		const english = configOf(forecast(open()));
		const config = configOf(german);
		assert.deepEqual(ids(config), ids(english));
		assert.equal(config.device.name, "PV-Prognose Barn");
		assert.equal(config.components.energy_today.name, "Ertrag heute");
		assert.equal(
			config.components.string_str_0_power_now.name,
			"Leistung jetzt von str_0",
		);
		const same = Object.keys(config.components).filter(
			(key) => config.components[key].name === english.components[key].name,
		);
		assert.deepEqual(same, []);
		assert.deepEqual(stateOf(german), stateOf(forecast(open())));
	});

	it("another site has entities and topics of its own", () => {
		const home = open();
		const first = forecast(home);
		const other = makeForecast({
			...DAY,
			solar: { site_id: "b", site_name: "Straße" },
		});
		const second = home.update({
			forecast: other.forecast,
			facts: other.solar,
			nowMs: NOON,
			topic: "solar-yield/b/forecast",
		});
		check(second);
		const shared = topics(first).filter((topic) =>
			topics(second).includes(topic),
		);
		assert.deepEqual(shared, []);
		assert.equal(
			configOf(second).components.power_now.default_entity_id,
			"sensor.strasse_pv_power_now",
		);
	});

	it("demo data is named everywhere", () => {
		const messages = forecast(open(), {
			...DAY,
			solar: { demo: true, site_name: "Süd-Dach" },
		});
		check(messages);
		for (const topic of topics(messages).slice(1)) {
			assert.match(topic, /^solar-yield\/demo-site_a1\//);
		}
		const { device, components } = configOf(messages);
		assert.match(device.name, /Demo/);
		assert.equal(
			components.energy_today.default_entity_id,
			"sensor.demo_sud_dach_pv_energy_today",
		);
	});
});

describe("home assistant: slugs", () => {
	for (const [name, id] of [
		["Süd-Dach", "sud_dach"],
		["Große Straße", "grosse_strasse"],
		["GROẞE", "grosse"],
		["Blåbærhøj", "blabaerhoj"],
		["Łódź", "lodz"],
		["Þórður Ðað", "thordur_dad"],
		["Cœur d’Été", "coeur_dete"],
		["İstanbul ırmak", "istanbul_irmak"],
		["Tom's 9,8 kWp", "tom_s_98_kwp"],
		["  --  ", ""],
		["Дом", ""],
	] as const) {
		it(`${name} is ${id || "nothing"}`, () => {
			assert.equal(slug(name), id);
		});
	}
});
