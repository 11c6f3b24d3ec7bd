import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { LANGUAGES } from "../../src/util/language";
import { ROOT } from "../support/node-red-process";

/** A language that nobody speaks: English in angle brackets. */
const MADE_UP = "fr";
const LINE = 'export const LANGUAGES = ["en-US", "de"] as const;';

const translated = (value: unknown): unknown =>
	typeof value === "string"
		? value === "en-US"
			? MADE_UP
			: value
					.split("; ")
					.map((part) => `<${part}>`)
					.join("; ")
		: Object.fromEntries(
				Object.entries(value as object).map(([name, it]) => [
					name,
					translated(it),
				]),
			);

describe("a third language", () => {
	let copy: string;
	/** Runs in the copy, and gives what is written to stdout. */
	const run = (...args: string[]) =>
		execFileSync(process.execPath, args, { cwd: copy, encoding: "utf8" });

	before(() => {
		const artefacts = join(ROOT, "artefacts");
		mkdirSync(artefacts, { recursive: true });
		copy = mkdtempSync(join(artefacts, "third-language-"));
		for (const name of [
			"bench",
			"icons",
			"nodes",
			"src",
			"test",
			"tools",
			"package.json",
			"tsconfig.build.json",
			"tsconfig.json",
		]) {
			cpSync(join(ROOT, name), join(copy, name), { recursive: true });
		}
		symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"), "dir");
		for (const file of readdirSync(copy, {
			recursive: true,
			encoding: "utf8",
		})) {
			if (!/^(src|nodes)\b.*\ben-US\.(json|html)$/.test(file)) continue;
			const text = readFileSync(join(copy, file), "utf8");
			writeFileSync(
				join(copy, file.replace("en-US", MADE_UP)),
				file.endsWith("html")
					? text
					: JSON.stringify(translated(JSON.parse(text))),
			);
		}
		const file = join(copy, "src/util/language.ts");
		const text = readFileSync(file, "utf8");
		assert.ok(text.includes(LINE));
		writeFileSync(
			file,
			text.replace(LINE, LINE.replace("]", `, "${MADE_UP}"]`)),
		);
	});
	after(() => rmSync(copy, { recursive: true, force: true }));

	it("is files of texts and one line: its catalogues are whole", () => {
		run(
			join("node_modules", "mocha", "bin", "mocha.js"),
			"--no-config",
			...["--require", "tsx/cjs", "--reporter", "dot"],
			"test/texts/catalogues.test.ts",
		);
	}).timeout(60_000);

	it("is built, served and spoken", () => {
		run("tools/build.cjs");
		const locales = join(copy, "dist/nodes/locales");
		assert.deepEqual(
			readdirSync(join(locales, MADE_UP)).sort(),
			readdirSync(join(locales, "en-US")).sort(),
		);
		assert.equal(readdirSync(locales).length, LANGUAGES.length + 1);
		assert.ok(existsSync(join(copy, "dist/nodes/node.js")));
		const said = run(
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
