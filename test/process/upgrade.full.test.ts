import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { installedUserDir, type NodeRed } from "../support/node-red-process";
import { type ShiftedClock, shiftedClock } from "../support/shifted-clock";
import { KEPT, UpgradeWorld, USER_DIRS } from "./upgrade/world";

/** Two minutes after the older version was stopped: long before the next forecast. */
const PAUSE_MS = 120_000;

/** The first release kept what it knew of sites in the account's file; later ones have a file per site. */
const RECORDED = ["sites-in-account-file", "file-per-site"];

describe("an upgrade with a running flow", () => {
	it("is tried from every form that the files have had", () => {
		assert.deepEqual(readdirSync(USER_DIRS).sort(), [...RECORDED].sort());
	});

	for (const name of RECORDED) {
		describe(`from ${name}`, () => {
			const recorded = join(USER_DIRS, name);
			const writtenAt = Number(
				readFileSync(join(recorded, "written-at"), "utf8"),
			);
			const hasHistory = /"solar-yield-history"/.test(
				readFileSync(join(recorded, "flows.json"), "utf8"),
			);
			let clock: ShiftedClock;
			let world: UpgradeWorld;
			let userDir: string;
			let red: NodeRed;

			before(async function () {
				this.timeout(180_000);
				userDir = installedUserDir();
				for (const kept of KEPT) {
					cpSync(join(recorded, kept), join(userDir, kept), {
						recursive: true,
					});
				}
				clock = shiftedClock(writtenAt + PAUSE_MS - Date.now());
				world = new UpgradeWorld(clock);
				await world.start();
				red = world.nodeRed(userDir);
				await red.start();
			});
			after(async () => {
				await red?.stop();
				await world?.stop();
			});

			it("goes on with the stored forecast: no request, nothing to do by hand", async () => {
				const [msg] = await world.collector.wait("one");
				assert.equal(msg?.topic, "solar-yield/site_barn/forecast");
				assert.equal(msg?.solar.cached, true);
				assert.equal(msg?.solar.stale, false);
				assert.ok(Date.parse(msg?.solar.computed_at) <= writtenAt);
				assert.ok(
					Date.parse(msg?.solar.next_request_at) > writtenAt + PAUSE_MS,
				);
				assert.deepEqual(
					{ used: msg?.quota.used, own: msg?.quota.own },
					{ used: 1, own: 1 },
				);
				await world.collector.wait("two", 2);
				await world.collector.wait("three");
				const [said] = await world.collector.wait("status", 1, ({ status }) =>
					/kWh today · next [\w:, -]+$/.test(status.text),
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

			if (hasHistory) {
				it("answers days that are over from disk, and Home Assistant keeps its entities", async () => {
					await red.inject("press-past");
					const [past] = await world.collector.wait("past");
					assert.equal(past?.solar.cached, true);
					const [device] = await world.collector.wait(
						"assistant",
						1,
						({ topic }) => topic.endsWith("/config"),
					);
					assert.ok(device?.payload.components ?? device?.payload.cmps);
					const readOwn = (folder: string, name: string) =>
						JSON.parse(readFileSync(join(folder, "solar-yield", name), "utf8"));
					const entitiesOf = (sites: object): string[] =>
						Object.keys(Object.values<any>(sites)[0].entities);
					// Kept by the node's id from now on, of which there is one.
					const [own] = Object.values<object>(
						readOwn(userDir, "published.json").nodes,
					);
					const entities = entitiesOf(own as object);
					const first = readOwn(recorded, "home-assistant.json");
					const before = entitiesOf(first.prefixes.homeassistant);
					assert.ok(before.length > 20);
					assert.deepEqual(
						before.filter((entity) => !entities.includes(entity)),
						[],
					);
					assert.equal(world.requests, 0);
				}).timeout(60_000);
			}
		});
	}
});
