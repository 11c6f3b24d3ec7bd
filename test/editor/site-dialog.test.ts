import assert from "node:assert/strict";
import { Editor, LANGUAGES } from "../support/editor-dialog";

const HISTORY = "solar-yield-history";
const SITE = "solar-yield-site";
const SYSTEM = JSON.stringify({
	latitude: 52,
	longitude: 13,
	strings: [{ slope: 30, orientation: 180, power_kw: 5 }],
});
const ACCOUNT = { account: "account" };
const DATES = { period: "", startDate: "2026-10-01", endDate: "2026-10-31" };

/** A value, and how what the editor says of it begins in English and German; nothing when it is right. */
type Case = [
	type: string,
	property: string,
	value: unknown,
	given?: object,
	says?: [en: RegExp, de: RegExp],
];

const CASES: Case[] = [
	[SITE, "siteId", ""],
	[SITE, "siteId", "site_a"],
	[SITE, "siteId", "a b"],
	[SITE, "siteId", ".", {}, [/^Site: no id/, /^Anlage: keine/]],
	[SITE, "operation", ""],
	[SITE, "operation", "add-string"],
	[SITE, "operation", "drop", {}, [/^Operation: unk/, /^Aktion: unb/]],
	[SITE, "system", "{"],
	[SITE, "system", "", { operation: "create" }],
	[SITE, "system", SYSTEM, { operation: "create" }],
	// The service takes a string of its own.
	[SITE, "system", '{"latitude": 1, "longitude": 2}', { operation: "create" }],
	[
		SITE,
		"system",
		"{",
		{ operation: "create" },
		[/^System: no J/, /^System: kein J/],
	],
	[
		SITE,
		"system",
		'{"latitude": 1}',
		{ operation: "create" },
		[/^System: longitude is w/, /^System: longitude ist f/],
	],
	[
		SITE,
		"system",
		'{"latitude": 1, "longitude": 2, "strings": [{}]}',
		{ operation: "create" },
		[/^System: strings\[0\]\.slope/, /^System: strings\[0\]\.slope/],
	],
	[HISTORY, "siteId", "site_a"],
	[HISTORY, "siteId", "", ACCOUNT, [/^Site: missing/, /^Anlage: fehlt/]],
	[HISTORY, "siteId", "a/b"],
	[HISTORY, "siteId", "..", {}, [/^Site: no id/, /^Anlage: keine/]],
	[HISTORY, "siteId", "", { ...ACCOUNT, source: "inline" }],
	[HISTORY, "source", "inline"],
	[HISTORY, "source", "file", {}, [/^History of: unk/, /^Historie für: unb/]],
	[HISTORY, "inline", "{"],
	[HISTORY, "inline", "", { source: "inline" }],
	[HISTORY, "inline", SYSTEM, { source: "inline" }],
	[
		HISTORY,
		"inline",
		"{",
		{ source: "inline" },
		[/^System: no J/, /^System: /],
	],
	[HISTORY, "include", "all"],
	[HISTORY, "include", [], {}, [/^Show: nothing/, /^Zeigen: nichts/]],
	[HISTORY, "include", ["sun"], {}, [/^Show: nothing/, /^Zeigen: nichts/]],
	[HISTORY, "period", "12m"],
	[HISTORY, "period", ""],
	[HISTORY, "period", "7", {}, [/^Last: no period/, /^Letzte: keine/]],
	[HISTORY, "period", "0d", {}, [/^Last: no period/, /^Letzte: keine/]],
	[
		HISTORY,
		"period",
		"7d",
		DATES,
		[/^Time span: .*both/, /^Zeitraum: .*beide/],
	],
	[HISTORY, "startDate", "2026-10-01", DATES],
	[
		HISTORY,
		"startDate",
		"",
		{ ...DATES, startDate: "" },
		[/^From: m/, /^Von: f/],
	],
	[HISTORY, "startDate", "1.10.2026", DATES, [/^From: no d/, /^Von: kein D/]],
	[HISTORY, "startDate", "2026-02-30", DATES, [/^From: no d/, /^Von: kein D/]],
	[HISTORY, "endDate", "2026-10-31", DATES],
	[HISTORY, "endDate", "", DATES, [/^To: missing/, /^Bis: fehlt/]],
	[HISTORY, "endDate", "2026-10-32", DATES, [/^To: no d/, /^Bis: kein D/]],
	[HISTORY, "endDate", "2026-09-30", DATES, [/^To: lies b/, /^Bis: liegt vor/]],
	[HISTORY, "timezone", "utc"],
	[HISTORY, "timezone", "CET", {}, [/^Times in: unk/, /^Zeiten in: unb/]],
];

describe("the editor's side of sites and history", () => {
	for (const language of LANGUAGES) {
		it(`says in ${language} what is wrong with a value, and what to enter`, () => {
			const editor = new Editor(language);
			editor.configNodes.set("account", { demo: false, siteId: "" });
			for (const [type, property, value, given = {}, says] of CASES) {
				const said = editor.validate(type, property, value, given);
				const name = `${type} ${property} = ${JSON.stringify(value)}`;
				if (!says) assert.equal(said, true, name);
				else {
					assert.match(String(said), says[language === "de" ? 1 : 0], name);
					assert.match(String(said), /; /, name);
				}
			}
		});
	}

	it("judges of two kinds of range the one that is chosen in the open dialog", () => {
		const editor = new Editor("en-US");
		editor.fields = { "solar-yield-history-range": "dates" };
		assert.equal(editor.validate(HISTORY, "period", "7 days"), true);
		assert.match(
			String(editor.validate(HISTORY, "startDate", "soon")),
			/^From: no date/,
		);
		editor.fields = { "solar-yield-history-range": "period" };
		assert.equal(editor.validate(HISTORY, "startDate", "soon"), true);
		assert.match(String(editor.validate(HISTORY, "period", "7")), /^Last/);
	});
});
