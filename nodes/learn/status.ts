import type { NodeStatus } from "node-red";
import type { Learner } from "../../src/learn/learner";
import { noteText } from "../../src/learn/notes";
import type { Text } from "../../src/texts/texts";
import { DAY_MS, HOUR_MS } from "../../src/util/time";
import { Zone } from "../../src/util/zone";
import {
	clockText,
	makeStatus,
	type Translate,
	textsOf,
} from "../shared/status";
import type { LearnView } from "./dialog-answers";

/** A meter that said nothing for this long is silent: nights are shorter, outages are not. */
const SILENT_MS = 26 * HOUR_MS;
/** What a date shows is told of until the next whole one is over. */
const TOLD_MS = 2 * DAY_MS;

const signed = (percent: number) =>
	percent < 0 ? `−${-percent}` : percent > 0 ? `+${percent}` : "0";

/** By how much today is corrected and how large the error was, or what is still missing (behaviour: Statuses). */
export function learnStatus(
	learner: Pick<Learner, "facts" | "notes" | "state" | "isMissing">,
	now: number,
	translate: Translate,
): NodeStatus {
	const say = textsOf("solar-yield-learn", translate);
	const { timezone, demo } = learner.state;
	const { isKnown, readUntil, days, percent, error, rawError } =
		learner.facts(now);
	if (!isKnown) return makeStatus("idle", say("no_forecast"), demo);
	if (readUntil === 0) {
		const text = say(learner.isMissing ? "unavailable" : "no_readings");
		return makeStatus("idle", text, demo);
	}
	const parts: string[] = [];
	// Sums of a coarse counter need nobody.
	const fault = learner
		.notes()
		.find(({ code, last }) => code !== "coarse" && last > now - TOLD_MS);
	const isSilent = now - readUntil > SILENT_MS;
	if (isSilent) {
		const zone = Zone.of(timezone ?? "");
		const time = clockText(readUntil, now, zone, translate);
		parts.push(say("silent", { time }));
	} else if (fault) parts.push(say(`fault.${fault.code}`));
	parts.push(
		percent === 0
			? say("learning", { day: String(days + 1) })
			: say("correction", { percent: signed(percent) }),
	);
	if (error !== null && rawError !== null) {
		const errors = { error: error.toFixed(0), raw: rawError.toFixed(0) };
		parts.push(say("error", errors));
	}
	const look = isSilent || fault ? "waiting" : "fine";
	return makeStatus(look, parts.join(" · "), demo);
}

/** What the dialog shows. */
export function learnView(learner: Learner, now: number): LearnView<Text> {
	learner.advance(now);
	return {
		timezone: learner.state.timezone,
		facts: learner.facts(now),
		meters: learner.maps(now),
		notes: learner.notes().map((note) => ({ ...note, text: noteText(note) })),
	};
}
