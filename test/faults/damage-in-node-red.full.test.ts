import assert from "node:assert/strict";
import { readdirSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { until } from "../support/broker";
import { shortPlan } from "../support/house";
import { NodeRed } from "../support/node-red-process";
import { earlyInHour } from "../support/shifted-clock";
import { FILE_DAMAGES } from "./cases/disk";
import {
	account,
	collectedSuite,
	forecast,
	KEY,
	remove,
	startService,
	TAB,
	userDirectory,
	writeFlows,
} from "./harness/nodes";

describe("damaged files in a Node-RED", () => {
	const { collector, undo } = collectedSuite();

	/** A Node-RED that polls these sites, of a plan; each start collects anew. */
	async function place(sites: readonly string[], plan = shortPlan(1)) {
		const { simulator, server, forecasts } = await startService(plan, sites);
		const userDir = userDirectory();
		undo.push(
			() => server.close(),
			() => remove(userDir),
		);
		const got = collector.nodes("got", "tab");
		const status = collector.nodes("status", "tab");
		writeFlows(userDir, [
			TAB,
			account(server.url, { siteId: sites[0], reserve: "0" }),
			...sites.map((siteId) => forecast(siteId, [got.entry], { siteId })),
			{
				id: "s",
				type: "status",
				z: "tab",
				name: "",
				scope: [...sites],
				wires: [[status.entry]],
			},
			...got.nodes,
			...status.nodes,
		]);
		const start = async () => {
			const red = new NodeRed(userDir, { ...earlyInHour().env });
			undo.push(() => red.stop());
			collector.clear();
			await red.start();
			return red;
		};
		const folder = join(userDir, "solar-yield");
		const files = (kind: string) =>
			readdirSync(folder)
				.filter((name) => name.startsWith(kind) && name.endsWith(".json"))
				.map((name) => join(folder, name));
		return { simulator, forecasts, start, files };
	}

	it("of forecasts are set aside and said once each, and cost one request each, at once", async () => {
		const sites = FILE_DAMAGES.map((_, index) => `site_${index}`);
		const { forecasts, start, files } = await place([...sites, "whole"]);
		const first = await start();
		await collector.wait("got", sites.length + 1);
		assert.equal(forecasts(), sites.length + 1);
		await first.stop();
		for (const file of files("forecast")) {
			const content = readFileSync(file);
			// Packed, behind a line with its digest.
			const packed = content.subarray(content.indexOf("\n") + 1);
			const text = gunzipSync(packed).toString();
			const index = sites.findIndex((id) => text.includes(`"${id}"`));
			FILE_DAMAGES[index]?.[1](file);
		}
		const second = await start();
		const again = await collector.wait("got", sites.length + 1);
		assert.equal(forecasts(), 2 * sites.length + 1, "one each, at once");
		for (const { solar } of again) {
			assert.equal(solar.cached, solar.site_id === "whole");
		}
		const said = second.log.match(/set aside as .*; /g) ?? [];
		assert.equal(said.length, sites.length, second.log);
		await second.stop();
		const third = await start();
		await collector.wait("got", sites.length + 1);
		assert.equal(forecasts(), 2 * sites.length + 1);
		assert.doesNotMatch(third.log, /set aside/);
	}).timeout(120_000);

	it("of an account keep the stop of a month that is used up: a free read, and no request", async () => {
		const { simulator, forecasts, start, files } = await place(
			["site_0"],
			shortPlan(24, { forecastRequests: 20 }),
		);
		simulator.spend(KEY, 20);
		const isExhausted = () =>
			collector
				.of("status")
				.some(({ status }) => /used up/.test(status?.text ?? ""));
		const first = await start();
		await until("a status that says so", isExhausted);
		const asked = forecasts();
		assert.equal(asked, 1);
		await first.stop();
		const [file] = files("account");
		truncateSync(file as string, 0);
		const reads = simulator.requests.length;
		const second = await start();
		await until("the same status", isExhausted);
		await new Promise((done) => setTimeout(done, 1000));
		assert.equal(forecasts(), asked, "no request to find out");
		assert.ok(simulator.requests.length <= reads + 1);
		assert.equal(second.log.match(/set aside as/g)?.length, 1, second.log);
	}).timeout(120_000);
});
