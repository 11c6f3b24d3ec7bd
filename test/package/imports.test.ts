import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { ROOT } from "../support/node-red-process";
import {
	type Import,
	sourceImports as imports,
	importsOf,
	isSource,
	pollingPartOf,
	roomOf,
	sourceFiles as sources,
	testFiles as tests,
} from "../support/source-imports";

/** Who alone may import a package of others. */
const PACKAGES: Record<string, RegExp> = {
	axios: /^src\/service\/http\/axios-exchange\.ts$/,
	"https-proxy-agent": /^src\/service\/http\/axios-exchange\.ts$/,
	"proxy-from-env": /^src\/service\/http\/axios-exchange\.ts$/,
	zod: /^(src\/(service|messages|polling|battery|export|window|prices|learn|simulator)|nodes)\//,
	suncalc: /^src\/(simulator|learn)\//,
	luxon: /^src\/(util\/zone\.ts$|simulator\/)/,
	// Types alone; they come with Node-RED.
	"node-red": /^nodes\//,
	express: /^nodes\//,
};

/** Who alone may touch the disk and the network, by modules of Node.js. */
const OUTSIDE: readonly (readonly [module: RegExp, user: RegExp])[] = [
	[
		/^node:fs/,
		/^(src\/util\/disk\/|src\/polling\/storage\/account-files|src\/service\/http\/user-agent\.ts$|nodes\/)/,
	],
	[/^node:(http|https|net|tls|dns)$/, /^src\/service\/http\//],
];

/** Most files of a folder of `src/`, folders within it not counted. */
const MOST_FILES = 12;

const ours = imports.filter(({ to }) => isSource(to));
const isIn = (folder: string) => (file: string) => file.startsWith(folder);
/** The folder of `nodes/` that a file is in. */
const nodeOf = (file: string) => file.split("/")[1] as string;
const isAbove = (file: string) => /^nodes\/[^/]+\.ts$/.test(file);
const folderOf = (file: string) => file.slice(0, file.lastIndexOf("/"));
const line = ({ from, to }: Import) => `${from} → ${to}`;

describe("imports", () => {
	it("are found", () => {
		assert.ok(imports.length > 300, String(imports.length));
		assert.ok(ours.some(({ isType }) => isType));
		assert.ok(
			ours.some(
				({ from, to }) => /registration/.test(from) && /node\.ts/.test(to),
			),
		);
	});

	it("of the demo share the wire with the service alone, for which it stands", () => {
		const wrong = ours.filter(
			({ from, to }) =>
				roomOf(from) === "simulator" &&
				roomOf(to) === "service" &&
				to !== "src/service/http/exchange.ts",
		);
		assert.deepEqual(wrong.map(line), []);
	});

	it("go one way through export: its own files, then formats that know nothing of each other, then the source", () => {
		const roomIn = (file: string) =>
			file.startsWith("src/export/")
				? (/^src\/export\/(?:(.*)\/)?/.exec(file)?.[1] ?? "")
				: undefined;
		const whole = ["index", "table", "documents", "options"].map(
			(name) => `src/export/${name}.ts`,
		);
		const wrong = ours.filter(({ from, to }) => {
			const [room, other] = [roomIn(from), roomIn(to)];
			if (!room || other === undefined || room === other) return false;
			return room === "source" || other
				? other !== "source"
				: whole.includes(to);
		});
		assert.deepEqual(wrong.map(line), []);
	});

	it("know Node-RED, axios, zod and luxon in their own places only", () => {
		const wrong = imports.filter(
			({ from, to }) =>
				!isSource(to) && !to.startsWith("node:") && !PACKAGES[to]?.test(from),
		);
		assert.deepEqual(wrong.map(line), []);
	});

	it("reach disk and network in their own places only", () => {
		const wrong = imports.filter(({ from, to }) =>
			OUTSIDE.some(([module, user]) => module.test(to) && !user.test(from)),
		);
		assert.deepEqual(wrong.map(line), []);
		// Each rule is about something.
		for (const [module] of OUTSIDE) {
			assert.ok(
				imports.some(({ to }) => module.test(to)),
				String(module),
			);
		}
	});

	it("of a node are of its own folder and of shared/, whose own are of no node's", () => {
		const wrong = ours.filter(
			({ from, to }) =>
				roomOf(from) === "nodes" &&
				roomOf(to) === "nodes" &&
				// What stands above the folders is of all nodes.
				!isAbove(from) &&
				![nodeOf(from), "shared"].includes(nodeOf(to)),
		);
		assert.deepEqual(wrong.map(line), []);
	});

	it("of nodes behind a forecast are of no poller: they work from messages alone", () => {
		const behind = /^nodes\/(now|export|sum|window|learn|battery)\//;
		const wrong = ours.filter(
			({ from, to }) => behind.test(from) && isIn("src/polling/")(to),
		);
		assert.deepEqual(wrong.map(line), []);
	});

	it("load what package.json lists as dependencies, and all of it", () => {
		const { dependencies } = JSON.parse(
			readFileSync(join(ROOT, "package.json"), "utf8"),
		);
		const loaded = imports
			.filter(({ to, isType }) => !isType && !isSource(to))
			.map(({ to }) => to)
			.filter((name) => !name.startsWith("node:"));
		assert.deepEqual(
			[...new Set(loaded)].sort(),
			Object.keys(dependencies).sort(),
		);
	});

	for (const [what, partOf] of [
		// Types, too, and what is loaded later: no file can be understood before itself.
		["files", (file: string) => file],
		["rooms", roomOf],
		["parts of polling", pollingPartOf],
	] as const) {
		it(`make no ring of ${what}`, () => {
			const next = new Map<string, Set<string>>();
			for (const { from, to } of ours) {
				const [part, other] = [partOf(from), partOf(to)];
				if (!part || !other || part === other) continue;
				next.set(part, (next.get(part) ?? new Set()).add(other));
			}
			assert.ok(next.size > 4, String(next.size));
			const done = new Set<string>();
			const visit = (part: string, path: readonly string[]) => {
				assert.ok(!path.includes(part), [...path, part].join(" → "));
				if (done.has(part)) return;
				for (const other of next.get(part) ?? []) {
					visit(other, [...path, part]);
				}
				done.add(part);
			};
			for (const part of next.keys()) visit(part, []);
		});
	}

	it("of tests and benchmarks are of the sources and test/support, not of each other", () => {
		const wrong = tests
			.flatMap(importsOf)
			.filter(({ to }) => /^(test|bench)\//.test(to))
			.filter(({ from, to }) => {
				if (isIn("test/support/")(to)) return false;
				const side = from.split("/")[0] as string;
				return isIn("test/support/")(from) || !isIn(`${side}/`)(to);
			});
		assert.deepEqual(wrong.map(line), []);
	});
});

describe("the sources", () => {
	it("stand in folders that can be seen at a glance", () => {
		const counts = new Map<string, number>();
		for (const file of sources.filter(isIn("src/"))) {
			counts.set(folderOf(file), (counts.get(folderOf(file)) ?? 0) + 1);
		}
		const large = [...counts].filter(([, count]) => count > MOST_FILES);
		assert.deepEqual(large, []);
	});

	it("give each name to one thing", () => {
		const places = new Map<string, string[]>();
		// What dialogs have in place of a file has its names.
		for (const file of sources.filter((it) => !it.endsWith(".editor.ts"))) {
			const text = readFileSync(join(ROOT, file), "utf8");
			const names = text.matchAll(
				/^export (?:async )?(?:const|let|function|class|interface|type) (\w+)/gm,
			);
			for (const [, name = ""] of names) {
				places.set(name, [...(places.get(name) ?? []), file]);
			}
		}
		assert.ok(places.size > 800, String(places.size));
		const alike = [...places].filter(([, files]) => new Set(files).size > 1);
		assert.deepEqual(alike, []);
	});

	it("compile without the nodes and without Node-RED's types", () => {
		const compiler = join(
			dirname(require.resolve("typescript/package.json")),
			"bin/tsc",
		);
		const listed = execFileSync(
			process.execPath,
			[compiler, "-p", "tsconfig.src.json", "--listFiles"],
			{ cwd: ROOT, encoding: "utf8" },
		)
			.split("\n")
			.map((file) => file.trim().split(sep).join("/"));
		const root = ROOT.split(sep).join("/").replace(/\/$/, "");
		for (const file of sources.filter(isIn("src/"))) {
			assert.ok(listed.includes(`${root}/${file}`), file);
		}
		assert.deepEqual(
			listed.filter((file) => /\/nodes\/|node-red\/|@types\/mocha/.test(file)),
			[],
		);
	});
});
