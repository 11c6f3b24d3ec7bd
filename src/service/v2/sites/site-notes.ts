import type { Site } from "./site";
import {
	RELOCATION_MS,
	TEMPORARY_MS,
	temporaryUntil,
	utcDate,
} from "./site-dates";
import type { NewSite } from "./site-input";
import { stringList } from "./site-strings";

/** What users are told of an operation that has succeeded, each note a sentence; instants are epoch ms. */

/** Strings that the service added by itself, and the end of a temporary site. */
export function creationNotes(
	site: Site,
	input: NewSite,
	now: number,
): string[] {
	const notes: string[] = [];
	const own = site.strings.length - (input.strings?.length ?? 0);
	if (!input.strings || input.strings.length === 0) {
		notes.push(
			"No strings were given, so the service has added a default string of 10 kWp facing south (orientation 180) with slope 30; change it with update-string",
		);
	} else if (own > 0) {
		notes.push(
			`The service has added ${own === 1 ? "a string" : `${own} strings`} of its own beside those given (${stringList(site)}); take out what is not on the roof with remove-string`,
		);
	}
	if (input.temporary) {
		const end = temporaryUntil(site) ?? now + TEMPORARY_MS;
		notes.push(
			`The site is temporary and is deleted on ${utcDate(end)}; restore makes it permanent`,
		);
	}
	return notes;
}

/** The date from which the location can be changed again. */
export function relocationNote(
	now: number,
	lastRelocation: number | null,
): string {
	return `The location can be changed only once in 30 days, so the next time from ${utcDate(now + RELOCATION_MS)} on (before this one, ${lastRelocationText(lastRelocation)})`;
}

/** The last relocation that was noted, as a part of a sentence. */
export function lastRelocationText(at: number | null): string {
	return at === null
		? "no change was seen from here"
		: `the last change was seen on ${utcDate(at)}`;
}

/** The date until which a deleted site can be restored. */
export function deletionNote(
	restoreUntil: number | null,
	wasDeletedBefore: boolean,
): string {
	const until = restoreUntil === null ? "30 days" : utcDate(restoreUntil);
	return `The site ${wasDeletedBefore ? "had been deleted before" : "is deleted"}; restore brings it back ${restoreUntil === null ? "within" : "until"} ${until}, then it is removed for good`;
}
