import { setTimeout as wait } from "node:timers/promises";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../src/util/time";
import { Broker } from "../test/support/broker";
import { startSimulatorServer } from "../test/support/service/server";
import { house, ROUTES } from "./day/house";
import { BenchNodeRed, fastClock, timeOf } from "./node-red";
import { type Figure, rounded, serviceOf } from "./support";

/** How many times faster than the real one the house's clock runs: a day in three minutes. */
const SPEED = 480;
/** The house's time when it starts: a day begins, as the site has it. */
const START = Date.parse("2026-06-10T22:00:00Z");
/** How often readers over HTTP ask, ms of the house. */
const READ_MS = 5 * MINUTE_MS;
/** How long the house lives before its day begins, until code is compiled: a process lives for weeks. */
const WARM_MS = HOUR_MS;
/** CPU seconds of a day, by updates. */
const MOST_CPU = { 24: 20, 96: 30 } as const;
const MOST_MB = 20;

interface Used {
	readonly cpuMs: number;
	readonly writtenBytes: number;
}

/** Lets a house live for so long, by its clock, with nodes of ours or without. */
async function live(updatesPerDay: number, spanMs: number, withOurs: boolean) {
	const clock = fastClock(START, SPEED);
	const service = serviceOf(2, () => timeOf(clock), updatesPerDay);
	const server = await startSimulatorServer(service);
	const broker = new Broker();
	await broker.start();
	const { ours, others } = house(server.url, broker, clock);
	const running = await BenchNodeRed.start(
		[...others, ...(withOurs ? ours : [])],
		clock,
	);
	const forecasts = () =>
		service.requests.filter(({ path }) => path.startsWith("/v2/forecast"))
			.length;
	/** Reads what there is to read. */
	const pass = async (ms: number) => {
		const end = Date.now() + ms / SPEED;
		while (Date.now() < end) {
			await wait(READ_MS / SPEED);
			for (const route of withOurs ? ROUTES : []) {
				const answer = await fetch(running.nodeRed.url + route);
				if (!answer.ok) throw new Error(`${route}: ${await answer.text()}`);
			}
		}
	};
	try {
		while (withOurs && forecasts() === 0) await wait(100);
		await wait(2000);
		await pass(WARM_MS);
		const asked = forecasts();
		const before = await running.ask<Used>("used");
		await pass(spanMs);
		const after = await running.ask<Used>("used");
		return {
			forecasts: forecasts() - asked,
			seconds: ((after.cpuMs - before.cpuMs) / 1000) * (DAY_MS / spanMs),
			writtenMB:
				((after.writtenBytes - before.writtenBytes) / 1e6) * (DAY_MS / spanMs),
			heapMB: (await running.ask<number>("held")) / 1e6,
		};
	} finally {
		await running.nodeRed.stop("SIGKILL");
		await broker.stop();
		await server.close();
	}
}

/** What a day costs in a house that uses all there is, beyond the same Node-RED without our nodes. */
export async function run(quick: boolean): Promise<Figure[]> {
	const alone = await live(24, 4 * HOUR_MS, false);
	const figures: Figure[] = [];
	for (const updates of quick ? ([96] as const) : ([24, 96] as const)) {
		const day = await live(updates, quick ? 6 * HOUR_MS : DAY_MS, true);
		const figure = (
			name: string,
			value: number,
			target: number,
			unit: string,
		) => ({
			name: `${name}, ${updates} updates a day`,
			value: rounded(value),
			target,
			unit,
		});
		figures.push(
			{
				...figure(
					"CPU of a day",
					day.seconds - alone.seconds,
					MOST_CPU[updates],
					"s",
				),
				note: `the whole process ${rounded(day.seconds)} s, ${day.forecasts} forecasts`,
			},
			{
				...figure(
					"memory after a day",
					day.heapMB - alone.heapMB,
					MOST_MB,
					"MB",
				),
				note: `without our nodes ${rounded(alone.heapMB)} MB`,
			},
			{
				...figure("written in a day", day.writtenMB, MOST_MB, "MB"),
				note: "contents of files",
			},
		);
	}
	return figures;
}
