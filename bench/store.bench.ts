import {
	type Compared,
	child,
	type Figure,
	fileOf,
	firstCalls,
	rounded,
	TYPICAL,
	worst,
} from "./support";

/** A forecast on its way to the disk and back, and the first message after a start. */
export async function run(quick: boolean): Promise<Figure[]> {
	const figures: Figure[] = [];
	for (const { answer, target } of [
		{ answer: TYPICAL },
		{ answer: worst(4), target: 2 },
	]) {
		const { include, pastDays, name } = answer;
		const input = { file: fileOf(answer), include, pastDays };
		// A process each: what writing leaves to be collected is not part of a start.
		const ratiosOf = async (tasks: readonly string[]) =>
			(
				await child<Compared>("store", {
					...input,
					tasks,
					rounds: quick ? 3 : 7,
					ms: quick ? 100 : 400,
				})
			).ratios;
		const files = ["the bytes alone", "write", "read"];
		const ratios = {
			...(await ratiosOf(files)),
			...(await ratiosOf(["first message"])),
		};
		const note = "JSON.parse of the answer";
		for (const task of files) {
			figures.push({
				name: `store, ${name}: ${task}`,
				value: rounded(ratios[task] as number),
				unit: "×",
				note,
			});
		}
		figures.push({
			name: `from disk to the first message, ${name}`,
			value: rounded(ratios["first message"] as number),
			...(target && { target }),
			unit: "×",
			note,
		});
		const first = await firstCalls(
			"first-start",
			["floor", "ours"],
			input,
			quick ? 3 : 15,
		);
		figures.push({
			name: `the same as the first work of a process, ${name}`,
			value: rounded((first.ours as number) / (first.floor as number)),
			unit: "×",
			note: `its JSON.parse, ${rounded(first.floor as number)} ms`,
		});
	}
	return figures;
}
