import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NodeRed } from "../support/node-red-process";
import { earlyInHour } from "../support/shifted-clock";
import {
	account,
	collectedSuite,
	forecast,
	remove,
	startService,
	TAB,
	userDirectory,
	writeFlows,
} from "./harness/nodes";

describe("the folder of a Node-RED", () => {
	const { collector, undo } = collectedSuite();

	/** A user directory whose flows poll one site. */
	async function place() {
		const { server, forecasts } = await startService();
		const userDir = userDirectory();
		undo.push(
			() => server.close(),
			() => remove(userDir),
		);
		const got = collector.nodes("got", "tab");
		writeFlows(userDir, [
			TAB,
			account(server.url),
			forecast("f", [got.entry]),
			...got.nodes,
		]);
		const start = async (env = {}, settings = {}) => {
			const red = new NodeRed(
				userDir,
				{ ...earlyInHour().env, ...env },
				settings,
			);
			undo.push(() => red.stop());
			collector.clear();
			await red.start();
			await collector.wait("got");
			return red;
		};
		return { userDir, forecasts, start };
	}

	for (const [what, options] of [
		[
			"SOLAR_YIELD_FOLDER",
			(folder: string) => [{ SOLAR_YIELD_FOLDER: folder }],
		],
		[
			"solarYield.folder of settings.js, before that",
			(folder: string) => [
				{ SOLAR_YIELD_FOLDER: join(folder, "..", "never") },
				{ solarYield: { folder } },
			],
		],
	] as [string, (folder: string) => object[]][]) {
		it(`is where it is told to be: ${what}`, async () => {
			const { userDir, forecasts, start } = await place();
			const volume = mkdtempSync(join(tmpdir(), "solar-yield-volume-"));
			undo.push(() => remove(volume));
			const folder = join(volume, "kept");
			const red = await start(...options(folder));
			await red.stop();
			assert.ok(readdirSync(folder).some((name) => /^forecast-/.test(name)));
			assert.ok(!existsSync(join(userDir, "solar-yield")));
			assert.ok(!existsSync(join(volume, "never")));
			await start(...options(folder));
			assert.equal(forecasts(), 1, "the next start finds it there");
			assert.equal(collector.of("got")[0]?.solar.cached, true);
		}).timeout(90_000);
	}

	it("that vanishes between starts is said once, and never at a first start", async () => {
		const { userDir, start } = await place();
		const first = await start();
		assert.doesNotMatch(first.log, /earlier start/);
		await first.stop();
		const second = await start();
		assert.doesNotMatch(second.log, /earlier start/);
		await second.stop();
		rmSync(join(userDir, "solar-yield"), { recursive: true });
		const third = await start();
		const said = third.log.match(
			/was there at an earlier start and is gone.*/g,
		);
		assert.equal(said?.length, 1, third.log);
		assert.match(said?.[0] ?? "", /; .*SOLAR_YIELD_FOLDER/);
		await third.stop();
		const fourth = await start();
		assert.doesNotMatch(fourth.log, /earlier start/);
	}).timeout(90_000);
});
