import { variableOf } from "../variable";
import { request } from "./request";

/** Pause in typing after which a picture follows, ms. */
const PAUSE_MS = 300;

type Settings = Readonly<Record<string, unknown>>;

/**
 * Asks a deployed node, after each pause in typing, what the settings in its dialog
 * would make.
 *
 * @param settings as they stand
 * @param faultOf why it is not worth asking
 * @returns asks at once
 */
export function follower<Answer>(
	path: string,
	fields: readonly JQuery[],
	settings: () => Settings,
	show: (answer: Answer) => void,
	refuse: (text: string) => void,
	faultOf: (given: Settings) => string | undefined = () => undefined,
): () => void {
	/** Number of the last question: an answer to an earlier one comes too late. */
	let asked = 0;
	const follow = () => {
		// What a variable holds the deployed node knows.
		const given = Object.fromEntries(
			Object.entries(settings()).filter(
				([, value]) => variableOf(value) === undefined,
			),
		);
		asked += 1;
		const question = asked;
		const fault = faultOf(given);
		if (fault !== undefined) {
			refuse(fault);
			return;
		}
		request<Answer>("POST", path, given).then(
			(answer) => {
				if (question === asked) show(answer);
			},
			(error: Error) => refuse(error.message),
		);
	};
	let pause: ReturnType<typeof setTimeout> | undefined;
	for (const field of fields) {
		field.on("input change", () => {
			clearTimeout(pause);
			pause = setTimeout(follow, PAUSE_MS);
		});
	}
	return follow;
}
