import type { QuotaFacts, SolarFacts } from "../forecast/facts";
import { siteTopic, topicLevel } from "../forecast/topic";
import {
	type Selection,
	showDays,
	showForecast,
	showStrings,
} from "../forecast/view";
import { dateDay } from "../service/stamp";
import { copyFacts, quotaFacts, solarFacts } from "./facts";
import type { KnownState } from "./hub";

/** A message before it is joined to what came in. */
export interface SolarMessage {
	topic: string;
	payload: unknown;
	retain?: true;
	solar: SolarFacts;
	quota: QuotaFacts;
	parts?: { id: string; type: "array"; index: number; count: number };
}

/** The three outputs of the forecast node (CONTRACT 2). */
export type Outputs = [SolarMessage[], SolarMessage[], SolarMessage[]];

/** How one node names and cuts what it sends. */
export interface Presentation {
	/** The source's key. */
	readonly key: string;
	readonly selection: Selection;
	/** Prefix of topics. */
	readonly topic: string;
	readonly demo: boolean;
}

/**
 * All messages of one forecast: the forecast, its days, its strings; each with
 * objects of its own, so that no receiver can change another's.
 *
 * @param cached whether the forecast was known before the cause of this message
 * @param partsId a fresh id for each sequence
 */
export function forecastMessages(
	state: KnownState,
	presentation: Presentation,
	cached: boolean,
	partsId: () => string,
): Outputs {
	const { forecast, now, site } = state;
	const { selection, key } = presentation;
	const message = messageMaker(state, presentation, cached);
	const view = showForecast(forecast, selection, key, now);
	const first = message("forecast", view);
	view.solar = copyFacts(first.solar);
	const strings = selection.include.includes("strings")
		? showStrings(forecast, selection, site?.strings ?? [], now)
		: [];
	return [
		[first],
		daysBy(message, state, selection, partsId()),
		sequence(
			strings.map((string) =>
				message(
					`strings/${topicLevel(string.string_id ?? String(string.string_index))}`,
					string,
				),
			),
			partsId(),
		),
	];
}

/** Output 2 alone: one message per daily row, numbered from the site's today. */
export function dayMessages(
	state: KnownState,
	presentation: Presentation,
	cached: boolean,
	partsId: string,
): SolarMessage[] {
	const message = messageMaker(state, presentation, cached);
	return daysBy(message, state, presentation.selection, partsId);
}

function daysBy(
	message: MessageMaker,
	{ forecast, now }: KnownState,
	selection: Selection,
	partsId: string,
): SolarMessage[] {
	const today = forecast.zone.dayOf(now);
	return sequence(
		showDays(forecast, selection, now).map((row) =>
			message(`daily/${dateDay(row.date) - today}`, row),
		),
		partsId,
	);
}

type MessageMaker = (leaf: string, payload: unknown) => SolarMessage;

function messageMaker(
	state: KnownState,
	presentation: Presentation,
	cached: boolean,
): MessageMaker {
	const { key, selection, demo, topic } = presentation;
	const facts = solarFacts(state, key, selection, { demo, cached });
	const base = siteTopic(topic, facts);
	return (leaf, payload) => ({
		topic: `${base}/${leaf}`,
		payload,
		retain: true,
		solar: copyFacts(facts),
		quota: quotaFacts(state),
	});
}

/** Numbers messages as one sequence, as a join node expects it. */
export function sequence(messages: SolarMessage[], id: string): SolarMessage[] {
	for (const [index, message] of messages.entries()) {
		message.parts = { id, type: "array", index, count: messages.length };
	}
	return messages;
}
