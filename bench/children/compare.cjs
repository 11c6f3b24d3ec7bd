// Compares tasks with a floor, which is the first of them: short runs by turns, so
// that all meet the same machine; the median of each task's ratios counts.
const threadMs = require("./thread-time.cjs");

const input = JSON.parse(process.argv[2]);
/** A measured stretch of work is long against the steps of the clock, ms. */
const STRETCH_MS = 50;

const median = (values) =>
	[...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/**
 * @param tasks by name, each given what `prepare` made; `input.tasks` may name
 * those that are compared with the floor
 * @param prepare makes what one call of a task works on; its time does not count
 */
async function compare(tasks, prepare = () => undefined) {
	const { Bench } = await import("tinybench");
	const [floorName, ...others] = Object.keys(tasks);
	const names = [floorName, ...(input.tasks ?? others)];
	const counts = {};
	for (const name of names) {
		counts[name] = await stretchOf(tasks[name], prepare);
	}
	const times = Object.fromEntries(names.map((name) => [name, []]));
	for (let round = 0; round < input.rounds; round += 1) {
		const bench = new Bench({
			time: input.ms,
			iterations: 3,
			warmup: false,
			throws: true,
			now: threadMs,
		});
		for (const name of names) {
			let prepared = [];
			const work = async () => {
				for (const one of prepared) await tasks[name](one);
			};
			const beforeEach = () => {
				prepared = Array.from({ length: counts[name] }, prepare);
			};
			bench.add(name, work, { beforeEach });
		}
		await bench.run();
		for (const { name, result } of bench.tasks) {
			times[name].push(result.latency.p50 / counts[name]);
		}
	}
	const floor = times[floorName];
	process.stdout.write(
		JSON.stringify({
			ms: Object.fromEntries(names.map((name) => [name, median(times[name])])),
			ratios: Object.fromEntries(
				names.map((name) => [
					name,
					median(times[name].map((time, round) => time / floor[round])),
				]),
			),
		}),
	);
}

/** How many calls make a stretch, once the code has been made fast. */
async function stretchOf(task, prepare) {
	const batch = async (count) => {
		const prepared = Array.from({ length: count }, prepare);
		const start = threadMs();
		for (const one of prepared) await task(one);
		return threadMs() - start;
	};
	await batch(3);
	let count = 1;
	let ms = await batch(count);
	while (ms < STRETCH_MS) {
		count *= 2;
		ms = await batch(count);
	}
	return Math.max(1, Math.round((count * STRETCH_MS) / ms));
}

module.exports = { compare, input };
