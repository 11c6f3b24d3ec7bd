// `node tools/node-reds.cjs node-red@5 node@22`: installs versions of Node-RED
// and Node.js for the tests into the folder that SOLAR_YIELD_NODE_REDS names,
// each into one of its own (`node-red-5`, `node-22`). What is there stays.
const { execFileSync } = require("node:child_process");
const {
	existsSync,
	mkdirSync,
	mkdtempSync,
	renameSync,
	rmSync,
	writeFileSync,
} = require("node:fs");
const { join } = require("node:path");
const { npm } = require("./setup.cjs");

/** What must be there of a package, below `node_modules`. */
const PROOFS = { "node-red": "node-red/red.js", node: "node/bin/node" };

/** Installs beside its place and moves it there, as others may do the same now. */
function install(folder, argument) {
	const [, name, version] = /^(node-red|node)@([\w.-]+)$/.exec(argument) ?? [];
	if (!name) {
		throw new Error(`${argument}: name node-red@VERSION or node@MAJOR`);
	}
	const place = join(folder, `${name}-${version}`);
	const proof = (root) => join(root, "node_modules", PROOFS[name]);
	if (existsSync(proof(place))) return;
	const draft = mkdtempSync(join(folder, `.${name}-${version}-`));
	try {
		writeFileSync(join(draft, "package.json"), '{ "private": true }\n');
		npm(
			[
				"install",
				"--silent",
				"--no-audit",
				"--no-fund",
				// The package `node` fetches its binary in a script.
				"--ignore-scripts=false",
				argument,
			],
			{ cwd: draft, stdio: ["ignore", "ignore", "inherit"] },
		);
		if (!existsSync(proof(draft))) {
			throw new Error(`${argument}: installed without ${PROOFS[name]}`);
		}
		if (name === "node") execFileSync(proof(draft), ["--version"]);
		try {
			renameSync(draft, place);
		} catch (error) {
			// Another process was first.
			if (!existsSync(proof(place))) throw error;
		}
	} finally {
		rmSync(draft, { recursive: true, force: true });
	}
}

const folder = process.env.SOLAR_YIELD_NODE_REDS;
if (!folder) {
	console.error("SOLAR_YIELD_NODE_REDS must name a folder");
	process.exitCode = 1;
} else {
	mkdirSync(folder, { recursive: true });
	for (const argument of process.argv.slice(2)) {
		try {
			install(folder, argument);
		} catch (error) {
			console.error(error.message);
			process.exitCode = 1;
		}
	}
}
