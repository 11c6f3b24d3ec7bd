import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { Editor } from "../support/editor-dialog";
import {
	ALL_EXAMPLES,
	exampleNodes,
	FOREIGN,
	foreignOf,
} from "../support/example-flows";
import { packedTarball, ROOT } from "../support/node-red-process";

const { formatFlow } = require("../../tools/examples.cjs") as {
	formatFlow(text: string): string;
};

const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const types = Object.keys(manifest["node-red"].nodes);
const read = (...path: string[]) => readFileSync(join(ROOT, ...path), "utf8");

describe("package.json", () => {
	it("needs few packages, by their current majors, and never Node-RED (D01, D03)", () => {
		const { dependencies, peerDependencies } = manifest;
		assert.ok(Object.keys(dependencies).length <= 6);
		for (const [name, range] of Object.entries<string>(dependencies)) {
			assert.match(range, /^\^[1-9]/, name);
		}
		assert.equal(dependencies["node-red"], undefined);
		assert.equal(peerDependencies, undefined);
	});

	it("names scripts that exist", () => {
		for (const [name, script] of Object.entries<string>(manifest.scripts)) {
			for (const [file] of script.matchAll(/[\w./-]+\.(cjs|ts)\b/g)) {
				assert.ok(existsSync(join(ROOT, file)), `${name}: ${file}`);
			}
		}
	});
});

describe("examples", () => {
	const editor = new Editor("en-US");
	const defaultsOf = (type: string) =>
		types.includes(type) ? editor.definition(type).defaults : {};

	it("are numbered without a gap, the most wanted first", () => {
		const names = readdirSync(join(ROOT, "examples")).sort();
		assert.deepEqual(
			names.map((name) => name.slice(0, 5)),
			names.map((_, index) => `${String(index + 1).padStart(2, "0")} - `),
		);
		assert.deepEqual(names.slice(0, 3), [
			"01 - Dashboard 2",
			"02 - Home Assistant.json",
			"03 - Boiler in the sunniest two hours.json",
		]);
		assert.deepEqual(
			names.filter((name) => !name.endsWith(".json")),
			Object.keys(FOREIGN),
		);
	});

	for (const file of ALL_EXAMPLES) {
		it(`${file}: a list of nodes that says how it is used, without keys or places`, () => {
			const text = read("examples", file);
			assert.equal(text, formatFlow(text), "else run npm run format");
			const nodes = exampleNodes(file);
			const [tab, comment, own] = nodes;
			const name = basename(file).replace(/^\d+ - |\.json$/g, "");
			assert.equal(tab?.label, name);
			assert.match(comment?.name, /^Demo data: deploy/);
			assert.match(comment?.info, /\n\n\*\*Deutsch:\*\* /);
			assert.match(
				own?.name,
				/^For your own sites?: double-click .*, choose your account( and site)?$/,
			);
			for (const node of nodes) {
				assert.equal(node.credentials, undefined);
				// Else a look into the dialog is a change to be deployed.
				for (const name of Object.keys(defaultsOf(node.type))) {
					assert.ok(name in node, `${node.type} has no ${name}`);
				}
				if (node.type === "solar-yield-account") {
					// One for all: it is not there twice after two imports.
					assert.equal(node.id, "solar-yield-demo-account");
					assert.equal(node.name, "");
					assert.equal(node.demo, true);
					assert.equal(node.baseUrl, "");
				}
			}
			// Whoever reads what is retained learns that its sender is gone.
			if (nodes.some(({ type }) => type === "mqtt out")) {
				const broker = nodes.find(({ type }) => type === "mqtt-broker");
				assert.match(broker?.willTopic, /./);
				assert.equal(broker?.willTopic, broker?.closeTopic);
			}
			// Node-RED warns at each deploy of configurations that nothing uses.
			const written = nodes.map(
				(node) => [node, JSON.stringify(node)] as const,
			);
			assert.deepEqual(
				nodes.filter(
					({ id, type, x }) =>
						x === undefined &&
						!/^(tab|group|subflow|global-config)$/.test(type) &&
						written.every(
							([other, said]) => other.id === id || !said.includes(`"${id}"`),
						),
				),
				[],
			);
			const hints = nodes.filter(({ type }) => type === "global-config");
			const foreign = foreignOf(file);
			assert.deepEqual(
				hints.map(({ env, modules }) => ({ env, modules })),
				foreign ? [{ env: [], modules: { [foreign]: "latest" } }] : [],
			);
		});
	}

	it("have ids of their own: imported side by side, none asks whether to replace another", () => {
		const owners = new Map<string, string>();
		for (const file of ALL_EXAMPLES) {
			for (const { id } of exampleNodes(file)) {
				// All share the demo account, the pages of Dashboard 2 the dashboard that they lie in.
				if (id.startsWith("solar-yield-demo-")) continue;
				assert.equal(owners.get(id), undefined, `${id} in ${file}`);
				owners.set(id, file);
			}
		}
	});

	it("show each node (N02)", () => {
		const shown = new Set(
			ALL_EXAMPLES.flatMap((file) =>
				exampleNodes(file).map(({ type }) => type),
			),
		);
		assert.deepEqual(
			types.filter((type) => !shown.has(type)),
			[],
		);
	});
});

describe("the packed package", () => {
	/**
	 * Bytes of the tarball and of what it unpacks to; what is new must be worth its
	 * place. Above 300 kB since there are nodes for the best time, for several sites and
	 * for learning from a meter, and examples for each program that reads an export; above
	 * 500 kB since each error is there in German.
	 */
	const MOST = { packed: 520_000, unpacked: 1_950_000 };
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
			"dist/nodes/node.js",
			"dist/nodes/registration.js",
			"dist/src/index.js",
			...types.flatMap((type) =>
				["js", "html"].map((ending) => `dist/nodes/${type}.${ending}`),
			),
			...locales,
			...readdirSync(join(ROOT, "icons")).map(
				(icon) => `dist/nodes/icons/${icon}`,
			),
		];
		assert.deepEqual(
			files
				.filter(
					(file) => !/^examples\/.*\.json$|^dist\/src\/.*\.d\.ts$/.test(file),
				)
				.sort(),
			expected.sort(),
		);
	});

	it("has types for what the public entry names, docstrings included", () => {
		const typings = read("dist/src/index.d.ts");
		assert.match(typings, /SolarYieldClient/);
		assert.deepEqual(
			files.filter((file) =>
				/^dist\/src\/(polling|simulator|util)\//.test(file),
			),
			// What the public class of a zone extends.
			["dist/src/util/zone.d.ts"],
		);
		assert.doesNotMatch(typings, /readForecast|inputError|QUARTER_MS/);
		const client = read("dist/src/service/client.d.ts");
		assert.match(
			client,
			/\/\*\*[^/]+\*\/\nexport declare class SolarYieldClient /,
		);
	});
});
