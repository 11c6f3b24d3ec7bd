/**
 * How well roofs are learned that are not what their forecast takes them for,
 * beside simple ways to correct a forecast with the true meter and who knows the
 * roof (ideal); what other meters do, and what 1,000 sites cost in a day.
 *
 *     npm run bench:learn -- [--judge] [--check] [TEXT]
 *
 * Numbers were chosen by the worlds that it shows; `--judge` takes other places,
 * years and faults, by which none was. `--check` exits with 1 where a promise
 * does not hold; TEXT restricts it to the rows whose name holds it.
 */
import { METHODS } from "./learn/methods";
import { type Run, run } from "./learn/run";
import {
	CLIMATES,
	METERS,
	makeWorld,
	OTHERS,
	PLACES,
	ROOFS,
	SEASONS,
} from "./learn/world";
import { child } from "./support";

const flags = process.argv.slice(2);
const text = flags.find((flag) => !flag.startsWith("--")) ?? "";
const set = flags.includes("--judge") ? 1 : 0;
const failures: string[] = [];
const check = (what: string, value: number, most: number) => {
	if (!(value <= most))
		failures.push(`${what}: ${value.toFixed(3)}, at most ${most}`);
};
const row = (...cells: (string | number)[]) =>
	console.log(`| ${cells.join(" | ")} |`);
const head = (...cells: string[]) => {
	console.log();
	row(...cells);
	row(...cells.map(() => "---"));
};
const mean = (values: number[]) =>
	values.reduce((a, b) => a + b, 0) / values.length;

/** RMSE to that of the forecast as it came. */
const toRaw = (runs: Run[]) =>
	mean(runs.map(({ rmse }) => rmse.ours as number)) /
	mean(runs.map(({ rmse }) => rmse["as it came"] as number));
const made = new Map<string, ReturnType<typeof makeWorlds>>();
/** Worlds of a roof: each place in each season, climates and sizes of the fault in turn. */
function makeWorlds(roof: string) {
	const sizes = set ? [0.7, 1.3] : [1];
	const climates = Object.keys(CLIMATES) as (keyof typeof CLIMATES)[];
	let turn = Object.keys(ROOFS).indexOf(roof);
	return PLACES.flatMap((places, place) =>
		Object.entries(SEASONS).map(([season, dates]) => {
			// One more with each place, so that each season has other climates.
			const climate = climates[(turn + place) % 4] ?? "mixed";
			const fault = ROOFS[roof]?.(sizes[turn % sizes.length] ?? 1) ?? {};
			turn += 1;
			const seed = 1000 * (1 + set) + 37 * (turn + place);
			const world = makeWorld(fault, climate, places[set], dates[set], seed);
			return { world, season, climate };
		}),
	);
}
const worldsOf = (roof: string) => {
	const worlds = made.get(roof) ?? makeWorlds(roof);
	made.set(roof, worlds);
	return worlds;
};

const scale = text ? undefined : child<number>("learn", {});
const weeks: number[] = [];
const idealWeeks: number[] = [];
const methods = [...Object.keys(METHODS), "ours", "ideal"];

head(
	"Roof, RMSE in W",
	...methods,
	"ours to best simple",
	"worst season or climate",
);
for (const roof of Object.keys(ROOFS)) {
	if (!roof.includes(text)) continue;
	const runs: (Run & { cells: string[] })[] = [];
	for (const { world, season, climate } of worldsOf(roof)) {
		runs.push({
			...run(world, METERS["W every 5 min"](world)),
			cells: [season, climate],
		});
	}
	const of = (some: Run[], method: string) =>
		mean(some.map(({ rmse }) => rmse[method] as number));
	const toBest = (some: Run[]) =>
		of(some, "ours") /
		Math.min(...Object.keys(METHODS).map((method) => of(some, method)));
	const cells = [...Object.keys(SEASONS), ...Object.keys(CLIMATES)].map(
		(cell): [string, number] => [
			cell,
			toBest(runs.filter((each) => each.cells.includes(cell))),
		],
	);
	const [worst, ratio] = cells.reduce((a, b) => (a[1] > b[1] ? a : b));
	row(
		roof,
		...methods.map((method) => of(runs, method).toFixed(0)),
		toBest(runs).toFixed(3),
		`${worst} ${ratio.toFixed(3)}`,
	);
	check(`${roof}, to best simple`, toBest(runs), 1.05);
	for (const [cell, value] of cells)
		check(`${roof}, ${cell}, to best simple`, value, 1.05);
	if (roof.startsWith("right"))
		check(`${roof}, to as it came`, toRaw(runs), 1.01);
	weeks.push(...runs.flatMap((each) => each.weeks));
	idealWeeks.push(...runs.flatMap((each) => each.idealWeeks));
}
if (weeks.length > 0) {
	const share = (most: number, of = weeks) =>
		of.filter((ratio) => ratio > most).length / of.length;
	console.log(
		`\nOf ${weeks.length} weeks ${(100 * share(1.03)).toFixed(1)} % were worse than as it came by over 3 %, ${(100 * share(1.1)).toFixed(1)} % by over 10 %; of who knows the roof ${(100 * share(1.03, idealWeeks)).toFixed(1)} and ${(100 * share(1.1, idealWeeks)).toFixed(1)} %.`,
	);
	check("weeks worse by 10 %", share(1.1), 0.01);
}

/** How often each note was told. */
function notesOf(runs: Run[]): string {
	const counts = new Map<string, number>();
	for (const code of runs.flatMap(({ notes }) => notes))
		counts.set(code, (counts.get(code) ?? 0) + 1);
	return [...counts]
		.map(([code, count]) => `${code} ${count}/${runs.length}`)
		.join(", ");
}
const meters = Object.entries({ ...METERS, ...OTHERS });

head("Meter", "right, to as it came", "worst", "12 % less", "notes");
for (const [name, meter] of meters) {
	if (!name.includes(text)) continue;
	const of = (roof: string) =>
		worldsOf(roof).map(({ world }) => run(world, meter(world)));
	const right = of("right");
	// What is no meter of the roof teaches nothing: one roof shows that.
	const less = name in METERS ? of("12 % less") : [];
	row(
		name,
		toRaw(right).toFixed(3),
		Math.max(...right.map((each) => toRaw([each]))).toFixed(3),
		less.length > 0 ? toRaw(less).toFixed(3) : "",
		notesOf([...right, ...less]),
	);
	check(name, toRaw(right), 1.02);
}

if (scale) {
	console.log(
		`\n1,000 sites: a reading a minute and a forecast an hour take ${scale.toFixed(2)} s of CPU a day.`,
	);
	check("1,000 sites", scale, 2);
}
console.log();
for (const failure of failures) console.error(failure);
if (flags.includes("--check") && failures.length > 0) process.exitCode = 1;
