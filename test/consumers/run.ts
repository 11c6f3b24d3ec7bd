// `npm run test:consumers`: the programs that our formats are made for read them.
// They are installed into a cache of their own; what cannot be had on a machine
// is skipped with a line that says so, or with --require is a failure. With
// --quick only what a small virtual environment of Python, or a browser, holds.
import {
	apexCharts,
	forecastSolar,
	lineProtocol,
	openMeteo,
	slugs,
} from "./clients";
import { emhass } from "./emhass";
import { evcc } from "./evcc";
import { homeAssistant } from "./home-assistant";
import { Missing, type Report } from "./support";

export const QUICK: Record<string, () => Promise<Report>> = {
	"open-meteo-solar-forecast": openMeteo,
	"forecast-solar": forecastSolar,
	"python-slugify": slugs,
	"line-protocol-parser": lineProtocol,
	ApexCharts: apexCharts,
};
const CONSUMERS: Record<string, () => Promise<Report>> = {
	...QUICK,
	EMHASS: emhass,
	evcc,
	"Home Assistant": homeAssistant,
};

async function main(): Promise<void> {
	const isRequired = process.argv.includes("--require");
	const isQuick = process.argv.includes("--quick");
	const names = process.argv.slice(2).filter((name) => !name.startsWith("--"));
	const counts = { passed: 0, failed: 0, skipped: 0 };
	for (const [name, run] of Object.entries(isQuick ? QUICK : CONSUMERS)) {
		if (names.length > 0 && !names.includes(name)) continue;
		try {
			const [title, ...lines] = await run();
			console.log(`ok       ${title}`);
			for (const line of lines) console.log(`         ${line}`);
			counts.passed += 1;
		} catch (error) {
			const isMissing = error instanceof Missing && !isRequired;
			console.log(
				isMissing
					? `skipped  ${name}: ${error.message}`
					: `FAILED   ${name}: ${error instanceof Error ? error.stack : error}`,
			);
			counts[isMissing ? "skipped" : "failed"] += 1;
		}
	}
	const { passed, failed, skipped } = counts;
	console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
	if (failed > 0) process.exitCode = 1;
}

if (require.main === module) void main();
