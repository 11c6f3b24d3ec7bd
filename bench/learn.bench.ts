/**
 * How well roofs are learned that are not what their forecast takes them for,
 * by this package, by three other ways to correct a forecast, rebuilt from their
 * public description, and by an ideal one that knows the roof: truths × seasons ×
 * horizons, 16 places and four years of weather each. And what 1,000 sites cost in a day.
 *
 *     npm run bench:learn -- [--json] [--check] [TEXT]
 *
 * `--json` prints the results as JSON instead of Markdown; `--check` exits with 1
 * when a cell does not hold what learning promises; TEXT restricts it to the
 * cells whose name holds it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { type CellResult, runCell, violations } from "./learn/cells";
import { errorTable, placeWeekTable, weekTable } from "./learn/table";
import { SEASONS, TRUTHS } from "./learn/world";

/** What a day of 1,000 sites may cost, CPU seconds. */
const MOST_SECONDS = 1;

/** Runs the scale in one file of plain JavaScript, as the package is shipped. */
function runScale(): ReturnType<typeof import("./learn/scale").runScale> {
	const folder = mkdtempSync(join(tmpdir(), "solar-yield-learn-"));
	try {
		const outfile = join(folder, "scale.cjs");
		buildSync({
			entryPoints: [join(__dirname, "learn/scale.ts")],
			outfile,
			bundle: true,
			platform: "node",
			target: "node20",
			logLevel: "error",
		});
		return require(outfile).runScale();
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

const flags = process.argv.slice(2);
const text = flags.find((flag) => !flag.startsWith("--")) ?? "";
const nameOf = ({
	season,
	truth,
	horizon,
}: Pick<CellResult, "season" | "truth" | "horizon">) =>
	`${season} ${truth} ${horizon}`;

// First, while the process is small.
const scale = runScale();
const results = SEASONS.flatMap((season) =>
	TRUTHS.filter((truth) =>
		`${season.name} ${truth.name}`.includes(text),
	).flatMap((truth) => runCell(season, truth)),
);
const failures = [
	...results.flatMap((cell) =>
		violations(cell).map((what) => `${nameOf(cell)}: ${what}`),
	),
	...(scale.seconds > MOST_SECONDS
		? [`1,000 sites: ${scale.seconds.toFixed(2)} s of CPU a day`]
		: []),
];

if (flags.includes("--json")) {
	console.log(JSON.stringify({ results, scale, failures }, null, "\t"));
} else {
	console.log(
		"### Last 15 of 45 days: nRMSE / error of daily energies, percent\n",
	);
	console.log(errorTable(results));
	console.log("\n### RMSE of ours to raw, by week from the first day on\n");
	console.log(weekTable(results));
	console.log("\n### Weeks of single places that are worse than raw\n");
	console.log(placeWeekTable(results));
	console.log("\n### 1,000 sites, one day\n");
	console.log("| Readings | Forecasts | CPU |");
	console.log("| --- | --- | --- |");
	console.log(
		`| ${scale.readings} | ${scale.forecasts} | ${scale.seconds.toFixed(2)} s |`,
	);
}
for (const failure of failures) console.error(failure);
if (flags.includes("--check") && failures.length > 0) process.exitCode = 1;
