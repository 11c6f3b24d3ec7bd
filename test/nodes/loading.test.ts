import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";

const ROOT = join(__dirname, "../..");
/** Files that register a type, as built. */
const files = readdirSync(join(ROOT, "dist/nodes"))
	.filter((file) => /^solar-yield-\w+\.js$/.test(file))
	.map((file) => join(ROOT, "dist/nodes", file));
/**
 * Calls the module function of each node in a Node.js process that has loaded
 * nothing else, as Node-RED does at its start, then does some more.
 *
 * @param more JavaScript that may use `open(type, config)`, which makes a node
 * @returns the files that were loaded by then
 */
async function loaded(more = ""): Promise<string[]> {
	const script = `
		const types = new Map();
		const nothing = () => {};
		const RED = {
			nodes: {
				registerType: (type, make) => types.set(type, make),
				createNode: (node, config) => Object.assign(node, {
					id: "node",
					credentials: { apiKey: "no-real-key" },
					on: nothing, status: nothing, warn: nothing,
				}),
				getNode: () => null,
			},
			auth: { needsPermission: () => nothing },
			httpAdmin: { get: nothing, post: nothing },
			events: { on: nothing, once: nothing, removeListener: nothing },
			// Below a file there is no folder to be made.
			settings: { userDir: ${JSON.stringify(__filename)} },
			_: (key) => key,
		};
		for (const file of ${JSON.stringify(files)}) require(file)(RED);
		const open = (type, config) => Reflect.construct(types.get(type), [config]);
		${more}
		process.stdout.write(
			JSON.stringify({ types: [...types.keys()], files: Object.keys(require.cache) }),
			() => process.exit(),
		);`;
	const { stdout } = await promisify(execFile)(process.execPath, [
		...["--eval", script],
	]);
	const found = JSON.parse(stdout) as { types: string[]; files: string[] };
	assert.equal(found.types.length, files.length, "each node file registers");
	return found.files;
}

/** Which of the packages that take time to load are among files. */
const heavy = (files: readonly string[]) =>
	["axios", "zod", "luxon", "suncalc", "tz-lookup"].filter((name) =>
		files.some((file) =>
			new RegExp(`node_modules[\\\\/](@[^\\\\/]+[\\\\/])?${name}[\\\\/]`).test(
				file,
			),
		),
	);

describe("loading", () => {
	const parts = (files: readonly string[]) =>
		files
			.map((file) => relative(join(ROOT, "dist"), file))
			.filter((file) => /^nodes[\\/]node\.js$/.test(file));

	it("of all nodes brings their own files alone", async () => {
		const files = await loaded();
		assert.deepEqual(heavy(files), []);
		assert.deepEqual(parts(files), []);
	});

	it("of an account brings neither HTTP nor simulator", async () => {
		const files = await loaded(
			`open("solar-yield-account", { baseUrl: "http://127.0.0.1:9" });`,
		);
		assert.deepEqual(heavy(files), ["zod", "luxon"]);
		assert.equal(parts(files).length, 1);
	});

	it("of the demo account brings the simulator and no HTTP", async () => {
		const files = await loaded(`open("solar-yield-account", { demo: true });`);
		assert.ok(!heavy(files).includes("axios"));
		assert.equal(parts(files).length, 1);
	});
});
