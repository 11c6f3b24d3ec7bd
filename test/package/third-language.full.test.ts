import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { LANGUAGES, type Language } from "../../src/util/language";
import { ProjectCopy } from "../support/project-copy";

type Catalogue = Record<string, Record<string, string>>;

/** A code that times are written for, and that has no catalogues. */
const MADE_UP = "fr";
const LINE = 'export const LANGUAGES = ["en-US", "de"] as const;';

/** A language that nobody speaks: English in angle brackets, each part of a sentence by itself. */
const madeUp = (text: string) =>
	text
		.split("; ")
		.map((part) => `<${part}>`)
		.join("; ");

describe("a third language", () => {
	let copy: ProjectCopy;
	const read = (file: string) => readFileSync(copy.at(file), "utf8");
	/** The catalogues of what the code says. */
	const catalogues: string[] = [];

	before(() => {
		copy = new ProjectCopy("third-language");
		const files = readdirSync(copy.folder, {
			recursive: true,
			encoding: "utf8",
		});
		for (const file of files) {
			if (!/^(src|nodes)\b.*\ben-US\.(json|html)$/.test(file)) continue;
			if (/texts[\\/]en-US\.json$/.test(file)) catalogues.push(file);
			const translated = file.endsWith("html")
				? read(file)
				: JSON.stringify(JSON.parse(read(file)), (_name, value) =>
						typeof value !== "string"
							? value
							: value === "en-US"
								? MADE_UP
								: madeUp(value),
					);
			writeFileSync(copy.at(file.replace("en-US", MADE_UP)), translated);
		}
		const languages = read("src/util/language.ts");
		assert.ok(languages.includes(LINE));
		const line = LINE.replace("]", `, "${MADE_UP}"]`);
		writeFileSync(
			copy.at("src/util/language.ts"),
			languages.replace(LINE, line),
		);
	});
	after(() => copy.remove());

	it("is files of texts and one line: its catalogues are whole", () => {
		copy.test("test/texts/catalogues.test.ts");
	}).timeout(60_000);

	it("has each text that the code says: no key is missing, no place unfilled", () => {
		const { textIn } = require(copy.at("src/texts/texts"));
		require(copy.at("src/v1/texts"));
		const { languageFor } = require(copy.at("src/util/language"));
		const language: Language = languageFor(`${MADE_UP}-YY`);
		assert.equal(language, MADE_UP);
		assert.equal(catalogues.length, 2);
		for (const file of catalogues) {
			const sections: Catalogue = JSON.parse(read(file));
			for (const [section, texts] of Object.entries(sections)) {
				for (const [name, english] of Object.entries(texts)) {
					const key = `${section}.${name}`;
					const places = [...english.matchAll(/__(\w+?)__/g)].map(
						([, place = ""]) => [place, "x"] as const,
					);
					const values = Object.fromEntries(places);
					const said: string = textIn({ key, values }, language);
					// Advice that an error brings along is a part of a sentence by itself.
					const own = madeUp(english).replace("<__advice__>", "x");
					assert.equal(said, own.replace(/__\w+?__/g, "x"), key);
				}
			}
		}
	});

	it("is that of errors, and of texts in texts", () => {
		const { inputError, restated } = require(
			copy.at("src/service/errors/solar-yield-error"),
		);
		const { show } = require(copy.at("src/service/v2/schema-errors"));
		const error = restated(
			inputError("value.flag", { field: "sell", value: show(undefined) }),
			{ language: MADE_UP },
		);
		assert.equal(error.message, "<sell is <missing>>; <give true or false>");
	});

	it("is built, served and spoken, times included", () => {
		copy.run("tools/build.cjs");
		const locales = copy.at("dist/nodes/locales");
		assert.deepEqual(
			readdirSync(`${locales}/${MADE_UP}`).sort(),
			readdirSync(`${locales}/en-US`).sort(),
		);
		assert.equal(readdirSync(locales).length, LANGUAGES.length + 1);
		assert.ok(existsSync(copy.at("dist/nodes/node.js")));
		const said = copy.run(
			"-e",
			`const { textIn } = require("./dist/nodes/node.js");
			const text = { key: "polling.burst", values: { until: { at: 0, zone: "UTC" } } };
			const key = { key: "v1.no_connection" };
			console.log(textIn(text, "${MADE_UP}") + textIn(key, "${MADE_UP}"));`,
		);
		assert.match(
			said,
			/^<The service was asked too often>; <wait until 1 janv.*00:00 UTC><no connection>$/m,
		);
	}).timeout(120_000);
});
