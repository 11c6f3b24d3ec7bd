import type { NodeStatus } from "node-red";
import { Zone } from "../../src/forecast/zone";
import type { Note, NoteCode, StatusFacts } from "../../src/learn";
import { DAY_MS, HOUR_MS } from "../../src/util/time";
import {
	clockText,
	type Look,
	makeStatus,
	type Translate,
	textsOf,
} from "../shared/status";

/** A meter that said nothing for this long is silent: nights are shorter, outages are not. */
const SILENT_MS = 26 * HOUR_MS;
/** Dates with a fault are told of until the next whole one is over. */
const TOLD_MS = 2 * DAY_MS;
/** Faults of a whole date, which a person should look at. */
const DAY_FAULTS: readonly NoteCode[] = [
	"unit_kw",
	"two_meters",
	"dead_meter",
	"high_day",
	"low_day",
];

/** What a learn node shows. */
interface LearnStatus {
	readonly facts: StatusFacts;
	readonly notes: readonly Note[];
	readonly timezone: string | null;
	readonly demo: boolean;
	/** Epoch ms. */
	readonly now: number;
}

const signed = (percent: number) =>
	percent < 0 ? `−${-percent}` : percent > 0 ? `+${percent}` : "0";

/** By how much today is corrected and how large the error was, or what is still missing (behaviour: Statuses). */
export function learnStatus(
	{ facts, notes, timezone, demo, now }: LearnStatus,
	translate: Translate,
): NodeStatus {
	const say = textsOf("solar-yield-learn", translate);
	const { phase, days, correction_percent, read_until } = facts;
	if (phase === "no_forecast") {
		return makeStatus("idle", say("no_forecast"), demo);
	}
	if (phase === "no_readings") {
		const isUnavailable = notes.some(({ code }) => code === "unavailable");
		return makeStatus(
			"idle",
			say(isUnavailable ? "unavailable" : "no_readings"),
			demo,
		);
	}
	const parts: string[] = [];
	let look: Look = "fine";
	const fault = notes
		.filter(
			({ code, last }) => DAY_FAULTS.includes(code) && last > now - TOLD_MS,
		)
		.sort((a, b) => b.last - a.last)[0];
	if (read_until !== null && now - read_until > SILENT_MS) {
		look = "waiting";
		const zone = Zone.of(timezone ?? "") ?? Zone.utc;
		parts.push(
			say("silent", { time: clockText(read_until, now, zone, translate) }),
		);
	} else if (fault) {
		look = "waiting";
		parts.push(say(`fault.${fault.code}`));
	}
	parts.push(
		correction_percent === null
			? say("learning", { day: String(days + 1) })
			: say("correction", { percent: signed(correction_percent) }),
	);
	const { error_percent, raw_error_percent } = facts;
	if (error_percent !== null && raw_error_percent !== null) {
		parts.push(
			say("error", {
				error: error_percent.toFixed(0),
				raw: raw_error_percent.toFixed(0),
			}),
		);
	}
	return makeStatus(look, parts.join(" · "), demo);
}
