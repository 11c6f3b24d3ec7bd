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

const CASES = [
	{ answer: TYPICAL, target: 3 },
	{ answer: worst(1), quick: false },
	{ answer: worst(4), target: 2.5 },
	{ answer: worst(12), quick: false },
];
const FIRST_CASES = [{ answer: TYPICAL }, { answer: worst(4), target: 6 }];

/** From the bytes of an answer to a forecast with every row checked. */
export async function run(quick: boolean): Promise<Figure[]> {
	const figures: Figure[] = [];
	for (const { answer, target, quick: inQuick = true } of CASES) {
		if (quick && !inQuick) continue;
		const { ms, ratios } = await child<Compared>("parse", {
			file: fileOf(answer),
			rounds: quick ? 3 : 9,
			ms: quick ? 100 : 400,
		});
		figures.push(
			{
				name: `bytes to forecast, ${answer.name}`,
				value: rounded(ratios.ours as number),
				...(target && { target }),
				unit: "×",
				note: `JSON.parse, ${rounded(ms.floor as number)} ms`,
			},
			{
				name: `the same by core nodes, ${answer.name}`,
				value: rounded(ratios.core as number),
				unit: "×",
				note: "JSON.parse",
			},
		);
	}
	for (const { answer, target } of FIRST_CASES) {
		const ms = await firstCalls(
			"first-parse",
			["floor", "ours", "core"],
			{ file: fileOf(answer) },
			quick ? 3 : 15,
		);
		const floor = ms.floor as number;
		figures.push(
			{
				name: `first answer of a process, ${answer.name}`,
				value: rounded((ms.ours as number) / floor),
				...(target && { target }),
				unit: "×",
				note: `its JSON.parse, ${rounded(floor)} ms`,
			},
			{
				name: `the same by core nodes, ${answer.name}, first`,
				value: rounded((ms.core as number) / floor),
				unit: "×",
				note: "its JSON.parse",
			},
		);
	}
	return figures;
}
