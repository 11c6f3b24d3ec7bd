/**
 * What a poll costs where there are many sites and nodes: a hub of 1, 20, 300
 * and 1,000 sites on a clock that moves when told, as ratios to one site, and a
 * real Node-RED of 20 sites with 20 and with 200 forecast nodes. CPU alone is
 * measured: the disk and the network are waited for elsewhere.
 *
 *     npx tsx bench/scale.bench.ts [--quick]
 *
 * Prints a table, and the same as a JSON object. Needs a build (`npm run build`).
 */
import { type PollCost, pollCost } from "./scale/hub";
import { nodeRedCost } from "./scale/node-red";
import { type Figure, rounded } from "./support";

/** Sizes of the hub, and how many polls of each are measured at least. */
const HUBS = { sites: [1, 20, 300, 1000], polls: 100 } as const;
const QUICK_HUBS = { sites: [1, 20, 200], polls: 100 } as const;
/** A poll of many sites may cost so many times one of a single site. */
const MOST_RATIO = 1.2;

const NODE_RED = { sites: 20, few: 20, many: 200 } as const;
const SPAN_MS = { whole: 4_000, quick: 2_500 } as const;
/** A poll may cost so many times what it costs with a tenth of the nodes, for each of the tenfold: no more than all of it. */
const MOST_NODE_RATIO = 10;

/**
 * Measures all of it; under a minute, and half of that when `quick`.
 *
 * @returns the figures, those with a target first
 */
export async function run(quick: boolean): Promise<Figure[]> {
	const { sites, polls } = quick ? QUICK_HUBS : HUBS;
	// What is compiled on the way counts for none of them.
	await pollCost(5, 100);
	const costs: PollCost[] = [];
	for (const size of sites) costs.push(await pollCost(size, polls));
	const one = (costs[0] as PollCost).cpuMs;
	const few = await node(NODE_RED.few, quick);
	const many = await node(NODE_RED.many, quick);
	return [
		...costs.slice(1).map(
			(cost): Figure => ({
				name: `poll with ${cost.sites} sites`,
				value: rounded(cost.cpuMs / one),
				target: MOST_RATIO,
				unit: "× 1 site",
				note: `CPU of one poll in the hub, of ${cost.polls}: request, files, messages, status`,
			}),
		),
		{
			name: `poll with ${NODE_RED.many} nodes`,
			value: rounded(many.cpuMs / few.cpuMs),
			target: MOST_NODE_RATIO,
			unit: `× ${NODE_RED.few} nodes`,
			note: `Node-RED with ${NODE_RED.sites} sites: each node of a polled site sends its own message`,
		},
		{
			name: "poll with 1 site",
			value: rounded(one),
			unit: "ms CPU",
			note: "in the hub, without the service",
		},
		...[few, many].map(
			({ nodes, cpuMs, polls: count }): Figure => ({
				name: `poll in Node-RED, ${NODE_RED.sites} sites, ${nodes} nodes`,
				value: rounded(cpuMs),
				unit: "ms CPU",
				note: `all that the process did, of ${count} polls`,
			}),
		),
		{
			name: "one more node on a site",
			value: rounded(
				((many.cpuMs - few.cpuMs) * NODE_RED.sites) /
					(NODE_RED.many - NODE_RED.few),
			),
			unit: "ms CPU",
			note: "per poll of the site, in Node-RED: its message and its statuses",
		},
	];
}

const node = (nodes: number, quick: boolean) =>
	nodeRedCost(NODE_RED.sites, nodes, quick ? SPAN_MS.quick : SPAN_MS.whole);

function table(figures: readonly Figure[]): string {
	return [
		"| Figure | Value | Target | |",
		"| --- | --- | --- | --- |",
		...figures.map(
			({ name, value, target, unit, note }) =>
				`| ${name} | ${value.toFixed(2)} ${unit} | ${target === undefined ? "" : `≤ ${target}`} | ${note} |`,
		),
	].join("\n");
}

if (require.main === module) {
	void run(process.argv.includes("--quick")).then((figures) => {
		console.log(table(figures));
		console.log(JSON.stringify({ figures }));
	});
}
