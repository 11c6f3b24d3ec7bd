import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { ROOT } from "../support/node-red-process";

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
	service: ["util"],
	util: [],
	simulator: ["service", "util"],
	index: ["messages", "forecast", "service", "simulator"],
};

/** Who alone may import a package of others. */
const PACKAGES: Record<string, RegExp> = {
	axios: /^src\/service\/http\/axios-exchange\.ts$/,
	zod: /^(src\/(service|messages|polling)|nodes)\//,
	suncalc: /^src\/simulator\//,
	"@photostructure/tz-lookup": /^src\/simulator\//,
	// Types alone; they come with Node-RED.
	"node-red": /^nodes\//,
	express: /^nodes\//,
};

/** What the simulator loads for as long as it is there. */
const MAY_BE_GONE = "./v1/routes";

interface Import {
	readonly from: string;
	/** A file of ours, or the name of a package. */
	readonly to: string;
	readonly isType: boolean;
	/** Whether it is loaded with the file, and not later. */
	readonly atOnce: boolean;
}

const files = ["src", "nodes"]
	.flatMap((folder) =>
		readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map(
			(file) => `${folder}/${file.split(sep).join("/")}`,
		),
	)
	.filter((file) => file.endsWith(".ts"))
	.sort();
const known = new Set(files);

const roomOf = (file: string) =>
	/^src\/index\.ts$/.test(file)
		? "index"
		: file.replace(/^src\//, "").split("/")[0];

function importsOf(file: string): Import[] {
	const text = readFileSync(join(ROOT, file), "utf8");
	const found =
		/^(?:import|export) (type )?(?:[^"';]*? from )?"([^"]+)";|\b(require|import)\("([^"]+)"\)/gms;
	return [...text.matchAll(found)].flatMap(([, type, fixed, call, later]) => {
		const path = (fixed ?? later) as string;
		const base = path.startsWith(".")
			? relative(ROOT, join(ROOT, dirname(file), path))
					.split(sep)
					.join("/")
			: undefined;
		const ours =
			base && [`${base}.ts`, `${base}/index.ts`].find((it) => known.has(it));
		if (!ours && path === MAY_BE_GONE) return [];
		assert.ok(!base || ours, `${file} imports ${path}, which is not there`);
		return [
			{
				from: file,
				to: ours ?? path,
				isType: type !== undefined,
				atOnce: call === undefined,
			},
		];
	});
}

const imports = files.flatMap(importsOf);

describe("imports", () => {
	it("are found", () => {
		assert.ok(imports.length > 300, String(imports.length));
	});

	it("go one way through the rooms", () => {
		const wrong = imports.filter(({ from, to }) => {
			const [room, other] = [roomOf(from), roomOf(to)];
			return (
				known.has(to) &&
				room !== other &&
				!ROOMS[room ?? ""]?.includes(other ?? "")
			);
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

	it("know Node-RED, axios and zod in their own places only", () => {
		const wrong = imports.filter(
			({ from, to }) =>
				!known.has(to) && !to.startsWith("node:") && !PACKAGES[to]?.test(from),
		);
		assert.deepEqual(wrong, []);
	});

	it("load what package.json lists as dependencies, and all of it", () => {
		const { dependencies } = JSON.parse(
			readFileSync(join(ROOT, "package.json"), "utf8"),
		);
		const loaded = imports
			.filter(({ to, isType }) => !isType && !known.has(to))
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
			if (!isType && atOnce && known.has(to)) {
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
		for (const file of files) visit(file, []);
	});
});
