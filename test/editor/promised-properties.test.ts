import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { FORMAT_NAMES } from "../../src/export";
import type { NowPayload } from "../../src/forecast/now";
import { readSiteId } from "../../src/messages/selection";
import { SITE_OPERATIONS } from "../../src/service/v2/sites/site-operations";
import {
	catalogueOf,
	dialogFiles,
	Editor,
	hasV1,
	helpOf,
	LANGUAGES,
	type Language,
	ROOT,
	SHARED,
} from "../support/editor-dialog";

/** A wrong value of a property, and how what the editor says of it begins. */
interface Wrong {
	readonly value: unknown;
	readonly says: readonly [en: RegExp, de: RegExp];
	/** Other settings that make it wrong. */
	readonly with?: Record<string, unknown>;
}

const wrong = (
	value: unknown,
	en: RegExp,
	de: RegExp,
	others?: Record<string, unknown>,
): Wrong => ({ value, says: [en, de], ...(others && { with: others }) });

/** Every text is a good one. */
const ANY_TEXT = null;

const NO_ACCOUNT = wrong("", /^Account: .*missing/, /^Konto: .*fehlt/);
const NO_SITE = wrong("..", /^Site: no id/, /^Anlage: keine Anlagen-ID/);

/** Properties of every node as they stand in flow files (behaviour: Messages). */
const PROPERTIES: Record<string, Record<string, Wrong | typeof ANY_TEXT>> = {
	"solar-yield-account": {
		name: ANY_TEXT,
		baseUrl: wrong("service", /^Base URL: no web/, /^Basis-URL: keine Web/),
		demo: wrong("maybe", /^Demo: neither/, /^Demo: weder/),
		siteId: NO_SITE,
		budget: wrong("-1", /^Budget: no whole/, /^Budget: keine ganze/),
		reserve: wrong("5 %", /^Reserve: no whole/, /^Reserve: keine ganze/),
		interval: wrong("middle", /^Row time: unk/, /^Zeitstempel: unb/),
		apiKey: wrong("a b", /^API key: holds/, /^API-Schlüssel: enthält/),
	},
	"solar-yield-forecast": {
		name: ANY_TEXT,
		account: NO_ACCOUNT,
		siteId: NO_SITE,
		source: wrong("file", /^Forecast of: unk/, /^Prognose für: unb/),
		inline: wrong("{", /^System: no JSON/, /^System: kein JSON/, {
			source: "inline",
		}),
		intervalHours: wrong("0", /^Ask every: enter/, /^Abfrage alle: tragen/, {
			source: "inline",
		}),
		include: wrong(["wind"], /^Show: nothing/, /^Zeigen: nichts/),
		forecastDays: wrong("8", /^Days ahead: .*0 to 7/, /^Tage voraus: /),
		pastDays: wrong("31", /^Days back: .*0 to 30/, /^Tage zurück: /),
		timezone: wrong("CET", /^Times in: unk/, /^Zeiten in: unb/),
		poll: wrong("hourly", /^Ask: unk/, /^Abfragen: unb/),
		topic: wrong("a/#", /^Topic: /, /^Topic: die Zeichen/),
	},
	"solar-yield-now": {
		name: ANY_TEXT,
		every: wrong("2", /^Send every: unk/, /^Senden alle: unb/),
	},
	"solar-yield-export": {
		name: ANY_TEXT,
		format: wrong("solar", /^Format: unk/, /^Format: unb/),
		prefix: wrong("a/#", /^Prefix: enter/, /^Präfix: /, {
			format: "home-assistant",
		}),
		value: wrong("watts", /^Value: unk/, /^Wert: unb/, { format: "evcc" }),
		shape: wrong("api", /^Shape: unk/, /^Form: unb/, { format: "emhass" }),
		step: wrong("7", /^Step: unk/, /^Schritt: unb/, { format: "eos" }),
		hours: wrong("0", /^Hours: .*192/, /^Stunden: .*192/, { format: "emhass" }),
		measurement: wrong("a b", /^Measurement: /, /^Messung: /, {
			format: "influxdb",
		}),
		past: wrong("maybe", /^Past: neither/, /^Vergangenes: weder/, {
			format: "influxdb",
		}),
		days: wrong("9", /^Days: .*1 to 8/, /^Tage: .*1 bis 8/, {
			format: "apexcharts",
		}),
		language: wrong("fr", /^Language: unk/, /^Sprache: unb/, {
			format: "home-assistant",
		}),
		day: wrong("monday", /^Day: unk/, /^Tag: unb/, { format: "text" }),
		curveDays: wrong("9", /^Curve days: .*0 to 8/, /^Kurventage: .*0 bis 8/, {
			format: "home-assistant",
		}),
		rows: wrong("w", /^Rows: unk/, /^Zeilen: unb/, { format: "solcast" }),
		rounding: wrong("last", /^Rounding: unk/, /^Rundung: unb/, {
			format: "emhass",
		}),
		time: wrong("CET", /^Time: unk/, /^Zeit: unb/, {
			format: "forecast-solar",
		}),
		separator: wrong("dot", /^Separator: unk/, /^Trennzeichen: unb/, {
			format: "csv",
		}),
		decimal: wrong("dot", /^Decimal: unk/, /^Dezimal: unb/, { format: "csv" }),
		times: wrong("CET", /^Times: unk/, /^Zeiten: unb/, { format: "csv" }),
		view: wrong("month", /^View: unk/, /^Ansicht: unb/, { format: "chart" }),
	},
	"solar-yield-sum": {
		name: ANY_TEXT,
		sites: wrong("a\na", /^Sites: no ids, or one/, /^Anlagen: keine IDs/),
		sumId: wrong("..", /^Sum ID: no id/, /^Summen-ID: keine ID/),
		acLimitW: wrong("0", /^AC limit: enter/, /^AC-Grenze: tragen/),
	},
	"solar-yield-battery": {
		name: ANY_TEXT,
		strategy: wrong("fast", /^Strategy: unk/, /^Strategie: unb/),
		safety: wrong("brave", /^Plan with: unk/, /^Grundlage: unb/),
		capacityKwh: wrong(
			"",
			/^Usable capacity, kWh: e/,
			/^Nutzbare Kapazität, k/,
		),
		minSoc: wrong("101", /^Lowest charge, %: /, /^Kleinster Ladestand, %: /),
		maxSoc: wrong("5", /^Highest charge, %: /, /^Größter Ladestand, %: /),
		maxChargeW: wrong("0", /^Most charging p/, /^Größte Ladeleistung, W: /),
		maxDischargeW: wrong(
			"-1",
			/^Most discharg/,
			/^Größte Entladeleistung, W: /,
		),
		efficiency: wrong(
			"94",
			/^Round-trip efficiency, %: /,
			/^Wirkungsgrad hin und zurück, %: /,
		),
		loadKwhPerDay: wrong(
			"much",
			/^Consumption, kWh a day: /,
			/^Verbrauch, kWh am Tag: /,
		),
		load: wrong("guess", /^Consumption: unk/, /^Verbrauch: unb/),
		feedInLimitW: wrong("60 %", /^Feed-in limit, W: /, /^Einspeisegrenze, W: /),
		feedInPrice: wrong(
			"cheap",
			/^Feed-in price, per kWh: /,
			/^Einspeisepreis, je kWh: /,
		),
		gridCharge: wrong("ever", /^Charge from the g/, /^Aus dem Netz laden: /),
		sell: wrong("ever", /^Sell: unk/, /^Verkaufen: unb/),
		acLimitW: wrong("0", /^AC limit, W: /, /^AC-Grenze, W: /),
		coupling: wrong("hf", /^Battery: unk/, /^Speicher: unb/),
		wearPrice: wrong("-1", /^Wear, per kWh stored: /, /^Verschleiß, je /),
		importLimitW: wrong("-1", /^Import limit, W: /, /^Bezugsgrenze, W: /),
		gridChargeW: wrong("-1", /^Most from the grid/, /^Höchstens vom Netz/),
		mayCurtail: wrong("ever", /^Stop PV: unk/, /^PV abstellen: unb/),
		margin: wrong("101", /^Margin, %: /, /^Reserve, %: /),
		maxAgeHours: wrong(
			"0",
			/^Oldest forecast, hours: /,
			/^Älteste Prognose, Stunden: /,
		),
		maxSocAgeMinutes: wrong(
			"0",
			/^Oldest state of/,
			/^Ältester Ladestand, min: /,
		),
	},
	"solar-yield-learn": {
		name: ANY_TEXT,
		unit: wrong("MW", /^A number is: unk/, /^Eine Zahl ist: unb/),
	},
	"solar-yield-window": {
		name: ANY_TEXT,
		hours: wrong("25", /^Run for: enter .*0\.25 to 24/, /^Laufzeit: tragen/),
		pieces: wrong("two", /^In: unk/, /^Aufteilung: unb/),
		from: wrong("8 am", /^Not before: no time/, /^Nicht vor: keine Uhr/),
		to: wrong("25:00", /^Done by: no time/, /^Fertig um: keine Uhr/),
		minPowerW: wrong("-1", /^Only above: enter/, /^Nur über: tragen/),
		loadW: wrong("0", /^Appliance takes: enter/, /^Gerät braucht: tragen/),
		baseLoadW: wrong("-5", /^House takes: enter/, /^Haus braucht: tragen/),
		rank: wrong("wind", /^Choose by: unk/, /^Wählen nach: unb/),
		energyKwh: wrong("-1", /^Energy: enter/, /^Energie: tragen/),
		minHours: wrong("25", /^At least: enter/, /^Mindestens: tragen/),
		minLoadW: wrong("-1", /^Appliance takes at l/, /^Gerät braucht mind/),
		maxPrice: wrong("dear", /^Price at most: /, /^Preis höchstens: /),
		minRunMinutes: wrong("-1", /^Shortest run: /, /^Kürzester Lauf: /),
		maxStarts: wrong("0", /^Most runs: enter/, /^Höchstens Läufe: /),
		maxPauseHours: wrong("0", /^Longest pause: /, /^Längste Pause: /),
		sunOnly: wrong("ever", /^Sun only: tick/, /^Nur Sonne: ank/),
		runAnyway: wrong("ever", /^Run anyway: tick/, /^Trotzdem laufen: /),
	},
	"solar-yield-site": {
		name: ANY_TEXT,
		account: NO_ACCOUNT,
		siteId: NO_SITE,
		operation: wrong("drop", /^Operation: unk/, /^Aktion: unb/),
		system: wrong("{", /^System: no JSON/, /^System: kein JSON/, {
			operation: "create",
		}),
	},
	"solar-yield-history": {
		name: ANY_TEXT,
		account: NO_ACCOUNT,
		siteId: NO_SITE,
		source: wrong("file", /^History of: unk/, /^Historie für: unb/),
		inline: wrong("{", /^System: no JSON/, /^System: kein JSON/, {
			source: "inline",
		}),
		include: wrong([], /^Show: nothing/, /^Zeigen: nichts/),
		period: wrong("7", /^Last: no period/, /^Letzte: keine/),
		startDate: wrong("1.10.", /^From: no date/, /^Von: kein Datum/, {
			period: "",
			endDate: "2026-10-31",
		}),
		endDate: wrong("2026-02-30", /^To: no date/, /^Bis: kein Datum/, {
			period: "",
			startDate: "2026-02-01",
		}),
		timezone: wrong("CET", /^Times in: unk/, /^Zeiten in: unb/),
		split: wrong("days", /^Split: neither/, /^Aufteilen: weder/),
	},
	"solar-yield-v1": {
		name: ANY_TEXT,
		account: NO_ACCOUNT,
		endpoint: wrong("house", /^Ask for: unk/, /^Abfrage von: unb/),
		params: wrong("x", /^Parameters: not an/, /^Parameter: kein/),
	},
};

const now: Record<keyof NowPayload, true> = {
	power_now_w: true,
	power_in_30min_w: true,
	power_in_1h_w: true,
	power_now_min_w: true,
	power_now_max_w: true,
	power_clearsky_now_w: true,
	energy_this_hour_kwh: true,
	energy_next_hour_kwh: true,
	energy_today_kwh: true,
	energy_today_min_kwh: true,
	energy_today_max_kwh: true,
	energy_so_far_today_kwh: true,
	energy_remaining_today_kwh: true,
	energy_tomorrow_kwh: true,
	energy_tomorrow_min_kwh: true,
	energy_tomorrow_max_kwh: true,
	energy_today_settled_kwh: true,
	peak_power_today_w: true,
	peak_time_today: true,
	peak_time_today_local: true,
	peak_power_tomorrow_w: true,
	peak_time_tomorrow: true,
	peak_time_tomorrow_local: true,
	production_start_today: true,
	production_start_today_local: true,
	production_end_today: true,
	production_end_today_local: true,
	production_start_tomorrow: true,
	production_start_tomorrow_local: true,
	production_end_tomorrow: true,
	production_end_tomorrow_local: true,
	temp_now: true,
	weather_code_now: true,
	days: true,
	strings: true,
	computed_at: true,
	next_poll_at: true,
	fetched_at: true,
	age_minutes: true,
	stale: true,
	gaps: true,
	horizon_hours: true,
};

/** What goes in and comes out of every node, by the words of behaviour: Messages. */
const MESSAGES: Record<string, readonly string[]> = {
	"solar-yield-account": ["demo ·", "demo-", "msg.solar.demo", "${NAME}"],
	"solar-yield-forecast": [
		...["refresh", "siteId", "include", "forecastDays", "pastDays", "timezone"],
		...["<topic>/<site>/forecast", "<topic>/<site>/daily/<n>"],
		...["<topic>/<site>/strings/<", "inline-<"],
		...["site_id", "computed_at", "next_poll_at", "included", "available"],
		...["daily", "values", "strings", "solar", "parts", "msg.retain"],
		...["string_id", "string_index", "slope", "orientation", "power_kw"],
		...["msg.solar", "msg.quota", "code", "status", "detail", "retry_at"],
	],
	"solar-yield-now": [
		...Object.keys(now),
		...["{from, to}", "energy_kwh", "<prefix>/<site_id>/now", "siteId"],
	],
	"solar-yield-export": [
		...["homeassistant/status", "online", "solar.gaps_filled"],
		...["powerAtStart", "meanPower", "energyWh", "dict", "list"],
		...["attribute", "api", "sites", "actuals", "kw", "kwh"],
		...["<prefix>/<site_id>/<format>", "siteId", "req", "operation", "remove"],
		...["utc", "local", "iso8601", "seconds", "milliseconds", "first"],
		...["comma", "semicolon", "tab", "point"],
	],
	"solar-yield-sum": [
		...["sum_of", "limited_kwh", "operation", "remove", "quota"],
		"<site_id>.<string_id>",
	],
	"solar-yield-battery": [
		...["soc", "load", "prices", "payload.now", "payload.plan"],
		...["feedIn", "targets", "settings", "house_w", "payload.inputs"],
		...["feed_in_limit_w", "grid_discharge_w", "payload.lacks", "margin"],
		"<prefix>/<site_id>/battery",
	],
	"solar-yield-learn": [
		...["power_w", "energy_kwh", "string_id", "time", "curtailed", "operation"],
		...["report", "reset", "export", "import", "{time, power_w}"],
		...[
			"pv_power_raw",
			"pv_energy_kwh_raw",
			"share_today",
			"quarters",
			"since",
		],
		...["yesterday", "days_7", "days_30", "same_day", "day_ahead"],
		...["raw", "corrected", "forecast_kwh", "bias_percent", "mae_w"],
		...["nrmse_percent", "skill_percent"],
	],
	"solar-yield-window": [
		...["prices", "feedIn", "done", "run_minutes", "siteId", "hours"],
		...["pieces", "from", "to", "minPowerW", "loadW", "baseLoadW", "rank"],
		...["energyKwh", "minHours", "minLoadW", "maxPrice", "minRunMinutes"],
		...["maxStarts", "maxPauseHours", "sunOnly", "runAnyway", "override"],
		...["on", "start", "end", "next_start", "next_end", "energy_kwh"],
		...["solar_share", "power_w", "reason", "mean_w", "cost"],
		"<prefix>/<site_id>/window/<name>",
	],
	"solar-yield-site": [
		...SITE_OPERATIONS,
		...["operation", "siteId", "removeStrings", "restore_until", "payload"],
	],
	"solar-yield-history": [
		...["siteId", "source", "inline", "include", "period", "startDate"],
		...["endDate", "timezone", "split", "refresh", "parts"],
	],
	"solar-yield-v1": [
		...["to-v2", "rows", "time", "timestamp", "site", "report"],
		...["parameter", "value", "result", "note", "carried", "default", "none"],
		"msg.error.cause.retry_at",
	],
};

const files = dialogFiles();
const editors: Record<Language, Editor> = {
	"en-US": new Editor("en-US"),
	de: new Editor("de"),
};

/** The parts of a help text, in the order of Node-RED's help style guide. */
const PARTS = {
	"en-US": ["Inputs", "Outputs", "Properties", "Details", "References"],
	de: [
		...["Eingangsdaten", "Ausgangsdaten", "Eigenschaften"],
		...["Details", "Verweise"],
	],
};

/** A help text as a person reads it. */
const readable = (type: string, language: Language) =>
	helpOf(type, language)
		.replace(/<[^>]*>/g, " ")
		.replaceAll("&lt;", "<")
		.replaceAll("&gt;", ">")
		.replace(/\s+/g, " ");

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

describe("what behaviour: Messages promises, in dialogs, help and catalogues", () => {
	it("is promised of these nodes", () => {
		const types = files.map(({ type }) => type).sort();
		for (const promised of [PROPERTIES, MESSAGES]) {
			assert.deepEqual(
				Object.keys(promised)
					.filter((type) => hasV1 || type !== "solar-yield-v1")
					.sort(),
				types,
			);
		}
	});

	for (const { type, template } of files) {
		const { defaults, credentials, category } =
			editors["en-US"].definition(type);
		const prefix = category === "config" ? "node-config-input" : "node-input";

		it(`${type} has these properties, each with a field and an explanation`, () => {
			assert.deepEqual(
				Object.keys({ ...defaults, ...credentials }).sort(),
				Object.keys(PROPERTIES[type] ?? {}).sort(),
			);
			for (const property of Object.keys(PROPERTIES[type] ?? {})) {
				assert.match(template, new RegExp(`id="[\\w-]+-${property}"`));
				for (const language of LANGUAGES) {
					assert.match(
						helpOf(type, language),
						new RegExp(
							`data-property="${property}">[^<]+.*</dt>\\s*<dd>(?!</dd>)`,
						),
					);
				}
			}
		});

		for (const [property, fault] of Object.entries(PROPERTIES[type] ?? {})) {
			if (fault === ANY_TEXT) continue;
			it(`${type} says what is wrong with ${property} = ${JSON.stringify(fault.value)}`, () => {
				for (const [index, language] of LANGUAGES.entries()) {
					const editor = editors[language];
					const others = fault.with ?? {};
					// As it was loaded, with no dialog open: the red triangle's reason.
					editor.fields = {};
					const atLoad = editor.validate(type, property, fault.value, others);
					assert.match(String(atLoad), fault.says[index] as RegExp);
					// As it stands in the open dialog, while the node has what it had.
					const open = { ...others, [property]: fault.value };
					editor.fields = Object.fromEntries(
						Object.entries(open).map(([name, value]) => [
							`${prefix}-${name}`,
							typeof value === "boolean" ? value : String(value),
						]),
					);
					if (type === "solar-yield-history") {
						editor.fields["solar-yield-history-range"] =
							others.period === "" ? "dates" : "period";
					}
					const inDialog = editor.validate(type, property, fault.value, {
						[property]: defaults[property]?.value,
					});
					editor.fields = {};
					assert.equal(inDialog, atLoad);
				}
			});
		}

		it(`${type} takes a variable in each property, which the runtime resolves`, () => {
			const editor = editors["en-US"];
			// Node-RED's editor itself lets only the first of them pass.
			for (const value of ["${SOLAR_X}", "${solar-yield.x}", "$(SOLAR_X)"]) {
				for (const name of Object.keys({ ...defaults, ...credentials })) {
					if (name === "account" || name === "params") continue;
					assert.equal(editor.validate(type, name, value), true, name);
				}
			}
			if ("include" in defaults) {
				const include = ["${SOLAR_X}", "strings"];
				assert.equal(editor.validate(type, "include", include), true);
			}
		});

		it(`${type} explains what goes in and comes out`, () => {
			for (const language of LANGUAGES) {
				const help = readable(type, language);
				for (const word of MESSAGES[type] ?? []) {
					assert.match(
						help,
						new RegExp(
							`(?<![\\w-])${escaped(word)}${/\w$/.test(word) ? "(?!\\w)" : ""}`,
						),
						`${word} in ${language}`,
					);
				}
			}
		});

		it(`${type} explains every status in the words of the status`, () => {
			for (const language of LANGUAGES) {
				const explained = new Map(
					[
						...helpOf(type, language).matchAll(
							/<dt data-status="([^"]*)">([^<]*)/g,
						),
					].map(([, key = "", term = ""]) => [key, term.trim()]),
				);
				// Those of forecast nodes stand in the catalogue that all share.
				const set = type === "solar-yield-forecast" ? SHARED : type;
				if (type === SHARED) {
					assert.equal(explained.size, 0);
					continue;
				}
				const known = [...catalogueOf(set, language)]
					.filter(([key]) => key.startsWith("status."))
					.map(([key, text]) => [key.slice("status.".length), text] as const)
					.filter(([key]) => !/^(kind\.|language$)/.test(key));
				assert.deepEqual(
					[...explained.keys()].sort(),
					known.map(([key]) => key).sort(),
				);
				for (const [key, text] of known) {
					assert.match(
						explained.get(key) ?? "",
						new RegExp(`^${escaped(text).replace(/__\w+?__/g, ".+")}$`),
					);
				}
			}
		});

		it(`${type} explains itself in Node-RED's order`, () => {
			for (const language of LANGUAGES) {
				const titles = [...helpOf(type, language).matchAll(/<h3>([^<]*)/g)].map(
					([, title = ""]) => title,
				);
				const parts = PARTS[language].slice(type === SHARED ? 2 : 0);
				assert.deepEqual(
					titles.filter((title) => !/^V1.parameter/i.test(title)),
					type === SHARED ? parts.slice(0, 2) : parts,
				);
			}
		});

		it(`${type} names examples that there are`, () => {
			const there = readdirSync(join(ROOT, "examples")).map((name) =>
				name.replace(/^\d+ - |\.json$/g, ""),
			);
			for (const language of LANGUAGES) {
				const lists = [
					...helpOf(type, language).matchAll(
						/<li>(?:Examples?|Beispiele?): Import, \w+, (.*?)<\/li>/g,
					),
				];
				assert.equal(lists.length, type === SHARED ? 0 : 1);
				for (const name of lists[0]?.[1]?.split("; ") ?? []) {
					assert.ok(there.includes(name), name);
				}
			}
		});
	}

	it("explains every export format and colour of the forecast's status", () => {
		for (const language of LANGUAGES) {
			const { size } = new Set(
				FORMAT_NAMES.map((name) =>
					editors[language].text(
						`solar-yield-export.format.${name}`,
						"solar-yield-export",
					),
				),
			);
			assert.equal(size, FORMAT_NAMES.length);
			const help = readable("solar-yield-export", language);
			for (const name of FORMAT_NAMES) {
				const title = editors[language].text(
					`solar-yield-export.format.${name}`,
					"solar-yield-export",
				);
				assert.ok(help.includes(title), `${title} in ${language}`);
			}
		}
		const colours = {
			"en-US": ["Grey", "Blue", "Green", "Yellow", "Red"],
			de: ["Grau", "Blau", "Grün", "Gelb", "Rot"],
		};
		for (const language of LANGUAGES) {
			for (const colour of colours[language]) {
				assert.ok(
					readable("solar-yield-forecast", language).includes(`${colour}:`),
				);
			}
		}
	});
});

describe("the id of a site", () => {
	const isSiteId = (value: unknown) =>
		editors["en-US"].validate(SHARED, "siteId", value) === true;
	const taken = (id: string) => {
		try {
			readSiteId(id);
			return true;
		} catch {
			return false;
		}
	};

	it("is good in the editor exactly if the runtime takes it", () => {
		const ids = ["", " ", "site_7f3a", "my house", "a/b", "a?b#c", "Dach süd"];
		const others = [".", "..", "https://a.example/sites/1", "x".repeat(201)];
		for (const id of ids)
			assert.deepEqual([isSiteId(id), taken(id)], [true, true]);
		for (const id of others) {
			assert.deepEqual([isSiteId(id), taken(id)], [false, false], id);
		}
		fc.assert(
			fc.property(
				fc.oneof(
					fc.string({ unit: "binary" }),
					fc.string({
						unit: fc.constantFrom(".", "/", ":", " ", "a", "\ud800"),
					}),
				),
				(id) => {
					// An unset variable is the runtime's business alone.
					fc.pre(!/^\$\{/.test(id.trim()));
					assert.equal(isSiteId(id), taken(id));
				},
			),
		);
	});
});
