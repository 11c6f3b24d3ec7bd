// The tests, in three ways:
//
//   npm test            what answers in minutes; installs what is missing, and builds
//   npm run test:full   all of them; `-- --long` runs the long forms, on input drawn anew
//   node tools/test.cjs --rest   what `npm test` leaves to `npm run test:full`
//
// A file that ends in `.full.test.ts` takes long, or needs what a bare machine lacks.
// `npm test -- test/service/quota.test.ts` runs that file alone; other arguments go to
// mocha: `npm test -- --grep quota`.
const { spawnSync } = require("node:child_process");
const {
	existsSync,
	mkdtempSync,
	readdirSync,
	rmSync,
	statSync,
} = require("node:fs");
const { availableParallelism, tmpdir } = require("node:os");
const { join } = require("node:path");
const { root, install } = require("./setup.cjs");
const { require: preload, reporter, timeout } = require("../.mocharc.json");

const WAYS = ["--full", "--rest", "--long"];
const given = process.argv.slice(2);
const [isFull, isRest, isLong] = WAYS.map((it) => given.includes(it));
const args = given.filter((it) => !WAYS.includes(it));
// A file that is not there is mocha's to name, and not a reason to run all.
const isFile = (it) =>
	!it.startsWith("-") && (it.endsWith(".ts") || existsSync(join(root, it)));

/** What starts browsers and Node-REDs comes first: two cores share the rest evenly then. */
const HEAVY = [/\/editor\/browser\//, /\/(process|faults)\//, /\/nodes\//];
const weight = (file) => {
	const place = HEAVY.findIndex((it) => it.test(file));
	return [place < 0 ? HEAVY.length : place, -statSync(join(root, file)).size];
};

function files() {
	const isWanted = (file) =>
		isFull || isRest === file.endsWith(".full.test.ts");
	return readdirSync(join(root, "test"), { recursive: true })
		.map((file) => `test/${file.replaceAll("\\", "/")}`)
		.filter((file) => file.endsWith(".test.ts") && isWanted(file))
		.map((file) => ({ file, weight: weight(file) }))
		.sort((a, b) => a.weight[0] - b.weight[0] || a.weight[1] - b.weight[1])
		.map(({ file }) => file);
}

function step(name, work) {
	const begin = Date.now();
	console.log(`${name} …`);
	work();
	console.log(`${name}: ${Math.round((Date.now() - begin) / 1000)} s`);
}

step("Dependencies", install);
step("Build", () => require("./build.cjs"));
const named = args.filter(isFile);
const chosen = named.length > 0 ? named : files();
// Whatever the tests leave behind goes with this folder.
const temporary = mkdtempSync(join(tmpdir(), "solar-yield-test-"));
console.log(`Tests: ${chosen.length} files …`);
const { status } = spawnSync(
	process.execPath,
	[
		require.resolve("mocha/bin/mocha.js"),
		"--no-config",
		...preload.flatMap((it) => ["--require", it]),
		"--reporter",
		reporter,
		"--timeout",
		String(timeout),
		// Half of the time goes into waiting for browsers and Node-REDs.
		"--parallel",
		"--jobs",
		String(Math.min(availableParallelism() + 1, 4)),
		...args.filter((it) => !isFile(it)),
		...chosen,
	],
	{
		cwd: root,
		stdio: "inherit",
		env: {
			SOLAR_YIELD_SCREENSHOTS: join(root, "artefacts/screenshots"),
			...process.env,
			...(isLong && { SOLAR_YIELD_LONG: "1" }),
			SOLAR_YIELD_TEST_FILES: String(chosen.length),
			TMPDIR: temporary,
			TMP: temporary,
			TEMP: temporary,
		},
	},
);
try {
	rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
} catch {
	// Something that outlives its test may still write there.
}
process.exitCode = status ?? 1;
