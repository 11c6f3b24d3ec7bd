import type { NodeStatus } from "node-red";
import type { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import { ForeignAnswerError } from "../../src/service/first-contact";
import { lastDayText, V1EndedError, type V1Phase } from "../../src/v1/shutdown";
import {
	faultText,
	type Look,
	languageOf,
	makeStatus,
	sharedTexts,
	type Translate,
	textsOf,
} from "../shared/status";

const PHASE_LOOK = {
	legacy: "fine",
	warning: "waiting",
	ended: "stuck",
} as const satisfies Record<V1Phase, Look>;

/** What a V1 node shows: how it stands, and always when V1 ends. */
interface V1State {
	readonly phase: V1Phase;
	readonly asking: boolean;
	/** Why the node cannot work as it is set up. */
	readonly problem?: SolarYieldError | undefined;
	/** The last request's failure, or how many rows it brought. */
	readonly failure?: SolarYieldError | undefined;
	readonly rows?: number | undefined;
}

export function v1Status(
	{ phase, asking, problem, failure, rows }: V1State,
	demo: boolean,
	translate: Translate,
): NodeStatus {
	const say = textsOf("solar-yield-v1", translate);
	const sayShared = sharedTexts(translate);
	const error = problem ?? failure;
	const parts: string[] = [];
	if (asking) parts.push(sayShared("asking"));
	else if (error) {
		// The end is said below, whatever it looked like from here.
		if (!(error instanceof V1EndedError))
			parts.push(faultText(error, translate));
	} else if (rows !== undefined)
		parts.push(say("rows", { count: String(rows) }));
	parts.push(say(phase, { date: lastDayText(languageOf(translate)) }));
	const look = asking
		? "asking"
		: problem || failure instanceof ForeignAnswerError
			? "stuck"
			: failure && phase !== "ended"
				? "failing"
				: PHASE_LOOK[phase];
	return makeStatus(look, parts.join(" · "), demo);
}
