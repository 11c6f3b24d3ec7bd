import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { FastNodeRed } from "../fast-node-red";
import { ManySites } from "./service";

/** What polls cost a Node-RED in a process of its own. */
interface NodeRedCost {
	readonly sites: number;
	readonly nodes: number;
	readonly polls: number;
	/** CPU of a poll, ms: all that the process did in the time, divided by the polls. */
	readonly cpuMs: number;
}

/** How many times faster than the real ones the clocks of poller and service run. */
const SPEED = 10;

/**
 * The service over HTTP, that has a newer forecast each second: so each site is
 * polled as soon as its spread of 5 to 30 s lets it.
 */
async function serve(service: ManySites): Promise<Server> {
	const server = createServer((request, response) => {
		const { status, headers, body } = service.answer(
			(request.url ?? "").split("?")[0] ?? "",
		);
		const time = (ms: number) => new Date(service.now() + ms).toISOString();
		response.writeHead(status, headers);
		response.end(
			body
				.replace(/"computed_at":"[^"]*"/, `"computed_at":"${time(0)}"`)
				.replace(/"next_poll_at":"[^"]*"/, `"next_poll_at":"${time(1000)}"`),
		);
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return server;
}

function flowsOf(baseUrl: string, sites: number, nodes: number): object[] {
	return [
		{ id: "tab", type: "tab", label: "Bench" },
		{
			id: "account",
			type: "solar-yield-account",
			name: "",
			baseUrl,
			demo: false,
			siteId: "",
			budget: "",
			reserve: "",
			interval: "end",
		},
		...Array.from({ length: nodes }, (_, index) => ({
			id: `node${index}`,
			type: "solar-yield-forecast",
			z: "tab",
			name: "",
			account: "account",
			siteId: `site-${1 + (index % sites)}`,
			source: "site",
			inline: "",
			intervalHours: "",
			include: ["default", "strings"],
			forecastDays: "",
			pastDays: "0",
			timezone: "local",
			poll: "auto",
			topic: "",
			// What goes to further wires Node-RED copies itself: that cost is its own.
			wires: [["end"], [], []],
		})),
		{ id: "end", type: "junction", z: "tab", wires: [[]] },
	];
}

/**
 * Runs a real Node-RED with so many forecast nodes on so many sites.
 *
 * @param spanMs how long it is measured, after all sites have been polled twice
 */
export async function nodeRedCost(
	sites: number,
	nodes: number,
	spanMs: number,
): Promise<NodeRedCost> {
	const begin = Date.now();
	const service = new ManySites(
		() => begin + (Date.now() - begin) * SPEED,
		"include=default&include=strings&forecast_days=1",
	);
	const server = await serve(service);
	const { port } = server.address() as AddressInfo;
	const flows = flowsOf(`http://127.0.0.1:${port}`, sites, nodes);
	const nodeRed = new FastNodeRed(flows, {
		now: `${begin} + (real() - ${begin}) * ${SPEED}`,
		speed: SPEED,
		keys: { account: "key" },
	});
	const cpuMs = async () => (await nodeRed.used()).cpuMs;
	const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));
	try {
		await nodeRed.start();
		while (service.polls < 2 * sites) await wait(100);
		const asked = service.polls;
		const before = await cpuMs();
		await wait(spanMs);
		const polls = service.polls - asked;
		return { sites, nodes, polls, cpuMs: ((await cpuMs()) - before) / polls };
	} finally {
		await nodeRed.kill();
		server.closeAllConnections();
		server.close();
	}
}
