// `npm run test:faults`: tries every case and prints what was survived; ends with 1 on any loss.
process.env.SOLAR_YIELD_LONG ??= "1";

async function main(): Promise<void> {
	const { attemptsOf, PART_NAMES } =
		require("./harness/suite") as typeof import("./harness/suite");
	const { Table } =
		require("./harness/table") as typeof import("./harness/table");
	const only = process.argv.slice(2);
	const table = new Table();
	for (const part of PART_NAMES) {
		if (only.length > 0 && !only.includes(part)) continue;
		const begin = Date.now();
		const before = table.losses.length;
		for await (const attempt of attemptsOf(part)) await table.try(attempt);
		const seconds = Math.round((Date.now() - begin) / 1000);
		console.error(`${part}: ${seconds} s`);
		for (const loss of table.losses.slice(before)) console.error(`  ${loss}`);
	}
	console.log(table.toString());
	const { length } = table.losses;
	console.log(
		`${table.tried} tried, ${table.tried - length} survived, ${length} lost`,
	);
	process.exitCode = length > 0 || table.tried === 0 ? 1 : 0;
}

void main();
