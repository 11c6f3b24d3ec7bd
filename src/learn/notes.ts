import type { Text } from "../texts/texts";

export const NOTE_CODES = [
	"coarse",
	"export_meter",
	"gap",
	"grid_meter",
	"held_down",
	"house_load",
	"odd_day",
	"two_meters",
	"wrong_time",
	"wrong_unit",
] as const;
export type NoteCode = (typeof NOTE_CODES)[number];

/** A note as a person can act on it: what happened; what to do. */
export const noteText = ({
	code,
	value,
}: {
	code: NoteCode;
	value: number | null;
}): Text => ({ key: `note.${code}`, values: { value: value ?? "" } });
