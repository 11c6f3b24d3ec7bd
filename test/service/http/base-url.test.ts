import assert from "node:assert/strict";
import { SolarYieldError } from "../../../src/service/errors/solar-yield-error";
import { httpExchange } from "../../../src/service/http/axios-exchange";
import { normaliseBaseUrl } from "../../../src/service/http/base-url";

describe("an address that was copied with more than the base URL", () => {
	it("is the base URL", () => {
		for (const end of [
			"",
			"/",
			"/v2",
			"/v2/",
			"/v2/sites",
			"/v2/sites/",
			"/v2/sites/my%20site/restore",
			"/v2/forecast/site_1",
			"/v2/forecast/inline",
			"/v2/historical/site_1",
		]) {
			for (const base of ["https://api.example", "http://host:1880/solar"]) {
				assert.equal(normaliseBaseUrl(` ${base}${end} `), base);
			}
		}
	});

	it("keeps a path that only looks like the service's", () => {
		for (const url of [
			"https://proxy.example/v2/solar",
			"https://proxy.example/v20",
			"https://proxy.example/v2/sites-of-ours",
		]) {
			assert.equal(normaliseBaseUrl(url), url);
		}
	});
});

describe("a key that was put into the field of the address", () => {
	it("is not repeated", () => {
		for (const key of [
			"sk-live-0123456789abcdef",
			"sk/fault+CANARY=0123456789/abc~-Z",
			"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
		]) {
			for (const work of [
				() => normaliseBaseUrl(key),
				() => httpExchange(key, key),
			]) {
				assert.throws(
					work,
					(error) =>
						error instanceof SolarYieldError && !error.message.includes(key),
				);
			}
		}
	});

	it("is told from an address that lacks only its beginning", () => {
		for (const text of [
			"api.example.com",
			"api.example.com:8443",
			"ftp://api.example.com",
		]) {
			assert.throws(
				() => normaliseBaseUrl(text),
				(error) => String(error).includes(text),
			);
		}
	});
});
