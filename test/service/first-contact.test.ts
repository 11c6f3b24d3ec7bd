import assert from "node:assert/strict";
import { SolarYieldClient } from "../../src/service/client";
import { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import { transportError } from "../../src/service/errors/transport-error";
import {
	ForeignAnswerError,
	firstContactError,
} from "../../src/service/first-contact";
import type { WireAnswer } from "../../src/service/http/exchange";

const HTML = { "content-type": "text/html; charset=utf-8" };
const JSON_TYPE = { "content-type": "application/json" };
const PAGE = "<!doctype html><title>FRITZ!Box</title><p>Log in";

const wire = (
	status: number,
	body: string,
	headers: WireAnswer["headers"] = JSON_TYPE,
): WireAnswer => ({ status, headers, body });

/** A client whose exchange gives these answers, the last one for ever. */
function clientOf(...answers: WireAnswer[]): SolarYieldClient {
	return new SolarYieldClient(
		async () =>
			(answers.length > 1 ? answers.shift() : answers[0]) as WireAnswer,
	);
}

const failureOf = (work: Promise<unknown>): Promise<SolarYieldError> =>
	work.then(
		() => assert.fail("it did not fail"),
		(error) => {
			assert.ok(error instanceof SolarYieldError, String(error));
			return error;
		},
	);

/** Servers that a wrong address leads to, and how they answer. */
const OTHERS: readonly [what: string, how: string, answer: WireAnswer][] = [
	["a web page", "a web page", wire(200, PAGE, HTML)],
	["a page that says it is JSON", "a web page", wire(200, PAGE)],
	["a router's login", "a web page", wire(401, PAGE, HTML)],
	["a firewall", "a web page", wire(403, PAGE, HTML)],
	["a page that is not there", "a web page", wire(404, PAGE, HTML)],
	["a port of https", "a web page", wire(400, PAGE, HTML)],
	["any JSON", "other data", wire(200, '{"status":"ok","version":3}')],
	["a list of other things", "other data", wire(200, '[{"entity":"sun"}]')],
	["a text", "a text", wire(200, "OK", { "content-type": "text/plain" })],
	["nothing", "nothing", wire(200, "")],
	["a server without such a path", "status 404", wire(404, "404: Not Found")],
	["one with a detail", "status 404", wire(404, '{"detail":"Not Found"}')],
	["one without the method", "status 405", wire(405, "{}")],
];

describe("another server at the address", () => {
	for (const [what, how, answer] of OTHERS) {
		it(`(${what}) is told from the service`, async () => {
			const error = await failureOf(clientOf(answer).sites());
			assert.ok(error instanceof ForeignAnswerError);
			assert.equal(
				error.message,
				`This address is not the Solar Yield Service (it answers with ${how}); check the base URL`,
			);
			assert.equal(error.kind, answer.status === 403 ? "NETWORK" : "RESPONSE");
		});
	}

	it("is told from a forecast as well", async () => {
		for (const body of ['{"status":"ok"}', "[]", PAGE, "7"]) {
			const error = await failureOf(clientOf(wire(200, body)).forecast("s"));
			assert.ok(error instanceof ForeignAnswerError, body);
		}
	});

	it("is not seen in what only the service says", async () => {
		for (const [answer, kind] of [
			[wire(401, '{"detail":"Invalid API key"}'), "AUTH"],
			[wire(403, '{"detail":"Your plan lacks this"}'), "PLAN"],
			[wire(403, "<html><title>Invalid API key</title>", HTML), "AUTH"],
			[wire(429, PAGE, HTML), "RATE"],
			[wire(502, "<html><title>502 Bad Gateway</title>", HTML), "SERVICE"],
		] as const) {
			const error = await failureOf(clientOf(answer).sites());
			assert.equal(error.kind, kind);
			assert.ok(!(error instanceof ForeignAnswerError));
		}
		// A site may be unknown, and a forecast may have a broken row.
		const unknown = await failureOf(
			clientOf(wire(404, '{"detail":"No such site"}')).forecast("s"),
		);
		assert.equal(unknown.kind, "NOT_FOUND");
		const broken = await failureOf(
			clientOf(
				wire(200, '{"site_id":"s","values":[{"timestamp":"?"}]}'),
			).forecast("s"),
		);
		assert.match(broken.message, /values\[0\]\.timestamp/);
	});

	it("is no matter once the service has answered well", async () => {
		for (const [what, , answer] of OTHERS) {
			const client = clientOf(wire(200, "[]"), answer);
			await client.sites();
			const error = await failureOf(client.sites());
			assert.ok(!(error instanceof ForeignAnswerError), what);
			const known = new SolarYieldClient(async () => answer, {
				isKnown: () => true,
			});
			assert.ok(
				!((await failureOf(known.sites())) instanceof ForeignAnswerError),
				what,
			);
		}
	});
});

describe("before anything was good", () => {
	it("no error says that nothing needs to be done", async () => {
		for (const code of [
			"ECONNRESET",
			"ERR_BAD_RESPONSE",
			"ECONNREFUSED",
			"ENOTFOUND",
			"ETIMEDOUT",
		]) {
			const fresh = new SolarYieldClient(() =>
				Promise.reject(transportError({ code }, "solar.example")),
			);
			const { message } = await failureOf(fresh.sites());
			assert.match(message, /; check .*(base URL|network)/);
			assert.doesNotMatch(message, /nothing needs/);
		}
		for (const status of [408, 425]) {
			const { message } = await failureOf(
				clientOf(wire(status, "{}")).forecast("s"),
			);
			assert.match(message, /; check the base URL and the network$/);
		}
	});

	it("only the advice is another one", () => {
		const error = transportError({ code: "ECONNRESET" }, "solar.example");
		const other = firstContactError(error) as SolarYieldError;
		assert.deepEqual(other.cause, error.cause);
		assert.equal(
			other.message,
			"solar.example broke the connection (ECONNRESET); check the base URL and the network",
		);
		const plain = new SolarYieldError("AUTH", "The key; check the key");
		assert.equal(firstContactError(plain), plain);
	});
});
