import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { V1_GROUPS, V1_PARAMETERS } from "../../src/v1/parameters";
import { lastDayText } from "../../src/v1/shutdown";

const read = (language: string, ending: string) =>
	readFileSync(
		join(__dirname, "../../nodes/v1/locales", `${language}.${ending}`),
		"utf8",
	);

describe("texts of the V1 parameters", () => {
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
			const [, help = ""] = read(language, "html").split("<!-- parameters -->");
			const listed = [...help.matchAll(/<dt[^>]*>(\w+) .*\n(.*)/g)];
			assert.deepEqual(
				listed.map(([, name]) => name),
				names,
			);
			for (const [index, { limits, values = [] }] of V1_PARAMETERS.entries())
				for (const said of [
					catalogue.parameter[names[index] as string],
					...values,
					...limits.flatMap((it) => [it.min, it.max, it.default]),
				])
					if (said !== undefined && said !== "")
						assert.ok(
							listed[index]?.[2]?.includes(String(said)),
							`${names[index]}: ${said}`,
						);
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
