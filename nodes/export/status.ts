import type { NodeStatus } from "node-red";
import type { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import type { Zone } from "../../src/util/zone";
import {
	clockText,
	makeStatus,
	type Translate,
	textsOf,
} from "../shared/status";

/** What an export node did last. */
export interface ExportState {
	readonly format: string;
	/** What it sent: when, in the site's time, and how many quarters it had to interpolate. */
	readonly sent?: {
		readonly at: number;
		readonly zone: Zone;
		readonly filled: number;
	};
	/** A site that comes as well, and is refused since the document holds another. */
	readonly refused?: string | undefined;
	/** It took what it had published off the broker. */
	readonly removed?: boolean;
	/** Why it sent nothing. */
	readonly failure?: SolarYieldError;
}

/** What an export node shows: its format, and when it last sent or why it did not. */
export function exportStatus(
	{ format, sent, refused, removed, failure }: ExportState,
	demo: boolean,
	translate: Translate,
): NodeStatus {
	const say = textsOf("solar-yield-export", translate);
	const parts = [format];
	if (failure) {
		const isRefused = ["INPUT", "NOT_FOUND"].includes(failure.kind);
		parts.push(say(isRefused ? "refused" : "unusable"));
	} else if (removed) parts.push(say("removed"));
	else if (sent) {
		const time = clockText(sent.at, sent.at, sent.zone, translate);
		parts.push(say("sent", { time }));
		if (sent.filled > 0) {
			const count = String(sent.filled);
			parts.push(say("filled", { count }));
		}
	} else parts.push(say("waiting"));
	if (sent && refused) parts.push(say("other_site", { site: refused }));
	return makeStatus(
		failure ? "failing" : refused ? "waiting" : sent ? "fine" : "idle",
		parts.join(" · "),
		demo,
	);
}
