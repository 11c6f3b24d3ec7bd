import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/node-red-process";
import {
	sourceImports as imports,
	isSource,
	roomOf,
	sourceFiles,
} from "../support/source-imports";

/** What the files of each room may import of ours. */
const ROOMS: Record<string, readonly string[]> = {
	nodes: [
		"polling",
		"messages",
		"export",
		"battery",
		"v1",
		"forecast",
		"service",
		"simulator",
		"util",
	],
	polling: ["forecast", "service", "util"],
	messages: ["polling", "forecast", "service", "util"],
	export: ["messages", "forecast", "service", "util"],
	battery: ["messages", "forecast", "service", "util"],
	v1: ["forecast", "service", "util"],
	forecast: ["messages", "service", "util"],
	service: ["v1", "util"],
	util: [],
	simulator: ["service", "util"],
	index: ["messages", "forecast", "service", "simulator", "v1"],
};

/** Who alone may import a package of others. */
const PACKAGES: Record<string, RegExp> = {
	axios: /^src\/service\/http\/axios-exchange\.ts$/,
	zod: /^(src\/(service|messages|polling)|nodes)\//,
	luxon: /^src\/(forecast\/zone\.ts$|simulator\/)/,
	suncalc: /^src\/simulator\//,
	"@photostructure/tz-lookup": /^src\/simulator\//,
	// Types alone; they come with Node-RED.
	"node-red": /^nodes\//,
	express: /^nodes\//,
};

describe("imports", () => {
	it("are found", () => {
		assert.ok(imports.length > 300, String(imports.length));
	});

	it("go one way through the rooms", () => {
		const wrong = imports.filter(({ from, to }) => {
			const [room, other] = [roomOf(from), roomOf(to)];
			return isSource(to) && room !== other && !ROOMS[room]?.includes(other);
		});
		assert.deepEqual(wrong, []);
		// The simulator stands for the service: it shares the wire with it alone.
		assert.deepEqual(
			imports.filter(
				({ from, to }) =>
					roomOf(from) === "simulator" &&
					roomOf(to) === "service" &&
					to !== "src/service/http/exchange.ts",
			),
			[],
		);
	});

	it("know Node-RED, axios and luxon in their own places only", () => {
		const wrong = imports.filter(
			({ from, to }) =>
				!isSource(to) && !to.startsWith("node:") && !PACKAGES[to]?.test(from),
		);
		assert.deepEqual(wrong, []);
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

	it("make no ring of files that load each other", () => {
		const next = new Map<string, string[]>();
		for (const { from, to, isType, atOnce } of imports) {
			if (!isType && atOnce && isSource(to)) {
				next.set(from, [...(next.get(from) ?? []), to]);
			}
		}
		const done = new Set<string>();
		const visit = (file: string, path: readonly string[]) => {
			assert.ok(!path.includes(file), [...path, file].join(" → "));
			if (done.has(file)) return;
			for (const other of next.get(file) ?? []) visit(other, [...path, file]);
			done.add(file);
		};
		for (const file of sourceFiles) visit(file, []);
	});
});
