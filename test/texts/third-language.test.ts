import assert from "node:assert/strict";
import {
	cpSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Language } from "../../src/util/language";
import { ROOT } from "../support/node-red-process";

type Catalogue = Record<string, Record<string, string>>;

/** A made-up language: English in brackets, each part of a sentence by itself. */
const madeUp = (text: string) =>
	text
		.split("; ")
		.map((part) => `‹${part}›`)
		.join("; ");

describe("a third language", () => {
	let folder: string;
	const in3 = (file: string) => join(folder, file);
	const read = (file: string) =>
		JSON.parse(readFileSync(in3(file), "utf8")) as Catalogue;
	const catalogues = readdirSync(join(ROOT, "src"), {
		recursive: true,
		encoding: "utf8",
	})
		.filter((file) => /texts[\\/]en-US\.json$/.test(file))
		.map((file) => join("src", file));

	before(() => {
		folder = mkdtempSync(join(tmpdir(), "third-language-"));
		cpSync(join(ROOT, "src"), in3("src"), { recursive: true });
		cpSync(join(ROOT, "package.json"), in3("package.json"));
		symlinkSync(join(ROOT, "node_modules"), in3("node_modules"), "dir");
		for (const file of catalogues) {
			const text = JSON.stringify(read(file), (_name, value) =>
				typeof value === "string" ? madeUp(value) : value,
			);
			writeFileSync(in3(file.replace("en-US", "xx")), text);
		}
		const languages = in3("src/util/language.ts");
		const line = readFileSync(languages, "utf8");
		writeFileSync(languages, line.replace('"de"]', '"de", "xx"]'));
	});
	after(() => rmSync(folder, { recursive: true }));

	it("is a file beside each catalogue and a name in one line: no key is missing, no place unfilled", () => {
		const { textIn } = require(in3("src/texts/texts"));
		require(in3("src/v1/texts"));
		const { languageFor } = require(in3("src/util/language"));
		const language: Language = languageFor("xx-YY");
		assert.equal(language, "xx");
		assert.equal(catalogues.length, 2);
		for (const file of catalogues) {
			for (const [section, texts] of Object.entries(read(file))) {
				for (const [name, english] of Object.entries(texts)) {
					const key = `${section}.${name}`;
					const places = [...english.matchAll(/__(\w+?)__/g)].map(
						([, place = ""]) => [place, "x"] as const,
					);
					const values = Object.fromEntries(places);
					const said: string = textIn({ key, values }, language);
					// Advice that an error brings along is a part of a sentence by itself.
					const own = madeUp(english).replace("‹__advice__›", "x");
					assert.equal(said, own.replace(/__\w+?__/g, "x"), key);
				}
			}
		}
	});

	it("is that of errors, of texts in texts and of times", () => {
		const { inputError, restated } = require(
			in3("src/service/errors/solar-yield-error"),
		);
		const { show } = require(in3("src/service/v2/schema-errors"));
		const error = restated(
			inputError("value.flag", { field: "sell", value: show(undefined) }),
			{ language: "xx" },
		);
		assert.equal(error.message, "‹sell is ‹missing››; ‹give true or false›");
	});
});
