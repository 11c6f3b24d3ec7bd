/** The decoded `{id}` segment, "" for a path without one, null when the path is another. */
export function matchPath(pattern: string, path: string): string | null {
	const wanted = pattern.split("/");
	const given = path.split("/");
	if (wanted.length !== given.length) return null;
	let id = "";
	for (const [k, segment] of wanted.entries()) {
		if (segment !== "{id}") {
			if (segment !== given[k]) return null;
			continue;
		}
		try {
			id = decodeURIComponent(given[k] as string);
		} catch {
			return null;
		}
		if (id === "") return null;
	}
	return id;
}
