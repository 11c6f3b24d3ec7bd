import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { Variants } from "../../src/simulator/answers/variants";
import { PLACES, World } from "./support";

const START = "2026-06-10T08:07:11Z";

function world(variants: Partial<Variants>, plan: "plus" | "free" = "plus") {
	const made = new World(START, plan, variants);
	made.addSite();
	return made;
}

describe("simulator: variants", () => {
	it("shapes the list of sites", () => {
		assert.ok(Array.isArray(world({}).get("/v2/sites").json));
		for (const listShape of ["sites", "items", "results", "data"] as const) {
			const { json } = world({ listShape }).get("/v2/sites");
			assert.deepEqual(Object.keys(json), [listShape]);
			assert.equal(json[listShape][0].id, "site_a");
		}
	});

	it("names the identifier", () => {
		const { json } = world({ idField: "site_id" }).get("/v2/sites/site_a");
		assert.equal(json.site_id, "site_a");
		assert.equal("id" in json, false);
	});

	it("answers timezone=utc as UTC with UTC days", () => {
		const made = world({ utcZoneName: true });
		const utc = made.forecast("timezone=utc&forecast_days=1").json;
		assert.equal(utc.timezone, "UTC");
		assert.equal(utc.values[0].timestamp, "2026-06-10T00:00:00Z");
		assert.equal(utc.values.length, 192);
		const local = made.forecast("forecast_days=1").json;
		assert.equal(local.timezone, "Europe/Berlin");
		assert.equal(local.values[0].timestamp, "2026-06-10T00:00:00+02:00");
	});

	it("writes errors in every form", () => {
		const bodies = Object.fromEntries(
			(
				[
					"detail",
					"message",
					"error",
					"error.message",
					"loc-msg",
					"html",
				] as const
			).map((errorBody) => {
				const made = world({ errorBody }, "free");
				const { status, text, headers } = made.send(
					"DELETE",
					"/v2/sites/site_a",
				);
				assert.equal(status, 403);
				const isHtml = errorBody === "html";
				assert.match(
					headers["content-type"] as string,
					isHtml ? /^text\/html/ : /json/,
				);
				return [errorBody, isHtml ? text : JSON.parse(text)];
			}),
		);
		const text = "Your plan does not include the Sites API";
		assert.deepEqual(bodies.detail, { detail: text });
		assert.deepEqual(bodies.message, { message: text });
		assert.deepEqual(bodies.error, { error: text });
		assert.deepEqual(bodies["error.message"], {
			error: { code: 403, message: text },
		});
		assert.equal(bodies["loc-msg"].detail[0].msg, text);
		assert.match(bodies.html, /<title>403 Your plan/);
		const many = world({}).forecast("forecast_days=x").json;
		assert.deepEqual(many.detail[0].loc, ["query", "forecast_days"]);
		const flat = world({ errorBody: "message" }).forecast("forecast_days=x");
		assert.match(flat.json.message, /^query\.forecast_days: /);
	});

	it("serves restore under one prefix only", () => {
		for (const restorePrefix of ["/sites", "/v2/sites"] as const) {
			const made = world({ restorePrefix });
			made.send("DELETE", "/v2/sites/site_a");
			const other = restorePrefix === "/sites" ? "/v2/sites" : "/sites";
			assert.equal(made.send("POST", `${other}/site_a/restore`).status, 404);
			assert.equal(
				made.send("POST", `${restorePrefix}/site_a/restore`).status,
				200,
			);
		}
	});

	it("answers writes without a body", () => {
		const made = world({ emptyWriteBodies: true });
		const writes = [
			made.send("POST", "/v2/sites", "", PLACES.berlin),
			made.send("PATCH", "/v2/sites/site_a", "", { name: "New" }),
			made.send("DELETE", "/v2/sites/site_a"),
			made.send("POST", "/sites/site_a/restore"),
		];
		assert.deepEqual(
			writes.map(({ status, text }) => [status, text]),
			[
				[201, ""],
				[204, ""],
				[204, ""],
				[204, ""],
			],
		);
		assert.equal(made.get("/v2/sites").json.length, 2);
		assert.equal(made.get("/v2/sites/site_a").json.name, "New");
	});

	it("shuffles rows without losing one", () => {
		const query = "include=all&forecast_days=2";
		const plain = world({}).forecast(query).json;
		const mixed = world({ shuffledRows: true }).forecast(query).json;
		for (const part of ["values", "strings"]) {
			assert.notDeepEqual(mixed[part], plain[part]);
			const texts = (rows: unknown[]) =>
				rows.map((row) => JSON.stringify(row)).sort();
			assert.deepEqual(texts(mixed[part]), texts(plain[part]));
		}
		assert.deepEqual(mixed.daily, plain.daily);
	});

	it("sends null at night", () => {
		const query = "include=all&forecast_days=0";
		const plain = world({}).forecast(query).json;
		const nulls = world({ nullAtNight: true }).forecast(query).json;
		let dark = 0;
		plain.values.forEach((row: Record<string, number>, k: number) => {
			const { pv_power } = nulls.values[k];
			if (pv_power === null) {
				assert.equal(row.pv_power, 0);
				assert.equal(nulls.strings[k].pv_power, null);
				dark++;
			} else assert.equal(pv_power, row.pv_power);
		});
		assert.ok(dark > 20 && dark < 40);
		assert.deepEqual(nulls.daily, plain.daily);
	});

	it("leaves out string_index and next_poll_at", () => {
		const made = world({ siteStringIndex: false, nextPollAt: false });
		const { strings } = made.get("/v2/sites/site_a").json;
		assert.equal("string_index" in strings[0], false);
		const { json } = made.forecast("include=strings");
		assert.equal("next_poll_at" in json, false);
		assert.equal(json.strings[0].string_index, 0);
	});

	it("sends the quarters of each date", () => {
		const made = world({ firstRow: "00:15" });
		const { json } = made.forecast("forecast_days=0");
		assert.equal(json.values.length, 96);
		assert.equal(json.values[0].timestamp, "2026-06-10T00:15:00+02:00");
		assert.equal(json.values.at(-1).timestamp, "2026-06-11T00:00:00+02:00");
	});
});
