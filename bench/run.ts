/**
 * Measures what the package costs, against the floor and against what a flow of
 * core nodes would cost; `bench/README.md` explains each figure.
 *
 *     npm run bench                     a table
 *     npm run bench -- --json           JSON instead
 *     npm run bench -- figures.json     a table, and JSON in a file
 *     npm run bench -- --only parse     one subject, or several: parse,heap
 *     npm run bench -- --quick          a few samples of each figure
 *     npm run bench -- --check          fails when a figure is over its target by more than 20 %
 *     npm run bench -- --help           says this
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Figure, ROOT } from "./support";

type Run = (quick: boolean) => Promise<readonly Figure[]>;

/** The subjects, quick ones first; each in a file of its own. */
const SUBJECTS = [
	"size",
	"load",
	"heap",
	"parse",
	"messages",
	"store",
	"start",
	"block",
	"scale",
	"day",
] as const;

/** What machines may differ by. */
const TOLERANCE = 1.2;
const isOver = ({ value, target }: Figure) =>
	target !== undefined && !(value <= target * TOLERANCE);

const { values: options, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		json: { type: "boolean", default: false },
		quick: { type: "boolean", default: false },
		check: { type: "boolean", default: false },
		only: { type: "string" },
		help: { type: "boolean", default: false },
	},
});

async function main(): Promise<void> {
	const wanted = options.only?.split(",") ?? SUBJECTS;
	// Users run what is built.
	execFileSync(process.execPath, [join(ROOT, "tools/build.cjs")]);
	const figures: (Figure & { subject: string })[] = [];
	for (const subject of SUBJECTS.filter((name) => wanted.includes(name))) {
		const begin = performance.now();
		const { run } = require(`./${subject}.bench`) as { run: Run };
		try {
			for (const figure of await run(options.quick)) {
				figures.push({ subject, ...figure });
			}
		} catch (error) {
			// The others are worth knowing all the same.
			process.stderr.write(`${subject}: ${(error as Error).stack}\n`);
			process.exitCode = 1;
		}
		const seconds = Math.round((performance.now() - begin) / 1000);
		process.stderr.write(`${subject}: ${seconds} s\n`);
	}
	const json = JSON.stringify(
		{ node: process.version, quick: options.quick, figures },
		null,
		"\t",
	);
	if (positionals[0] !== undefined) writeFileSync(positionals[0], `${json}\n`);
	if (options.json) console.log(json);
	else {
		console.table(
			figures.map((figure) => ({
				figure: figure.name,
				value: figure.value,
				unit: figure.unit,
				target: figure.target ?? "",
				"": isOver(figure) ? "OVER" : "",
				note: figure.note,
			})),
		);
	}
	const over = figures.filter(isOver);
	for (const { name, value, target, unit } of over) {
		process.stderr.write(`${name}: ${value} ${unit}, target ${target}\n`);
	}
	if (options.check && over.length > 0) process.exitCode = 1;
}

if (options.help) {
	const [, usage = ""] =
		/^\/\*\*\n([\s\S]*?) \*\//.exec(readFileSync(__filename, "utf8")) ?? [];
	console.log(usage.replace(/^ \* ?/gm, ""));
} else void main();
