import assert from "node:assert/strict";
import fc from "fast-check";
import { type AnswerFacts, SolarYieldClient } from "../../src/service/client";
import { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import type { WireAnswer, WireRequest } from "../../src/service/http/exchange";
import { idSegment } from "../../src/service/v2/sites/site-id";
import { type Text, textIn } from "../../src/texts/texts";

const FORECAST = JSON.stringify({
	values: [{ timestamp: "2026-07-01T12:00:00Z", pv_power: 1 }],
});
const SYSTEM = {
	latitude: 52.5,
	longitude: 13.4,
	strings: [{ slope: 30, orientation: 180, power_kw: 5 }],
};

/** A client whose service always gives one answer, and what it was sent. */
function fixed(answer: Partial<WireAnswer>) {
	const sent: WireRequest[] = [];
	const heard: AnswerFacts[] = [];
	const client = new SolarYieldClient(
		async (request) => {
			sent.push(request);
			return { status: 200, headers: {}, body: FORECAST, ...answer };
		},
		{
			onAnswer: (facts) => heard.push(facts),
			now: () => Date.UTC(2026, 7, 12, 15, 30),
			isKnown: () => true,
		},
	);
	return { client, sent, heard };
}

async function rejection(promise: Promise<unknown>): Promise<SolarYieldError> {
	try {
		await promise;
	} catch (error) {
		assert.ok(error instanceof SolarYieldError, String(error));
		assert.ok(error instanceof SolarYieldError);
		return error;
	}
	assert.fail("resolved");
}

describe("SolarYieldClient", () => {
	describe("requests", () => {
		it("asks for a stored site's forecast without any parameter", async () => {
			const { client, sent } = fixed({});
			await client.forecast("site_1");
			assert.deepEqual(sent, [
				{ method: "GET", path: "/v2/forecast/site_1", query: [] },
			]);
		});

		it("sends every parameter, `include` once for each group", async () => {
			const { client, sent } = fixed({});
			await client.forecast("site_1", {
				forecastDays: 0,
				pastDays: 30,
				include: ["all", "variability"],
				timezone: "utc",
			});
			assert.deepEqual(sent[0]?.query, [
				["forecast_days", "0"],
				["past_days", "30"],
				["include", "all"],
				["include", "variability"],
				["timezone", "utc"],
			]);
		});

		it("leaves out the default of `past_days`", async () => {
			const { client, sent } = fixed({});
			await client.forecast("site_1", { pastDays: 0, include: [] });
			assert.deepEqual(sent[0]?.query, []);
		});

		it("posts an inline system, parameters in the address", async () => {
			const { client, sent } = fixed({});
			await client.forecast(SYSTEM, { forecastDays: 1 });
			assert.deepEqual(sent, [
				{
					method: "POST",
					path: "/v2/forecast/inline",
					query: [["forecast_days", "1"]],
					body: SYSTEM,
				},
			]);
		});

		it("reads sites", async () => {
			const list = fixed({ body: '{"sites":[{"id":"a"},{"id":"b"}]}' });
			assert.equal((await list.client.sites()).length, 2);
			assert.equal(list.sent[0]?.path, "/v2/sites/");
			const one = fixed({ body: '{"name":"Barn"}' });
			assert.equal((await one.client.site("a/b")).site_id, "a/b");
			assert.equal(one.sent[0]?.path, "/v2/sites/a%2Fb");
		});
	});

	describe("ids in paths", () => {
		const ids: [id: string, segment: string][] = [
			["site_1", "site_1"],
			["../sites", "..%2Fsites"],
			["..", ""],
			[".", ""],
			["a?b=c", "a%3Fb%3Dc"],
			["a#b", "a%23b"],
			["a+b", "a%2Bb"],
			["a b", "a%20b"],
			["a/b\\c", "a%2Fb%5Cc"],
			["%2e%2e", "%252e%252e"],
			["ä€😀", "%C3%A4%E2%82%AC%F0%9F%98%80"],
			["a\r\nHost: x", "a%0D%0AHost%3A%20x"],
			["", ""],
			["   ", ""],
			["\t\n", ""],
			["\ud800", ""],
			["x".repeat(200), "x".repeat(200)],
			["x".repeat(201), ""],
			["x".repeat(10_240), ""],
		];
		for (const [id, segment] of ids) {
			const shown = JSON.stringify(id.slice(0, 20));
			it(
				segment === ""
					? `refuses ${shown} of ${id.length} characters`
					: `writes ${shown} as ${segment.slice(0, 40)}`,
				async () => {
					const { client, sent } = fixed({});
					if (segment !== "") {
						await client.forecast(id);
						assert.equal(sent[0]?.path, `/v2/forecast/${segment}`);
						return;
					}
					for (const call of [client.forecast(id), client.site(id)]) {
						const error = await rejection(call);
						assert.equal(error.kind, "INPUT");
						assert.match(error.message, /siteId/);
						assert.ok(error.message.length < 250);
					}
					assert.deepEqual(sent, []);
				},
			);
		}

		it("never lets an id leave its segment", () => {
			fc.assert(
				fc.property(fc.string({ minLength: 1, unit: "binary" }), (id) => {
					let segment: string;
					try {
						segment = idSegment(id);
					} catch (error) {
						assert.ok(error instanceof SolarYieldError);
						return;
					}
					const url = new URL(`https://host.example/v2/sites/${segment}`);
					assert.match(url.pathname, /^\/v2\/sites\/[^/]+$/);
					assert.equal(url.search + url.hash, "");
					assert.equal(decodeURIComponent(url.pathname.slice(10)), id);
				}),
				{ numRuns: 2000 },
			);
		});
	});

	describe("answers", () => {
		it("gives what the answer tells, its rows checked, and its body as received", async () => {
			const { client, heard } = fixed({ body: ` ${FORECAST}\n` });
			const { answer, body, ...facts } = await client.forecast("a");
			assert.equal(answer.values.length, 1);
			assert.equal(body, ` ${FORECAST}\n`);
			assert.deepEqual(facts, heard[0]);
		});

		it("refuses the answer of another site, and takes one that names none", async () => {
			for (const [site_id, isRefused] of [
				["b", true],
				["a", false],
				[null, false],
			] as const) {
				const body = JSON.stringify({ ...JSON.parse(FORECAST), site_id });
				const { client } = fixed({ body });
				const range = { range: { period: "7d" } };
				for (const call of [
					client.forecast("a"),
					client.historical("a", range),
				]) {
					if (!isRefused) await call;
					else assert.match((await rejection(call)).message, /site_id is "b"/);
				}
				await client.forecast(SYSTEM);
			}
		});

		it("takes any 2xx", async () => {
			for (const status of [200, 201, 203, 206]) {
				const { answer } = await fixed({ status }).client.forecast("a");
				assert.equal(answer.values.length, 1);
			}
		});

		const unreadable: [what: string, body: string, message: RegExp][] = [
			["nothing", "", /it is empty/],
			["blanks", " \n", /it is empty/],
			["a page", "<html><title>Login</title></html>", /it is no JSON/],
			["JSON cut short", FORECAST.slice(0, -9), /it is no JSON/],
			["a list", "[]", /the body/],
			["null", "null", /the body is null/],
			["no rows", '{"values":[]}', /values holds no rows/],
		];
		for (const [what, body, message] of unreadable) {
			it(`refuses ${what}`, async () => {
				const { client, heard } = fixed({ body });
				for (const call of [client.forecast("a"), client.forecast(SYSTEM)]) {
					const error = await rejection(call);
					assert.equal(error.kind, "RESPONSE");
					assert.match(error.message, message);
				}
				assert.equal(heard.length, 2);
			});
		}

		describe("to the list of sites", () => {
			it("says in one note which records are broken, of many the first", async () => {
				const records = Array.from({ length: 6 }, (_, n) => ({
					id: `s${n}`,
					name: n,
				}));
				const list = [...records, { id: "whole" }];
				const { client } = fixed({ body: JSON.stringify(list) });
				const { sites, notes } = await client.siteList();
				assert.deepEqual(
					sites.map(({ site_id }) => site_id),
					["whole"],
				);
				assert.equal(notes.length, 1);
				assert.match(
					textIn(notes[0] as Text),
					/\[0\]\.name is 0.*and 3 more\).*, tell the service$/,
				);
			});
		});

		it("rejects with the error of the status", async () => {
			for (const [status, kind] of [
				[401, "AUTH"],
				[403, "PLAN"],
				[404, "NOT_FOUND"],
				[422, "INPUT"],
				[429, "RATE"],
				[503, "SERVICE"],
				[301, "RESPONSE"],
			] as const) {
				const { client } = fixed({ status, body: "<title>No</title>" });
				for (const call of [
					client.forecast("a"),
					client.forecast(SYSTEM),
					client.sites(),
					client.site("a"),
				]) {
					const error = await rejection(call);
					assert.equal(error.kind, kind);
					assert.equal(error.cause.detail, "No");
				}
			}
		});

		it("lets the exchange's own error through", async () => {
			const own = new SolarYieldError("TIMEOUT", "Too slow; wait");
			const client = new SolarYieldClient(async () => {
				throw own;
			});
			assert.equal(await rejection(client.forecast("a")), own);
		});
	});

	describe("facts of an answer", () => {
		const headers = {
			date: "Wed, 12 Aug 2026 15:40:00 GMT",
			"requestlimit-limit": "250",
			"requestlimit-used": "31",
			"requestlimit-remaining": "219",
			"requestlimit-reset": "2026-09-01T00:00:00Z",
		};
		const serverNow = Date.UTC(2026, 7, 12, 15, 40);

		it("tells kind, status, the server's clock and the quota", async () => {
			const { client, heard } = fixed({ headers });
			await client.forecast("a");
			assert.deepEqual(heard, [
				{
					kind: "forecast",
					status: 200,
					serverNow,
					quota: {
						limit: 250,
						used: 31,
						remaining: 219,
						reset: Date.UTC(2026, 8, 1),
						asOf: serverNow,
					},
					unreadable: undefined,
					isUsedUp: false,
				},
			]);
		});

		it("tells them of refusals too, before the call returns", async () => {
			const { client, heard } = fixed({ headers, status: 429 });
			await rejection(client.forecast(SYSTEM));
			assert.equal(heard[0]?.status, 429);
			assert.equal(heard[0]?.quota?.used, 31);
		});

		it("takes no quota from a free read", async () => {
			const { client, heard } = fixed({ headers, body: "[]" });
			await client.sites();
			assert.equal(heard[0]?.kind, "free");
			assert.equal(heard[0]?.quota, undefined);
		});

		it("falls back to the host's clock without a legible `Date`", async () => {
			for (const date of [undefined, "", "garbage", "1 GMT"]) {
				const { date: _, ...others } = headers;
				const { client, heard } = fixed({
					headers: date === undefined ? others : { ...others, date },
				});
				await client.forecast("a");
				assert.equal(heard[0]?.serverNow, undefined);
				assert.equal(heard[0]?.quota?.asOf, Date.UTC(2026, 7, 12, 15, 30));
			}
		});

		it("reckons Retry-After on the server's clock", async () => {
			const { client } = fixed({
				status: 429,
				headers: { date: headers.date, "retry-after": "90" },
			});
			const error = await rejection(client.forecast("a"));
			assert.equal(error.cause.retry_at, "2026-08-12T15:41:30.000Z");
		});
	});
});
