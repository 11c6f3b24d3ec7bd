import assert from "node:assert/strict";
import fc from "fast-check";
import { readSiteId } from "../../src/messages/selection";
import {
	catalogueOf,
	dialogFiles,
	Editor,
	LANGUAGES,
	SHARED,
} from "../support/editor-dialog";

/** What the editor says of each of some values: true, or which fault it is ("" where there is but one). */
type Row = readonly [
	property: string,
	verdict: true | string,
	values: readonly unknown[],
	/** The rest of the node. */
	given?: object,
	/** What stands in the open dialog, by the end of the field's id. */
	fields?: Readonly<Record<string, string | boolean>>,
];

const WRONG = "";
const STRING = { slope: 30, orientation: 180, power_kw: 10 };
const system = (change: object = {}, string: object = {}) =>
	JSON.stringify({
		...{ latitude: 50, longitude: 10, strings: [{ ...STRING, ...string }] },
		...change,
	});
const INLINE = { source: "inline" };
const CREATE = { operation: "create" };
const DATES = { period: "", startDate: "2026-10-01", endDate: "2026-10-31" };
const DEMO = { demo: true };
/** Of an account without a site, as are not those below it. */
const BARE = { account: "bare" };
const ACCOUNTS = {
	bare: { demo: false, siteId: "" },
	house: { demo: false, siteId: "${SITE}" },
	demo: { demo: true },
};
const [GOOD_ID, NO_ID] = [
	["site_7f3a", "my house/1"],
	["..", "https://service.example/sites/1"],
];
const option = (format: string, property: string, value: unknown): Row => [
	property,
	WRONG,
	[value],
	{ format },
];

const ROWS: Record<string, readonly Row[]> = {
	"solar-yield-account": [
		["baseUrl", true, ["https://a.example", " http://192.168.1.5:8080/v2/ "]],
		["baseUrl", true, [""], DEMO],
		["baseUrl", true, [""], {}, { demo: true }],
		["baseUrl", "missing", ["", undefined]],
		["baseUrl", "missing", [""], DEMO, { demo: false }],
		[
			"baseUrl",
			"malformed",
			[
				...["service.example", "ftp://a.example", "https://service example"],
				...["<img src=x onerror=alert(1)>", "https://a.example/${PATH}"],
			],
		],
		["baseUrl", "excess", ["https://user:word@a.example", "https://a/?key=1"]],
		["apiKey", true, ["abc-123", "__PWRD__"]],
		["apiKey", true, [""], DEMO],
		["apiKey", "missing", [""]],
		["apiKey", "malformed", ["abc 123", "schlüssel"]],
		["demo", WRONG, ["maybe"]],
		["siteId", true, ["", ...GOOD_ID]],
		["siteId", WRONG, NO_ID],
		["budget", true, ["", undefined, "0", 500]],
		["budget", WRONG, ["-1", "1.5", "many"]],
		["reserve", true, ["", "20"]],
		["reserve", WRONG, ["5 %"]],
		["interval", true, ["start"]],
		["interval", WRONG, ["middle"]],
	],
	"solar-yield-forecast": [
		["siteId", true, GOOD_ID],
		// Without an account it is the account that is missing.
		["siteId", true, [""]],
		["siteId", true, [""], { account: "house" }],
		["siteId", true, [""], { account: "demo" }],
		["siteId", true, [""], BARE, { source: "inline" }],
		["siteId", "missing", [""], BARE],
		["siteId", "missing", [""], {}, { account: "bare", source: "site" }],
		["siteId", "malformed", NO_ID],
		["source", true, ["inline"]],
		["source", WRONG, ["v1"]],
		["inline", true, ["{"]],
		[
			"inline",
			true,
			[system(), system({ config: { a: 1 } }), system({ config: null })],
			INLINE,
		],
		["inline", "missing", [""], INLINE],
		["inline", "json", ["{latitude: 50}", "[1]"], INLINE],
		[
			"inline",
			"field",
			[
				system({ latitude: 91 }),
				system({ longitude: "10" }),
				system({ strings: [null] }),
				system({}, { slope: 100 }),
				system({}, { orientation: -90 }),
				system({}, { gcr: 2 }),
			],
			INLINE,
		],
		["inline", "power", [system({}, { power_kw: 0 })], INLINE],
		["inline", "strings", [system({ strings: [] })], INLINE],
		["inline", "config", [system({ config: 1 })], INLINE],
		["intervalHours", true, ["x"]],
		["intervalHours", true, ["", "1.5"], INLINE],
		["intervalHours", WRONG, ["0.5", "745", "often"], INLINE],
		["include", true, [["all"], "default, weather", undefined]],
		["include", WRONG, [[], ["default", "wind"]]],
		["forecastDays", true, ["", "0", 7]],
		["forecastDays", WRONG, ["8", "-1", "two"]],
		["pastDays", true, ["", "30"]],
		["pastDays", WRONG, ["31", "1.5"]],
		["timezone", true, ["utc"]],
		["timezone", WRONG, ["Europe/Berlin"]],
		["poll", true, ["manual"]],
		["poll", WRONG, ["hourly"]],
		["topic", true, ["", undefined, "home/solar"]],
		["topic", WRONG, ["home/+", "home/#"]],
	],
	"solar-yield-now": [["every", WRONG, ["2"]]],
	"solar-yield-export": [
		["format", WRONG, ["solar"]],
		option("home-assistant", "prefix", "a/#"),
		option("evcc", "value", "watts"),
		option("emhass", "shape", "api"),
		option("eos", "step", "7"),
		option("emhass", "hours", "0"),
		["hours", true, ["0"], { format: "csv" }],
		option("influxdb", "measurement", "a b"),
		option("influxdb", "past", "maybe"),
		option("apexcharts", "days", "9"),
		option("home-assistant", "language", "fr"),
		option("text", "day", "monday"),
		option("home-assistant", "curveDays", "9"),
		option("solcast", "rows", "w"),
		option("emhass", "rounding", "last"),
		option("forecast-solar", "time", "CET"),
		option("csv", "separator", "dot"),
		option("csv", "decimal", "dot"),
		option("csv", "times", "CET"),
		option("chart", "view", "month"),
	],
	"solar-yield-sum": [
		["sites", WRONG, ["a\na"]],
		["sumId", "malformed", [".."]],
		["sumId", "site", ["a"], { sites: "a\nb" }],
		["acLimitW", WRONG, ["0"]],
	],
	"solar-yield-battery": [
		["strategy", WRONG, ["fast"]],
		["safety", WRONG, ["brave"]],
		["capacityKwh", WRONG, [""]],
		["minSoc", WRONG, ["101"]],
		["maxSoc", WRONG, ["5"]],
		["maxChargeW", WRONG, ["0"]],
		["maxDischargeW", WRONG, ["-1"]],
		["efficiency", WRONG, ["94"]],
		["loadKwhPerDay", WRONG, ["much"]],
		["load", WRONG, ["guess"]],
		["feedInLimitW", WRONG, ["60 %"]],
		["feedInPrice", WRONG, ["cheap"]],
		["gridCharge", WRONG, ["ever"]],
		["sell", WRONG, ["ever"]],
		["acLimitW", WRONG, ["0"]],
		["coupling", WRONG, ["hf"]],
		["wearPrice", WRONG, ["-1"]],
		["importLimitW", WRONG, ["-1"]],
		["gridChargeW", WRONG, ["-1"]],
		["mayCurtail", WRONG, ["ever"]],
		["margin", WRONG, ["101"]],
		["maxAgeHours", WRONG, ["0"]],
		["maxSocAgeMinutes", WRONG, ["0"]],
	],
	"solar-yield-learn": [["unit", WRONG, ["MW"]]],
	"solar-yield-window": [
		["hours", WRONG, ["25"]],
		["pieces", WRONG, ["two"]],
		["from", WRONG, ["8 am"]],
		["to", WRONG, ["25:00"]],
		["minPowerW", WRONG, ["-1"]],
		["loadW", WRONG, ["0"]],
		["baseLoadW", WRONG, ["-5"]],
		["rank", WRONG, ["wind"]],
		["energyKwh", WRONG, ["-1"]],
		["minHours", WRONG, ["25"]],
		["minLoadW", WRONG, ["-1"]],
		["maxPrice", WRONG, ["dear"]],
		["minRunMinutes", WRONG, ["-1"]],
		["maxStarts", WRONG, ["0"]],
		["maxPauseHours", WRONG, ["0"]],
		["sunOnly", WRONG, ["ever"]],
		["runAnyway", WRONG, ["ever"]],
	],
	"solar-yield-site": [
		["siteId", true, ["", ...GOOD_ID]],
		["siteId", WRONG, NO_ID],
		["operation", true, ["", "add-string"]],
		["operation", WRONG, ["drop"]],
		["system", true, ["{"]],
		// The service takes a string of its own.
		["system", true, ["", system(), system({ strings: undefined })], CREATE],
		["system", "json", ["{"], CREATE],
		["system", "field", ['{"latitude": 1}', system({ strings: [{}] })], CREATE],
	],
	"solar-yield-history": [
		["siteId", true, GOOD_ID],
		["siteId", true, [""], { ...BARE, ...INLINE }],
		["siteId", "missing", [""], BARE],
		["siteId", "malformed", NO_ID],
		["source", true, ["inline"]],
		["source", WRONG, ["file"]],
		["inline", true, ["{"]],
		["inline", true, ["", system()], INLINE],
		["inline", "json", ["{"], INLINE],
		["include", true, ["all"]],
		["include", WRONG, [[], ["sun"]]],
		["period", true, ["12m", ""]],
		["period", true, ["7 days"], {}, { range: "dates" }],
		["period", "malformed", ["7", "0d"]],
		["period", "both", ["7d"], DATES],
		["startDate", true, ["2026-10-01"], DATES],
		["startDate", true, ["soon"], {}, { range: "period" }],
		["startDate", "missing", [""], DATES],
		["startDate", "malformed", ["1.10.2026", "2026-02-30"], DATES],
		["endDate", true, ["2026-10-31"], DATES],
		["endDate", "missing", [""], DATES],
		["endDate", "malformed", ["2026-10-32"], DATES],
		["endDate", "early", ["2026-09-30"], DATES],
		["timezone", true, ["utc"]],
		["timezone", WRONG, ["CET"]],
		["split", WRONG, ["days"]],
	],
	"solar-yield-v1": [
		["endpoint", WRONG, ["house"]],
		["params", WRONG, ["x"]],
	],
};

const files = dialogFiles();
const editor = new Editor("en-US");
for (const [id, account] of Object.entries(ACCOUNTS)) {
	editor.configNodes.set(id, account);
}
/** Names in flow files, which stay as they are. */
const NAMES: Record<string, string> = {
	"solar-yield-account":
		"name baseUrl demo siteId budget reserve interval apiKey",
	"solar-yield-forecast":
		"name account siteId source inline intervalHours include forecastDays pastDays timezone poll topic",
	"solar-yield-now": "name every",
	"solar-yield-export":
		"name format prefix language day curveDays value shape step rows hours rounding time measurement view past days separator decimal times",
	"solar-yield-sum": "name sites sumId acLimitW",
	"solar-yield-learn": "name unit",
	"solar-yield-site": "name account siteId operation system",
	"solar-yield-history":
		"name account siteId source inline include period startDate endDate timezone split",
	"solar-yield-v1": "name account endpoint params",
	"solar-yield-battery":
		"name strategy safety capacityKwh minSoc maxSoc maxChargeW maxDischargeW efficiency loadKwhPerDay load feedInLimitW feedInPrice gridCharge sell acLimitW coupling wearPrice importLimitW gridChargeW mayCurtail margin maxAgeHours maxSocAgeMinutes",
	"solar-yield-window":
		"name hours pieces from to minPowerW loadW baseLoadW rank energyKwh minHours minLoadW maxPrice minRunMinutes maxStarts maxPauseHours sunOnly runAnyway",
};

describe("a property of a node", () => {
	for (const { type } of files) {
		const { defaults, credentials, category } = editor.definition(type);
		const prefix = category === "config" ? "node-config-input" : "node-input";
		const all = { ...defaults, ...credentials };
		const rows = ROWS[type] ?? [];

		it(`${type}: keeps its name in flow files`, () => {
			assert.deepEqual(
				(NAMES[type] ?? "").split(" ").filter((name) => !(name in all)),
				[],
			);
			for (const [name, { validate }] of Object.entries(all)) {
				const isTried = rows.some(([tried]) => tried === name);
				// What an account's name is judged by is its key.
				if (validate && name !== "name") assert.ok(isTried, name);
			}
		});

		it(`${type}: is judged, and says which fault it is`, () => {
			for (const [property, verdict, values, given = {}, fields] of rows) {
				for (const value of values) {
					const entered: Record<string, unknown> = {
						...given,
						[property]: value,
					};
					const keys = { _: (key: string) => key };
					const judge = (shown: Row[4], rest: object) => {
						editor.fields = {};
						for (const [name, it] of Object.entries(shown ?? {})) {
							editor.fields[`${prefix}-${name}`] = it;
							editor.fields[`${type}-${name}`] = it;
						}
						const said = editor.validate(type, property, value, rest);
						editor.fields = {};
						return said;
					};
					const said = judge(fields, { ...given, ...keys });
					const name = `${property} = ${JSON.stringify(value)}`;
					if (verdict === true) assert.equal(said, true, name);
					else {
						const got = `${said}`.replace(/^.*:/, "");
						const key = [type, "invalid", property, verdict];
						// The forecast's words serve all that describe a system.
						const isRight = /^(inline|system)$/.test(property)
							? got.endsWith(`.${verdict}`)
							: got === key.filter(Boolean).join(".");
						assert.ok(isRight, `${name}: ${got}`);
					}
					// In the open dialog, while the node has what it had, it is the same.
					if (fields || verdict === "both") continue;
					const range = entered.period === "" ? "dates" : "period";
					const shown = Object.fromEntries(
						Object.entries({ ...entered, range }).map(([id, it]) => [
							id,
							typeof it === "boolean" ? it : String(it ?? ""),
						]),
					);
					const before = { [property]: defaults[property]?.value };
					assert.equal(judge(shown, { ...before, ...keys }), said, name);
				}
			}
		});

		it(`${type}: is told in words which name it, in each language`, () => {
			for (const language of LANGUAGES) {
				const invalid = [...catalogueOf(type, language)].filter(([key]) =>
					key.startsWith(`${type}.invalid.`),
				);
				for (const [key, text] of invalid) {
					assert.match(text, /^[^:;]+: .+/, `${key} in ${language}`);
				}
			}
		});

		it(`${type}: may be a variable, which the runtime resolves`, () => {
			// Node-RED's editor itself lets only the first of them pass.
			for (const value of ["${SOLAR_X}", "${solar-yield.x}", "$(SOLAR_X)"]) {
				for (const name of Object.keys(all)) {
					if (name === "account" || name === "params") continue;
					assert.equal(editor.validate(type, name, value), true, name);
				}
			}
			const include = ["${SOLAR_X}", "strings"];
			const verdict =
				"include" in all && editor.validate(type, "include", include);
			assert.equal(verdict, "include" in all);
		});
	}

	// Node-RED shows what is wrong as HTML.
	it("is not repeated where it is wrong", () => {
		const [mark, list] = ["<img src=x>", ["<img src=x>"]];
		for (const { type } of files) {
			for (const name of Object.keys(editor.definition(type).defaults)) {
				for (const value of [mark, list]) {
					const said = editor.validate(type, name, value, INLINE);
					assert.ok(!`${said}`.includes("<"), `${type} ${name}: ${said}`);
				}
			}
		}
	});
});

describe("the id of a site", () => {
	const isSiteId = (value: unknown) =>
		editor.validate(SHARED, "siteId", value) === true;
	const taken = (id: string) => {
		try {
			readSiteId(id);
			return true;
		} catch {
			return false;
		}
	};

	it("is good in the editor exactly if the runtime takes it", () => {
		const known: [string, boolean][] = [
			...["", " ", "a/b", "a?b#c", "Dach süd"].map(
				(id) => [id, true] as [string, boolean],
			),
			...[".", "x".repeat(201)].map((id) => [id, false] as [string, boolean]),
		];
		for (const [id, isGood] of known) {
			assert.deepEqual([isSiteId(id), taken(id)], [isGood, isGood], id);
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
