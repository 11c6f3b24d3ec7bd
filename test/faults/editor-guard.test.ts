import assert from "node:assert/strict";
import { fromEditor } from "../../nodes/admin";
import { EDITOR_HEADER } from "../../nodes/shared/editor-header";
import { routesOf } from "../support/routes";

/** What the guard of admin routes makes of a request: 200 where it lets it pass. */
function guarded(given: Record<string, string>, method = "POST"): number {
	const headers = Object.fromEntries(
		Object.entries({ Host: "red.test:1880", ...given }).map(([name, value]) => [
			name.toLowerCase(),
			value,
		]),
	);
	let status = 0;
	const response = {
		status(code: number) {
			status = code;
			return response;
		},
		json: () => response,
	};
	fromEditor(
		{
			method,
			headers,
			get: (name: string) => headers[name.toLowerCase()],
		} as never,
		response as never,
		() => {
			status = 200;
		},
	);
	return status;
}

const JSON_TYPE = { "Content-Type": "application/json" };
const EDITOR = { ...JSON_TYPE, [EDITOR_HEADER]: "1" };
const OWN = { ...EDITOR, Origin: "http://red.test:1880" };
const FORM = "application/x-www-form-urlencoded";

describe("the guard of the editor's requests", () => {
	it("refuses forms, images and scripts of web pages", () => {
		for (const [headers, status] of [
			// A form's three ways, as an older browser sends them too.
			[{ "Content-Type": FORM }, 403],
			[{ "Content-Type": FORM, Origin: "http://page.test" }, 403],
			[{ "Content-Type": "text/plain" }, 403],
			[{ "Content-Type": "multipart/form-data; boundary=x" }, 403],
			// A script without leave of the server: no header, or another origin.
			[JSON_TYPE, 403],
			...[
				"http://page.test",
				"null",
				"http://127.0.0.1:1",
				"http://red.test:1880.page.test",
				"http://red.test",
				"file://",
			].map((Origin) => [{ ...EDITOR, Origin }, 403] as const),
			...["cross-site", "same-site"].map(
				(site) => [{ ...OWN, "Sec-Fetch-Site": site }, 403] as const,
			),
			// With the header, yet not JSON.
			[{ ...EDITOR, "Content-Type": FORM }, 415],
			[{ ...EDITOR, "Content-Type": "text/plain" }, 415],
		] as [Record<string, string>, number][]) {
			assert.equal(guarded(headers), status, JSON.stringify(headers));
		}
		assert.equal(guarded({ Origin: "http://page.test" }, "GET"), 403);
		assert.equal(guarded({}, "GET"), 403);
	});

	it("lets the editor's own page pass, also behind a proxy", () => {
		for (const headers of [
			{},
			{ Origin: "http://red.test:1880" },
			{ ...OWN, "Sec-Fetch-Site": "same-origin" },
			{ Origin: "https://house.test", "X-Forwarded-Host": "house.test" },
			{
				Origin: "https://house.test:8443",
				"X-Forwarded-Host": "house.test:8443, inner.test",
			},
			{ Origin: "https://house.test", Host: "house.test:443" },
			{
				Origin: "https://house.test",
				Host: "inner.test:1880",
				"Sec-Fetch-Site": "same-origin",
			},
		]) {
			assert.equal(
				guarded({ ...EDITOR, ...(headers as Record<string, string>) }),
				200,
				JSON.stringify(headers),
			);
		}
		assert.equal(guarded({ [EDITOR_HEADER]: "1" }, "GET"), 200);
	});

	it("stands before all that writes, asks or reads a variable, which needs the right to write", () => {
		const routes = routesOf();
		assert.ok(routes.length >= 10);
		for (const { method, path, permission, handlers } of routes) {
			// Those draw what the settings in the dialog would do, and change nothing.
			const isReading =
				method === "GET" || /^(battery|window)\/:id$/.test(path);
			const needs = `solar-yield.${isReading ? "read" : "write"}`;
			assert.equal(permission, needs, path);
			const isGuarded = method === "POST" || path === "site/:account";
			assert.equal(handlers.includes(fromEditor as never), isGuarded, path);
		}
	});
});
