/**
 * How old forecasts get over a month, by this package's schedule and by an oracle: plans × sites × use by others ×
 * day lengths. The same day by day, where it is installed late on an account that
 * others use or have used. And what 1,000 sites cost the schedule in a day.
 *
 *     npx tsx bench/quota.bench.ts [--json] [--check] [TEXT]
 *
 * `--json` prints the results as JSON instead of Markdown; `--check` exits with 1
 * when a cell does not hold what the schedule promises; TEXT restricts it to the
 * cells whose name holds it.
 */
import {
	CELLS,
	type Cell,
	runCell,
	violations,
} from "../test/support/quota-simulation/cells";
import {
	INSTALLATIONS,
	type Installation,
	lateMonthViolations,
	runInstallation,
} from "../test/support/quota-simulation/installations";
import { runScale, SCALES } from "../test/support/quota-simulation/scale";
import { lateMonthTables, tables } from "./quota/table";

/** What a day of 1,000 sites may cost the schedule, CPU seconds. */
const MOST_SECONDS = 1;

const nameOf = ({ season, plan, sites, others }: Cell) =>
	`${season.name} ${plan.name} ×${sites} +${others}`;

const nameOfInstallation = (installation: Installation) => {
	const { season, plan, sites, day, others } = installation;
	return `${season.name} ${plan.name} ×${sites} installed on ${day}, others ${others}`;
};

const flags = process.argv.slice(2);
const text = flags.find((flag) => !flag.startsWith("--")) ?? "";
const results = CELLS.filter((cell) => nameOf(cell).includes(text)).map(
	runCell,
);
const months = INSTALLATIONS.filter((one) =>
	nameOfInstallation(one).includes(text),
).map((one) => [one, runInstallation(one)] as const);
const scales = SCALES.map(runScale);
const failures = [
	...results.flatMap((result) =>
		violations(result).map((what) => `${nameOf(result.cell)}: ${what}`),
	),
	...months.flatMap(([one, month]) =>
		lateMonthViolations(month).map(
			(what) => `${nameOfInstallation(one)}: ${what}`,
		),
	),
	...scales
		.filter(({ seconds }) => seconds > MOST_SECONDS)
		.map(({ name, seconds }) => `${name}: ${seconds.toFixed(2)} s`),
];

if (flags.includes("--json")) {
	console.log(
		JSON.stringify({ results, months, scales, failures }, null, "\t"),
	);
} else {
	console.log(tables(results));
	console.log(`\n${lateMonthTables(months)}`);
	console.log("\n### The schedule with 1,000 sites, one day\n");
	console.log("| Case | Requests | Plans made | CPU |");
	console.log("| --- | --- | --- | --- |");
	for (const { name, requests, plans, seconds } of scales) {
		console.log(
			`| ${name} | ${requests} | ${plans} | ${seconds.toFixed(2)} s |`,
		);
	}
}
for (const failure of failures) console.error(failure);
if (flags.includes("--check") && failures.length > 0) process.exitCode = 1;
