import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { inspect } from "node:util";
import { HOUR_MS as HOUR } from "../../src/util/time";
import { Flows, KEY } from "../support/flows";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const json =
	(
		status: number,
		body: unknown,
		headers: Record<string, string> = {},
	): Answer =>
	(_request, response) => {
		response.writeHead(status, {
			"content-type": "application/json",
			...headers,
		});
		response.end(JSON.stringify(body));
	};

const QUOTA = {
	"requestlimit-limit": "3000",
	"requestlimit-used": "3000",
	"requestlimit-remaining": "0",
	"requestlimit-reset": "2026-07-01T00:00:00Z",
};

/**
 * What goes wrong, the code a Catch node gets, and most forecast requests in the
 * 24 h after: of each kind of refusal and of what passes one. All others are the
 * poller's (`test/polling/failures.test.ts`).
 */
const FAULTS: Record<string, [Answer, code: string, most: number]> = {
	"500": [json(500, { detail: "broken" }), "SERVICE", 33],
	"401": [json(401, { detail: "bad key" }), "AUTH", 5],
	"429 of the month": [json(429, { detail: "limit" }, QUOTA), "QUOTA", 1],
};

describe("failures of the service reach the flows", () => {
	let flows: Flows;
	let seen: string;

	beforeEach(async () => {
		flows = new Flows("2026-06-10T09:01:00Z", "light");
		await flows.start();
		seen = "";
	});
	afterEach(() => flows.stop());

	/** Fails forecasts only, so that the free reads can tell why. */
	const onForecasts =
		(answer: Answer) =>
		(request: IncomingMessage, response: ServerResponse, next: () => void) => {
			if (request.url?.startsWith("/v2/forecast/")) {
				requests += 1;
				response.setHeader("date", new Date(flows.clock.time).toUTCString());
				answer(request, response);
			} else next();
		};
	let requests = 0;

	const remember = () => {
		for (const list of flows.received.values()) {
			for (const msg of list) {
				seen += inspect(msg, { depth: 6, showHidden: true });
			}
		}
		seen += JSON.stringify(flows.status("f"));
	};

	const assertNoKey = () => {
		const folder = join(flows.userDir, "solar-yield");
		const files = readdirSync(folder)
			.map((name) => name + readFileSync(join(folder, name), "utf8"))
			.join("\n");
		for (const form of [
			KEY,
			encodeURIComponent(KEY),
			Buffer.from(KEY).toString("base64"),
		]) {
			assert.ok(!seen.includes(form), "the key is in a message");
			assert.ok(!files.includes(form), "the key is in a file");
		}
	};

	for (const [name, [answer, code, most]] of Object.entries(FAULTS)) {
		it(`${name}: ${code}, the last good forecast stays, few requests`, async () => {
			await flows.load([
				flows.account(),
				...flows.forecast("f"),
				...Flows.catchNode,
			]);
			assert.equal(flows.of("f-1").length, 1);
			flows.clear();
			requests = 0;
			flows.fault = onForecasts(answer);
			await flows.runFor(24 * HOUR);
			await flows.quiet();
			remember();
			const caught = flows.of("caught");
			assert.equal(caught.length, 1, "told once");
			assert.equal(caught[0]?.error.code, `SOLAR_YIELD_${code}`);
			assert.match(caught[0]?.error.message, /; /);
			assert.match(caught[0]?.topic, /\/forecast$/);
			assert.deepEqual(Object.keys(caught[0]?.error.cause).sort(), [
				"code",
				"detail",
				"retry_at",
				"status",
			]);
			assert.ok(
				requests >= 1 && requests <= most,
				`${requests} requests in 24 h`,
			);
			assert.equal(flows.of("f-1").length, 0);
			await flows.input("f", {});
			const [msg] = flows.of("f-1");
			assert.ok(msg?.payload.values.length > 90);
			assert.equal(msg?.solar.stale, true);
			remember();
			// And when it is over, all goes on by itself.
			flows.fault = undefined;
			if (code !== "QUOTA") {
				flows.clear();
				await flows.runFor(25 * HOUR);
				assert.ok(flows.of("f-1").length > 0, "it goes on by itself");
			}
			assertNoKey();
		}).timeout(40_000);
	}

	it("at the very first request are in the status", async () => {
		flows.fault = onForecasts(FAULTS["429 of the month"]?.[0] as Answer);
		await flows.load([flows.account(), ...flows.forecast("f")]);
		await flows.quiet();
		const { fill, text } = flows.status("f") ?? {};
		assert.equal(fill, "red");
		assert.match(text, /reason\.exhausted$/);
	});
});
