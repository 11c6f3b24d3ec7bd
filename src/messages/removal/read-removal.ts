import { readSiteId } from "../selection";
import { siteOfTopic, topicLevel } from "../topic";

/** What is to be forgotten. */
export interface Removal {
	/** Undefined for all sites. */
	readonly siteId: string | undefined;
	/** Topic of the message where it is that of a site's forecast. */
	readonly topic: string | undefined;
	/** Whether a site is meant; topics name sites by what is left of their ids. */
	names(siteId: string): boolean;
}

/** Whether a payload is what takes a retained message off a broker. */
const isEmpty = (payload: unknown) =>
	payload === "" || (payload instanceof Uint8Array && payload.length === 0);

/**
 * Whether a message says that a site is no more: `msg.operation` is `remove`
 * (`msg.siteId` names the site, blank means all), or the topic is that of a
 * site's forecast and the payload is empty, as a broker tells it.
 *
 * @returns undefined for every other message
 * @throws SolarYieldError `INPUT` when `msg.siteId` is none
 */
export function readRemoval(message: {
	readonly operation?: unknown;
	readonly siteId?: unknown;
	readonly topic?: unknown;
	readonly payload?: unknown;
}): Removal | undefined {
	const named = siteOfTopic(message.topic);
	const isTold = message.operation === "remove";
	if (!isTold && !(named && isEmpty(message.payload))) return undefined;
	const siteId = isTold ? readSiteId(message.siteId) : named?.site_id;
	return {
		siteId,
		topic: named && String(message.topic),
		names: (id) =>
			siteId === undefined || topicLevel(id) === topicLevel(siteId),
	};
}
