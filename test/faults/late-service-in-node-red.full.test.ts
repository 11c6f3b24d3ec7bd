import assert from "node:assert/strict";
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Collector } from "../support/collector";
import { DAY, HOUR, shortPlan } from "../support/house";
import {
	type Lag,
	laggedTime,
	lags,
	lateAnswer,
	yieldOf,
} from "../support/late-service";
import { isLong } from "../support/long";
import { Simulator } from "../support/service/simulator";
import { inMemory } from "./harness/folder";
import {
	account,
	catcher,
	forecast,
	KEY,
	remove,
	removeInstalled,
	SITE,
	TAB,
	userDirectory,
	writeFlows,
} from "./harness/nodes";
import { SoakedNodeRed } from "./harness/soaked-node-red";

const START = "2026-06-01T00:05:00Z";
const START_MS = Date.parse(START);
/** Time in which as much happens as in a day of each service. */
const PART_MS = isLong ? DAY : 6 * HOUR;
const PARTS = 6;

/** A service that is late, over HTTP: what it was asked for, and when. */
async function startLate(
	now: () => number,
	updatesPerDay: number,
	lag: Lag,
	isSaid: boolean,
) {
	const stepMs = DAY / updatesPerDay;
	const simulator = new Simulator({
		now: () => laggedTime(now(), stepMs, lag),
	});
	simulator.addAccount({ apiKey: KEY, plan: shortPlan(updatesPerDay) });
	simulator.addSite(KEY, {
		id: SITE,
		name: SITE,
		latitude: 52.52,
		longitude: 13.4,
		strings: [{ id: "str_a", slope: 30, orientation: 180, power_kw: 6 }],
	});
	const asked: { at: number; slot: number }[] = [];
	const server = createServer((request, response) => {
		const { pathname, searchParams } = new URL(request.url ?? "/", "http://x");
		request.resume();
		let answer = simulator.handle({
			method: request.method ?? "GET",
			path: pathname,
			query: searchParams,
			headers: { authorization: request.headers.authorization ?? "" },
			body: "",
		});
		if (pathname.startsWith("/v2/forecast/")) {
			const late = lateAnswer(answer, stepMs, lag, isSaid);
			asked.push({ at: now(), slot: late.slot });
			({ answer } = late);
		}
		const date = new Date(now()).toUTCString();
		response
			.writeHead(answer.status, { ...answer.headers, date })
			.end(answer.body);
	});
	await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
	const { port } = server.address() as AddressInfo;
	return {
		asked,
		url: `http://127.0.0.1:${port}`,
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}

describe("services that are late, polled by a Node-RED", () => {
	const collector = new Collector();
	before(() => collector.start());
	after(async () => {
		await collector.stop();
		removeInstalled();
	});

	it(`bring their forecasts for one request each: in ${(PARTS * PART_MS) / HOUR} h`, async () => {
		const shared = mkdtempSync(join(inMemory, "solar-yield-clock-"));
		const clockFile = join(shared, "now");
		const now = () => {
			try {
				return Number(readFileSync(clockFile, "utf8")) || START_MS;
			} catch {
				return START_MS;
			}
		};
		const cases = await Promise.all(
			[24, 96].flatMap((updatesPerDay) =>
				lags(START_MS, PART_MS).flatMap(([name, lag]) =>
					[true, false].map(async (isSaid) => ({
						name: `${updatesPerDay} a day, late ${name}${isSaid ? "" : ", not said"}`,
						updatesPerDay,
						lag,
						service: await startLate(now, updatesPerDay, lag, isSaid),
					})),
				),
			),
		);
		const userDir = userDirectory(inMemory);
		const red = await SoakedNodeRed.of(userDir, START, clockFile);
		const got = collector.nodes("got", "tab");
		const caught = collector.nodes("caught", "tab");
		try {
			writeFlows(
				userDir,
				[
					TAB,
					...cases.flatMap(({ service }, index) => [
						account(service.url, { id: `acc${index}` }),
						forecast(`f${index}`, [got.entry], {
							account: `acc${index}`,
							topic: `case${index}`,
						}),
					]),
					catcher([caught.entry]),
					...got.nodes,
					...caught.nodes,
				],
				Object.fromEntries(
					cases.map((_, index) => [`acc${index}`, { apiKey: KEY }]),
				),
			);
			await red.start();
			await collector.wait("got", cases.length);
			for (let part = 0; part < PARTS; part += 1) await red.run(PART_MS);
			const losses: string[] = [];
			for (const [
				index,
				{ name, updatesPerDay, lag, service },
			] of cases.entries()) {
				const { asked } = service;
				const there = ((PARTS * PART_MS) / DAY) * updatesPerDay;
				const all = yieldOf(asked, START_MS);
				const learned = yieldOf(asked, START_MS + PART_MS);
				const received = collector
					.of("got")
					.filter(({ topic }) => topic.startsWith(`case${index}/`));
				if (all.forecasts < 0.75 * there || received.length < 0.75 * there) {
					losses.push(
						`${name}: ${all.forecasts} forecasts asked for, ${received.length} received, of ${there}`,
					);
				}
				// Six times is asked for a forecast that is left out: much for a short run.
				const step = DAY / updatesPerDay;
				const inVain = asked.filter(
					({ at }) => lag(Math.floor(at / step) * step) > DAY,
				).length;
				const most = 1.2 * learned.forecasts + (isLong ? 0 : inVain);
				if (inVain > 6) losses.push(`${name}: ${inVain} requests in vain`);
				if (learned.requests > most) {
					losses.push(
						`${name}: ${learned.requests} requests for ${learned.forecasts} forecasts`,
					);
				}
			}
			assert.deepEqual(losses, []);
			assert.deepEqual(collector.of("caught"), []);
		} finally {
			await red.stop();
			for (const { service } of cases) service.close();
			remove(userDir);
			remove(shared);
		}
	}).timeout(isLong ? 3_600_000 : 300_000);
});
