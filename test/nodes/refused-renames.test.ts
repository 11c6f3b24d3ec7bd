import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import fs from "node:fs/promises";
import { join } from "node:path";
import helper from "node-red-node-test-helper";
import { Flows } from "../support/flows";

describe("a virus scanner that has a file open, in Node-RED", () => {
	const { rename } = fs;
	let flows: Flows;

	beforeEach(async () => {
		flows = new Flows("2026-06-10T09:01:00Z", "light");
		await flows.start();
	});
	afterEach(async () => {
		fs.rename = rename;
		await flows.stop();
	});

	for (const code of ["EPERM", "EBUSY", "EACCES"]) {
		it(`for a moment (${code}): all is kept, and nothing said`, async () => {
			const attempts = new Map<unknown, number>();
			// Of each file the first two attempts are refused.
			fs.rename = async (from, to) => {
				const count = (attempts.get(from) ?? 0) + 1;
				attempts.set(from, count);
				if (count <= 2) throw Object.assign(new Error(code), { code });
				return rename(from, to);
			};
			await flows.load([
				flows.account(),
				...flows.forecast("f"),
				...Flows.catchNode,
			]);
			await flows.hub?.flush();
			const kept = readdirSync(join(flows.userDir, "solar-yield"))
				.filter((name) => name.endsWith(".json"))
				.map((name) => name.split("-")[0])
				.sort();
			assert.deepEqual(kept, ["account", "forecast", "site"]);
			assert.ok(Math.min(...attempts.values()) >= 3 && attempts.size >= 3);
			assert.deepEqual(flows.of("caught"), []);
			const said = (helper.log() as any).args
				.flat()
				.filter(({ type }: any) => /^solar-yield/.test(type));
			assert.deepEqual(said, []);
			assert.equal(flows.of("f-1").length, 1);
		});
	}
});
