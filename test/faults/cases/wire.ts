import {
	brotliCompressSync,
	constants,
	deflateSync,
	gzipSync,
} from "node:zlib";
import { HOUR } from "../../support/house";
import { keyEchoes } from "../harness/leaks";
import {
	type Answer,
	answerBytes,
	type Fault,
	type Step,
} from "../harness/proxy";
import { KEY } from "../harness/world";

/** Code that a case must end in, without the prefix; `fine` when the answer must be taken. */
type Ending =
	| "fine"
	| "NETWORK"
	| "TIMEOUT"
	| "SERVICE"
	| "RESPONSE"
	| "AUTH"
	| "PLAN"
	| "NOT_FOUND"
	| "QUOTA"
	| "RATE"
	| "INPUT";

/** One way in which the wire goes wrong. */
export interface WireCase {
	readonly kind: string;
	readonly name: string;
	/** One of these. */
	readonly ends: readonly Ending[];
	readonly fault: Fault;
	/** Weighs much memory or time: the quick form leaves it out. */
	readonly heavy?: boolean;
}

type Row = readonly [
	name: string,
	ends: Ending | readonly Ending[],
	fault: Fault | ((answer: Answer) => readonly Step[]),
	heavy?: boolean,
];

const table = (kind: string, rows: readonly Row[]): WireCase[] =>
	rows.map(([name, ends, fault, heavy = false]) => ({
		kind,
		name,
		ends: typeof ends === "string" ? [ends] : ends,
		fault: typeof fault === "function" ? { steps: fault } : fault,
		heavy,
	}));

type Change = Parameters<typeof answerBytes>[1];

/** Answers with something else, and closes. */
const says =
	(change: (answer: Answer) => NonNullable<Change>) =>
	(answer: Answer): Step[] => [
		{ send: answerBytes(answer, change(answer)) },
		"end",
	];
const body = (make: (text: string) => Buffer | string) =>
	says((answer) => ({ body: make(answer.body.toString()) }));

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

/** A body cut at every kilobyte, in the three ways in which a cut may go unnoticed. */
function truncations(size: number): WireCase[] {
	const cuts = Array.from({ length: Math.ceil(size / 1024) }, (_, kb) => kb);
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
	[
		"too long",
		"NETWORK",
		says(({ body }) => ({
			headers: { "content-length": String(body.length + 10) },
		})),
	],
	[
		"too short",
		"RESPONSE",
		says(({ body }) => ({
			headers: { "content-length": String(body.length - 10) },
		})),
	],
	["absent", "fine", says(() => ({ headers: { "content-length": null } }))],
	["0", "RESPONSE", says(() => ({ headers: { "content-length": "0" } }))],
	[
		"negative",
		"RESPONSE",
		says(() => ({ headers: { "content-length": "-5" } })),
	],
	["text", "RESPONSE", says(() => ({ headers: { "content-length": "many" } }))],
	[
		"10^18",
		["NETWORK", "RESPONSE", "TIMEOUT"],
		says(() => ({ headers: { "content-length": "1000000000000000000" } })),
	],
	[
		"over 64 bits",
		"RESPONSE",
		says(() => ({ headers: { "content-length": "9".repeat(40) } })),
	],
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
	[
		"beside chunks",
		["RESPONSE", "fine"],
		says(({ body }) => ({
			headers: {
				"content-length": String(body.length),
				"transfer-encoding": "chunked",
			},
			body: Buffer.concat([chunk(body), Buffer.from("0\r\n\r\n")]),
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
	[
		"a chunk of 10^15 bytes",
		["NETWORK", "RESPONSE"],
		says(({ body }) => ({
			...chunked(body, ""),
			body: Buffer.concat([Buffer.from("38D7EA4C68000\r\n"), body]),
		})),
	],
]);

const MB = 1024 * 1024;
const packed = (encoding: string, pack: (bytes: Buffer) => Buffer) =>
	says(({ body }) => ({
		headers: { "content-encoding": encoding },
		body: pack(body),
	}));
/** Blanks before a whole answer: JSON, and small when packed. */
const blanks = (text: Buffer, count: number) =>
	Buffer.concat([Buffer.alloc(count, " "), text]);
const quickGzip = (bytes: Buffer) => gzipSync(bytes, { level: 1 });
const brotli = (bytes: Buffer) =>
	brotliCompressSync(bytes, {
		params: { [constants.BROTLI_PARAM_QUALITY]: 3 },
	});

/** Makes once what takes long to be packed. */
function once(make: () => Buffer): () => Buffer {
	let made: Buffer | undefined;
	return () => {
		made ??= make();
		return made;
	};
}
const NOTHING = Buffer.alloc(0);
const smallBomb = once(() => quickGzip(blanks(NOTHING, 40 * MB)));
// Several members in a row unpack to all of their contents.
const gzipBomb = once(() =>
	Buffer.concat(Array(32).fill(quickGzip(blanks(NOTHING, 32 * MB)))),
);
const brotliBomb = once(() => brotli(blanks(NOTHING, 256 * MB)));

const encodings: WireCase[] = table("packing", [
	["gzip", "fine", packed("gzip", gzipSync)],
	["deflate", "fine", packed("deflate", deflateSync)],
	["brotli", "fine", packed("br", brotli)],
	[
		"gzip cut short",
		["RESPONSE", "NETWORK"],
		packed("gzip", (it) => gzipSync(it).subarray(0, 900)),
	],
	[
		"gzip with a wrong byte",
		["RESPONSE", "NETWORK"],
		packed("gzip", (it) => {
			const bytes = gzipSync(it);
			bytes[500] = (bytes[500] ?? 0) ^ 0x55;
			return bytes;
		}),
	],
	["gzip that is none", "RESPONSE", packed("gzip", (it) => it)],
	["brotli said, gzip sent", ["RESPONSE", "NETWORK"], packed("br", gzipSync)],
	["an unknown packing", "RESPONSE", packed("zstd", gzipSync)],
	[
		"gzip twice, said once",
		"RESPONSE",
		packed("gzip", (it) => gzipSync(gzipSync(it))),
	],
	[
		"gzip and junk behind",
		["fine", "RESPONSE", "NETWORK"],
		packed("gzip", (it) => Buffer.concat([gzipSync(it), Buffer.from("junk")])),
	],
	["a gzip bomb of 40 MB", "RESPONSE", packed("gzip", smallBomb)],
	["a gzip bomb of 1 GB", "RESPONSE", packed("gzip", gzipBomb), true],
	["a brotli bomb of 256 MB", "RESPONSE", packed("br", brotliBomb), true],
	[
		"31 MB, packed",
		"fine",
		packed("gzip", (it) => quickGzip(blanks(it, 31 * MB))),
	],
	[
		"33 MB, plain",
		"RESPONSE",
		says(({ body }) => ({ body: blanks(body, 33 * MB) })),
	],
]);

const BOM = "\ufeff";
const texts: WireCase[] = table("text", [
	["a byte order mark", "fine", body((text) => BOM + text)],
	[
		"two byte order marks",
		["RESPONSE", "fine"],
		body((text) => BOM + BOM + text),
	],
	[
		"UTF-16, little end first",
		"RESPONSE",
		body((text) => Buffer.from(BOM + text, "utf16le")),
	],
	[
		"UTF-16, big end first",
		"RESPONSE",
		body((text) => Buffer.from(BOM + text, "utf16le").swap16()),
	],
	[
		"UTF-16 without a mark",
		"RESPONSE",
		body((text) => Buffer.from(text, "utf16le")),
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
		"a NUL",
		"RESPONSE",
		body((text) => `${text.slice(0, 50)}\0${text.slice(50)}`),
	],
	[
		"half a surrogate pair, escaped",
		"fine",
		body((text) => `{"name":"\\ud800",${text.slice(1)}`),
	],
	["nothing", "RESPONSE", body(() => "")],
	["blanks", "RESPONSE", body(() => " ".repeat(100_000))],
	[
		"a page",
		"RESPONSE",
		says(() => ({
			headers: { "content-type": "text/html" },
			body: "<html><title>Hotel</title>",
		})),
	],
	["half a tag, 1 MB long", "RESPONSE", body(() => `<title ${"x".repeat(MB)}`)],
	["JSON and junk behind", "RESPONSE", body((text) => `${text}]`)],
	["two documents", "RESPONSE", body((text) => text + text)],
	["a comment", "RESPONSE", body((text) => `/* */${text}`)],
	["single quotes", "RESPONSE", body((text) => text.replaceAll('"', "'"))],
	["a comma too many", "RESPONSE", body((text) => text.replace("}", ",}"))],
]);

/** Puts something in place of the first power that is not 0, or of another field's value. */
const field = (name: string, value: string) =>
	body((text) =>
		name === "pv_power"
			? text.replace(/"pv_power":\s*[1-9][\d.]*/, `"pv_power":${value}`)
			: text.replace(
					new RegExp(`"${name}":\\s*(?:"[^"]*"|[\\d.]+|\\[[^\\]]*\\])`),
					`"${name}":${value}`,
				),
	);
const ONES = "1".repeat(100_000);
const numbers: WireCase[] = table("numbers", [
	["100,000 digits", "RESPONSE", field("pv_power", ONES)],
	[
		"100,000 digits before an exponent that shrinks them",
		["fine", "RESPONSE"],
		field("pv_power", `${ONES}e-99998`),
	],
	["100,000 decimals", "fine", field("pv_power", `0.${"0".repeat(99_999)}1`)],
	["an exponent of 100,000 digits", "RESPONSE", field("pv_power", `1e${ONES}`)],
	[
		"a small exponent of 100,000 digits",
		"fine",
		field("pv_power", `1e-${ONES}`),
	],
	["1e999", "RESPONSE", field("pv_power", "1e999")],
	["-1e999", "RESPONSE", field("pv_power", "-1e999")],
	[
		"the largest number",
		["fine", "RESPONSE"],
		field("pv_power", "1.7976931348623157e308"),
	],
	["-0", "fine", field("pv_power", "-0")],
	["a negative power", ["fine", "RESPONSE"], field("pv_power", "-5000")],
	["NaN", "RESPONSE", field("pv_power", "NaN")],
	["Infinity", "RESPONSE", field("pv_power", "Infinity")],
	["a number as text", "RESPONSE", field("pv_power", '"5000"')],
	["hexadecimal", "RESPONSE", field("pv_power", "0x10")],
	["a leading zero", "RESPONSE", field("pv_power", "0100")],
	["a comma for a point", "RESPONSE", field("pv_power", "1,5")],
	[
		"1e999 in a field that is not ours",
		["fine", "RESPONSE"],
		field("ghi", "1e999"),
	],
	[
		"an index of 2^53",
		["fine", "RESPONSE"],
		field("string_index", "9007199254740993"),
	],
	["an index of 1.5", "RESPONSE", field("string_index", "1.5")],
	["an index below 0", "RESPONSE", field("string_index", "-1")],
]);

const deep = (open: string, close: string, depth: number) =>
	open.repeat(depth) + close.repeat(depth);
const nestings: WireCase[] = table(
	"nesting",
	[1000, 100_000, 2_000_000].flatMap((depth): Row[] => {
		const lists = deep("[", "]", depth);
		const objects = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
		const heavy = depth > 100_000;
		const isShallow = depth <= 1000;
		return [
			[`${depth} lists alone`, "RESPONSE", body(() => lists), heavy],
			[
				`${depth} lists beside the rows`,
				isShallow ? ["fine", "RESPONSE"] : "RESPONSE",
				body((text) => `{"extra":${lists},${text.slice(1)}`),
				heavy,
			],
			[
				`${depth} objects beside the rows`,
				isShallow ? ["fine", "RESPONSE"] : "RESPONSE",
				body((text) => `{"extra":${objects},${text.slice(1)}`),
				heavy,
			],
			[
				`${depth} lists in a row`,
				isShallow ? ["fine", "RESPONSE"] : "RESPONSE",
				field("temp", lists),
				heavy,
			],
			[
				`${depth} objects in a day`,
				isShallow ? ["fine", "RESPONSE"] : "RESPONSE",
				body((text) => text.replace('"date":', `"more":${objects},"date":`)),
				heavy,
			],
			[
				`${depth} lists for a power`,
				"RESPONSE",
				field("pv_power", lists),
				heavy,
			],
			[
				`${depth} lists in an error`,
				"SERVICE",
				says(() => ({ status: 500, body: `{"detail":${lists}}` })),
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
).concat(
	table("nesting", [
		[
			"16 million lists",
			"RESPONSE",
			body(() => deep("[", "]", 16_000_000)),
			true,
		],
		[
			"10 million objects",
			"RESPONSE",
			body(() => `[${"{},".repeat(10_000_000)}{}]`),
			true,
		],
		[
			"16 million rows of null",
			"RESPONSE",
			body((text) =>
				text.replace(/"values":\s*\[/, `$&${"0,".repeat(15_000_000)}`),
			),
			true,
		],
	]),
);

const NAMES = [
	"__proto__",
	"constructor",
	"prototype",
	"toString",
	"hasOwnProperty",
	"then",
	"toJSON",
	"valueOf",
	"length",
	"",
	"\\u0000",
];
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
	[
		"a power twice in a row",
		"fine",
		body((text) => text.replace('"pv_power":', '"pv_power":1,"pv_power":')),
	],
	[
		"a time twice in a row",
		"fine",
		body((text) =>
			text.replace('"timestamp":', '"timestamp":"x","timestamp":'),
		),
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
		[
			`"${name}" in a day`,
			"fine",
			body((text) =>
				text.replace('"date":', `"${name}":{"polluted":1},"date":`),
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
const strings: WireCase[] = table(
	"huge texts",
	[
		"site_id",
		"timezone",
		"computed_at",
		"next_poll_at",
		"date",
		"timestamp",
		"string_id",
		"included",
		"available",
		"weather_code",
	].map(
		(name): Row => [
			`8 MB in ${name}`,
			["fine", "RESPONSE"],
			field(name, /included|available/.test(name) ? `[${HUGE}]` : HUGE),
		],
	),
).concat(
	table("huge texts", [
		[
			"8 MB in an error",
			"SERVICE",
			says(() => ({ status: 503, body: `{"detail":${HUGE}}` })),
		],
		[
			"8 MB of an error without JSON",
			"INPUT",
			says(() => ({ status: 400, body: "x".repeat(8 * MB) })),
		],
		[
			"100,000 entries in an error",
			"INPUT",
			says(() => ({
				status: 422,
				body: JSON.stringify({
					detail: Array.from({ length: 100_000 }, () => ({
						loc: ["a"],
						msg: "b",
					})),
				}),
			})),
		],
		[
			"100,000 groups",
			["fine", "RESPONSE"],
			field(
				"available",
				`[${Array.from({ length: 100_000 }, (_, index) => `"g${index}"`).join(",")}]`,
			),
		],
	]),
);

/** Says nothing of the quota unless it is given. */
const status = (
	code: number | string,
	text = "",
	headers: Record<string, string> = {},
) =>
	says(() => ({
		status: code,
		body: text,
		headers: { ...NO_QUOTA, ...headers },
	}));
const QUOTA = {
	"RequestLimit-Limit": "100",
	"RequestLimit-Used": "100",
	"RequestLimit-Remaining": "0",
	"RequestLimit-Reset": "2026-07-01T00:00:00Z",
};
const NO_QUOTA = Object.fromEntries(
	Object.keys(QUOTA).map((name) => [name, null]),
);
const statuses: WireCase[] = table("status", [
	...[204, 205, 206, 226, 299].map(
		(code): Row => [
			`${code} without a body`,
			["RESPONSE", "SERVICE"],
			status(code),
		],
	),
	...[300, 304, 305, 399].map(
		(code): Row => [`${code}`, "RESPONSE", status(code)],
	),
	...[400, 405, 406, 409, 410, 413, 418, 422, 451, 499].map(
		(code): Row => [`${code}`, "INPUT", status(code, '{"detail":"no"}')],
	),
	["408", "TIMEOUT", status(408)],
	["425", "SERVICE", status(425)],
	["401", "AUTH", status(401)],
	["402", "PLAN", status(402, '{"detail":"invoice is due"}')],
	...["text/html", "text/html; charset=utf-8", "text/plain"].map(
		(type): Row => [
			`403 that is a page, ${type}`,
			"NETWORK",
			status(403, "<!doctype html><title>Attention Required!</title>", {
				"content-type": type,
			}),
		],
	),
	[
		"403 about the plan",
		"PLAN",
		status(403, '{"detail":"plan has no forecasts"}'),
	],
	["403 about the key", "AUTH", status(403, '{"detail":"invalid API key"}')],
	["403 about a site", "PLAN", status(403, '{"detail":"site is inactive"}')],
	["403 without words", "PLAN", status(403)],
	["404", "NOT_FOUND", status(404)],
	["407", "NETWORK", status(407)],
	["429 of the month", "QUOTA", status(429, "", QUOTA)],
	["429 of a burst", "RATE", status(429)],
	[
		"429 of a burst for an hour",
		"RATE",
		status(429, "", { "Retry-After": "3600" }),
	],
	...[500, 501, 502, 503, 504, 511, 520, 599].map(
		(code): Row => [`${code}`, "SERVICE", status(code)],
	),
	["999", "SERVICE", status(999)],
	["099", ["RESPONSE", "NETWORK"], status("099 No")],
	["no number", ["RESPONSE", "NETWORK"], status("abc No")],
	[
		"a good answer after 100 and 103",
		"fine",
		(answer) => [
			{
				send: Buffer.from(
					"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n",
				),
			},
			{ send: answerBytes(answer) },
			"end",
		],
	],
	["HTTP/0.9", ["RESPONSE", "NETWORK"], ({ body }) => [{ send: body }, "end"]],
	[
		"another protocol",
		"RESPONSE",
		() => [{ send: Buffer.from("SSH-2.0-OpenSSH_9.6\r\n") }, "end"],
	],
	[
		"TLS where none was asked for",
		["RESPONSE", "NETWORK"],
		() => [{ send: Buffer.from([0x15, 3, 1, 0, 2, 2, 70]) }, "end"],
	],
	[
		"a redirect to itself",
		"NETWORK",
		{
			hops: 6,
			steps: status(302, "", { Location: "/v2/forecast/site_fault" }),
		},
	],
	[
		"a redirect to a file",
		"NETWORK",
		status(302, "", { Location: "file:///etc/passwd" }),
	],
	[
		"a redirect to nowhere",
		"NETWORK",
		status(307, "", { Location: "http://" }),
	],
	["a redirect without an address", "RESPONSE", status(308)],
]);

const header = (headers: Record<string, string | null>) =>
	says(() => ({ headers }));
const dateOff = (ms: number) =>
	says(({ headers }) => {
		const said = headers.find(([name]) => name.toLowerCase() === "date")?.[1];
		return {
			headers: { date: new Date(Date.parse(said ?? "") + ms).toUTCString() },
		};
	});
const YEAR = 365 * 24 * HOUR;
const headers: WireCase[] = table("headers", [
	...(
		[
			["+1 h", HOUR],
			["-1 h", -HOUR],
			["+1 year", YEAR],
			["-1 year", -YEAR],
		] as const
	).map(([name, ms]): Row => [`Date is off by ${name}`, "fine", dateOff(ms)]),
	["no Date", "fine", header({ date: null })],
	...[
		"",
		"soon",
		"0",
		"Mon, 99 Jun 2026 10:00:00 GMT",
		"Fri, 31 Dec 9999 23:59:59 GMT",
		"Thu, 01 Jan 1970 00:00:00 GMT",
		"x".repeat(5000),
	].map(
		(date): Row => [
			`Date is ${JSON.stringify(date.slice(0, 30))}`,
			"fine",
			header({ date }),
		],
	),
	...["-1", "1e99", "NaN", "", "unmetered", "9".repeat(400), "0", "3000"].map(
		(value): Row => [
			`quota of ${JSON.stringify(value.slice(0, 12))}`,
			["fine", "QUOTA"],
			header({
				"requestlimit-limit": value,
				"requestlimit-used": value,
				"requestlimit-remaining": value,
				"requestlimit-reset": value,
			}),
		],
	),
	...[
		"-5",
		"1e99",
		"soon",
		"99999999999",
		"Fri, 31 Dec 9999 23:59:59 GMT",
		"0",
	].map(
		(value): Row => [
			`Retry-After of ${JSON.stringify(value)}`,
			"RATE",
			status(429, "", { "Retry-After": value }),
		],
	),
	[
		"a header of 100 kB",
		["RESPONSE", "NETWORK"],
		header({ "x-long": "y".repeat(100_000) }),
	],
	[
		"1500 headers",
		["fine", "RESPONSE"],
		says(() => ({
			headers: Object.fromEntries(
				Array.from({ length: 1500 }, (_, n) => [`x-${n}`, "1"]),
			),
		})),
	],
	[
		"a header __proto__",
		"fine",
		header({ __proto__x: "1", ["__proto__"]: "polluted" }),
	],
	["a NUL in a header", ["RESPONSE", "fine"], header({ "x-nul": "a\0b" })],
	["a folded header", ["RESPONSE", "fine"], header({ "x-fold": "a\r\n b" })],
	[
		"a header without a name",
		"RESPONSE",
		says(() => ({ headers: { "": "x" } })),
	],
	[
		"a content type of another kind",
		"fine",
		header({ "content-type": "application/octet-stream" }),
	],
]);

/** A server that repeats the key in all it can. */
const echoes: WireCase[] = table(
	"key echoed",
	keyEchoes(KEY).flatMap((form, index): Row[] => {
		// Escaped already, as far as it needs to be.
		const inJson = form;
		return [
			[
				`form ${index} in an error`,
				"SERVICE",
				status(500, `{"detail":"no ${inJson} here"}`),
			],
			[
				`form ${index} in a refusal`,
				"AUTH",
				status(401, `{"message":"${inJson}"}`),
			],
			[`form ${index} in plain words`, "INPUT", status(400, `bad key ${form}`)],
			[
				`form ${index} in a header`,
				"fine",
				header({ "x-echo": form, etag: form }),
			],
			[
				`form ${index} in the text of a status`,
				"SERVICE",
				status(`500 ${form}`),
			],
			[
				`form ${index} in the status line alone`,
				["RESPONSE", "NETWORK"],
				() => [{ send: Buffer.from(`${form}\r\n\r\n`) }, "end"],
			],
			[
				`form ${index} in a redirect`,
				"NETWORK",
				status(302, "", { Location: `http://elsewhere.test/?${form}` }),
			],
			[
				`form ${index} in the site's id`,
				["fine", "RESPONSE"],
				field("site_id", `"${inJson}"`),
			],
			[
				`form ${index} in the zone`,
				["fine", "RESPONSE"],
				field("timezone", `"${inJson}"`),
			],
			[
				`form ${index} in a field that is not ours`,
				"fine",
				body((text) => `{"echo":"${inJson}",${text.slice(1)}`),
			],
			[
				`form ${index} in a time`,
				"RESPONSE",
				field("timestamp", `"${inJson}"`),
			],
			[`form ${index} as the body`, "RESPONSE", body(() => form)],
		];
	}),
);

/** Answers that are well formed and make no sense. */
const meanings: WireCase[] = table("meaning", [
	...[
		"Mars/Olympus",
		"",
		"UTC",
		"GMT+99",
		"../../etc",
		"Europe/Berlin\\u0000",
		"local",
	].map(
		(zone): Row => [
			`zone ${JSON.stringify(zone)}`,
			["fine", "RESPONSE"],
			field("timezone", `"${zone}"`),
		],
	),
	...[
		"0001-01-01T00:00:00Z",
		"9999-12-31T23:45:00Z",
		"2026-02-30T10:00:00Z",
		"2026-06-01T10:07:00Z",
		"2026-06-01T24:00:00Z",
		"1780308000",
		"2100-01-01T00:00:00Z",
		"1970-01-01T00:00:00Z",
	].map(
		(time): Row => [
			`a row of ${time}`,
			["fine", "RESPONSE"],
			field("timestamp", `"${time}"`),
		],
	),
	[
		"all rows in the year 9990",
		["fine", "RESPONSE"],
		body((text) => text.replaceAll('"2026-', '"9990-')),
	],
	[
		"all rows in the year 1990",
		["fine", "RESPONSE"],
		body((text) => text.replaceAll('"timestamp":"2026-', '"timestamp":"1990-')),
	],
	[
		"all of the year 1990",
		["fine", "RESPONSE"],
		body((text) => text.replaceAll('"2026-', '"1990-')),
	],
	[
		"a blank for T in each time",
		"fine",
		body((text) => text.replace(/"(\d{4}-\d\d-\d\d)T(\d\d:)/g, '"$1 $2')),
	],
	[
		"24:00 for midnight",
		"fine",
		body((text) =>
			text.replace(/"(\d{4}-\d\d-\d\d)T00:00:00/g, (_, date: string) => {
				const before = new Date(Date.parse(date) - 24 * HOUR);
				return `"${before.toISOString().slice(0, 10)}T24:00:00`;
			}),
		),
	],
	...[2, 4].map(
		(quarters): Row => [
			`rows of ${quarters * 15} minutes`,
			"RESPONSE",
			body((text) => {
				const all = JSON.parse(text);
				const thin = (rows: object[]) =>
					rows.filter((_, index) => index % quarters === 0);
				return JSON.stringify({
					...all,
					values: thin(all.values),
					strings: null,
				});
			}),
		],
	),
	[
		"small negative powers at night",
		"fine",
		body((text) =>
			text.replace(/"pv_power":\s*0(?:\.0)?(?=[,}\s])/g, '"pv_power":-0.4'),
		),
	],
	[
		"every row the same",
		["fine", "RESPONSE"],
		body((text) =>
			text.replace(
				/"timestamp":\s*"[^"]*"/g,
				'"timestamp":"2026-06-01T12:00:00+02:00"',
			),
		),
	],
	[
		"one row",
		["fine", "RESPONSE"],
		body((text) => {
			const all = JSON.parse(text);
			return JSON.stringify({
				...all,
				values: all.values.slice(0, 1),
				strings: null,
			});
		}),
	],
	["no days", "fine", field("daily", "[]")],
	[
		"400 days of rows",
		["fine", "RESPONSE"],
		body((text) => {
			const all = JSON.parse(text);
			const first = Date.parse(all.values[0].timestamp);
			return JSON.stringify({
				...all,
				strings: null,
				values: Array.from({ length: 400 * 96 }, (_, n) => ({
					timestamp: new Date(first + n * 900_000).toISOString(),
					pv_power: n % 96,
				})),
			});
		}),
	],
	[
		"1000 strings",
		["fine", "RESPONSE"],
		body((text) => {
			const all = JSON.parse(text);
			return JSON.stringify({
				...all,
				strings: all.values.slice(0, 40).flatMap((row: any) =>
					Array.from({ length: 1000 }, (_, n) => ({
						timestamp: row.timestamp,
						string_index: n,
						string_id: `s${n}`,
						pv_power: 1,
					})),
				),
			});
		}),
	],
	[
		"no power at all",
		["fine", "RESPONSE"],
		body((text) => text.replace(/"pv_power":\s*[\d.]+/g, '"pv_power":0')),
	],
	[
		"nothing but null",
		["fine", "RESPONSE"],
		body((text) => text.replace(/"pv_power":\s*[\d.]+/g, '"pv_power":null')),
	],
	[
		"rows in no order",
		"fine",
		body((text) => {
			const all = JSON.parse(text);
			return JSON.stringify({
				...all,
				values: all.values.reverse(),
				strings: all.strings?.reverse(),
			});
		}),
	],
	[
		"a forecast of another site",
		["fine", "RESPONSE"],
		field("site_id", '"site_other"'),
	],
	[
		"next_poll_at in a year",
		"fine",
		field("next_poll_at", '"2027-06-01T10:00:00Z"'),
	],
	[
		"next_poll_at in the year 9999",
		"fine",
		field("next_poll_at", '"9999-12-31T23:59:59Z"'),
	],
	[
		"next_poll_at in the past",
		"fine",
		field("next_poll_at", '"2020-01-01T00:00:00Z"'),
	],
	[
		"next_poll_at in a second",
		"fine",
		{
			// Nothing newer comes: a quarter of an hour lies between (behaviour: When it asks).
			hops: 4,
			steps: says(({ headers, body }) => {
				const said =
					headers.find(([name]) => name.toLowerCase() === "date")?.[1] ?? "";
				return {
					body: body
						.toString()
						.replace(
							/"next_poll_at":\s*"[^"]*"/,
							`"next_poll_at":"${new Date(Date.parse(said) + 1000).toISOString()}"`,
						),
				};
			}),
		},
	],
	[
		"computed_at in the year 9999",
		"fine",
		field("computed_at", '"9999-12-31T23:59:59Z"'),
	],
	[
		"computed_at in the year 1",
		["fine", "RESPONSE"],
		field("computed_at", '"0001-01-01T00:00:00Z"'),
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
				"a header each 20 ms",
				"TIMEOUT",
				(answer) => [
					{ drip: answerBytes(answer), size: 30, everyMs: 20 },
					"end",
				],
			],
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
			[
				"a byte after the other until the body",
				"fine",
				(answer) => {
					const bytes = answerBytes(answer);
					const end = bytes.indexOf("\r\n\r\n") + 4;
					return [
						{ drip: bytes.subarray(0, end), size: 40, everyMs: 1 },
						{ send: bytes.subarray(end) },
						"end",
					];
				},
			],
		]),
		...truncations(size),
		...lengths,
		...encodings,
		...texts,
		...numbers,
		...nestings,
		...keys,
		...strings,
		...statuses,
		...headers,
		...echoes,
		...meanings,
	];
}
