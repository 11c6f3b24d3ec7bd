import type { StringSeries } from "./forecast";

type Identity = Pick<StringSeries, "string_id" | "string_index">;

/**
 * A name for each string, of which no two are the same: its id, else its position. A
 * position that is another string's id, or a name that is another's once it was made
 * fit for its place, gets underlines before it.
 *
 * @param clean what a name must be turned into for its place, such as a level of a topic
 */
export function stringNames(
	strings: readonly Identity[],
	clean: (name: string) => string = (name) => name,
): string[] {
	const names = new Map<Identity, string>();
	const taken = new Set<string>();
	const give = (string: Identity, wanted: string) => {
		let name = wanted;
		while (taken.has(name)) name = `_${name}`;
		taken.add(name);
		names.set(string, name);
	};
	const has = (string: Identity) => string.string_id !== null;
	const isFit = ({ string_id }: Identity) =>
		clean(string_id ?? "") === string_id;
	// Whose name stands as it is goes first, then other ids, then positions.
	for (const turn of [
		strings.filter((it) => has(it) && isFit(it)),
		strings.filter((it) => has(it) && !isFit(it)),
		strings.filter((it) => !has(it)),
	]) {
		for (const string of turn) {
			give(string, clean(string.string_id ?? String(string.string_index)));
		}
	}
	return strings.map((string) => names.get(string) as string);
}
