import { dateDay } from "../util/time";
import {
	copyOf,
	type ForecastContent,
	type QuotaFacts,
	quotaFacts,
	type SolarFacts,
	solarFacts,
} from "./facts";
import type { Selection } from "./selection";
import { siteTopic, stringLevels } from "./topic";
import { showDays, showForecast, showStrings } from "./view";

/** A message before it is joined to what came in. */
export interface SolarMessage {
	topic: string;
	payload: unknown;
	retain?: true;
	solar: SolarFacts;
	quota: QuotaFacts;
	parts?: { id: string; type: "array"; index: number; count: number };
	/** A site that is no more: nodes behind forget it. */
	operation?: "remove";
	/** The site of that operation. */
	siteId?: string;
}

/**
 * The three outputs of the forecast node (behaviour: Messages). Each message is made when
 * it is taken, so that the first need not wait for the last.
 */
export type Outputs = [
	Iterable<SolarMessage>,
	Iterable<SolarMessage>,
	Iterable<SolarMessage>,
];

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
	state: ForecastContent,
	presentation: Presentation,
	cached: boolean,
	partsId: () => string,
): Outputs {
	const message = messageMaker(state, presentation, cached);
	return [
		whole(message, state, presentation),
		daysBy(message, state, presentation.selection, partsId()),
		stringsBy(message, state, presentation.selection, partsId()),
	];
}

function* whole(
	message: MessageMaker,
	{ forecast, now }: ForecastContent,
	{ selection, key }: Presentation,
): Generator<SolarMessage> {
	const view = showForecast(forecast, selection, key, now);
	const first = message("forecast", view);
	view.solar = copyOf(first.solar);
	yield first;
}

function* daysBy(
	message: MessageMaker,
	{ forecast, now }: ForecastContent,
	selection: Selection,
	partsId: string,
): Generator<SolarMessage> {
	const today = forecast.zone.dayOf(now);
	const days = showDays(forecast, selection, now);
	const part = sequence(partsId, days.length);
	for (const row of days) {
		yield part(message(`daily/${dateDay(row.date) - today}`, row));
	}
}

/**
 * A message of each string that a node shows, numbered as one sequence.
 *
 * @param message makes one, by its level of the topic
 */
export function* stringsBy(
	message: MessageMaker,
	{ forecast, now, site }: Pick<ForecastContent, "forecast" | "now" | "site">,
	selection: Selection,
	partsId: string,
): Generator<SolarMessage> {
	if (!selection.include.includes("strings")) return;
	const part = sequence(partsId, forecast.strings?.length ?? 0);
	const levels = stringLevels(forecast.strings ?? [])[Symbol.iterator]();
	const shown = showStrings(forecast, selection, site?.strings ?? [], now);
	for (const string of shown) {
		yield part(message(`strings/${levels.next().value}`, string));
	}
}

type MessageMaker = (leaf: string, payload: unknown) => SolarMessage;

/** Makes messages of a forecast below the site's topic, with its facts. */
export function messageMaker(
	state: ForecastContent,
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
		solar: copyOf(facts),
		quota: quotaFacts(state),
	});
}

/** Numbers messages one after the other as one sequence, as a join node expects it. */
function sequence(
	id: string,
	count: number,
): (message: SolarMessage) => SolarMessage {
	let index = 0;
	return (message) => {
		message.parts = { id, type: "array", index, count };
		index += 1;
		return message;
	};
}
