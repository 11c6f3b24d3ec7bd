import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { type Answer, answerBytes, type Step } from "../harness/proxy";
import {
	body,
	type Change,
	type Ending,
	field,
	type Row,
	says,
	table,
	type WireCase,
} from "./wire-case";
import { CONTENTS } from "./wire-contents";

/** How far an answer gets. */
const STAGES: readonly [string, (bytes: Buffer) => number][] = [
	["before a byte", () => 0],
	["in the status line", () => 9],
	["after the status line", (bytes) => bytes.indexOf("\r\n") + 2],
	["in the headers", (bytes) => bytes.indexOf("\r\n\r\n") - 5],
	["after the headers", (bytes) => bytes.indexOf("\r\n\r\n") + 4],
	["in the body", (bytes) => bytes.length >> 1],
	["before the last byte", (bytes) => bytes.length - 1],
];
const until =
	(at: (bytes: Buffer) => number, last: Step) =>
	(answer: Answer): Step[] => {
		const bytes = answerBytes(answer);
		return [{ send: bytes.subarray(0, at(bytes)) }, last];
	};
const stages = (
	kind: string,
	last: "reset" | "end" | "stall",
	ends: Ending | readonly Ending[],
): WireCase[] =>
	table(kind, [
		[`${last} on connecting`, ends, { early: last }],
		...STAGES.map(
			([name, at]): Row => [`${last} ${name}`, ends, until(at, last)],
		),
	]);

const drip =
	(size: number, everyMs: number) =>
	(answer: Answer): Step[] => [
		{ drip: answerBytes(answer), size, everyMs },
		"end",
	];

const chunk = (bytes: Buffer) =>
	Buffer.concat([
		Buffer.from(`${bytes.length.toString(16)}\r\n`),
		bytes,
		Buffer.from("\r\n"),
	]);
const chunked = (bytes: Buffer, tail: string): NonNullable<Change> => ({
	headers: { "content-length": null, "transfer-encoding": "chunked" },
	body: Buffer.concat([chunk(bytes), Buffer.from(tail)]),
});

/** A body cut at every eight kilobytes, in the three ways in which a cut may go unnoticed. */
function truncations(size: number): WireCase[] {
	const cuts = Array.from(
		{ length: Math.ceil(size / 8192) },
		(_, at) => at * 8,
	);
	return table(
		"truncation",
		cuts.flatMap((kb): Row[] => [
			[
				`${kb} kB of the length said`,
				"NETWORK",
				says(({ body }) => ({
					body: body.subarray(0, kb * 1024),
					headers: { "content-length": String(body.length) },
				})),
			],
			[
				`${kb} kB and the length to match`,
				"RESPONSE",
				body((text) => text.slice(0, kb * 1024)),
			],
			[
				`${kb} kB in chunks without an end`,
				"NETWORK",
				says(({ body }) => chunked(body.subarray(0, kb * 1024 + 1), "")),
			],
		]),
	);
}

const lengths: WireCase[] = table("content length", [
	...(
		[
			["too long", "NETWORK", 10],
			["too short", "RESPONSE", -10],
		] as const
	).map(
		([name, ends, more]): Row => [
			name,
			ends,
			says(({ body }) => ({
				headers: { "content-length": String(body.length + more) },
			})),
		],
	),
	["absent", "fine", says(() => ({ headers: { "content-length": null } }))],
	["text", "RESPONSE", says(() => ({ headers: { "content-length": "many" } }))],
	[
		"twice and different",
		"RESPONSE",
		says(({ body }) => ({
			headers: {
				"content-length": null,
				"Content-Length": `${body.length}\r\nContent-Length: 7`,
			},
		})),
	],
	["chunks", "fine", says(({ body }) => chunked(body, "0\r\n\r\n"))],
	[
		"a chunk of a size that is none",
		["RESPONSE", "NETWORK"],
		says(({ body }) => ({
			...chunked(body, ""),
			body: "zz\r\n{}\r\n0\r\n\r\n",
		})),
	],
]);

const MB = 1024 * 1024;
const packed = (encoding: string, pack: (bytes: Buffer) => Buffer) =>
	says(({ body }) => ({
		headers: { "content-encoding": encoding },
		body: pack(body),
	}));
const bomb = (
	encoding: string,
	pack: (bytes: Buffer) => Buffer,
	size: number,
) =>
	says(() => ({
		headers: { "content-encoding": encoding },
		body: pack(Buffer.alloc(size, " ")),
	}));

const encodings: WireCase[] = table("packing", [
	["an unknown packing", "RESPONSE", packed("zstd", gzipSync)],
	["brotli said, gzip sent", ["RESPONSE", "NETWORK"], packed("br", gzipSync)],
	["a gzip bomb of 40 MB", "RESPONSE", bomb("gzip", gzipSync, 40 * MB)],
	[
		"a brotli bomb of 256 MB",
		"RESPONSE",
		bomb(
			"br",
			(bytes) =>
				brotliCompressSync(bytes, {
					params: { [constants.BROTLI_PARAM_QUALITY]: 3 },
				}),
			256 * MB,
		),
		true,
	],
]);

const texts: WireCase[] = table("text", [
	[
		"UTF-16",
		"RESPONSE",
		body((text) => Buffer.from(`\ufeff${text}`, "utf16le")),
	],
	[
		"bytes that are no UTF-8",
		"fine",
		body((text) =>
			Buffer.concat([
				Buffer.from('{"name":"'),
				Buffer.from([0xff, 0xc3, 0x28]),
				Buffer.from(`",${text.slice(1)}`),
			]),
		),
	],
	[
		"half a surrogate pair, escaped",
		"fine",
		body((text) => `{"name":"\\ud800",${text.slice(1)}`),
	],
	["nothing", "RESPONSE", body(() => "")],
	["half a tag, 1 MB long", "RESPONSE", body(() => `<title ${"x".repeat(MB)}`)],
	["two documents", "RESPONSE", body((text) => text + text)],
]);

const numbers: WireCase[] = table("numbers", [
	["100,000 digits", "RESPONSE", field("pv_power", "1".repeat(100_000))],
	["1e999", "RESPONSE", field("pv_power", "1e999")],
	[
		"the largest number",
		["fine", "RESPONSE"],
		field("pv_power", "1.7976931348623157e308"),
	],
	["-0", "fine", field("pv_power", "-0")],
	["a negative power", ["fine", "RESPONSE"], field("pv_power", "-5000")],
	[
		"an index of 2^53",
		["fine", "RESPONSE"],
		field("string_index", "9007199254740993"),
	],
	["an index below 0", "RESPONSE", field("string_index", "-1")],
]);

const deep = (open: string, close: string, depth: number) =>
	open.repeat(depth) + close.repeat(depth);
const nestings: WireCase[] = table(
	"nesting",
	[1000, 2_000_000].flatMap((depth): Row[] => {
		const lists = deep("[", "]", depth);
		const objects = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
		const heavy = depth > 1000;
		const ends = heavy ? "RESPONSE" : (["fine", "RESPONSE"] as const);
		return [
			[
				`${depth} objects beside the rows`,
				ends,
				body((text) => `{"extra":${objects},${text.slice(1)}`),
				heavy,
			],
			[`${depth} lists in a row`, ends, field("temp", lists), heavy],
			[
				`${depth} lists for a power`,
				"RESPONSE",
				field("pv_power", lists),
				heavy,
			],
			[
				`${depth} objects in an error`,
				"INPUT",
				says(() => ({
					status: 422,
					body: `{"detail":${objects.replaceAll('"a"', '"error"')}}`,
				})),
				heavy,
			],
		];
	}),
);

const NAMES = ["__proto__", "constructor", "then", "toJSON", ""];
const keys: WireCase[] = table("keys", [
	[
		"values twice",
		["fine", "RESPONSE"],
		body((text) => text.replace(/}$/, ',"values":[]}')),
	],
	[
		"values twice, the first empty",
		"fine",
		body((text) => `{"values":[],${text.slice(1)}`),
	],
	...NAMES.flatMap((name): Row[] => [
		[
			`"${name}" beside the rows`,
			"fine",
			body((text) => `{"${name}":{"polluted":1,"values":[]},${text.slice(1)}`),
		],
		[
			`"${name}" in a row`,
			"fine",
			body((text) =>
				text.replace('"timestamp":', `"${name}":{"polluted":1},"timestamp":`),
			),
		],
	]),
	[
		"100,000 names",
		["fine", "RESPONSE"],
		body(
			(text) =>
				`{${Array.from({ length: 100_000 }, (_, index) => `"n${index}":${index},`).join("")}${text.slice(1)}`,
		),
	],
	[
		"a name of 1 MB",
		["fine", "RESPONSE"],
		body((text) => `{"${"n".repeat(MB)}":1,${text.slice(1)}`),
	],
]);

const HUGE = `"${"x".repeat(8 * MB)}"`;
const strings: WireCase[] = table("huge texts", [
	...["site_id", "timezone", "computed_at", "timestamp", "included"].map(
		(name): Row => [
			`8 MB in ${name}`,
			["fine", "RESPONSE"],
			field(name, name === "included" ? `[${HUGE}]` : HUGE),
		],
	),
	[
		"8 MB in an error",
		"SERVICE",
		says(() => ({ status: 503, body: `{"detail":${HUGE}}` })),
	],
]);

/** @param size bytes of a good body */
export function wireCases(size: number): WireCase[] {
	return [
		...stages("reset", "reset", ["NETWORK"]),
		...stages("close", "end", ["NETWORK", "RESPONSE"]),
		...stages("stall", "stall", "TIMEOUT"),
		...table("drip", [
			["a byte each 5 ms", "TIMEOUT", drip(1, 5)],
			[
				"100 without end",
				["TIMEOUT", "NETWORK", "RESPONSE"],
				() => [
					{
						drip: Buffer.from("HTTP/1.1 100 Continue\r\n\r\n".repeat(2000)),
						size: 26,
						everyMs: 1,
					},
					"end",
				],
			],
			[
				"a switch of protocols",
				["RESPONSE", "NETWORK", "TIMEOUT"],
				() => [
					{
						send: Buffer.from(
							"HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n",
						),
					},
					"end",
				],
			],
			["4 kB each ms", "fine", drip(4096, 1)],
		]),
		...truncations(size),
		...lengths,
		...encodings,
		...texts,
		...numbers,
		...nestings,
		...keys,
		...strings,
		...CONTENTS,
	];
}
