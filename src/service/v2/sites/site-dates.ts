import type { Text } from "../../../texts/texts";
import { DAY_MS, dateText, readStamp } from "../../../util/time";
import type { Site } from "./site";

/** How long a deleted site can be restored (spec V2, "Pending deletion window"). */
const RESTORE_MS = 30 * DAY_MS;
/** How long a temporary site lives (spec V2, "Temporary site lifetime"). */
export const TEMPORARY_MS = 31 * DAY_MS;
/** Least time between two changes of a site's location (spec V2, "Location change"). */
export const RELOCATION_MS = 30 * DAY_MS;

/** Epoch ms of a stamp in a record; one without an offset is taken as UTC. */
function moment(text: unknown): number | null {
	if (typeof text !== "string") return null;
	const { ms } = readStamp(text);
	return Number.isNaN(ms) ? null : ms;
}

/** Until when a deleted site can be restored, epoch ms; null when it is not known. */
export function restorableUntil({ deleted_at }: Site): number | null {
	const at = moment(deleted_at);
	return at === null ? null : at + RESTORE_MS;
}

/** Until when a deleted site can be restored, as a part of a sentence, in the site's time. */
export function restoreText(site: Site): Text {
	const at = restorableUntil(site);
	return at === null
		? { key: "sites.within_30_days" }
		: { key: "sites.until", values: { time: { at, zone: site.timezone } } };
}

/** When a temporary site is deleted, epoch ms; null when it is not known. */
export function temporaryUntil({ record }: Site): number | null {
	const end = moment(record.expires_at);
	const created = moment(record.created_at);
	return end ?? (created === null ? null : created + TEMPORARY_MS);
}

/** The UTC date of an instant, YYYY-MM-DD. */
export const utcDate = (instant: number) =>
	dateText(Math.floor(instant / DAY_MS));
