import { setTimeout as wait } from "node:timers/promises";
import { createDemo } from "../src/simulator/demo";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../src/util/time";
import { Broker } from "../test/support/broker";
import { PLANS } from "../test/support/service/plans";
import { startSimulatorServer } from "../test/support/service/server";
import { house, ROUTES } from "./day/house";
import { FastNodeRed, type Held, type Sent, type Used } from "./fast-node-red";
import { type Figure, rounded } from "./support";

/** How many times faster than the real one the house's clock runs: a day in three minutes. */
const SPEED = 480;
/** The house's time when it starts: a day begins, as the site has it. */
const START = Date.parse("2026-06-10T22:00:00Z");
/** How often readers over HTTP ask, ms of the house. */
const READ_MS = 5 * MINUTE_MS;
/** Until a start is over, after the first forecast, ms. */
const SETTLED_MS = 2000;
/** How long the house lives before its day begins, until code is compiled: a process lives for weeks. */
const WARM_MS = HOUR_MS;
/** In which each node has sent all that it sends. */
const RECORD_MS = 2 * HOUR_MS;

/** After which a reader gives up, real ms. */
const READ_TIMEOUT_MS = 20_000;

const MB = 1e6;

interface Day extends Held, Used {
	readonly forecasts: number;
	readonly sent: Sent;
}

/**
 * Lets a house live.
 *
 * @param flow with nodes of ours, without, or with stand-ins for them
 * @param sent what stand-ins send
 */
async function live(
	updatesPerDay: number,
	spanMs: number,
	flow: keyof ReturnType<typeof house>,
	sent: Sent = {},
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
	const flows = house(server.url, siteId, broker, now, SPEED, updatesPerDay);
	const nodeRed = new FastNodeRed(flows[flow], {
		now,
		speed: SPEED,
		keys: { acc: apiKey },
		sent,
	});
	const forecasts = () =>
		simulator.requests.filter(({ path }) => path.startsWith("/v2/forecast"))
			.length;
	/** Reads what there is to read, for so long by the house's clock. */
	const pass = async (ms: number) => {
		const end = Date.now() + ms / SPEED;
		while (Date.now() < end) {
			await wait(READ_MS / SPEED);
			for (const route of flow === "others" ? [] : ROUTES) {
				const answer = await fetch(nodeRed.url + route, {
					signal: AbortSignal.timeout(READ_TIMEOUT_MS),
				});
				const text = await answer.text();
				if (!answer.ok) throw new Error(`${route}: ${answer.status} ${text}`);
			}
		}
	};
	try {
		await nodeRed.start();
		while (flow === "flow" && forecasts() === 0) await wait(100);
		await wait(SETTLED_MS);
		await pass(WARM_MS);
		const asked = forecasts();
		const before = await nodeRed.used();
		await pass(spanMs);
		const after = await nodeRed.used();
		const day = {
			...(await nodeRed.held()),
			cpuMs: after.cpuMs - before.cpuMs,
			writtenBytes: after.writtenBytes - before.writtenBytes,
			writtenFiles: after.writtenFiles - before.writtenFiles,
			received: {
				forecast: after.received.forecast - before.received.forecast,
				values: after.received.values - before.received.values,
			},
			forecasts: forecasts() - asked,
		};
		const [noted] = await Promise.all([
			nodeRed.sent(RECORD_MS / SPEED),
			pass(RECORD_MS),
		]);
		return { ...day, sent: noted };
	} finally {
		await nodeRed.kill();
		await broker.stop();
		await server.close();
	}
}

/** Stand-ins that send less than our nodes would make these look dear, more would make them look cheap. */
function checkStandIns(day: Day, standIns: Day): void {
	for (const kind of ["forecast", "values"] as const) {
		const [ours, theirs] = [day.received[kind], standIns.received[kind]];
		if (ours === 0 || Math.abs(ours - theirs) > Math.max(5, ours / 10)) {
			throw new Error(`${theirs} messages of a ${kind} in place of ${ours}`);
		}
	}
}

/** What a day costs in a house that uses all there is, beside the same Node-RED without us. */
export async function run(quick: boolean): Promise<Figure[]> {
	const spanMs = quick ? 6 * HOUR_MS : DAY_MS;
	// A quick run is not even a day: it is taken for its part of one.
	const part = spanMs / DAY_MS;
	const secondsOf = ({ cpuMs }: Used) => rounded(cpuMs / 1000 / part);
	const others = await live(24, spanMs, "others");
	const figures: Figure[] = [];
	for (const updatesPerDay of quick ? [96] : [24, 96]) {
		const day = await live(updatesPerDay, spanMs, "flow");
		const standIns = await live(
			updatesPerDay,
			spanMs,
			"withStandIns",
			day.sent,
		);
		checkStandIns(day, standIns);
		const of = `, ${updatesPerDay} updates a day`;
		figures.push(
			{
				name: `CPU of a day${of}`,
				value: rounded((day.cpuMs - standIns.cpuMs) / 1000 / part),
				target: 10,
				unit: "s",
				note: `${day.forecasts} forecasts; the whole process ${secondsOf(day)} s, with function nodes that send the same messages ${secondsOf(standIns)} s, without any of it ${secondsOf(others)} s`,
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
