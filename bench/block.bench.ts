import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { jitterOf } from "../src/polling/source/source";
import { nextReset } from "../src/service/quota";
import { NodeRed } from "../test/support/node-red-process";
import { userDir } from "./start.bench";
import { bodyOf, type Figure, median, rounded, worst } from "./support";

/** A site whose polls come as soon after `next_poll_at` as any. */
const SITE = Array.from({ length: 500 }, (_, index) => `site_${index}`).reduce(
	(best, id) => (jitterOf(id) < jitterOf(best) ? id : best),
);

/** Until Node-RED is quiet after its start, and after an answer, ms. */
const SETTLED_MS = 2500;
/** Before each poll but the first, and before each `JSON.parse` beside it: a heap at rest shrinks, and to grow it again costs both, ms. */
const REST_MS = 10_000;
/** Polls come so long after `next_poll_at`, ms. */
const SPREAD_MS = jitterOf(SITE);
const ANSWER = worst(4);
/** Where the answer is to be had without a poll. */
const PLAIN = "/plain";

/** Not the median: whether the heap has shrunk is a matter of yes and no. */
const mean = (values: readonly number[]) =>
	values.reduce((sum, value) => sum + value, 0) / values.length;

interface Block {
	readonly at: number;
	readonly ms: number;
}

/**
 * A service that gives the same worst-case answer to each poll, computed anew a
 * moment ago and to be asked again in another.
 */
async function startService() {
	const body = bodyOf(ANSWER, Date.now()).replaceAll(
		'"site_id":"site"',
		`"site_id":"${SITE}"`,
	);
	const answers: number[] = [];
	const server = createServer((request, response) => {
		if (request.url === PLAIN) {
			response.end(body);
			return;
		}
		if (!request.url?.startsWith("/v2/forecast")) {
			response.end(JSON.stringify({ id: SITE, timezone: "Europe/Berlin" }));
			return;
		}
		// The first poll comes with the start itself.
		setTimeout(
			() => {
				const now = Date.now();
				const iso = (ms: number) => new Date(ms).toISOString();
				answers.push(now);
				response.writeHead(200, {
					"RequestLimit-Limit": "unmetered",
					"RequestLimit-Used": String(answers.length),
					"RequestLimit-Remaining": "unmetered",
					"RequestLimit-Reset": iso(nextReset(now)),
				});
				response.end(
					body
						.replace(/"computed_at":"[^"]*"/, `"computed_at":"${iso(now)}"`)
						.replace(
							/"next_poll_at":"[^"]*"/,
							`"next_poll_at":"${iso(now + 2 * REST_MS - SPREAD_MS)}"`,
						),
				);
			},
			answers.length === 0 ? SETTLED_MS : 0,
		);
	});
	await new Promise<void>((resolve) =>
		server.listen(0, "127.0.0.1", () => resolve()),
	);
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		answers,
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
}

const TAB = { id: "tab", type: "tab", label: "Bench" };
const sink = (id: string) => ({
	id,
	type: "function",
	z: "tab",
	x: 0,
	y: 0,
	func: "return null;",
	wires: [],
});

/** Nodes that show all there is on three outputs. */
const ours = (url: string, nodes: number) => [
	TAB,
	{
		id: "account",
		type: "solar-yield-account",
		baseUrl: url,
		siteId: SITE,
		credentials: { apiKey: "no-real-key" },
	},
	sink("a"),
	sink("b"),
	sink("c"),
	...Array.from({ length: nodes }, (_, index) => ({
		id: `forecast_${index}`,
		type: "solar-yield-forecast",
		z: "tab",
		x: 0,
		y: 0,
		account: "account",
		source: "site",
		include: ANSWER.include,
		pastDays: ANSWER.pastDays,
		poll: "auto",
		wires: [["a"], ["b"], ["c"]],
	})),
];

/** The same by core nodes. */
const core = (url: string) => [
	TAB,
	{
		id: "begin",
		type: "inject",
		z: "tab",
		x: 0,
		y: 0,
		props: [],
		repeat: String((2 * REST_MS) / 1000),
		once: true,
		onceDelay: 0.5,
		wires: [["request"]],
	},
	{
		id: "request",
		type: "http request",
		z: "tab",
		x: 0,
		y: 0,
		method: "GET",
		ret: "txt",
		url: `${url}/v2/forecast/${SITE}`,
		wires: [["to-json"]],
	},
	{
		id: "to-json",
		type: "json",
		z: "tab",
		x: 0,
		y: 0,
		property: "payload",
		wires: [["split"]],
	},
	{
		id: "split",
		type: "function",
		z: "tab",
		x: 0,
		y: 0,
		outputs: 2,
		func: `const { values, strings } = msg.payload;
const days = {};
for (const row of values) {
	const date = new Date(row.timestamp).toLocaleDateString("sv");
	(days[date] ??= []).push({ ...row, time: new Date(row.timestamp).getTime() });
}
const ids = [...new Set(strings.map((row) => row.string_id))];
return [
	Object.values(days).map((payload) => ({ payload })),
	ids.map((id) => ({ payload: strings.filter((row) => row.string_id === id) })),
];`,
		wires: [["a"], ["b"]],
	},
	sink("a"),
	sink("b"),
];

/** In ms, poll by poll. */
interface Found {
	readonly blocks: number[];
	/** `JSON.parse` of the answer in the same process, after as long a rest as the poll had. */
	readonly floors: number[];
	/** The same without a rest. */
	readonly warm: number[];
}

/** A Node-RED with these flows whose event loop is watched. */
async function startWatched(flows: object[]) {
	const port = 20_000 + Math.floor(Math.random() * 20_000);
	const monitor = join(__dirname, "children/loop-monitor.cjs");
	const nodeRed = new NodeRed(userDir(true), {
		NODE_OPTIONS: `--require ${monitor}`,
		BENCH_PORT: String(port),
	});
	const ask = async <T>(path: string) => {
		const response = await fetch(`http://127.0.0.1:${port}${path}`);
		if (!response.ok) throw new Error(await response.text());
		return (await response.json()) as T;
	};
	await nodeRed.start(flows);
	// Keys of accounts come with a deploy only.
	await deployKeys(nodeRed, flows);
	return {
		nodeRed,
		ask,
		/** The longest block in the moments after an instant, ms. */
		async longestFrom(since: number): Promise<number> {
			const blocks = await ask<Block[]>(
				`/blocks?from=${since}&to=${since + SETTLED_MS}`,
			);
			return Math.max(0, ...blocks.map(({ ms }) => ms));
		},
	};
}

/** The longest block of each poll. */
async function longest(
	flowsOf: (url: string) => object[],
	polls: number,
): Promise<Found> {
	const service = await startService();
	const { nodeRed, ask, longestFrom } = await startWatched(
		flowsOf(service.url),
	);
	const plain = encodeURIComponent(service.url + PLAIN);
	try {
		const found: Found = { blocks: [], floors: [], warm: [] };
		for (let poll = 0; poll < polls; poll += 1) {
			for (let n = 0; service.answers.length <= poll; n += 1) {
				if (n > 1200)
					throw new Error(`poll ${poll} did not come:\n${nodeRed.log}`);
				await wait(50);
			}
			const since = service.answers[poll] as number;
			await wait(poll === 0 ? SETTLED_MS : REST_MS);
			found.blocks.push(await longestFrom(since));
			found.floors.push(await ask<number>(`/parse?url=${plain}`));
			found.warm.push(await ask<number>(`/parse?url=${plain}`));
		}
		return found;
	} finally {
		await nodeRed.stop();
		service.close();
	}
}

/** The longest block at each of some requests that are answered by an error of a size, bytes. */
async function longestOfErrors(
	size: number,
	requests: number,
): Promise<number[]> {
	const body = Buffer.alloc(size, "x");
	body.write('{"detail":"');
	body.write('"}', size - 2);
	const server = createServer((_request, response) =>
		response.writeHead(500).end(body),
	);
	await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
	const { port } = server.address() as AddressInfo;
	const flows = ours(`http://127.0.0.1:${port}`, 1).map((node) =>
		"poll" in node ? { ...node, poll: "manual" } : node,
	);
	const button = {
		id: "button",
		type: "inject",
		z: "tab",
		x: 0,
		y: 0,
		props: [{ p: "refresh", v: "true", vt: "bool" }],
		wires: [["forecast_0"]],
	};
	const { nodeRed, longestFrom } = await startWatched([...flows, button]);
	try {
		const found: number[] = [];
		for (let request = 0; request < requests; request += 1) {
			const since = Date.now();
			await nodeRed.inject("button");
			await wait(SETTLED_MS);
			found.push(await longestFrom(since));
		}
		return found;
	} finally {
		await nodeRed.stop();
		server.close();
		server.closeAllConnections();
	}
}

async function deployKeys(nodeRed: NodeRed, flows: object[]): Promise<void> {
	const keys = Object.fromEntries(
		(flows as { id: string; credentials?: object }[])
			.filter(({ credentials }) => credentials)
			.map(({ id, credentials }) => [id, credentials as object]),
	);
	if (Object.keys(keys).length > 0) await nodeRed.deploy(flows, keys);
}

/** How long the event loop of a real Node-RED stands still at a worst-case poll. */
export async function run(quick: boolean): Promise<Figure[]> {
	const ways: {
		name: string;
		flows: (url: string) => object[];
		target?: number;
	}[] = [
		{ name: "1 node", flows: (url) => ours(url, 1), target: 3 },
		{ name: "5 nodes", flows: (url) => ours(url, 5) },
		{ name: "core nodes", flows: core },
	];
	const figures: Figure[] = [];
	for (const { name, flows, target } of quick ? ways.slice(0, 1) : ways) {
		const { blocks, floors, warm } = await longest(flows, quick ? 3 : 6);
		const compared = (from: number, to: number) => {
			const [block, floor, alone] = [blocks, floors, warm].map((ms) =>
				mean(ms.slice(from, to)),
			) as [number, number, number];
			return {
				value: rounded(block / floor),
				unit: "×",
				note: `JSON.parse of an answer that has come, ${rounded(floor)} ms, at once again ${rounded(alone)} ms; block ${rounded(block)} ms`,
			};
		};
		figures.push(
			{
				name: `longest block at a worst-case poll, ${name}`,
				...(target && { target }),
				...compared(1, blocks.length),
			},
			{
				name: `the same at the first poll of a process, ${name}`,
				...compared(0, 1),
			},
		);
	}
	const requests = quick ? 3 : 9;
	const small = median(await longestOfErrors(200, requests));
	const huge = median(await longestOfErrors(31 * 1024 * 1024, requests));
	figures.push({
		name: "longest block at an error of 31 MB",
		target: 50,
		value: rounded(huge),
		unit: "ms",
		note: `of 200 bytes ${rounded(small)} ms; medians of ${requests} requests`,
	});
	return figures;
}
