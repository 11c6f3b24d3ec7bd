import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { type Text, textIn } from "../../../../src/texts/texts";
import {
	DAY,
	HOUSE,
	idsOf,
	KEY,
	SITE_VARIANTS,
	SiteWorld,
	START,
} from "./support";

const ROOF = { slope: 15, orientation: 90, power_kw: 2.5 };
const CABIN = { latitude: 47.1, longitude: 8.2, name: "Cabin" };

const date = (ms: number) => new Date(ms).toISOString().slice(0, 10);

for (const variants of SITE_VARIANTS) {
	describe(`site manager, variant ${JSON.stringify(variants)}`, () => {
		const world = () => new SiteWorld(variants);

		it("lists and reads sites as the service has them", async () => {
			const it = world();
			const { sites } = await it.run({ operation: "list" });
			assert.deepEqual(
				sites?.map(({ record }) => record),
				it.records(),
			);
			const { site } = await it.run({ operation: "get", siteId: HOUSE });
			assert.deepEqual(site?.record, it.record());
			assert.deepEqual(site?.strings[1], {
				string_id: "str_west",
				string_index: 1,
				slope: 20,
				orientation: 270,
				power_kw: 4,
			});
			assert.equal(
				it.simulator.requests.some(({ counted }) => counted),
				false,
			);
		});

		it("goes through the states of a permanent site", async () => {
			const it = world();
			const { site, notes } = await it.run({
				operation: "create",
				body: { ...CABIN, strings: [ROOF] },
			});
			const siteId = site?.site_id as string;
			assert.equal(site?.state, "active");
			assert.deepEqual(site?.record, it.record(siteId));
			assert.equal(notes.length, variants.defaultStringAlways ? 1 : 0);

			const deleted = await it.run({ operation: "delete", siteId });
			assert.equal(deleted.site?.state, "deleted");
			assert.ok(deleted.site?.deleted_at);
			assert.ok(
				Math.abs((deleted.restoreUntil ?? 0) - (START + 30 * DAY)) < 1000,
			);
			assert.match(textIn(deleted.notes[0] as Text), /until Jul 10, 10:07/);

			it.now += 30 * DAY - 60_000;
			const restored = await it.run({ operation: "restore", siteId });
			assert.equal(restored.site?.state, "active");
			assert.deepEqual(restored.notes, []);

			await it.run({ operation: "delete", siteId });
			it.now += 30 * DAY;
			const error = await it.refused({ operation: "restore", siteId });
			assert.equal(error.kind, "NOT_FOUND");
			assert.equal(it.record(siteId), undefined);
		});

		it("goes through the states of a temporary site", async () => {
			const it = world();
			const create = {
				operation: "create",
				body: { ...CABIN, temporary: true },
			} as const;
			const first = (await it.run(create)).site?.site_id as string;
			const made = await it.run(create);
			const second = made.site?.site_id as string;
			assert.equal(made.site?.state, "temporary");
			assert.match(textIn(made.notes[0] as Text), /default string of 10 kWp/);
			assert.match(
				textIn(made.notes[1] as Text),
				new RegExp(date(START + 31 * DAY)),
			);

			it.now += 31 * DAY - 60_000;
			const kept = await it.run({ operation: "restore", siteId: first });
			assert.equal(kept.site?.state, "active");
			assert.match(textIn(kept.notes[0] as Text), /permanent now/);

			it.now += 60_000;
			const gone = await it.run({ operation: "get", siteId: second });
			assert.equal(gone.site?.state, "deleted");
			assert.equal(
				(await it.run({ operation: "get", siteId: first })).site?.state,
				"active",
			);
			const back = await it.run({ operation: "restore", siteId: second });
			assert.equal(back.site?.state, "active");
			assert.match(textIn(back.notes[0] as Text), /permanent now/);
			it.now += 400 * DAY;
			assert.equal(
				(await it.run({ operation: "get", siteId: second })).site?.state,
				"active",
			);
		});

		it("does not delete twice", async () => {
			const it = world();
			await it.run({ operation: "delete", siteId: HOUSE });
			it.now += 5 * DAY;
			const again = await it.run({ operation: "delete", siteId: HOUSE });
			assert.ok(
				Math.abs((again.restoreUntil ?? 0) - (START + 30 * DAY)) < 1000,
			);
			assert.match(textIn(again.notes[0] as Text), /deleted before/);
			assert.equal(it.writes.length, 1);
		});

		it("adds, changes and removes one string and keeps all others with their ids and fields", async () => {
			const it = world();
			const [south, west] = it.record()?.strings ?? [];
			const { site, stringId } = await it.run({
				operation: "add-string",
				siteId: HOUSE,
				body: ROOF,
			});
			assert.deepEqual(site?.record, it.record());
			assert.deepEqual(idsOf(it.record()), ["str_south", "str_west", stringId]);
			assert.deepEqual(it.record()?.strings[0], south);
			assert.deepEqual(it.record()?.strings[1], west);

			const changed = await it.run({
				operation: "update-string",
				siteId: HOUSE,
				body: { id: "str_west", slope: 25 },
			});
			assert.deepEqual(changed.notes, []);
			assert.deepEqual(it.record()?.strings[1], { ...west, slope: 25 });
			assert.deepEqual(it.record()?.strings[0], south);

			const rest = await it.run({
				operation: "remove-string",
				siteId: HOUSE,
				body: "str_west",
			});
			assert.deepEqual(rest.notes, []);
			assert.deepEqual(rest.site?.record, it.record());
			assert.deepEqual(idsOf(it.record()), ["str_south", stringId]);
			for (const { body } of it.writes) {
				assert.deepEqual(Object.keys(body as object), ["strings"]);
				assert.ok(!JSON.stringify(body).includes("string_index"));
			}
		});

		it("removes the only string when that is confirmed, as an update would", async () => {
			const it = world();
			const remove = (body: string, removeStrings = false) =>
				it.run({
					operation: "remove-string",
					siteId: HOUSE,
					body,
					removeStrings,
				});
			await remove("str_west");
			const writes = it.writes.length;
			const error = await it.refused({
				operation: "remove-string",
				siteId: HOUSE,
				body: "str_south",
			});
			assert.equal(error.kind, "INPUT");
			assert.match(
				error.message,
				/"str_south" is the site's only string.*; set msg\.removeStrings to true/,
			);
			assert.equal(it.writes.length, writes);
			assert.deepEqual(idsOf(it.record()), ["str_south"]);
			await remove("str_south", true);
			assert.deepEqual(it.record()?.strings, []);
		});

		it("sends only what was given", async () => {
			const it = world();
			await it.run({
				operation: "update",
				siteId: HOUSE,
				body: { name: "New", config: { modules: { technology: "topcon" } } },
			});
			assert.deepEqual(it.writes.at(-1)?.body, {
				name: "New",
				config: { modules: { technology: "topcon" } },
			});
			assert.equal(it.record()?.name, "New");
			assert.equal(it.record()?.config.modules.technology, "topcon");
		});

		it("tells by name which setting changed unasked, and only then", async () => {
			const it = world();
			const { notes, site } = await it.run({
				operation: "update",
				siteId: HOUSE,
				body: { config: { modules: { technology: "topcon" } } },
			});
			assert.deepEqual(site?.record, it.record());
			if (variants.configPatch === "replace") {
				assert.equal(notes.length, 1);
				assert.match(
					textIn(notes[0] as Text),
					/^config\.losses\.albedo was 0\.25 and is now 0\.15/,
				);
			} else assert.deepEqual(notes, []);
		});

		it("explains why a location cannot be changed", async () => {
			const it = world();
			const move = (latitude: number) => ({
				operation: "update" as const,
				siteId: HOUSE,
				body: { latitude },
			});
			const { notes, site } = await it.run(move(48.1));
			assert.equal(site?.record.latitude, 48.1);
			assert.match(textIn(notes[0] as Text), /only once in 30 days/);
			assert.match(
				textIn(notes[0] as Text),
				new RegExp(date(START + 30 * DAY)),
			);
			it.now += 29 * DAY;
			const error = await it.refused(move(48.2));
			assert.equal(error.kind, "INPUT");
			assert.match(error.message, /only once in 30 days/);
			assert.equal(it.record()?.latitude, 48.1);
			it.now += DAY;
			const again = await it.run(move(48.2));
			assert.equal(again.site?.record.latitude, 48.2);
		});

		it("explains a refusal in the service's own words", async () => {
			const it = new SiteWorld(variants, "free");
			for (const [request, words] of [
				[{ operation: "create", body: CABIN }, "creating a site"],
				[
					{ operation: "create", body: { ...CABIN, temporary: true } },
					"creating a temporary site",
				],
				[
					{ operation: "update", siteId: HOUSE, body: { name: "x" } },
					"changing a site",
				],
				[{ operation: "delete", siteId: HOUSE }, "deleting a site"],
				[{ operation: "restore", siteId: HOUSE }, "restoring a site"],
				[
					{ operation: "add-string", siteId: HOUSE, body: ROOF },
					"changing a site",
				],
			] as const) {
				const error = await it.refused(request);
				assert.equal(error.kind, "PLAN");
				assert.ok(
					error.message.startsWith(
						`The plan does not include the Sites API (${words})`,
					),
					error.message,
				);
				assert.match(error.message, /Your plan does not include the Sites API/);
				assert.match(error.message, /choose a plan that has it/);
			}
			assert.deepEqual(it.changes, []);
		});
	});
}

describe("site manager", () => {
	it("refuses an update that would drop strings, unless it is allowed", async () => {
		const it = new SiteWorld();
		const [south] = it.record()?.strings ?? [];
		const update = {
			operation: "update",
			siteId: HOUSE,
			body: { strings: [south, ROOF] },
		} as const;
		const error = await it.refused(update);
		assert.equal(error.kind, "INPUT");
		assert.match(error.message, /str_west/);
		assert.ok(!error.message.includes("str_south"));
		assert.equal(it.writes.length, 0);
		const all = await it.refused({ ...update, body: { strings: [] } });
		assert.match(all.message, /str_south, str_west/);

		const { site, notes } = await it.run({ ...update, removeStrings: true });
		assert.deepEqual(notes, []);
		assert.deepEqual(
			site?.strings.map(({ power_kw }) => power_kw),
			[6, 2.5],
		);
		assert.equal(site?.strings[0]?.string_id, "str_south");
		assert.deepEqual(it.record()?.strings[0], south);
	});

	it("refuses ids that are none of the site's, and ids named twice", async () => {
		const it = new SiteWorld();
		const [south, west] = it.record()?.strings ?? [];
		const update = (strings: unknown[]) =>
			it.refused({ operation: "update", siteId: HOUSE, body: { strings } });
		assert.match(
			(await update([south, west, { ...ROOF, id: "str_other" }])).message,
			/strings\[2\]\.id is "str_other".*none of the site's/,
		);
		assert.match(
			(await update([south, west, west])).message,
			/strings\[2\]\.id is "str_west".*twice/,
		);
		for (const operation of ["update-string", "remove-string"] as const) {
			const error = await it.refused({
				operation,
				siteId: HOUSE,
				body: { id: "str_other", slope: 1 },
			});
			assert.match(error.message, /no string "str_other".*str_south.*str_west/);
		}
		assert.match(
			(
				await it.refused({
					operation: "add-string",
					siteId: HOUSE,
					body: west,
				})
			).message,
			/^id is "str_west"; leave it out/,
		);
		assert.equal(it.writes.length, 0);
	});

	it("tells when a string in an update lost a setting that was not named", async () => {
		const it = new SiteWorld();
		const { notes } = await it.run({
			operation: "update",
			siteId: HOUSE,
			body: {
				strings: [
					{ id: "str_south", slope: 31, orientation: 180, power_kw: 6 },
					{ id: "str_west", slope: 20, orientation: 270, power_kw: 4 },
				],
			},
		});
		assert.equal(notes.length, 2);
		const said = notes.map((note) => textIn(note)).join("\n");
		assert.match(said, /strings\[str_south\]\.gcr was 0\.4/);
		assert.match(said, /strings\[str_south\]\.near_field_shading\.rows was/);
	});

	it("takes an optional setting of a string away when told so", async () => {
		const it = new SiteWorld();
		const { notes } = await it.run({
			operation: "update-string",
			siteId: HOUSE,
			body: { gcr: null },
			stringId: "str_south",
		});
		assert.deepEqual(notes, []);
		assert.equal(it.record()?.strings[0].gcr, null);
		assert.deepEqual(it.record()?.strings[0].near_field_shading, {
			rows: [[0, 90, 12]],
		});
	});

	it("sends of a record that is handed back only what differs", async () => {
		const it = new SiteWorld();
		const record = structuredClone(it.record()) as any;
		const nothing = await it.refused({
			operation: "update",
			siteId: HOUSE,
			body: record,
		});
		assert.match(nothing.message, /changes nothing/);
		record.name = "Renamed";
		record.config.losses.albedo = 0.3;
		await it.run({ operation: "update", siteId: HOUSE, body: record });
		assert.deepEqual(it.writes.at(-1)?.body, {
			name: "Renamed",
			config: { losses: { albedo: 0.3 } },
		});
		record.strings[1].slope = 21;
		const { notes } = await it.run({
			operation: "update",
			siteId: HOUSE,
			body: record,
		});
		assert.deepEqual(notes, []);
		assert.deepEqual(Object.keys(it.writes.at(-1)?.body as object), [
			"strings",
		]);
		const other = await it.refused({
			operation: "update",
			siteId: HOUSE,
			body: { ...record, id: "site_other" },
		});
		assert.match(other.message, /"site_other".*"site_house"/);
	});

	it("does not spend the change of location on a location that stays", async () => {
		const it = new SiteWorld();
		await it.run({
			operation: "update",
			siteId: HOUSE,
			body: { latitude: 52.52, longitude: 13.4, name: "Same place" },
		});
		assert.deepEqual(it.writes.at(-1)?.body, { name: "Same place" });
	});

	it("wants the site said outright for what cannot be undone", async () => {
		const it = new SiteWorld();
		for (const operation of ["delete", "restore", "remove-string"] as const) {
			const error = await it.refused({
				operation,
				defaultSiteId: HOUSE,
				body: "str_west",
			});
			assert.equal(error.kind, "INPUT");
			assert.match(error.message, /msg\.siteId/);
		}
		assert.equal(it.sent.length, 0);
		await it.run({ operation: "get", defaultSiteId: HOUSE });
		await it.run({
			operation: "add-string",
			defaultSiteId: HOUSE,
			body: ROOF,
		});
		assert.match(
			(await it.refused({ operation: "get" })).message,
			/siteId is missing/,
		);
	});

	it("works on messages that come together one after another, and tells of them once", async () => {
		const it = new SiteWorld();
		await Promise.all(
			[1, 2, 3, 4].map((power_kw) =>
				it.run({
					operation: "add-string",
					siteId: HOUSE,
					body: { ...ROOF, power_kw },
				}),
			),
		);
		assert.deepEqual(
			it.record()?.strings.map(({ power_kw }: any) => power_kw),
			[6, 4, 1, 2, 3, 4],
		);
		assert.deepEqual(it.changes, [[HOUSE, true]]);
		await it.run({ operation: "update", siteId: HOUSE, body: { name: "x" } });
		assert.deepEqual(it.changes.at(-1), [HOUSE, false]);
	});

	it("goes on after a failure", async () => {
		const it = new SiteWorld();
		const [bad, good] = await Promise.allSettled([
			it.run({ operation: "get", siteId: "site_none" }),
			it.run({ operation: "get", siteId: HOUSE }),
		]);
		assert.equal(bad.status, "rejected");
		assert.equal(good.status, "fulfilled");
	});

	it("says that a site is full, not inactive, when none more may be created", async () => {
		const it = new SiteWorld();
		for (let n = 1; n < 20; n += 1) {
			await it.run({ operation: "create", body: CABIN });
		}
		const error = await it.refused({ operation: "create", body: CABIN });
		assert.equal(error.kind, "PLAN");
		assert.match(error.message, /^The plan's limit of sites is reached/);
		it.simulator.setPlan(KEY, "light");
		assert.equal(it.records().length, 20);
	});
});
