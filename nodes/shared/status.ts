import type { NodeStatus } from "node-red";
import type { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import { ForeignAnswerError } from "../../src/service/first-contact";
import { type Language, languageFor } from "../../src/util/language";
import { HOUR_MS } from "../../src/util/time";
import { timeText, Zone } from "../../src/util/zone";
import { SetupError } from "./setup-error";

/** Looks a text up in the catalogue, in the server's language. */
export type Translate = (
	key: string,
	values?: Record<string, string>,
) => string;

/** Looks up texts of one type of node, below `status.`. */
export const textsOf =
	(type: string, translate: Translate): Translate =>
	(key, values) =>
		translate(
			`@solar-yield/node-red-solar-yield/${type}:status.${key}`,
			values,
		);

/** Looks up texts that nodes share, below `status.`; they stand in the account's catalogue. */
export const sharedTexts = (translate: Translate): Translate =>
	textsOf("solar-yield-account", translate);

/** Shape and colour of every status, in one place. */
const LOOK = {
	idle: { fill: "grey", shape: "ring" },
	asking: { fill: "blue", shape: "dot" },
	fine: { fill: "green", shape: "dot" },
	waiting: { fill: "yellow", shape: "ring" },
	failing: { fill: "red", shape: "ring" },
	stuck: { fill: "red", shape: "dot" },
} as const satisfies Record<string, NodeStatus>;
export type Look = keyof typeof LOOK;

/** Distance below which a clock time has no date, even on the other side of midnight. */
const NEAR_MS = 12 * HOUR_MS;

/** The server's language, as far as there is a catalogue: Node-RED tells it in no other way. */
export const languageOf = (translate: Translate): Language =>
	languageFor(sharedTexts(translate)("language"));

/**
 * Clock time of the site, with the date where the time alone could be another day's.
 *
 * @param siteZone undefined while the site's is not known: this machine's then, by its name
 */
export function clockText(
	instant: number,
	now: number,
	siteZone: Zone | undefined,
	translate: Translate,
): string {
	const zone = siteZone ?? Zone.host;
	const isNear =
		Math.abs(instant - now) < NEAR_MS ||
		zone.dayOf(instant) === zone.dayOf(now);
	const text = isNear
		? zone.format(instant).slice(11, 16)
		: timeText(instant, { zone, language: languageOf(translate) });
	const isForeign = siteZone === undefined || zone === Zone.utc;
	return isForeign && !text.endsWith("UTC") ? `${text} ${zone.name}` : text;
}

/** Writes numbers as the language of the catalogue does, without separators of thousands. */
const decimals =
	(most: number, least = 0) =>
	(value: number, translate: Translate): string =>
		value.toLocaleString(languageOf(translate), {
			minimumFractionDigits: least,
			maximumFractionDigits: most,
			useGrouping: false,
		});

/** An energy, with one decimal. */
export const energyText = decimals(1, 1);

/** A number with at most two decimals. */
export const numberText = decimals(2);

/** What a status says of inputs that a sensor has no value for: one part or none (behaviour: Messages "Input"). */
export const absentText = (
	names: readonly string[],
	say: Translate,
): string[] =>
	names.length > 0 ? [say("absent", { names: names.join(", ") })] : [];

/** A status; that of demo data says so. */
export function makeStatus(
	look: Look,
	text: string,
	demo: boolean,
): NodeStatus {
	return { ...LOOK[look], text: demo ? `demo · ${text}` : text };
}

/** What is wrong, in a few words. */
export function faultText(error: SolarYieldError, translate: Translate) {
	const say = sharedTexts(translate);
	if (error instanceof SetupError) return say(`setup.${error.setup}`);
	if (error instanceof ForeignAnswerError) return say("setup.address");
	return say(`kind.${error.kind}`);
}

/** The status of a node that cannot work, by what is wrong with it. */
export const problemStatus = (
	problem: SolarYieldError,
	translate: Translate,
): NodeStatus => makeStatus("stuck", faultText(problem, translate), false);

/** State of a node that makes a request for each message: it asks, or could not. */
export type RequestState =
	| { readonly asking: true }
	| { readonly failure: SolarYieldError };

/** Kinds of failure that may be over with the next message. */
const PASSING = ["SERVICE", "NETWORK", "TIMEOUT", "RESPONSE", "RATE", "QUOTA"];

export function requestStatus(
	state: RequestState,
	demo: boolean,
	translate: Translate,
): NodeStatus {
	if ("asking" in state) {
		return makeStatus("asking", sharedTexts(translate)("asking"), demo);
	}
	const { failure } = state;
	const isPassing =
		PASSING.includes(failure.kind) && !(failure instanceof ForeignAnswerError);
	return makeStatus(
		isPassing ? "failing" : "stuck",
		faultText(failure, translate),
		demo,
	);
}
