import { type Text, textIn } from "../texts/texts";
import type { Language } from "../util/language";
import type { LearnState, Note, NoteCode } from "./learn-state";

/**
 * A note as a person can act on it: what happened; what to do.
 *
 * @param known `string_id`s of the site's strings
 */
export const noteText = (
	{ code, string_id }: Pick<Note, "code" | "string_id">,
	known: readonly string[] | null,
): Text => ({
	key: `note.${code}`,
	values: { id: string_id ?? "", known: known ?? [] },
});

/** A state's notes, the latest first, with their words and with UTC times. */
export function noteList(
	{ notes, string_ids }: LearnState,
	language?: Language,
): {
	code: NoteCode;
	string_id: string | null;
	count: number;
	first: string;
	last: string;
	value: number | null;
	text: string;
}[] {
	return [...notes]
		.sort((a, b) => b.last - a.last)
		.map((note) => ({
			...note,
			first: new Date(note.first).toISOString(),
			last: new Date(note.last).toISOString(),
			text: textIn(noteText(note, string_ids), language),
		}));
}
