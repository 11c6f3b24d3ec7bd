import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { V1_GROUPS, V1_PARAMETERS } from "../../src/v1/parameters";
import { lastDayText } from "../../src/v1/shutdown";

const { helpFromTable } = require("../../nodes/v1/write-help.cjs") as {
	helpFromTable(): [file: string, text: string][];
};

const read = (language: string, ending: string) =>
	readFileSync(
		join(__dirname, "../../nodes/v1/locales", `${language}.${ending}`),
		"utf8",
	);

describe("texts of the V1 parameters", () => {
	it("are those of table and catalogue in the help (else run nodes/v1/write-help.cjs)", () => {
		for (const [file, text] of helpFromTable())
			assert.equal(readFileSync(file, "utf8"), text, file);
	});

	for (const [language, lastDay, warnFrom] of [
		["en-US", "Dec 31, 2026", "Dec 1, 2026"],
		["de", "31.12.2026", "1.12.2026"],
	] as const) {
		const catalogue = JSON.parse(read(language, "json"))["solar-yield-v1"];

		it(`name every parameter and group once, and nothing else (${language})`, () => {
			const names = V1_PARAMETERS.map(({ name }) => name);
			assert.deepEqual(Object.keys(catalogue.parameter), names);
			for (const [name, text] of Object.entries<string>(catalogue.parameter))
				assert.match(text, /^[A-ZÄÖÜ0-9].{3,}/, name);
			assert.deepEqual(Object.keys(catalogue.group), [...V1_GROUPS]);
			const listed = [
				...(
					read(language, "html").split("<!-- parameters -->")[1] ?? ""
				).matchAll(/<dt[^>]*>(\w+) /g),
			].map(([, name]) => name);
			assert.deepEqual(listed, names);
			for (const unit of V1_PARAMETERS.map((it) => it.unit ?? ""))
				if (/^[a-z]{3,}$/.test(unit)) assert.ok(catalogue.unit[unit], unit);
		});

		it(`explain every status in the help (${language})`, () => {
			const { status } = JSON.parse(read(language, "json"));
			const explained = [
				...read(language, "html").matchAll(
					/<dt data-status="(\w+)">([^<]*) </g,
				),
			].map(([, key, text]) => [key, text]);
			assert.deepEqual(
				Object.fromEntries(explained),
				Object.fromEntries(
					Object.entries<string>(status).map(([key, text]) => [
						key,
						text.replace("__date__", lastDay).replace("__count__", "672"),
					]),
				),
			);
		});

		it(`name the dates in the help (${language})`, () => {
			const help = read(language, "html");
			assert.ok(help.includes(lastDay));
			assert.ok(help.includes(warnFrom));
			assert.equal(lastDayText(language), lastDay);
		});
	}
});
