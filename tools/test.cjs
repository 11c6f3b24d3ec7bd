// `npm test`: installs what is missing, builds, runs all tests.
// Arguments go to mocha: `npm test -- --grep quota`.
const { spawnSync } = require("node:child_process");
const { root, install } = require("./setup.cjs");

install();
require("./build.cjs");
const { status } = spawnSync(
	process.execPath,
	[require.resolve("mocha/bin/mocha.js"), ...process.argv.slice(2)],
	{ cwd: root, stdio: "inherit" },
);
process.exitCode = status ?? 1;
