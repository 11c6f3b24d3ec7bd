import { forecastNode } from "../test/support/own-nodes";
import { BenchNodeRed } from "./node-red";
import { type Figure, median, rounded } from "./support";

const TAB = { id: "tab", type: "tab", label: "Bench" };
const DEMO = [
	{ id: "acc", type: "solar-yield-account", demo: true },
	forecastNode({}),
];
const WAYS = {
	without: { flows: [TAB], isInstalled: false },
	"installed and not used": { flows: [TAB], isInstalled: true },
	"with a forecast of the demo account": {
		flows: [TAB, ...DEMO],
		isInstalled: true,
	},
};

/** Start of Node-RED without this package, with it, and with a flow of it, by turns. */
export async function run(quick: boolean): Promise<Figure[]> {
	const times: Record<string, number[]> = {};
	for (let turn = 0; turn < (quick ? 1 : 7); turn += 1) {
		for (const [way, { flows, isInstalled }] of Object.entries(WAYS)) {
			const begin = performance.now();
			const { nodeRed } = await BenchNodeRed.start(flows, { isInstalled });
			times[way] = [...(times[way] ?? []), performance.now() - begin];
			await nodeRed.stop();
		}
	}
	const [without = 0, ...others] = Object.values(times).map(median);
	return others.map((ms, index) => ({
		name: `start of Node-RED, ${Object.keys(times)[index + 1]}`,
		value: rounded(ms / without),
		unit: "×",
		note: `Node-RED without it, ${rounded(without / 1000)} s`,
	}));
}
