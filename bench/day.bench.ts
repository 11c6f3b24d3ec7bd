import { setTimeout as wait } from "node:timers/promises";
import { createDemo } from "../src/simulator/demo";
import { PLANS } from "../src/simulator/plans";
import { startSimulatorServer } from "../src/simulator/server";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../src/util/time";
import { Broker } from "../test/support/broker";
import { house, ROUTES } from "./day/house";
import { FastNodeRed, type Held, type Used } from "./fast-node-red";
import { type Figure, rounded } from "./support";

/** How many times faster than the real one the house's clock runs: a day in three minutes. */
const SPEED = 480;
/** The house's time when it starts: a day begins, as the site has it. */
const START = Date.parse("2026-06-10T22:00:00Z");
/** How often readers over HTTP ask, ms of the house. */
const READ_MS = 5 * MINUTE_MS;
/** Until a start is over, after the first forecast, ms. */
const SETTLED_MS = 2000;

/** After which a reader gives up, real ms. */
const READ_TIMEOUT_MS = 20_000;

const MB = 1e6;

interface Day extends Held, Used {
	readonly forecasts: number;
}

/** Lets a house live. */
async function live(
	updatesPerDay: number,
	spanMs: number,
	withOurs: boolean,
): Promise<Day> {
	const begin = Date.now();
	const now = `${START} + (real() - ${begin}) * ${SPEED}`;
	const { simulator, apiKey, siteId } = createDemo(
		() => START + (Date.now() - begin) * SPEED,
	);
	simulator.setPlan(apiKey, { ...PLANS.unmetered, updatesPerDay });
	const server = await startSimulatorServer(simulator);
	const broker = new Broker();
	await broker.start();
	const { flow, others } = house(server.url, siteId, broker, now, SPEED);
	const nodeRed = new FastNodeRed(withOurs ? flow : others, {
		now,
		speed: SPEED,
		keys: { acc: apiKey },
	});
	const forecasts = () =>
		simulator.requests.filter(({ path }) => path.startsWith("/v2/forecast"))
			.length;
	try {
		await nodeRed.start();
		while (withOurs && forecasts() === 0) await wait(100);
		await wait(SETTLED_MS);
		const asked = forecasts();
		const before = await nodeRed.used();
		const end = Date.now() + spanMs / SPEED;
		while (Date.now() < end) {
			await wait(READ_MS / SPEED);
			// Without our nodes nobody answers.
			if (!withOurs) continue;
			for (const route of ROUTES) {
				const answer = await fetch(nodeRed.url + route, {
					signal: AbortSignal.timeout(READ_TIMEOUT_MS),
				});
				const text = await answer.text();
				if (!answer.ok) throw new Error(`${route}: ${answer.status} ${text}`);
			}
		}
		const after = await nodeRed.used();
		return {
			...(await nodeRed.held()),
			cpuMs: after.cpuMs - before.cpuMs,
			writtenBytes: after.writtenBytes - before.writtenBytes,
			writtenFiles: after.writtenFiles - before.writtenFiles,
			forecasts: forecasts() - asked,
		};
	} finally {
		await nodeRed.kill();
		await broker.stop();
		await server.close();
	}
}

/** What a day costs in a house that uses all there is, beside the same Node-RED without us. */
export async function run(quick: boolean): Promise<Figure[]> {
	const spanMs = quick ? 6 * HOUR_MS : DAY_MS;
	const others = await live(24, spanMs, false);
	const figures: Figure[] = [];
	for (const updatesPerDay of quick ? [96] : [24, 96]) {
		const day = await live(updatesPerDay, spanMs, true);
		const of = `, ${updatesPerDay} updates a day`;
		// A quick run is not even a day: it is taken for its part of one.
		const part = spanMs / DAY_MS;
		figures.push(
			{
				name: `CPU of a day${of}`,
				value: rounded((day.cpuMs - others.cpuMs) / 1000 / part),
				target: 10,
				unit: "s",
				note: `${day.forecasts} forecasts; the same Node-RED without our nodes ${rounded(others.cpuMs / 1000 / part)} s`,
			},
			{
				name: `memory after a day${of}`,
				value: rounded((day.heapBytes - others.heapBytes) / MB),
				target: 20,
				unit: "MB",
				note: `more than the same Node-RED without our nodes, which holds ${rounded(others.heapBytes / MB)} MB; pages of the process ${rounded((day.residentBytes - others.residentBytes) / MB)} MB more`,
			},
			{
				name: `written in a day${of}`,
				value: rounded(day.writtenBytes / MB / part),
				target: 20,
				unit: "MB",
				note: `${Math.round(day.writtenFiles / part)} files`,
			},
		);
	}
	return figures;
}
