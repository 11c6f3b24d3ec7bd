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
		const { ratios } = await child<Compared>("store", {
			...input,
			rounds: quick ? 2 : 7,
			ms: quick ? 100 : 400,
		});
		const note = "JSON.parse of the answer";
		for (const task of ["the bytes alone", "write", "read"]) {
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
