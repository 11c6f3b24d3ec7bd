import assert from "node:assert/strict";
import { SolarYieldError } from "../../../src/service/errors/solar-yield-error";
import { httpExchange } from "../../../src/service/http/axios-exchange";
import { normaliseBaseUrl } from "../../../src/service/http/base-url";

/** What is said of a text that is no base URL, by both who read it. */
function refusals(text: string): string[] {
	return [
		() => normaliseBaseUrl(text),
		() => httpExchange(text, "no-real-key"),
	].map((work) => {
		try {
			work();
		} catch (error) {
			assert.ok(error instanceof SolarYieldError);
			assert.equal(error.kind, "INPUT");
			assert.match(error.message, /base URL/);
			return error.message;
		}
		return assert.fail(text);
	});
}

describe("a base URL", () => {
	it("is taken from an address that was copied with more, in any form", () => {
		const ends =
			" / // /v2 /v2/ /v2// /v2/sites /v2/sites/ /v2/sites/my%20site/restore /v2/forecast/site_1 /v2/forecast/inline /v2/historical/site_1";
		for (const end of ends.split(" ")) {
			for (const base of ["https://api.example", "http://host:1880/solar"]) {
				assert.equal(normaliseBaseUrl(` ${base}${end} `), base);
			}
		}
	});

	for (const [text, base = text] of [
		["https://API.Example.com:443/", "https://api.example.com"],
		["http://[::1]:1880"],
		["https://proxy.example/v2/solar"],
		["https://proxy.example/v20"],
		["https://proxy.example/v2/sites-of-ours"],
	] as [string, string?][]) {
		it(`is ${base} in ${text}`, () => {
			assert.equal(normaliseBaseUrl(text), base);
		});
	}

	it("is no other text: what lacks only its beginning is shown, a secret is not", () => {
		for (const text of [
			"",
			"https://",
			"//api.example.com",
			"file:///etc/passwd",
		])
			refusals(text);
		for (const text of [
			"api.example.com",
			"api.example.com:8443",
			"ftp://api.example.com",
		]) {
			for (const said of refusals(text)) assert.ok(said.includes(text), said);
		}
		for (const [text, secret = text] of [
			["javascript:alert(1)"],
			["https://user:secret@api.example.com", "secret"],
			["https://secret@api.example.com", "secret"],
			["https://api.example.com?key=secret", "secret"],
			["https://api.example.com#secret", "secret"],
			["sk-live-0123456789abcdef"],
			["sk/fault+CANARY=0123456789/abc~-Z"],
			[
				"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
			],
		] as [string, string?][]) {
			for (const said of refusals(text))
				assert.ok(!said.includes(secret), said);
		}
	});
});
