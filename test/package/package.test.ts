import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { packedTarball, ROOT } from "../support/node-red-process";

const { formatFlow } = require("../../tools/examples.cjs") as {
	formatFlow(text: string): string;
};

const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const types = Object.keys(manifest["node-red"].nodes);
const read = (...path: string[]) => readFileSync(join(ROOT, ...path), "utf8");

/** The rules of the flow library's scorecard, and of Node-RED's packaging guide. */
describe("package.json", () => {
	it("says license, where to report, versions and the keyword (P01, P03, P05 to P07)", () => {
		assert.equal(manifest.license, "MIT");
		assert.ok(existsSync(join(ROOT, "LICENSE")));
		assert.match(manifest.repository.url, /^git\+https:/);
		assert.match(manifest.bugs.url, /^https:/);
		assert.ok(manifest.keywords.includes("node-red"));
		assert.equal(manifest.engines.node, ">=20");
		assert.equal(manifest["node-red"].version, ">=4.0.0");
	});

	it("has a scoped name that user agent and catalogues use (P04)", () => {
		assert.match(manifest.name, /^@[a-z\d][\w.-]+\/[a-z\d][\w.-]*$/);
	});

	it("needs few packages, by their current majors, and never Node-RED (D01, D03)", () => {
		const { dependencies, peerDependencies } = manifest;
		assert.ok(Object.keys(dependencies).length <= 6);
		for (const [name, range] of Object.entries<string>(dependencies)) {
			assert.match(range, /^\^[1-9]/, name);
		}
		assert.equal(dependencies["node-red"], undefined);
		assert.equal(peerDependencies, undefined);
	});

	it("has an entry of its own for scripts, and hides nothing that Node-RED reads", () => {
		const { main, types: typings, exports: entries } = manifest;
		assert.equal(entries["."].default, `./${main}`);
		assert.equal(entries["."].types, `./${typings}`);
		assert.equal(entries["./package.json"], "./package.json");
	});

	it("names scripts that exist", () => {
		for (const [name, script] of Object.entries<string>(manifest.scripts)) {
			for (const [file] of script.matchAll(/[\w./-]+\.(cjs|ts)\b/g)) {
				assert.ok(existsSync(join(ROOT, file)), `${name}: ${file}`);
			}
		}
	});
});

describe("nodes", () => {
	for (const type of types) {
		it(`${type}: literal, inline and in two languages (N01)`, () => {
			const path = manifest["node-red"].nodes[type];
			assert.equal(path, `dist/nodes/${type}.js`);
			assert.ok(existsSync(join(ROOT, "nodes", `${type}.ts`)));
			const html = read("nodes", `${type}.html`);
			const scripts = [
				...html.matchAll(
					/<script type="text\/javascript">([\s\S]*?)<\/script>/g,
				),
			].map(([, text]) => text as string);
			assert.ok(scripts.length > 0);
			const registered = scripts.flatMap((text) => [
				...text.matchAll(
					/RED\.nodes\.registerType\(\s*"([^"]+)",\s*\{([\s\S]*)/g,
				),
			]);
			assert.equal(registered.length, 1);
			const [, name, definition] = registered[0] as unknown as string[];
			assert.equal(name, type);
			assert.match(definition as string, /\bcategory: "[\w ]+",/);
			assert.match(definition as string, /\bdefaults: \{/);
			if (!/category: "config"/.test(definition as string)) {
				assert.match(definition as string, /\bcolor: "#[\dA-Fa-f]{6}",/);
				assert.match(definition as string, /\bicon: "[\w-]+\.svg",/);
				assert.match(definition as string, /\binputs: \d,/);
				assert.match(definition as string, /\boutputs: \d,/);
			}
			for (const language of ["en-US", "de"]) {
				const base = join(ROOT, "nodes/locales", language, type);
				const texts = JSON.parse(readFileSync(`${base}.json`, "utf8"));
				assert.equal(typeof texts[type], "object");
				assert.match(
					readFileSync(`${base}.html`, "utf8"),
					new RegExp(`data-help-name="${type}"`),
				);
			}
		});
	}
});

describe("examples", () => {
	const files = readdirSync(join(ROOT, "examples"), {
		recursive: true,
		encoding: "utf8",
	}).filter((file) => file.endsWith(".json"));
	const nodes = (file: string): Record<string, any>[] =>
		JSON.parse(read("examples", file));

	for (const file of files) {
		it(`${file.split(sep).join("/")}: a list of nodes with a comment, without keys or places`, () => {
			const text = read("examples", file);
			assert.equal(text, formatFlow(text), "else run npm run format");
			assert.ok(nodes(file).some(({ type }) => type === "comment"));
			for (const node of nodes(file)) {
				assert.notEqual(node.type, "global-config");
				assert.equal(node.credentials, undefined);
				if (node.type === "solar-yield-account") {
					assert.equal(node.demo, true);
					assert.equal(node.baseUrl, "");
				}
			}
		});
	}

	it("show each node (N02)", () => {
		const shown = new Set(
			files.flatMap((file) => nodes(file).map(({ type }) => type)),
		);
		assert.deepEqual(
			types.filter((type) => !shown.has(type)),
			[],
		);
	});
});

describe("the packed package", () => {
	/** Bytes of the tarball and of what it unpacks to; what is new must be worth its place. */
	const MOST = { packed: 200_000, unpacked: 600_000 };
	let files: string[];

	before(() => {
		files = execFileSync("tar", ["-tzf", packedTarball()], {
			encoding: "utf8",
		})
			.split("\n")
			.filter(Boolean)
			.map((file) => file.replace(/^package\//, ""));
	});

	it("is small", () => {
		const { size } = statSync(packedTarball());
		assert.ok(size <= MOST.packed, `${size} bytes`);
		const unpacked = files
			.filter((file) => !file.endsWith("/"))
			.reduce((sum, file) => sum + statSync(join(ROOT, file)).size, 0);
		assert.ok(unpacked <= MOST.unpacked, `${unpacked} bytes unpacked`);
	});

	it("holds what a user needs and nothing else", () => {
		const locales = ["en-US", "de"].flatMap((language) =>
			types.flatMap((type) =>
				["html", "json"].map(
					(ending) => `dist/nodes/locales/${language}/${type}.${ending}`,
				),
			),
		);
		const expected = [
			"package.json",
			"README.md",
			"LICENSE",
			"CHANGELOG.md",
			"dist/lib.js",
			"dist/demo.js",
			"dist/src/index.js",
			"dist/src/index.d.ts",
			...types.flatMap((type) =>
				["js", "html"].map((ending) => `dist/nodes/${type}.${ending}`),
			),
			...locales,
			...readdirSync(join(ROOT, "icons")).map(
				(icon) => `dist/nodes/icons/${icon}`,
			),
		];
		assert.deepEqual(
			files.filter((file) => !/^examples\/.*\.json$/.test(file)).sort(),
			expected.sort(),
		);
	});

	it("has types for what the public entry names, docstrings included", () => {
		const typings = read("dist/src/index.d.ts");
		assert.match(typings, /\/\*\* The account/);
		assert.match(typings, /^declare class SolarYieldClient /m);
		assert.doesNotMatch(typings, /from "\./);
		assert.doesNotMatch(typings, /readForecast|inputError|QUARTER_MS/);
	});

	it("has no comments in the code", () => {
		for (const file of files.filter((file) => file.endsWith(".js"))) {
			assert.doesNotMatch(
				read(file),
				/\/\*\*|^\s*\/\/|sourceMappingURL/m,
				file,
			);
		}
	});
});

describe("dialogs, help and catalogues as they ship", () => {
	/** Opening tags of a node's parts, by which Node-RED finds them, with what stands within. */
	const partsOf = (html: string) =>
		[...html.matchAll(/(<(style|script)[^>]*>)([\s\S]*?)<\/\2>/g)].map(
			([, open = "", , content = ""]) => ({ open, content }),
		);
	const BLOCK =
		/\s*(<\/?(?:dd|div|dl|dt|h\d|li|ol|p|option|select|t[dhr]|table|tbody|thead|ul)\b[^>]*>)\s*/g;
	let parse5: Awaited<ReturnType<typeof parser>>;
	const parser = () => import("parse5");
	before(async () => {
		parse5 = await parser();
	});
	/** The document that a browser reads, without white space that shows nowhere. */
	const shown = (html: string) =>
		parse5
			.serialize(parse5.parseFragment(html))
			.replace(/<!--[\s\S]*?-->/g, "")
			// Marks for the tests that hold help and code together.
			.replace(/(?<=<dt[^>]*) data-\w+="[^"]*"/g, "")
			.replace(/\s+/g, " ")
			.replace(BLOCK, "$1")
			.trim();
	const texts = readdirSync(join(ROOT, "nodes"), {
		recursive: true,
		encoding: "utf8",
	});

	for (const file of texts.filter((file) => file.endsWith(".html"))) {
		it(`${file.split(sep).join("/")}: reads as the source does`, () => {
			const source = partsOf(read("nodes", file));
			const built = partsOf(read("dist/nodes", file));
			assert.deepEqual(
				built.map(({ open }) => open),
				source.map(({ open }) => open),
			);
			for (const [index, { open, content }] of source.entries()) {
				const small = built[index]?.content ?? "";
				if (/text\/html/.test(open)) {
					assert.equal(shown(small), shown(content));
				} else {
					const type = /registerType\(\s*("[^"]+"),/;
					assert.equal(type.exec(small)?.[1], type.exec(content)?.[1]);
				}
			}
		});
	}

	for (const file of texts.filter((file) => file.endsWith(".json"))) {
		it(`${file.split(sep).join("/")}: says what the source says`, () => {
			assert.deepEqual(
				JSON.parse(read("dist/nodes", file)),
				JSON.parse(read("nodes", file)),
			);
		});
	}
});
