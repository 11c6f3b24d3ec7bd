import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as api from "../../src/index";
import { needs } from "../support/needs";
import { ROOT } from "../support/node-red-process";

const page = readFileSync(join(ROOT, "docs/api.md"), "utf8");
const entry = readFileSync(join(ROOT, "src/index.ts"), "utf8");

describe("docs/api.md", () => {
	it("has a heading for each exported name", () => {
		const lists = [
			...entry.matchAll(/^export (?:type )?\{([^}]+)\}/gm),
		].flatMap(([, list]) => (list as string).split(","));
		const names = lists
			.map((name) => name.replace("type ", "").trim())
			.filter(Boolean);
		assert.ok(names.length > 40);
		for (const name of [...names, ...Object.keys(api)]) {
			assert.match(page, new RegExp(`^#+ ${name}(\\(\\))?$`, "m"));
		}
	});

	it("is what the docstrings say", function () {
		const tool = join(ROOT, "tools/api.cjs");
		const { toolFolder } = require(tool) as {
			toolFolder: () => string | undefined;
		};
		needs(
			this,
			toolFolder() ? "" : "typedoc is not in SOLAR_YIELD_TEST_PACKAGES",
		);
		assert.doesNotThrow(() =>
			execFileSync(process.execPath, [tool, "--check"], { stdio: "pipe" }),
		);
	}).timeout(120_000);
});
