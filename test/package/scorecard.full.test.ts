import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "../support/needs";
import { packedTarball, ROOT } from "../support/node-red-process";
import { packageFolder } from "../support/packages";
import { temporaryFolder } from "../support/temporary";

const VERSION = "0.1.6";

/** Every check of node-red-dev 0.1.6, but P02, which its authors have switched off. */
const CHECKS = "P01 P03 P04 P05 P06 P07 P08 N01 N02 D01 D02 D03".split(" ");

describe("the scorecard of the flow library", () => {
	it("passes every check without a warning", function () {
		const tool = packageFolder("node-red-dev");
		needs(
			this,
			tool ? "" : `node-red-dev@${VERSION} is not in SOLAR_YIELD_TEST_PACKAGES`,
		);
		const folder = temporaryFolder("scorecard");
		const unpacked = spawnSync("tar", ["-xzf", packedTarball()], {
			cwd: folder,
		});
		assert.equal(unpacked.status, 0);
		const path = join(folder, "package");
		symlinkSync(
			join(ROOT, "node_modules"),
			join(path, "node_modules"),
			"junction",
		);
		const output = join(folder, "scorecard.json");
		writeFileSync(output, "");
		const { stdout, stderr } = spawnSync(
			process.execPath,
			[join(tool as string, "bin/run"), "validate", "-p", path, "-o", output],
			{
				env: {
					...process.env,
					NODE_OPTIONS: `--require ${JSON.stringify(join(__dirname, "scorecard-answers.cjs"))}`,
				},
				encoding: "utf8",
				stdio: ["ignore", "pipe", "pipe"],
			},
		);
		const said = `${stdout}\n${stderr}`;
		assert.match(stdout, /Complete/, said);
		assert.doesNotMatch(said, /Warning|Error|Unable to parse/, said);
		const card = JSON.parse(readFileSync(output, "utf8"));
		assert.deepEqual(
			CHECKS.filter((check) => card[check]?.test !== true),
			[],
			said,
		);
		const { "node-red": nodeRed } = JSON.parse(
			readFileSync(join(ROOT, "package.json"), "utf8"),
		);
		// The config node needs no example of its own.
		assert.deepEqual(
			["solar-yield-account", ...card.N02.nodes].sort(),
			Object.keys(nodeRed.nodes).sort(),
		);
	}).timeout(120_000);
});
