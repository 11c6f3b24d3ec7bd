import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NodeRed } from "../test/support/node-red-process";
import { type Figure, median, ROOT, rounded, temporary } from "./support";

/** A user directory in which this package is installed, or not. */
export function userDir(installed: boolean): string {
	const folder = mkdtempSync(temporary("user-"));
	if (!installed) return folder;
	const name = "@solar-yield/node-red-solar-yield";
	const scope = join(folder, "node_modules/@solar-yield");
	mkdirSync(scope, { recursive: true });
	symlinkSync(ROOT, join(folder, "node_modules", name));
	writeFileSync(
		join(folder, "package.json"),
		JSON.stringify({ name: "user", dependencies: { [name]: "*" } }),
	);
	return folder;
}

const TAB = { id: "tab", type: "tab", label: "Bench" };
const INJECT = {
	id: "begin",
	type: "inject",
	z: "tab",
	x: 0,
	y: 0,
	props: [],
	wires: [],
};
const DEMO = [
	{ id: "account", type: "solar-yield-account", demo: true },
	{
		id: "forecast",
		type: "solar-yield-forecast",
		z: "tab",
		x: 0,
		y: 0,
		account: "account",
		source: "site",
		include: ["default"],
		wires: [[], [], []],
	},
];

/** Time until the flows of a real Node-RED have started. */
async function start(installed: boolean, flows: object[]): Promise<number> {
	const nodeRed = new NodeRed(userDir(installed));
	const begun = performance.now();
	try {
		await nodeRed.start(flows);
		return performance.now() - begun;
	} finally {
		await nodeRed.stop();
	}
}

/** Start of Node-RED without this package, with it, and with a flow of it. */
export async function run(quick: boolean): Promise<Figure[]> {
	const ways = {
		without: [false, [TAB, INJECT]],
		installed: [true, [TAB, INJECT]],
		used: [true, [TAB, INJECT, ...DEMO]],
	} as const;
	const times: Record<string, number[]> = {};
	for (let time = 0; time < (quick ? 1 : 7); time += 1) {
		for (const [way, [installed, flows]] of Object.entries(ways)) {
			times[way] = [...(times[way] ?? []), await start(installed, [...flows])];
		}
	}
	const of = (way: keyof typeof ways) => median(times[way] ?? []);
	const note = `Node-RED without it, ${rounded(of("without") / 1000)} s`;
	return [
		{
			name: "start of Node-RED, installed and not used",
			value: rounded(of("installed") / of("without")),
			unit: "×",
			note,
		},
		{
			name: "start of Node-RED with a forecast of the demo account",
			value: rounded(of("used") / of("without")),
			unit: "×",
			note,
		},
	];
}
