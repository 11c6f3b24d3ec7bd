import assert from "node:assert/strict";
import {
	errorDetail,
	failureOf,
	RefusedError,
} from "../../src/service/answer-error";

const NOW = Date.UTC(2026, 7, 12, 15, 30);

function failure(
	status: number,
	body: unknown = "",
	headers: Record<string, string> = {},
	operation = "forecasts",
) {
	return failureOf(
		{
			status,
			headers,
			body: typeof body === "string" ? body : JSON.stringify(body),
		},
		operation,
		NOW,
	);
}

describe("errorDetail", () => {
	const cases: [what: string, body: string, detail: string | null][] = [
		["nothing", "", null],
		["blanks", " \r\n\t ", null],
		["detail", '{"detail":"No such site"}', "No such site"],
		["message", '{"message":"No such site"}', "No such site"],
		["error", '{"error":"No such site"}', "No such site"],
		["error.message", '{"error":{"message":"No"}}', "No"],
		["detail.message", '{"detail":{"code":7,"message":"No"}}', "No"],
		["detail first", '{"error":"c","message":"b","detail":"a"}', "a"],
		["the next where one is blank", '{"detail":" ","message":"b"}', "b"],
		["the next where one is no text", '{"error":true,"message":"b"}', "b"],
		["the next where one is null", '{"detail":null,"error":"b"}', "b"],
		[
			"loc and msg",
			'{"detail":[{"loc":["body","strings",0,"slope"],"msg":"too steep","type":"x"},{"loc":["query","include"],"msg":"unknown"}]}',
			"body.strings.0.slope: too steep; query.include: unknown",
		],
		["msg without loc", '{"detail":[{"msg":"wrong"}]}', "wrong"],
		["a list of texts", '{"detail":["one","two"]}', "one; two"],
		["a list with holes", '{"detail":[null,7,{},"two"]}', "two"],
		["an empty list", '{"detail":[]}', null],
		["a bare array", '[{"loc":["a"],"msg":"b"}]', "a: b"],
		["a bare text", '"No such site"', "No such site"],
		["a number", "42", null],
		["null", "null", null],
		["an object without words", '{"status":404}', null],
		["plain text", "  Not\n found ", "Not found"],
		[
			"HTML with a title",
			"<!DOCTYPE html><html><head><TITLE lang=en>502 Bad\n Gateway</TITLE></head><body>long</body></html>",
			"502 Bad Gateway",
		],
		["HTML without a title", "<html><body>oops</body></html>", null],
		["HTML with an empty title", "<title></title>", null],
		["JSON cut short", '{"detail":"No', '{"detail":"No'],
	];
	for (const [what, body, detail] of cases) {
		it(`reads ${what}`, () => {
			assert.equal(errorDetail(body), detail);
		});
	}

	it("keeps to 300 characters", () => {
		assert.equal(errorDetail("x".repeat(5000)), "x".repeat(300));
		assert.equal(
			errorDetail(JSON.stringify({ detail: "y".repeat(5000) }))?.length,
			300,
		);
	});

	it("survives bodies made to hurt", () => {
		assert.equal(errorDetail("<title".repeat(100_000)), null);
		const deep = `${'{"error":'.repeat(100_000)}1${"}".repeat(100_000)}`;
		assert.ok((errorDetail(deep)?.length ?? 0) <= 300);
		errorDetail(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
		const long = `{"detail":"z","more":"${"y".repeat(2_000_000)}"}`;
		assert.match(errorDetail(long) ?? "", /^\{"detail":"z"/);
	});

	it("is not led astray by fields of the language", () => {
		assert.equal(errorDetail('{"__proto__":{"detail":"x"}}'), null);
	});
});

describe("failureOf", () => {
	const statuses: [status: number, code: string][] = [
		[400, "INPUT"],
		[409, "INPUT"],
		[422, "INPUT"],
		[405, "INPUT"],
		[413, "INPUT"],
		[401, "AUTH"],
		[402, "PLAN"],
		[403, "PLAN"],
		[404, "NOT_FOUND"],
		[407, "NETWORK"],
		[408, "TIMEOUT"],
		[425, "SERVICE"],
		[429, "RATE"],
		[500, "SERVICE"],
		[502, "SERVICE"],
		[503, "SERVICE"],
		[504, "SERVICE"],
		[599, "SERVICE"],
		[304, "RESPONSE"],
		[302, "RESPONSE"],
		[100, "RESPONSE"],
	];
	for (const [status, kind] of statuses) {
		it(`makes ${kind} of ${status}`, () => {
			const error = failure(status, { detail: "the words" });
			assert.equal(error.code, `SOLAR_YIELD_${kind}`);
			assert.equal(error.cause.status, status);
			assert.equal(error.cause.detail, "the words");
			assert.match(error.message, /the words/);
			assert.match(error.message, /; ./);
		});
	}

	it("says what to do also where the service says nothing", () => {
		for (const [status] of statuses) {
			const error = failure(status);
			assert.equal(error.cause.detail, null);
			assert.doesNotMatch(error.message, /null|undefined|""/);
			assert.match(error.message, /; ./);
		}
	});

	const refusals: [detail: string, kind: string, refusal: object][] = [
		[
			"Your plan does not include variability",
			"PLAN",
			{ type: "group", group: "variability" },
		],
		[
			"include=VARIABILITY requires an upgrade",
			"PLAN",
			{ type: "group", group: "variability" },
		],
		[
			"You are not authorized to request irradiance",
			"PLAN",
			{ type: "group", group: "irradiance" },
		],
		["Site is inactive", "PLAN", { type: "inactive" }],
		["Inactive: over your plan's limit", "PLAN", { type: "inactive" }],
		["Site limit exceeded", "PLAN", { type: "inactive" }],
		["Too many sites for this subscription", "PLAN", { type: "inactive" }],
		["Plan has no forecast access", "PLAN", { type: "plan" }],
		["Your plan is not authorized for forecasts", "PLAN", { type: "plan" }],
		["Upgrade to use the API with this key", "PLAN", { type: "plan" }],
		["Forbidden", "PLAN", { type: "plan" }],
		["", "PLAN", { type: "plan" }],
		["Invalid API key", "AUTH", { type: "key" }],
		["apikey unknown", "AUTH", { type: "key" }],
		["invalid_api_key", "AUTH", { type: "key" }],
		["API key is inactive", "AUTH", { type: "key" }],
		["Invalid token", "AUTH", { type: "key" }],
		["Not authenticated", "AUTH", { type: "key" }],
		["Unauthorized", "AUTH", { type: "key" }],
		["Could not validate credentials", "AUTH", { type: "key" }],
	];
	for (const [detail, kind, refusal] of refusals) {
		it(`reads 403 "${detail}" as ${JSON.stringify(refusal)}`, () => {
			const error = failure(403, { detail });
			assert.equal(error.kind, kind);
			assert.ok(error instanceof RefusedError);
			assert.deepEqual(error.refusal, refusal);
		});
	}

	const pages: [what: string, body: string, type: string | undefined][] = [
		["a title", "<html><title>403 Forbidden</title></html>", "text/html"],
		[
			"a firewall",
			"<!DOCTYPE html><title>Attention Required! | Firewall</title>",
			"text/html; charset=UTF-8",
		],
		["a firewall, said to be text", "\n <html><body>no", "text/plain"],
		["a page of no kind", "<!doctype html><p>no", undefined],
		[
			"a login",
			"<title>Authentication required, get a token</title>",
			"text/html",
		],
		["a page without words", "", "text/html"],
	];
	for (const [what, body, type] of pages) {
		it(`takes a 403 that is ${what} for a fault that passes`, () => {
			const error = failure(403, body, type ? { "content-type": type } : {});
			assert.equal(error.kind, "NETWORK");
			assert.equal(error.cause.status, 403);
			assert.equal((error as RefusedError).refusal, undefined);
			assert.match(error.message, /web page.*403.*; .*firewall/);
		});
	}

	it("reads the service's own words also where it writes them as a page", () => {
		for (const [title, kind] of [
			["403 Your plan does not include variability", "PLAN"],
			["403 Site is inactive", "PLAN"],
			["403 Invalid API key", "AUTH"],
		]) {
			const error = failure(403, `<!doctype html><title>${title}</title>`, {
				"content-type": "text/html",
			});
			assert.equal(error.kind, kind, title);
		}
	});

	it("takes a 402 for the plan's, and says where to look", () => {
		const error = failure(402, { detail: "Invoice is due" });
		assert.ok(error instanceof RefusedError);
		assert.deepEqual(error.refusal, { type: "plan" });
		assert.match(
			error.message,
			/payment.*"Invoice is due".*; look at the plan/,
		);
	});

	it("promises of no request that it is made again by itself", () => {
		for (const status of [400, 402, 403, 404, 408, 425, 429, 500, 503]) {
			assert.doesNotMatch(
				failure(status, { detail: "no" }).message,
				/by itself|asked again/,
				String(status),
			);
		}
		const burst = failure(429, "", { "retry-after": "90" });
		assert.match(burst.message, /; try again later$/);
		assert.equal(burst.cause.retry_at, "2026-08-12T15:31:30.000Z");
	});

	it("names cause and remedy of a 403", () => {
		assert.match(
			failure(403, { detail: "no variability" }).message,
			/variability.*leave the group out or choose a plan/,
		);
		assert.match(
			failure(403, "Site is inactive").message,
			/inactive.*activate/,
		);
		assert.match(failure(403, "bad key").message, /key.*check the API key/);
		assert.match(
			failure(403, "no", {}, "the Sites API").message,
			/does not include the Sites API.*choose a plan/,
		);
	});

	it("keeps what only the poller needs out of sight", () => {
		const error = failure(403, "Site is inactive");
		assert.ok(!Object.keys(error).includes("refusal"));
		assert.deepEqual(Object.keys(error.cause), [
			"code",
			"status",
			"detail",
			"retry_at",
		]);
	});

	describe("429", () => {
		const month = {
			"requestlimit-limit": "250",
			"requestlimit-used": "250",
			"requestlimit-remaining": "0",
			"requestlimit-reset": "2026-09-01T00:00:00Z",
		};

		it("with the quota headers is the month's, until the reset", () => {
			const error = failure(429, { detail: "limit" }, month);
			assert.equal(error.kind, "QUOTA");
			assert.equal(error.cause.retry_at, "2026-09-01T00:00:00.000Z");
			assert.match(error.message, /250 of 250 used/);
		});

		it("is the month's with any of them", () => {
			for (const name of Object.keys(month) as (keyof typeof month)[]) {
				const error = failure(429, "", { [name]: month[name] });
				assert.equal(error.kind, "QUOTA", name);
				assert.equal(error.cause.retry_at, "2026-09-01T00:00:00.000Z");
			}
		});

		it("is the month's with illegible ones: the 1st of the next month", () => {
			const error = failure(429, "", { "requestlimit-reset": "later" });
			assert.equal(error.kind, "QUOTA");
			assert.equal(error.cause.retry_at, "2026-09-01T00:00:00.000Z");
		});

		it("never sends a caller back at once where the count lags behind its reset", () => {
			const error = failure(429, "", {
				...month,
				"requestlimit-reset": "2026-08-12T15:29:40Z",
			});
			assert.equal(error.kind, "QUOTA");
			assert.equal(error.cause.retry_at, "2026-08-12T15:31:00.000Z");
		});

		it("of a plan without a limit is no month's", () => {
			const error = failure(429, "", {
				...month,
				"requestlimit-limit": "unmetered",
				"requestlimit-remaining": "unmetered",
			});
			assert.equal(error.kind, "RATE");
		});

		const waits: [retryAfter: string | undefined, seconds: number][] = [
			[undefined, 60],
			["120", 120],
			[" 7 ", 7],
			["0", 0],
			["Wed, 12 Aug 2026 15:40:00 GMT", 600],
			["2026-08-12T15:40:00Z", 600],
			["Wed, 12 Aug 2026 15:20:00 GMT", 60],
			["-5", 60],
			["1.5", 60],
			["99999999999", 366 * 86_400],
			["soon", 60],
			["", 60],
		];
		for (const [retryAfter, seconds] of waits) {
			it(`without them waits ${seconds} s at Retry-After ${retryAfter}`, () => {
				const error = failure(
					429,
					"slow down",
					retryAfter === undefined ? {} : { "retry-after": retryAfter },
				);
				assert.equal(error.kind, "RATE");
				assert.equal(
					error.cause.retry_at,
					new Date(NOW + seconds * 1000).toISOString(),
				);
			});
		}
	});
});
