import { HOUR } from "../../support/house";
import { keyEchoes } from "../harness/leaks";
import { answerBytes } from "../harness/proxy";
import { KEY } from "../harness/world";
import { body, field, type Row, says, table, type WireCase } from "./wire-case";

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
	...(
		[
			[204, ["RESPONSE", "SERVICE"]],
			[304, "RESPONSE"],
			[400, "INPUT"],
			[401, "AUTH"],
			[402, "PLAN"],
			[403, "PLAN"],
			[404, "NOT_FOUND"],
			[408, "TIMEOUT"],
			[425, "SERVICE"],
			[503, "SERVICE"],
			[999, "SERVICE"],
			["099 No", ["RESPONSE", "NETWORK"]],
			["abc No", ["RESPONSE", "NETWORK"]],
		] as const
	).map(([code, ends]): Row => [`${code}`, ends, status(code)]),
	[
		"403 that is a page",
		"NETWORK",
		status(403, "<!doctype html><title>Attention Required!</title>", {
			"content-type": "text/html",
		}),
	],
	["429 of the month", "QUOTA", status(429, "", QUOTA)],
	["429 of a burst", "RATE", status(429)],
	[
		"429 of a burst for an hour",
		"RATE",
		status(429, "", { "Retry-After": "3600" }),
	],
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
		"a redirect to itself",
		"NETWORK",
		{
			hops: 6,
			steps: status(302, "", { Location: "/v2/forecast/site_fault" }),
		},
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
		"soon",
		"Fri, 31 Dec 9999 23:59:59 GMT",
		"Thu, 01 Jan 1970 00:00:00 GMT",
	].map(
		(date): Row => [
			`Date is ${JSON.stringify(date.slice(0, 30))}`,
			"fine",
			header({ date }),
		],
	),
	...["-1", "1e99", "unmetered", "0"].map(
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
	...["-5", "soon", "99999999999", "Fri, 31 Dec 9999 23:59:59 GMT"].map(
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
]);

/** A server that repeats the key in all it can. */
const echoes: WireCase[] = table(
	"key echoed",
	keyEchoes(KEY).flatMap((form, index): Row[] => {
		// Escaped already, as far as it needs to be.
		return [
			[
				`form ${index} in an error`,
				"SERVICE",
				status(500, `{"detail":"no ${form} here"}`),
			],
			[`form ${index} in plain words`, "INPUT", status(400, `bad key ${form}`)],
			[
				`form ${index} in the text of a status`,
				"SERVICE",
				status(`500 ${form}`),
			],
			[
				`form ${index} in a field that is not ours`,
				"fine",
				body((text) => `{"echo":"${form}",${text.slice(1)}`),
			],
			[`form ${index} in a time`, "RESPONSE", field("timestamp", `"${form}"`)],
		];
	}),
);

/** Answers that are well formed and make no sense. */
const meanings: WireCase[] = table("meaning", [
	...["Mars/Olympus", "", "GMT+99", "Europe/Berlin\\u0000"].map(
		(zone): Row => [
			`zone ${JSON.stringify(zone)}`,
			["fine", "RESPONSE"],
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
			["fine", "RESPONSE"],
			field("timestamp", `"${time}"`),
		],
	),
	[
		"all of the year 1990",
		["fine", "RESPONSE"],
		body((text) => text.replaceAll('"2026-', '"1990-')),
	],
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
	...["9999-12-31T23:59:59Z", "2020-01-01T00:00:00Z"].map(
		(time): Row => [
			`next_poll_at is ${time}`,
			"fine",
			field("next_poll_at", `"${time}"`),
		],
	),
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
]);

/** Answers that arrive whole: their statuses, headers, echoes and meanings. */
export const CONTENTS: readonly WireCase[] = [
	statuses,
	headers,
	echoes,
	meanings,
].flat();
