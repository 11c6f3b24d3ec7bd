import assert from "node:assert/strict";
import {
	existsSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { dirname, join, sep } from "node:path";
import { ProjectCopy } from "../support/project-copy";

/** V1 ends on 2026-12-31: all of it is in these folders, and in the lines that register it. */
const FOLDERS = ["src/v1", "nodes/v1", "test/v1"];
const LINES: readonly (readonly [file: string, ...lines: RegExp[]])[] = [
	["package.json", /^.*"solar-yield-v1": .*\n/m],
	[
		"nodes/registration.ts",
		/^import \{ v1Type \} from "\.\/v1\/registration";\n/m,
		/^\tv1: v1Type,\n/m,
	],
	[
		"nodes/node.ts",
		/^export \* from "\.\/v1\/admin-handlers";\n/m,
		/^export \* from "\.\/v1\/node";\n/m,
	],
];

describe("without V1", () => {
	let copy: ProjectCopy;

	before(() => {
		copy = new ProjectCopy("without-v1");
		for (const folder of FOLDERS) rmSync(copy.at(folder), { recursive: true });
		for (const [name, ...lines] of LINES) {
			const file = copy.at(name);
			let text = readFileSync(file, "utf8");
			for (const line of lines) {
				assert.match(text, line);
				text = text.replace(line, "");
			}
			writeFileSync(file, text);
		}
	});
	after(() => copy.remove());

	it("the package is built", () => {
		copy.run("tools/build.cjs");
		assert.ok(existsSync(copy.at("dist/nodes/node.js")));
		assert.ok(!existsSync(copy.at("dist/nodes/solar-yield-v1.js")));
	}).timeout(120_000);

	it("nothing is left behind: each source is of use, and no text, route or word is V1's", () => {
		const files = ["src", "nodes"].flatMap((folder) =>
			readdirSync(copy.at(folder), { recursive: true, encoding: "utf8" })
				.map((file) => join(folder, file).split(sep).join("/"))
				.filter((file) => /\.(ts|json|html)$/.test(file)),
		);
		const read = (file: string) => readFileSync(copy.at(file), "utf8");
		const imported = new Set(
			files
				.filter((file) => file.endsWith(".ts"))
				.flatMap((file) =>
					[
						...read(file).matchAll(
							/(?:from |(?:import|require)\()"(\.[^"]+)"/g,
						),
					].map(([, to = ""]) => join(dirname(file), to).split(sep).join("/")),
				),
		);
		const unused = files
			.filter((file) => /^src\/.*\.ts$/.test(file))
			.filter(
				(file) =>
					!imported.has(file.slice(0, -3)) &&
					!imported.has(dirname(file)) &&
					!/^src\/(index|texts\/.*\.editor)\.ts$/.test(file),
			);
		assert.deepEqual(unused, []);
		const words = files.filter(
			// What a flow built on V1 goes on with, and where a default of ours comes from.
			(file) =>
				/\bv1[./_-]|create-?site\/|solar-yield-v1/i.test(read(file)) &&
				!/^(src|nodes)\/(export|battery)\//.test(file),
		);
		assert.deepEqual(words, []);
	});

	it("sources, tests and bench fit their types", () => {
		const tsc = join("node_modules", "typescript", "bin", "tsc");
		copy.run(tsc, "-p", ".", "--noEmit");
	}).timeout(120_000);
});
