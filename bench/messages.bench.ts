import {
	type Compared,
	child,
	type Figure,
	fileOf,
	rounded,
	TYPICAL,
	worst,
} from "./support";

const OTHERS = ["structuredClone for 5", "core nodes for 5"];
const CASES = [
	{ answer: TYPICAL, target: 4, tasks: ["for 1", "for 5", "for 50"] },
	{ answer: worst(1), tasks: ["for 1", "for 5"], quick: false },
	{ answer: worst(4), target: 6, tasks: ["for 1", "for 5"] },
	{ answer: worst(12), tasks: ["for 1", "for 5"], quick: false },
];
/** Nodes that show two groups of an answer with all of them, as a house has it. */
const SHOWN = {
	include: ["default", "strings"],
	pastDays: 0,
	tasks: ["for 5"],
};

/** From a forecast to the messages of three outputs, for each node that shows it. */
export async function run(quick: boolean): Promise<Figure[]> {
	const compared = async (name: string, input: object, target?: number) => {
		const { ratios } = await child<Compared>("messages", {
			rounds: quick ? 3 : 7,
			ms: quick ? 100 : 400,
			...input,
		});
		return Object.entries(ratios)
			.filter(([task]) => task !== "floor")
			.map(([task, ratio]) => ({
				name: `${name}, ${task}`,
				value: rounded(ratio),
				...(task === "for 5" && target && { target }),
				unit: "×",
				note: "JSON.parse of the answer",
			}));
	};
	const figures: Figure[] = [];
	for (const { answer, target, tasks, quick: inQuick = true } of CASES) {
		if (quick && !inQuick) continue;
		const { include, pastDays, name } = answer;
		const input = {
			file: fileOf(answer),
			include,
			pastDays,
			tasks: quick ? tasks : [...tasks, ...OTHERS],
		};
		figures.push(...(await compared(`messages, ${name}`, input, target)));
	}
	for (const timezone of quick ? [] : ["local", "utc"]) {
		figures.push(
			...(await compared(`messages of two groups out of all, ${timezone}`, {
				file: fileOf(worst(4)),
				...SHOWN,
				timezone,
			})),
		);
	}
	return figures;
}
