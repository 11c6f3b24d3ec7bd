// What every tool needs first: the dependencies of the lockfile, installed once.
const { existsSync } = require("node:fs");
const { execFileSync } = require("node:child_process");
const { join } = require("node:path");

const root = join(__dirname, "..");

/** Runs npm, whatever the system calls it. */
function npm(args, options = {}) {
	return execFileSync("npm", args, {
		cwd: root,
		stdio: "inherit",
		shell: process.platform === "win32",
		...options,
	});
}

/** Installs the dependencies where they are missing. */
function install() {
	if (!existsSync(join(root, "node_modules/.package-lock.json"))) {
		npm(["ci", "--no-audit", "--no-fund"]);
	}
}

module.exports = { root, npm, install };
