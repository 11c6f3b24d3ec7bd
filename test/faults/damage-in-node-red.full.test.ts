import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { shortPlan } from "../support/house";
import { NodeRed } from "../support/node-red-process";
import { earlyInHour } from "../support/shifted-clock";
import { FILE_DAMAGES } from "./cases/disk";
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

describe("damaged files in a Node-RED", () => {
	const { collector, undo } = collectedSuite();

	it("of forecasts are set aside and said once each, and cost one request each, at once", async () => {
		const sites = FILE_DAMAGES.map((_, index) => `site_${index}`);
		const all = [...sites, "whole"];
		const { server, forecasts } = await startService(shortPlan(1), all);
		const userDir = userDirectory();
		undo.push(
			() => server.close(),
			() => remove(userDir),
		);
		const got = collector.nodes("got", "tab");
		writeFlows(userDir, [
			TAB,
			account(server.url, { reserve: "0" }),
			...all.map((siteId) => forecast(siteId, [got.entry], { siteId })),
			...got.nodes,
		]);
		const start = async () => {
			const red = new NodeRed(userDir, { ...earlyInHour().env });
			undo.push(() => red.stop());
			collector.clear();
			await red.start();
			return red;
		};
		const first = await start();
		await collector.wait("got", all.length);
		assert.equal(forecasts(), all.length);
		await first.stop();
		const folder = join(userDir, "solar-yield");
		for (const name of readdirSync(folder)) {
			if (!/^forecast.*\.json$/.test(name)) continue;
			const file = join(folder, name);
			const content = readFileSync(file);
			// Packed, behind a line with its digest.
			const packed = content.subarray(content.indexOf("\n") + 1);
			const text = gunzipSync(packed).toString();
			const index = sites.findIndex((id) => text.includes(`"${id}"`));
			FILE_DAMAGES[index]?.[1](file);
		}
		const second = await start();
		const again = await collector.wait("got", all.length);
		assert.equal(forecasts(), sites.length + all.length, "one each, at once");
		for (const { solar } of again) {
			assert.equal(solar.cached, solar.site_id === "whole");
		}
		const said = second.log.match(/set aside as .*; /g) ?? [];
		assert.equal(said.length, sites.length, second.log);
		await second.stop();
		const third = await start();
		await collector.wait("got", all.length);
		assert.equal(forecasts(), sites.length + all.length);
		assert.doesNotMatch(third.log, /set aside/);
	}).timeout(120_000);
});
