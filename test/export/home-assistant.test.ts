import assert from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import {
	type ExportMessage,
	exportForecast,
	HomeAssistant,
	type Published,
	readExportOptions,
} from "../../src/export";
import { checkComponent } from "../../src/export/home-assistant/rules";
import { nowValues } from "../../src/forecast/now";
import { factsFromInput } from "../../src/messages/forecast-input";
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
	name: z.string().min(1),
	entity_category: z.enum(["diagnostic", "config"]).optional(),
};
const state = {
	state_topic: z.string(),
	value_template: z
		.string()
		.regex(/^\{\{ (?:value_json\.[a-z]\w*|'ON' if .* else 'OFF') \}\}$/),
	expire_after: z.int().positive(),
};
/** FORMATS section 1, the rules that cost others bug reports. */
const Sensor = z
	.strictObject({
		platform: z.literal("sensor"),
		default_entity_id: z.string().regex(/^sensor\.[a-z0-9_]+$/),
		...shared,
		...state,
		device_class: z
			.enum(["power", "energy", "timestamp", "temperature", "duration"])
			.optional(),
		unit_of_measurement: z.string().optional(),
		state_class: z.literal("measurement").optional(),
		suggested_display_precision: z.int().optional(),
		json_attributes_topic: z.string().optional(),
	})
	.refine(({ device_class, unit_of_measurement: unit, state_class }) => {
		switch (device_class) {
			case "power":
				return unit === "W";
			case "energy":
				return unit === "kWh" && state_class === undefined;
			case "timestamp":
				return unit === undefined && state_class === undefined;
			case "temperature":
				return unit === "°C";
			case "duration":
				return unit === "min" || unit === "h";
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

/** What holds of all messages of one update, after those before it. */
function check(messages: ExportMessage[]): void {
	for (const { retain, topic } of messages) {
		assert.equal(retain, true);
		assert.doesNotMatch(topic, /[+#\s]/);
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
	assert.doesNotMatch(JSON.stringify(config), /availability|object_id"/);
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

	it("without now: days, curves, quota and times, for 26 hours", () => {
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
			name: "Energy today",
			device_class: "energy",
			unit_of_measurement: "kWh",
			suggested_display_precision: 2,
			state_topic: "solar-yield/site_a1/home-assistant/state",
			expire_after: 93_600,
			value_template: "{{ value_json.energy_today_kwh }}",
			json_attributes_topic: "solar-yield/site_a1/home-assistant/day/0",
		});
		assert.ok(components.energy_day_4.json_attributes_topic.endsWith("/day/3"));
		assert.ok(components.string_str_0_energy_today);
		assert.ok(components.requests_remaining);
		assert.equal(components.requests_remaining.entity_category, "diagnostic");
		assert.ok(components.peak_time_today);
		assert.equal(components.power_now, undefined);
		assert.equal(components.string_str_0_power_now, undefined);
		assert.equal(
			components.refresh.command_topic,
			"solar-yield/site_a1/refresh",
		);
		const fields = stateOf(messages);
		assert.equal(fields.requests_remaining, 2880);
		assert.ok(!("power_now_w" in fields));
		const made = makeForecast(DAY);
		assert.ok(
			Math.abs(fields.energy_day_3_kwh - (made.days[2]?.energy ?? 0)) < 1e-5,
		);
	});

	it("with now: all sensors, for three times its interval", () => {
		const home = open();
		forecast(home);
		const messages = now(home, DAY, NOON, 5);
		const { components } = configOf(messages);
		assert.equal(components.power_now.expire_after, 900);
		assert.equal(components.power_now.state_class, "measurement");
		assert.equal(components.power_in_1h.state_class, undefined);
		assert.equal(components.energy_today.expire_after, 900);
		assert.ok(components.string_str_1_energy_remaining_today);
		assert.ok(stateOf(messages).power_now_w > 0);
		// The same again: only the state; a forecast brings all, should it have been lost.
		assert.deepEqual(topics(now(home, DAY, NOON + 300_000, 5)), [
			"solar-yield/site_a1/home-assistant/state",
		]);
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
		const birth = { topic: "homeassistant/status", payload: "online" };
		assert.equal(home.isBirth(birth), true);
		assert.equal(
			home.isBirth({ ...birth, payload: Buffer.from("online") }),
			true,
		);
		assert.equal(home.isBirth({ ...birth, payload: "offline" }), false);
		assert.equal(home.isBirth({ ...birth, topic: "x/status" }), false);
		assert.equal(
			home.isStatus({ ...birth, payload: "offline" } as Loose),
			true,
		);
		assert.equal(home.isStatus({ topic: TOPIC }), false);
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
		assert.deepEqual(home.published.site_a1?.curves, [0, 1, 2, 3]);
		const messages = forecast(open(home.published), { ...DAY, days: 2 });
		assert.equal(find(messages, "/day/3"), "");
		assert.equal(
			find(forecast(open(home.published)), "/day/3").length,
			undefined,
		);
	});

	it("after a restart the sensors of now wait for it, and their values are whole", () => {
		const home = open();
		forecast(home, { ...DAY, bandHours: 40 });
		now(home, { ...DAY, bandHours: 40 }, NOON, 5);
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
		assert.equal(components.power_now.expire_after, 900);
		assert.ok(components.power_now_min.name);
		assert.ok(components.requests_used.name);
		assert.equal(stateOf(messages).power_now_min_w, null);
		assert.equal(stateOf(messages).requests_used, null);
		assert.ok(stateOf(messages).power_now_w > 0);
	});

	it("a now that has fallen silent for a whole forecast is given up", () => {
		const home = open();
		forecast(home);
		now(home, DAY, NOON, 5);
		const live = (messages: ExportMessage[]) =>
			configOf(messages).components.power_now;
		// One forecast comes while it is late: the host may have slept.
		assert.ok(live(forecast(home, DAY, NOON + 3_600_000)).name);
		// Sent again at once is no other forecast; but in an hour it is.
		const later = forecast(home, DAY, NOON + 7_200_000);
		assert.deepEqual(live(later), { platform: "sensor" });
		assert.equal(configOf(later).components.energy_today.expire_after, 93_600);
		assert.ok(!("power_now_w" in stateOf(later)));
		// And taken in again when it speaks.
		assert.equal(live(now(home, DAY, NOON + 7_500_000)).expire_after, 900);
		// Forecasts in quick succession while it is on time say nothing.
		for (let again = 0; again < 5; again += 1) {
			assert.ok(live(forecast(home, DAY, NOON + 7_600_000)).name);
		}
	});

	it("at the site's midnight the days move on without a forecast", () => {
		const home = open();
		const evening = forecast(home, DAY, Date.parse("2026-07-01T21:59:00Z"));
		const midnight = Date.parse("2026-07-01T22:00:00Z");
		assert.equal(home.nextMidnight(midnight - 1), midnight);
		assert.deepEqual(home.midnight(midnight - 1), []);
		const night = home.midnight(midnight);
		assert.equal(
			stateOf(night).energy_today_kwh,
			stateOf(evening).energy_tomorrow_kwh,
		);
		assert.equal(find(night, "/day/0").date, "2026-07-02");
		assert.equal(find(night, "/day/3"), "");
		assert.deepEqual(home.midnight(midnight + 60_000), []);
		assert.equal(open().nextMidnight(midnight), null);
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
		assert.equal(home.birth(NOON + 179_000).length, 2);
		assert.equal(home.birth(NOON + 180_000).length, 0);
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

describe("home assistant: what it would refuse", () => {
	const good = {
		platform: "sensor",
		unique_id: "a",
		default_entity_id: "sensor.a",
		device_class: "energy",
		unit_of_measurement: "kWh",
	};
	for (const [what, change] of [
		["energy as a measurement", { state_class: "measurement" }],
		["kWp", { unit_of_measurement: "kWp", device_class: "power" }],
		["a time with a unit", { device_class: "timestamp" }],
		["a power in kWh", { device_class: "power" }],
		["an unknown class", { device_class: "solar" }],
		["a blank in an id", { unique_id: "a b" }],
		["no entity id", { default_entity_id: undefined }],
		["an entity id of another platform", { default_entity_id: "button.a" }],
		["an unknown platform", { platform: "light" }],
	] as const) {
		it(what, () => {
			checkComponent("a", good);
			assert.throws(() => checkComponent("a", { ...good, ...change }), {
				code: "SOLAR_YIELD_INPUT",
				message: /refuse entity a/,
			});
		});
	}
});
