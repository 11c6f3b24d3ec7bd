import assert from "node:assert/strict";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { installedUserDir, type NodeRed } from "../support/node-red-process";
import { KEPT, UpgradeWorld, USER_DIR } from "./upgrade/world";

/** Two minutes after the older version was stopped: long before the next forecast. */
const PAUSE_MS = 120_000;

describe("an upgrade from the first version, with a running flow", () => {
	const writtenAt = Number(readFileSync(join(USER_DIR, "written-at"), "utf8"));
	const world = new UpgradeWorld(writtenAt + PAUSE_MS - Date.now());
	let userDir: string;
	let red: NodeRed;

	before(async function () {
		this.timeout(180_000);
		userDir = installedUserDir();
		for (const name of KEPT) {
			cpSync(join(USER_DIR, name), join(userDir, name), { recursive: true });
		}
		await world.start();
		red = world.nodeRed(userDir);
		await red.start();
	});
	after(async () => {
		await red?.stop();
		await world.stop();
	});

	it("goes on with the stored forecast: no request, nothing to do by hand", async () => {
		const [msg] = await world.collector.wait("one");
		assert.equal(msg?.topic, "solar-yield/site_barn/forecast");
		assert.equal(msg?.solar.cached, true);
		assert.equal(msg?.solar.stale, false);
		assert.ok(Date.parse(msg?.solar.computed_at) <= writtenAt);
		assert.ok(Date.parse(msg?.solar.next_request_at) > writtenAt + PAUSE_MS);
		assert.deepEqual(
			{ used: msg?.quota.used, own: msg?.quota.own },
			{ used: 1, own: 1 },
		);
		await world.collector.wait("two", 2);
		await world.collector.wait("three");
		const [said] = await world.collector.wait("status", 1, ({ status }) =>
			/kWh today · next [\d: -]+$/.test(status.text),
		);
		assert.equal(said?.status.fill, "green");
		// A click and a deploy of everything cost nothing either.
		await red.inject("press");
		await world.collector.wait("one", 2);
		const { flows } = (await (
			await fetch(`${red.url}/flows`, {
				headers: { "Node-RED-API-Version": "v2" },
			})
		).json()) as { flows: object[] };
		await red.deploy(flows);
		await world.collector.wait("one", 3);
		assert.deepEqual(world.collector.of("caught"), []);
		assert.equal(world.requests, 0);
		assert.doesNotMatch(red.log, /damaged|set aside|error/i);
	}).timeout(60_000);
});
