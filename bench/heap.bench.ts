import { child, type Figure, fileOf, rounded, TYPICAL, worst } from "./support";

/** Heap held per kept forecast against the bytes of its JSON. */
export async function run(quick: boolean): Promise<Figure[]> {
	const figures: Figure[] = [];
	for (const answer of [TYPICAL, worst(4), ...(quick ? [] : [worst(12)])]) {
		const { include, pastDays, name } = answer;
		const held = async (input: object) => {
			const { ratio } = await child<{ ratio: number }>(
				"heap",
				{
					file: fileOf(answer),
					include,
					pastDays,
					shown: [],
					count: answer === TYPICAL ? 40 : 4,
					...input,
				},
				["--expose-gc"],
			);
			return rounded(ratio);
		};
		const unit = "×";
		const note = "bytes of its JSON";
		figures.push(
			{
				name: `heap of a forecast, ${name}`,
				value: await held({}),
				target: 2,
				unit,
				note,
			},
			{
				name: `after nodes have shown it, ${name}`,
				value: await held({ shown: ["local", "utc"] }),
				target: 2,
				unit,
				note: `${note}; one node in local time, one in UTC`,
			},
			{
				name: `heap of the parsed JSON alone, ${name}`,
				value: await held({ task: "floor" }),
				unit,
				note,
			},
		);
	}
	return figures;
}
