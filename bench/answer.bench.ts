import type { AnswerCosts } from "./children/answer";
import {
	type Case,
	child,
	type Figure,
	rounded,
	TYPICAL,
	WORST,
} from "./support";

const CASES: readonly { answer: Case; parse: number; messages: number }[] = [
	{ answer: TYPICAL, parse: 3, messages: 4 },
	{ answer: WORST, parse: 2.5, messages: 6 },
];
const MOST_HEAP = 2;

/** From the bytes of an answer to a forecast, from there to messages, and the heap that it holds. */
export async function run(quick: boolean): Promise<Figure[]> {
	return CASES.flatMap(({ answer, parse, messages }): Figure[] => {
		const costs = child<AnswerCosts>("answer", {
			answer,
			turns: quick ? 5 : 25,
		});
		const floor = `JSON.parse of the answer, ${rounded(costs.floorMs)} ms`;
		const figure = (
			name: string,
			value: number,
			target: number,
			note: string,
		) => ({
			name: `${name}, ${answer.name}`,
			value: rounded(value),
			target,
			unit: "×",
			note,
		});
		return [
			figure("bytes to forecast", costs.parse, parse, floor),
			figure("messages for 5 nodes", costs.messages, messages, floor),
			figure("heap of a forecast", costs.heap, MOST_HEAP, "bytes of its JSON"),
			figure(
				"heap once nodes have shown it",
				costs.shown,
				MOST_HEAP,
				"bytes of its JSON",
			),
		];
	});
}
