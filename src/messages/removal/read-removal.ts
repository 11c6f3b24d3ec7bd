import { readSiteId } from "../selection";
import { siteOfTopic } from "../topic";

/** What is to be forgotten: one site, or undefined for all. */
interface Removal {
	readonly siteId: string | undefined;
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
	if (message.operation === "remove") {
		return { siteId: readSiteId(message.siteId) };
	}
	if (!isEmpty(message.payload)) return undefined;
	const named = siteOfTopic(message.topic);
	return named && { siteId: named.site_id };
}
