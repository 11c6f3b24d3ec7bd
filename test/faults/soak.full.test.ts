import assert from "node:assert/strict";
import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dice, HOUR } from "../support/house";
import { isLong } from "../support/long";
import { PLANS } from "../support/service/plans";
import { inMemory } from "./harness/folder";
import { assertNoKey, filesText } from "./harness/leaks";
import {
	account,
	catcher,
	forecast,
	KEY,
	placed,
	remove,
	removeInstalled,
	startService,
	TAB,
	userDirectory,
	writeFlows,
} from "./harness/nodes";
import { FaultProxy } from "./harness/proxy";
import { SoakedNodeRed } from "./harness/soaked-node-red";

const START = "2026-06-01T10:02:00Z";
const NODES = 50;
const SITES = 10;
const DAYS = isLong ? 30 : 2;
/** Day whose memory the last one's is held against: by its evening all is loaded. */
const REFERENCE_DAY = isLong ? 2 : 1;
/** Requests of the month: about half of what polling each hour would take. */
const LIMIT = 4_000;

/** What the process holds after a collection. */
interface Held {
	readonly heapUsed: number;
	readonly external: number;
	readonly handles: Readonly<Record<string, number>>;
	/** Timers of the package on its own clock. */
	readonly timers: number;
}

/** What goes wrong now and then. */
const FAULTS: readonly NonNullable<FaultProxy["fault"]>[] = [
	{ early: "reset" },
	{ early: "end" },
	{
		steps: ({ body }) => [
			{
				send: Buffer.from(
					`HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n${body.subarray(0, 200)}`,
				),
			},
			"reset",
		],
	},
	{
		steps: () => [
			{ send: Buffer.from("HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n") },
			"end",
		],
	},
	{
		steps: () => [
			{
				send: Buffer.from("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>"),
			},
			"end",
		],
	},
];

/** The flows of an hour: what a deploy changes goes back and forth. */
const flowsOf = (baseUrl: string, hour: number) => [
	TAB,
	account(baseUrl, { siteId: "site_0", name: `turn ${hour % 2}` }),
	...Array.from({ length: NODES }, (_, index) =>
		forecast(`fc${index}`, [`now${index % 5}`], {
			siteId: `site_${index % SITES}`,
			include: index % 3 ? ["default"] : ["default", "strings"],
			pastDays: String((index + hour) % 2),
			poll: index % 10 === 9 ? "manual" : "auto",
			topic: `place${index % 2}`,
		}),
	),
	...Array.from({ length: 5 }, (_, index) => ({
		id: `now${index}`,
		type: "solar-yield-now",
		z: "tab",
		name: "",
		every: "5",
		wires: [["sink"]],
	})),
	{
		id: "sink",
		type: "function",
		z: "tab",
		func: "return null;",
		outputs: 1,
		wires: [[]],
	},
	catcher(["sink"]),
];

const median = (values: readonly number[]): number =>
	[...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

describe("a busy Node-RED", () => {
	it(`of ${NODES} nodes and ${SITES} sites holds no more after ${DAYS} days of deploys and faults, and is never refused`, async () => {
		const shared = mkdtempSync(join(inMemory, "solar-yield-clock-"));
		const clockFile = join(shared, "now");
		const sites = Array.from({ length: SITES }, (_, index) => `site_${index}`);
		const { server, simulator, forecasts } = await startService(
			{
				...PLANS.unmetered,
				forecastRequests: LIMIT,
				updatesPerDay: 24,
				forecastDays: 0,
				pastDays: 1,
			},
			sites,
			{},
			() => {
				try {
					return Number(readFileSync(clockFile, "utf8")) || Date.parse(START);
				} catch {
					return Date.parse(START);
				}
			},
		);
		const proxy = await FaultProxy.start(Number(new URL(server.url).port));
		const userDir = userDirectory(inMemory);
		const red = await SoakedNodeRed.of(userDir, START, clockFile);
		const random = dice(11);
		const types = ["full", "nodes", "flows"] as const;
		const seen: { day: number; held: Held }[] = [];
		try {
			writeFlows(userDir, flowsOf(proxy.url, 0));
			await red.start();
			for (let hour = 1; hour <= DAYS * 24; hour += 1) {
				proxy.fault =
					random() < 0.15
						? FAULTS[Math.floor(random() * FAULTS.length)]
						: undefined;
				await red.deploy(
					placed(flowsOf(proxy.url, hour)),
					{},
					types[hour % types.length],
				);
				await red.run(HOUR);
				assert.ok(red.running);
				// Several hours of the day, so that no single moment decides.
				if (hour % 24 >= 19) {
					seen.push({
						day: Math.ceil(hour / 24),
						held: await red.held(),
					});
				}
			}
			const of = (day: number, what: (held: Held) => number) =>
				median(seen.filter((it) => it.day === day).map((it) => what(it.held)));
			// Of the rest the number says nothing: messages and requests under way.
			const handles = ({ handles, timers }: Held) =>
				Object.entries(handles)
					.filter(([name]) => /^Timeout$|Wrap$/.test(name))
					.reduce((sum, [, count]) => sum + count, timers);
			const said = seen
				.map(
					({ day, held }) =>
						`day ${day}: ${(held.heapUsed / 1e6).toFixed(1)} MB, ${JSON.stringify(held.handles)}`,
				)
				.join("\n");
			const measures: readonly (readonly [string, (held: Held) => number])[] = [
				["heap", ({ heapUsed }) => heapUsed],
				["memory outside of the heap", ({ external }) => external],
				["handles", handles],
			];
			for (const [name, what] of measures) {
				const [then, now] = [of(REFERENCE_DAY, what), of(DAYS, what)];
				assert.ok(
					now <= then * 1.1,
					`${name} from ${then} to ${now}:\n${said}`,
				);
			}
			// Few enough for the month, and what that allows is used.
			const asked = forecasts();
			assert.ok(asked >= (LIMIT / 30) * DAYS * 0.6, `${asked} requests`);
			assert.ok(asked <= LIMIT, `${asked} requests`);
			const refused = simulator.requests.filter(({ status }) => status === 429);
			assert.equal(refused.length, 0);
			assertNoKey(KEY, red.log, "the log");
			const files = filesText(userDir, (name) =>
				/^(\.?flows_cred|node_modules)/.test(name),
			);
			assertNoKey(KEY, files, "a file");
			assert.doesNotMatch(files, /\.damaged/);
			if (isLong) console.log(`${said}\n${asked} requests of ${LIMIT}`);
		} finally {
			await red.stop();
			await proxy.close();
			await server.close();
			remove(userDir);
			remove(shared);
			removeInstalled();
		}
	}).timeout(isLong ? 3_600_000 : 300_000);
});
