import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/node-red-process";

describe("tools/where.cjs", () => {
	it("says which lines of the sources a trace of the built package means", () => {
		const built = JSON.stringify(join(ROOT, "dist/src/index.js"));
		const trace = execFileSync(
			process.execPath,
			[
				"--eval",
				`try { require(${built}).httpExchange("nowhere", "no-real-key"); } catch (error) { console.log(error.stack); }`,
			],
			{ encoding: "utf8" },
		);
		assert.match(trace, /dist[\\/]lib\.js:1:\d+/);
		const told = execFileSync(
			process.execPath,
			[join(ROOT, "tools/where.cjs")],
			{ input: trace, encoding: "utf8" },
		);
		const line = /src\/service\/transport\.ts:(\d+):/.exec(told)?.[1];
		const source = readFileSync(join(ROOT, "src/service/transport.ts"), "utf8");
		assert.match(
			source.split("\n")[Number(line) - 1] as string,
			/throw new SolarYieldError\(/,
		);
		assert.doesNotMatch(told, /lib\.js/);
	}).timeout(60_000);
});
