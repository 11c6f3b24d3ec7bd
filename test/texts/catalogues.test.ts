import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LANGUAGES } from "../../src/util/language";
import { ROOT } from "../support/node-red-process";
import { sourceFiles } from "../support/source-imports";

type Texts = ReadonlyMap<string, string>;

/** The texts of a file by their path of names. */
function textsOf(file: string): Texts {
	const found = new Map<string, string>();
	const visit = (branch: object, path: readonly string[]) => {
		for (const [name, value] of Object.entries(branch)) {
			const key = [...path, name];
			if (typeof value === "string") found.set(key.join("."), value);
			else visit(value, key);
		}
	};
	visit(JSON.parse(readFileSync(join(ROOT, file), "utf8")), []);
	return found;
}

const foldersIn = (folder: string) =>
	readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`);
/** What the code says, and what dialogs and statuses do. */
const OF_CODE = ["src/texts", ...foldersIn("src").map((it) => `${it}/texts`)];
const OF_NODES = foldersIn("nodes").map((it) => `${it}/locales`);
const existing = (folders: readonly string[]) =>
	folders.filter((it) => existsSync(join(ROOT, it, "en-US.json")));

const placesOf = (text: string) =>
	[...new Set([...text.matchAll(/__(\w+?)__/g)].map(([, name]) => name))]
		.filter((name) => name !== undefined)
		.sort();

const code = sourceFiles
	.filter((file) => !file.startsWith("src/simulator/"))
	.map((file) => ({ file, source: readFileSync(join(ROOT, file), "utf8") }));
const english = new Map(
	existing(OF_CODE).flatMap((folder) => [...textsOf(`${folder}/en-US.json`)]),
);
const sections = [
	...new Set([...english.keys()].map((key) => key.split(".")[0])),
];
/** `"section.name"`, and what a name begins with where the rest is put in. */
const KEY = new RegExp(
	`(?:"((?:${sections.join("|")})\\.\\w+)"|\`((?:${sections.join("|")})\\.\\w*)\\$\\{)`,
	"g",
);
const uses = code.flatMap(({ file, source }) =>
	[...source.matchAll(KEY)].map((match) => ({
		file,
		source,
		key: match[1],
		begin: match[2],
		end: match.index + match[0].length,
	})),
);

/** Places that `textIn` and `joinTexts` fill. */
const FILLED = ["own", "first", "other"];

describe("each language's catalogues", () => {
	it("hold the keys, the places and the parts of the English ones", () => {
		const folders = existing([...OF_CODE, ...OF_NODES]);
		assert.ok(folders.length > 10, folders.join());
		for (const folder of folders) {
			const texts = textsOf(`${folder}/en-US.json`);
			for (const language of LANGUAGES) {
				const others = textsOf(`${folder}/${language}.json`);
				assert.deepEqual([...others.keys()].sort(), [...texts.keys()].sort());
				for (const [key, text] of others) {
					const place = `${folder} ${language} ${key}`;
					const original = texts.get(key) as string;
					assert.notEqual(text.replace(/__\w+?__/g, "x"), "", place);
					assert.deepEqual(placesOf(text), placesOf(original), place);
					if (!folder.endsWith("/texts")) continue;
					// What to do stands behind the last "; ": other advice takes its place.
					const parts = (it: string) => it.split("; ").length;
					assert.equal(parts(text), parts(original), place);
				}
			}
		}
	});

	it("have every key that the code uses, and no other", () => {
		assert.ok(uses.length > 300, String(uses.length));
		const used = new Set(uses.map(({ key }) => key));
		const begins = uses.flatMap(({ begin }) => begin ?? []);
		assert.deepEqual(
			uses
				.filter(({ key }) => key !== undefined && !english.has(key))
				.map(({ file, key }) => `${file} ${key}`),
			[],
		);
		assert.deepEqual(
			[...english.keys()].filter(
				(key) => !used.has(key) && !begins.some((it) => key.startsWith(it)),
			),
			[],
		);
	});

	it("leave no place that the code does not fill", () => {
		const unfilled = uses.flatMap(({ file, source, key = "", end }) => {
			const given =
				/^,?\s*(?:values: )?\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}/.exec(
					source.slice(end),
				)?.[1];
			// Those of a spread are not looked for, and those that are not beside the key at least in the file.
			if (given?.includes("...")) return [];
			const where = given ?? source;
			return placesOf(english.get(key) ?? "")
				.filter((name) => !FILLED.includes(name))
				.filter((name) => !new RegExp(`\\b${name}\\b`).test(where))
				.map((name) => `${file} ${key} ${name}`);
		});
		assert.deepEqual(unfilled, []);
	});
});
