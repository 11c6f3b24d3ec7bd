// `npm test`: installs what is missing, builds, runs all tests.
// `npm test -- test/service/quota.test.ts` runs that file alone; other arguments
// go to mocha: `npm test -- --grep quota`. `--full` runs the long forms as well.
const { spawnSync } = require("node:child_process");
const { existsSync, mkdtempSync, rmSync } = require("node:fs");
const { availableParallelism, tmpdir } = require("node:os");
const { join } = require("node:path");
const { root, install } = require("./setup.cjs");
const {
	require: preload,
	spec,
	reporter,
	timeout,
} = require("../.mocharc.json");

const args = process.argv.slice(2).filter((it) => it !== "--full");
// A file that is not there is mocha's to name, and not a reason to run all.
const isFile = (it) =>
	!it.startsWith("-") && (it.endsWith(".ts") || existsSync(join(root, it)));
if (process.argv.includes("--full")) process.env.SOLAR_YIELD_FULL = "1";

install();
require("./build.cjs");
// Whatever the tests leave behind goes with this folder.
const temporary = mkdtempSync(join(tmpdir(), "solar-yield-test-"));
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
		...(args.some(isFile) ? args.filter(isFile) : spec),
	],
	{
		cwd: root,
		stdio: "inherit",
		env: {
			SOLAR_YIELD_SCREENSHOTS: join(root, "artefacts/screenshots"),
			...process.env,
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
