import { writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { accountNode, forecastNode } from "../test/support/own-nodes";
import { startSimulatorServer } from "../test/support/service/server";
import { BenchNodeRed, fastClock, timeOf } from "./node-red";
import {
	bodyOf,
	type Figure,
	rounded,
	serviceOf,
	temporary,
	WORST,
} from "./support";

/** How many times faster the clocks of nodes and service run: a poll in 9 s. */
const SPEED = 100;
const START = Date.parse("2026-06-10T09:00:00Z");
/** In which all is over that an answer brings, ms. */
const SETTLED_MS = 2500;
const MOST_PARSES = 3;

/** Not the median: whether the heap has shrunk is a matter of yes and no. */
const mean = (values: readonly number[]) =>
	values.reduce((sum, value) => sum + value, 0) / values.length;

/** The longest block of each poll with so many nodes that show all there is, and `JSON.parse` of such an answer in the same process, ms. */
async function blocks(nodes: number, polls: number) {
	const clock = fastClock(START, SPEED);
	const service = serviceOf(WORST.strings, () => timeOf(clock));
	const file = temporary("worst.json");
	writeFileSync(file, bodyOf(service, WORST.query));
	let answered = 0;
	const server = await startSimulatorServer(service, {
		intercept: (request, response, next) => {
			if (request.url?.startsWith("/v2/forecast"))
				response.on("finish", () => {
					answered += 1;
				});
			next();
		},
	});
	const running = await BenchNodeRed.start(
		[
			{ id: "tab", type: "tab", label: "Bench" },
			accountNode({ baseUrl: server.url, siteId: "site" }),
			{ id: "end", type: "junction", z: "tab", wires: [[]] },
			...Array.from({ length: nodes }, (_, index) =>
				forecastNode({
					id: `forecast${index}`,
					include: WORST.include,
					pastDays: String(WORST.pastDays),
					wires: [["end"], ["end"], ["end"]],
				}),
			),
		],
		clock,
	);
	try {
		const found: number[] = [];
		const floors: number[] = [];
		// The first poll comes with the start itself.
		for (let poll = 1; poll <= polls; poll += 1) {
			while (answered < poll) await wait(20);
			await wait(SETTLED_MS);
			const ms = await running.ask<number>("block");
			if (poll === 1) continue;
			found.push(ms);
			floors.push(
				await running.ask<number>(`parse?file=${encodeURIComponent(file)}`),
			);
			await running.ask("block");
		}
		return { block: mean(found), floor: mean(floors) };
	} finally {
		await running.nodeRed.stop("SIGKILL");
		await server.close();
	}
}

/** How long the event loop of a real Node-RED stands still at a worst-case poll. */
export async function run(quick: boolean): Promise<Figure[]> {
	const figures: Figure[] = [];
	for (const nodes of quick ? [1] : [1, 5]) {
		const { block, floor } = await blocks(nodes, quick ? 4 : 8);
		figures.push({
			name: `longest block at a worst-case poll, nodes: ${nodes}`,
			value: rounded(block / floor),
			target: MOST_PARSES,
			unit: "×",
			note: `JSON.parse of the answer in the same process, ${rounded(floor)} ms; block ${rounded(block)} ms`,
		});
	}
	return figures;
}
