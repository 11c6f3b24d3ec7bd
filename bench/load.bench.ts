import { child, type Figure, median, rounded } from "./support";

interface Loaded {
	readonly ms: number;
	readonly rssMB: number;
	readonly loaded: readonly string[];
}

/** Time and memory that loading costs a bare Node.js process. */
export async function run(quick: boolean): Promise<Figure[]> {
	const tasks = ["three", "nodes", "account", "request"];
	const runs: Record<string, Loaded[]> = {};
	for (let time = 0; time < (quick ? 5 : 15); time += 1) {
		for (const task of tasks) {
			const found = await child<Loaded>("load", { task });
			runs[task] = [...(runs[task] ?? []), found];
		}
	}
	const of = (task: string, field: "ms" | "rssMB") =>
		median((runs[task] ?? []).map((run) => run[field]));
	const three = of("three", "ms");
	const note = `axios, zod and luxon alone, ${rounded(three)} ms`;
	return [
		{
			name: "loading all node files",
			value: rounded(of("nodes", "ms")),
			target: 30,
			unit: "ms",
			note: "bare Node.js process",
		},
		{
			name: "heavy packages that they load",
			value: new Set(runs.nodes?.flatMap(({ loaded }) => loaded)).size,
			target: 0,
			unit: "of 3",
			note: "axios, zod, luxon",
		},
		{
			name: "the first account",
			value: rounded(of("account", "ms") / three),
			target: 1.1,
			unit: "×",
			note,
		},
		{
			name: "the first account and its first request",
			value: rounded(of("request", "ms") / three),
			unit: "×",
			note,
		},
		{
			name: "memory of all node files",
			value: rounded(of("nodes", "rssMB")),
			unit: "MB RSS",
			note: "bare Node.js process",
		},
		{
			name: "memory of the first account and its first request",
			value: rounded(of("request", "rssMB")),
			unit: "MB RSS",
			note: `axios, zod and luxon alone: ${rounded(of("three", "rssMB"))} MB`,
		},
	];
}
