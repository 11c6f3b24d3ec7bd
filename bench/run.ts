/**
 * Measures what the package costs; `bench/README.md` explains each figure.
 *
 *     npm run bench                     a table
 *     npm run bench -- --only block     one subject, or several: answer,block
 *     npm run bench -- --quick          a few samples of each figure
 *     npm run bench -- --check          fails when a figure is over its target by more than 20 %
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Figure, ROOT } from "./support";

/** The subjects, quick ones first; each in a file of its own. */
const SUBJECTS = ["answer", "scale", "block", "day"];
/** What machines may differ by. */
const TOLERANCE = 1.2;

const { values: options } = parseArgs({
	options: {
		quick: { type: "boolean", default: false },
		check: { type: "boolean", default: false },
		only: { type: "string", default: SUBJECTS.join() },
	},
});

async function main(): Promise<void> {
	// Users run what is built.
	execFileSync(process.execPath, [join(ROOT, "tools/build.cjs")]);
	for (const subject of SUBJECTS) {
		if (!options.only.split(",").includes(subject)) continue;
		const { run } = require(`./${subject}.bench`) as {
			run: (quick: boolean) => Promise<readonly Figure[]>;
		};
		const figures = await run(options.quick);
		console.table(
			figures.map(({ name, value, target, unit, note }) => ({
				figure: name,
				value: `${value} ${unit}`,
				target: target ?? "",
				note,
			})),
		);
		for (const { name, value, target } of figures) {
			if (target === undefined || value <= target * TOLERANCE) continue;
			console.error(`${name}: ${value}, target ${target}`);
			if (options.check) process.exitCode = 1;
		}
	}
}

void main();
