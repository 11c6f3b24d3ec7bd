/** A place in a JSON document. */
type Path = readonly (string | number)[];

/** What may stand where something else should; `undefined` takes the field out. */
export const WRONG: readonly (readonly [name: string, value: unknown])[] = [
	["missing", undefined],
	["null", null],
	["true", true],
	["0", 0],
	["-1", -1],
	["1.5", 1.5],
	["1e308", 1e308],
	["blank", ""],
	["a word", "x"],
	["a number as text", "5"],
	["NaN as text", "NaN"],
	["a time that is none", "2026-13-45T99:99:99Z"],
	["a list", []],
	["a list of null", [null]],
	["a list of lists", [[[]]]],
	["an object", {}],
	["an object like a row", { timestamp: "2026-06-01T00:00:00Z", pv_power: 1 }],
	["a prototype", JSON.parse('{"__proto__":{"polluted":1}}')],
	["100 kB", "y".repeat(100_000)],
];

/** Every place of a document once: of a list the first, the middle and the last entry. */
export function placesOf(document: unknown, at: Path = []): Path[] {
	if (document === null || typeof document !== "object") return [at];
	const names: (string | number)[] = Array.isArray(document)
		? [...new Set([0, document.length >> 1, document.length - 1])].filter(
				(index) => index >= 0 && index < document.length,
			)
		: Object.keys(document);
	return [
		at,
		...names.flatMap((name) =>
			placesOf((document as Record<string | number, unknown>)[name], [
				...at,
				name,
			]),
		),
	];
}

/** A copy of a document with something else in one place. */
export function withWrong(
	document: unknown,
	path: Path,
	value: unknown,
): unknown {
	const [name, ...rest] = path;
	if (name === undefined) return value;
	const copy: any = Array.isArray(document)
		? [...document]
		: { ...(document as object) };
	if (rest.length === 0 && value === undefined && !Array.isArray(copy)) {
		delete copy[name];
	} else {
		copy[name] = withWrong(copy[name], rest, value);
	}
	return copy;
}
