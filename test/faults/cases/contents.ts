/** A forecast's answer that is not as it should be. */
export interface Spoilt {
	readonly kind: string;
	readonly name: string;
	/** Whether it must be taken, or refused; undefined where either will do. */
	readonly isTaken: boolean | undefined;
	readonly spoil: (text: string) => string;
	/** Weighs much memory or time: only the long form tries it. */
	readonly heavy?: boolean;
}

type Row = readonly [
	name: string,
	isTaken: boolean | undefined,
	spoil: (text: string) => string,
	heavy?: boolean,
];
const table = (kind: string, rows: readonly Row[]): Spoilt[] =>
	rows.map(([name, isTaken, spoil, heavy = false]) => ({
		...{ kind, name, isTaken, spoil, heavy },
	}));

/** Puts something in place of the first power that is not 0, or of another field's value. */
const field = (name: string, value: string) => (text: string) =>
	name === "pv_power"
		? text.replace(/"pv_power":\s*[1-9][\d.]*/, `"pv_power":${value}`)
		: text.replace(
				new RegExp(`"${name}":\\s*(?:"[^"]*"|[\\d.]+|\\[[^\\]]*\\])`),
				`"${name}":${value}`,
			);

const MB = 1024 * 1024;

const texts = table("text", [
	[
		"half a surrogate pair, escaped",
		true,
		(text) => `{"name":"\\ud800",${text.slice(1)}`,
	],
	["nothing", false, () => ""],
	["half a tag, 1 MB long", false, () => `<title ${"x".repeat(MB)}`],
	["two documents", false, (text) => text + text],
]);

const numbers = table("numbers", [
	["100,000 digits", false, field("pv_power", "1".repeat(100_000))],
	["1e999", false, field("pv_power", "1e999")],
	[
		"the largest number",
		undefined,
		field("pv_power", "1.7976931348623157e308"),
	],
	["-0", true, field("pv_power", "-0")],
	["a negative power", undefined, field("pv_power", "-5000")],
	["an index of 2^53", undefined, field("string_index", "9007199254740993")],
	["an index below 0", false, field("string_index", "-1")],
]);

const deep = (open: string, close: string, depth: number) =>
	open.repeat(depth) + close.repeat(depth);
const nestings = table(
	"nesting",
	[1000, 2_000_000].flatMap((depth): Row[] => {
		const lists = deep("[", "]", depth);
		const objects = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
		const heavy = depth > 1000;
		const ends = heavy ? false : undefined;
		return [
			[
				`${depth} objects beside the rows`,
				ends,
				(text) => `{"extra":${objects},${text.slice(1)}`,
				heavy,
			],
			[`${depth} lists in a row`, ends, field("temp", lists), heavy],
			[`${depth} lists for a power`, false, field("pv_power", lists), heavy],
		];
	}),
);

const NAMES = ["__proto__", "constructor", "then", "toJSON", ""];
const keys = table("keys", [
	["values twice", undefined, (text) => text.replace(/}$/, ',"values":[]}')],
	[
		"values twice, the first empty",
		true,
		(text) => `{"values":[],${text.slice(1)}`,
	],
	...NAMES.flatMap((name): Row[] => [
		[
			`"${name}" beside the rows`,
			true,
			(text) => `{"${name}":{"polluted":1,"values":[]},${text.slice(1)}`,
		],
		[
			`"${name}" in a row`,
			true,
			(text) =>
				text.replace('"timestamp":', `"${name}":{"polluted":1},"timestamp":`),
		],
	]),
]);

/** Answers that are well formed and make no sense. */
const meanings = table("meaning", [
	...["Mars/Olympus", "", "GMT+99", "Europe/Berlin\\u0000"].map(
		(zone): Row => [
			`zone ${JSON.stringify(zone)}`,
			undefined,
			field("timezone", `"${zone}"`),
		],
	),
	...[
		"9999-12-31T23:45:00Z",
		"2026-02-30T10:00:00Z",
		"2026-06-01T10:07:00Z",
		"1970-01-01T00:00:00Z",
	].map(
		(time): Row => [
			`a row of ${time}`,
			undefined,
			field("timestamp", `"${time}"`),
		],
	),
	[
		"all of the year 1990",
		undefined,
		(text) => text.replaceAll('"2026-', '"1990-'),
	],
	[
		"small negative powers at night",
		true,
		(text) =>
			text.replace(/"pv_power":\s*0(?:\.0)?(?=[,}\s])/g, '"pv_power":-0.4'),
	],
	[
		"every row the same",
		undefined,
		(text) =>
			text.replace(
				/"timestamp":\s*"[^"]*"/g,
				'"timestamp":"2026-06-01T12:00:00+02:00"',
			),
	],
	[
		"one row",
		undefined,
		(text) => {
			const all = JSON.parse(text);
			return JSON.stringify({
				...all,
				values: all.values.slice(0, 1),
				strings: null,
			});
		},
	],
	[
		"rows in no order",
		true,
		(text) => {
			const all = JSON.parse(text);
			return JSON.stringify({
				...all,
				values: all.values.reverse(),
				strings: all.strings?.reverse(),
			});
		},
	],
	...["9999-12-31T23:59:59Z", "2020-01-01T00:00:00Z"].map(
		(time): Row => [
			`next_poll_at is ${time}`,
			true,
			field("next_poll_at", `"${time}"`),
		],
	),
]);

export const CONTENTS: readonly Spoilt[] = [
	...[texts, numbers, nestings, keys, meanings].flat(),
];
