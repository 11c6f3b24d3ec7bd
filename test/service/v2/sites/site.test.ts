import assert from "node:assert/strict";
import { readSite, readSiteList } from "../../../../src/service/v2/sites/site";
import { type Text, textIn } from "../../../../src/texts/texts";

const RECORD = {
	id: "site_1",
	name: "Barn",
	timezone: "Europe/Berlin",
	latitude: 52.5,
	longitude: 13.4,
	elevation: 34,
	deleted_at: null,
	strings: [
		{
			id: "str_b",
			string_index: 1,
			slope: 30,
			orientation: 90,
			power_kw: 5,
			gcr: 0.4,
		},
		{
			id: "str_a",
			string_index: 0,
			slope: 20,
			orientation: 270,
			power_kw: 4,
		},
	],
	config: { modules: { technology: "perc" } },
};

const response = (message: RegExp) => ({
	code: "SOLAR_YIELD_RESPONSE",
	message,
});

describe("readSite", () => {
	it("reads a record and keeps it as received", () => {
		const site = readSite(RECORD);
		assert.equal(site.site_id, "site_1");
		assert.equal(site.name, "Barn");
		assert.equal(site.timezone, "Europe/Berlin");
		assert.equal(site.state, "active");
		assert.deepEqual(site.strings[0], {
			string_id: "str_b",
			string_index: 1,
			slope: 30,
			orientation: 90,
			power_kw: 5,
		});
		assert.deepEqual(site.record, RECORD);
	});

	it("reads `id`, else `site_id`, else the id that was asked for", () => {
		assert.equal(readSite({ id: "a", site_id: "b" }, "c").site_id, "a");
		assert.equal(readSite({ site_id: "b" }, "c").site_id, "b");
		assert.equal(readSite({ id: null, site_id: "b" }, "c").site_id, "b");
		assert.equal(readSite({ name: "x" }, "c").site_id, "c");
		assert.equal(readSite({ id: 42 }).site_id, "42");
	});

	it("counts positions where `string_index` is missing", () => {
		const { strings } = readSite({
			id: "a",
			strings: [{ id: "x" }, { id: "y" }],
		});
		assert.deepEqual(
			strings.map((string) => [string.string_id, string.string_index]),
			[
				["x", 0],
				["y", 1],
			],
		);
	});

	const states: [record: object, state: string][] = [
		[{}, "active"],
		[{ status: "active" }, "active"],
		[{ status: "something new" }, "active"],
		[{ status: "inactive" }, "inactive"],
		[{ status: "temporary" }, "temporary"],
		[{ temporary: true }, "temporary"],
		[{ temporary: false }, "active"],
		[{ deleted_at: null, status: "active" }, "active"],
		[{ deleted_at: "2026-08-01T00:00:00Z" }, "deleted"],
		[{ deleted_at: "2026-08-01T00:00:00Z", status: "active" }, "deleted"],
		[{ deleted_at: "2026-08-01T00:00:00Z", status: "inactive" }, "deleted"],
	];
	for (const [record, state] of states) {
		it(`takes ${JSON.stringify(record)} for ${state}`, () => {
			assert.equal(readSite({ id: "a", ...record }).state, state);
		});
	}

	it("is content without any optional field", () => {
		assert.deepEqual(readSite({ id: "a" }), {
			site_id: "a",
			name: null,
			timezone: null,
			state: "active",
			deleted_at: null,
			strings: [],
			record: { id: "a" },
		});
	});

	it("names the field that is wrong", () => {
		const bad: [body: unknown, message: RegExp][] = [
			[null, /the body is null/],
			["text", /the body is "text"/],
			[[], /the body is \[\]/],
			[{}, /id is missing/],
			[{ id: "" }, /id is missing/],
			[{ id: {} }, /id is \{\}/],
			[{ id: "a", strings: {} }, /strings is \{\}/],
			[{ id: "a", strings: [{ slope: "30" }] }, /strings\[0\]\.slope is "30"/],
			[{ id: "a", strings: [{}, null] }, /strings\[1\] is null/],
			[{ id: "a", timezone: 1 }, /timezone is 1/],
		];
		for (const [body, message] of bad) {
			assert.throws(() => readSite(body), response(message));
		}
	});
});

describe("readSiteList", () => {
	const ids = (body: unknown) =>
		readSiteList(body).sites.map((site) => site.site_id);
	const list = [{ id: "a" }, { site_id: "b" }];

	it("reads a bare array", () => {
		assert.deepEqual(ids(list), ["a", "b"]);
		assert.deepEqual(ids([]), []);
	});

	it("reads the first array in an object", () => {
		for (const key of ["sites", "items", "results", "data"]) {
			assert.deepEqual(ids({ total: 2, [key]: list }), ["a", "b"]);
		}
		assert.deepEqual(ids({ tags: ["x"], sites: list }), ["a", "b"]);
	});

	it("lets no record hide the others, and says which one is broken", () => {
		const { sites, notes } = readSiteList([
			{ id: "a" },
			{ id: "b", latitude: "52" },
			{ name: "x" },
			null,
			{ id: "c", strings: [{ id: "s", slope: "30" }] },
			{ id: "d", deleted_at: 1_780_000_000 },
			{ id: "e" },
		]);
		assert.deepEqual(
			sites.map(({ site_id }) => site_id),
			["a", "e"],
		);
		assert.equal(notes.length, 1);
		for (const text of [
			'[1].latitude is "52"',
			"[2].id is missing",
			"[3] is null",
			"and 2 more",
		]) {
			assert.ok(textIn(notes[0] as Text).includes(text), text);
		}
	});

	it("names what is wrong", () => {
		const bad: [body: unknown, message: RegExp][] = [
			[null, /no list/],
			["text", /no list/],
			[7, /no list/],
			[{}, /no list/],
			[[{ name: "x" }, null], /\[0\]\.id is missing/],
			[[null], /\[0\] is null/],
		];
		for (const [body, message] of bad) {
			assert.throws(() => readSiteList(body), response(message));
		}
	});
});
