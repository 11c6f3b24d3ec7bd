import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { PLANS } from "../../src/simulator/plans";
import { PLACES, World } from "./support";

const START = "2026-05-10T10:00:00Z";
const CREATE = {
	name: "Roof",
	latitude: 48.14,
	longitude: 11.58,
	strings: [{ slope: 20, orientation: 180, power_kw: 5 }],
};

function create(world: World, extra: object = {}) {
	const answer = world.send("POST", "/v2/sites", "", { ...CREATE, ...extra });
	assert.equal(answer.status, 201, answer.text);
	return answer.json;
}

function patch(world: World, id: string, body: unknown) {
	return world.send("PATCH", `/v2/sites/${id}`, "", body);
}

describe("simulator: sites", () => {
	it("creates a site with determined fields and assigned ids, and lists and reads it free of charge", () => {
		const world = new World(START);
		const site = create(world, {
			strings: [
				{
					id: "str_mine",
					slope: 20,
					orientation: 180,
					power_kw: 5,
					gcr: 0.4,
					near_field_shading: { rows: [[1, 2]] },
				},
			],
		});
		assert.match(site.id, /^site_[0-9a-f]{8}$/);
		assert.equal(site.timezone, "Europe/Berlin");
		assert.equal(typeof site.elevation, "number");
		assert.equal(site.terrain_horizon.length, 36);
		assert.match(site.strings[0].id, /^str_[0-9a-f]{8}$/);
		assert.equal(site.strings[0].string_index, 0);
		assert.equal(site.strings[0].gcr, 0.4);
		assert.deepEqual(site.strings[0].near_field_shading, { rows: [[1, 2]] });
		assert.equal(site.status, "active");
		assert.equal(site.deleted_at, null);
		const list = world.get("/v2/sites/");
		assert.deepEqual(list.json, [site]);
		assert.deepEqual(world.get(`/v2/sites/${site.id}`).json, site);
		for (const name of Object.keys(list.headers))
			assert.ok(!name.startsWith("requestlimit"));
		assert.ok(world.simulator.requests.every(({ counted }) => !counted));
	});

	it("adds the default string when none is given", () => {
		const world = new World(START);
		const { strings } = create(world, { strings: undefined });
		assert.equal(strings.length, 1);
		const { slope, orientation, power_kw } = strings[0];
		assert.deepEqual([slope, orientation, power_kw], [30, 180, 10]);
		assert.equal(create(world).strings.length, 1);
		const always = new World(START, "plus", { defaultStringAlways: true });
		assert.deepEqual(
			create(always).strings.map((s: { power_kw: number }) => s.power_kw),
			[10, 5],
		);
	});

	it("names every bad field with its place", () => {
		const world = new World(START);
		const answer = world.send("POST", "/v2/sites", "", {
			latitude: 91,
			name: 5,
			strings: [{ slope: -1, orientation: 361, power_kw: 0, gcr: 2 }, 7],
			config: {
				modules: { technology: "gold" },
				tracking: { backtracking: "yes" },
				losses: 3,
			},
		});
		assert.equal(answer.status, 422);
		assert.deepEqual(
			answer.json.detail.map((p: { loc: unknown[] }) => p.loc.join(".")).sort(),
			[
				"body.config.losses",
				"body.config.modules.technology",
				"body.config.tracking.backtracking",
				"body.latitude",
				"body.longitude",
				"body.name",
				"body.strings.0.gcr",
				"body.strings.0.orientation",
				"body.strings.0.power_kw",
				"body.strings.0.slope",
				"body.strings.1",
			],
		);
		assert.equal(world.get("/v2/sites").json.length, 0);
	});

	it("refuses a body that is no JSON object", () => {
		const world = new World(START);
		for (const body of ["", "{", "[]", "null", '"x"']) {
			const { status } = world.simulator.handle({
				method: "POST",
				path: "/v2/sites",
				query: new URLSearchParams(),
				headers: { authorization: "Bearer test-key-1234567890" },
				body,
			});
			assert.equal(status, 422, body);
		}
	});

	it("replaces strings as a whole: known ids stay, new ones come, omitted ones go", () => {
		const world = new World(START);
		world.addSite();
		const changed = patch(world, "site_a", {
			strings: [
				{ slope: 10, orientation: 0, power_kw: 1 },
				{ id: "str_west", slope: 35, orientation: 270, power_kw: 6 },
			],
		});
		assert.equal(changed.status, 200);
		const [fresh, west] = changed.json.strings;
		assert.match(fresh.id, /^str_[0-9a-f]{8}$/);
		assert.deepEqual(
			[west.id, west.string_index, west.slope],
			["str_west", 1, 35],
		);
		for (const id of ["str_east", "str_other"]) {
			const refused = patch(world, "site_a", {
				strings: [{ id, slope: 10, orientation: 0, power_kw: 1 }],
			});
			assert.equal(refused.status, 422, id);
			assert.deepEqual(refused.json.detail[0].loc, [
				"body",
				"strings",
				0,
				"id",
			]);
		}
		const twice = { id: "str_west", slope: 1, orientation: 1, power_kw: 1 };
		assert.equal(
			patch(world, "site_a", { strings: [twice, twice] }).status,
			422,
		);
		assert.deepEqual(
			world.get("/v2/sites/site_a").json.strings,
			changed.json.strings,
		);
	});

	it("accepts its own string records back", () => {
		const world = new World(START);
		const before = world.addSite();
		const after = patch(world, "site_a", { strings: before.strings }).json;
		assert.deepEqual(after.strings, before.strings);
	});

	it("stores only explicit config leaves, returns them over the defaults and merges a change", () => {
		const world = new World(START);
		world.addSite({ config: { modules: { technology: "cdte" } } });
		const first = world.get("/v2/sites/site_a").json.config;
		assert.equal(first.modules.technology, "cdte");
		assert.equal(first.modules.temperature_coefficient, -0.35);
		assert.equal(first.shading.use_terrain_horizon, true);
		const second = patch(world, "site_a", {
			config: {
				inverter: { clip_max_percent: 70 },
				modules: { temperature_coefficient: -0.3 },
				later: { knob: 1 },
			},
		}).json.config;
		assert.deepEqual(
			[
				second.modules.technology,
				second.modules.temperature_coefficient,
				second.inverter.clip_max_percent,
				second.inverter.clip_min_percent,
				second.later.knob,
			],
			["cdte", -0.3, 70, 0.1, 1],
		);
		const third = patch(world, "site_a", {
			config: { modules: { technology: null }, inverter: null },
		}).json.config;
		assert.deepEqual(
			[third.modules.technology, third.inverter.clip_max_percent],
			["perc", 120],
		);
	});

	it("replaces config in the variant that does so", () => {
		const world = new World(START, "plus", { configPatch: "replace" });
		world.addSite({ config: { modules: { technology: "cdte" } } });
		const { config } = patch(world, "site_a", {
			config: { losses: { albedo: 0.2 } },
		}).json;
		assert.deepEqual(
			[config.modules.technology, config.losses.albedo],
			["perc", 0.2],
		);
	});

	it("keeps names like __proto__ harmless", () => {
		const world = new World(START);
		world.addSite();
		const answer = world.simulator.handle({
			method: "PATCH",
			path: "/v2/sites/site_a",
			query: new URLSearchParams(),
			headers: { authorization: "Bearer test-key-1234567890" },
			body: '{"config":{"__proto__":{"x":1},"constructor":{"prototype":1}},"__proto__":{"name":"y"}}',
		});
		assert.equal(answer.status, 200);
		assert.equal(JSON.parse(answer.body).name, "House");
		assert.equal(({} as Record<string, unknown>).x, undefined);
	});

	it("moves a site once in 30 days and determines its fields again", () => {
		const world = new World(START);
		world.addSite();
		const moved = patch(world, "site_a", PLACES.kathmandu);
		assert.equal(moved.json.timezone, "Asia/Kathmandu");
		const before = world.get("/v2/sites/site_a").json;
		world.set("2026-06-09T09:59:59Z");
		const refused = patch(world, "site_a", { ...PLACES.berlin, name: "New" });
		assert.equal(refused.status, 409);
		assert.match(refused.json.detail, /30 days/);
		assert.equal(world.get("/v2/sites/site_a").json.name, before.name);
		assert.equal(patch(world, "site_a", PLACES.kathmandu).status, 200);
		world.set("2026-06-09T10:00:00Z");
		assert.equal(
			patch(world, "site_a", PLACES.berlin).json.timezone,
			"Europe/Berlin",
		);
	});

	it("deletes, restores within 30 days and removes after them", () => {
		const world = new World(START);
		const { id } = create(world);
		const path = `/v2/sites/${id}`;
		assert.equal(world.send("POST", `/sites/${id}/restore`).status, 409);
		const deleted = world.send("DELETE", path);
		assert.equal(deleted.status, 200);
		assert.equal(deleted.json.deleted_at, "2026-05-10T10:00:00Z");
		assert.equal(deleted.json.status, "pending_deletion");
		assert.equal(world.get(path).json.deleted_at, "2026-05-10T10:00:00Z");
		assert.equal(world.forecast("", id).status, 404);
		assert.equal(patch(world, id, { name: "x" }).status, 409);
		world.set("2026-06-01T00:00:00Z");
		assert.equal(
			world.send("DELETE", path).json.deleted_at,
			"2026-05-10T10:00:00Z",
		);
		world.set("2026-06-09T09:59:59Z");
		const restored = world.send("POST", `/sites/${id}/restore`);
		assert.deepEqual(
			[restored.json.status, restored.json.deleted_at],
			["active", null],
		);
		assert.equal(world.forecast("", id).status, 200);
		world.send("DELETE", path);
		world.set("2026-07-09T09:59:59Z");
		assert.equal(world.send("POST", `/sites/${id}/restore`).status, 404);
		assert.equal(world.get(path).status, 404);
		assert.deepEqual(world.get("/v2/sites").json, []);
	});

	it("lets a temporary site go after 31 days, through pending deletion", () => {
		const world = new World(START);
		const kept = create(world, { temporary: true });
		const lost = create(world, { temporary: true });
		assert.equal(kept.status, "temporary");
		assert.equal(kept.expires_at, "2026-06-10T10:00:00Z");
		world.set("2026-06-10T09:59:59Z");
		assert.equal(world.get(`/v2/sites/${lost.id}`).json.deleted_at, null);
		const restored = world.send("POST", `/sites/${kept.id}/restore`).json;
		assert.deepEqual(
			[restored.status, restored.temporary, restored.expires_at],
			["active", false, null],
		);
		world.set("2026-06-10T10:00:00Z");
		const pending = world.get(`/v2/sites/${lost.id}`).json;
		assert.equal(pending.deleted_at, "2026-06-10T10:00:00Z");
		world.set("2026-07-10T10:00:00Z");
		assert.equal(world.get(`/v2/sites/${lost.id}`).status, 404);
		assert.equal(world.get(`/v2/sites/${kept.id}`).json.status, "active");
	});

	it("restores a temporary site from pending deletion as a permanent one", () => {
		const world = new World(START);
		const { id } = create(world, { temporary: true });
		world.set("2026-07-01T00:00:00Z");
		const { json } = world.send("POST", `/sites/${id}/restore`);
		assert.deepEqual([json.status, json.deleted_at], ["active", null]);
		world.set("2027-07-01T00:00:00Z");
		assert.equal(world.get(`/v2/sites/${id}`).json.status, "active");
	});

	it("keeps to the plan: Sites API, temporary sites, number of sites and strings", () => {
		const free = new World(START, "free");
		free.addSite();
		for (const [method, path] of [
			["POST", "/v2/sites"],
			["PATCH", "/v2/sites/site_a"],
			["DELETE", "/v2/sites/site_a"],
			["POST", "/sites/site_a/restore"],
		] as const) {
			const { status, json } = free.send(method, path, "", CREATE);
			assert.equal(status, 403, method);
			assert.match(json.detail, /Sites API/);
		}
		assert.equal(free.get("/v2/sites/site_a").status, 200);

		const noTemporary = new World(START, "updates-96");
		const refused = noTemporary.send("POST", "/v2/sites", "", {
			...CREATE,
			temporary: true,
		});
		assert.equal(refused.status, 403);
		assert.match(refused.json.detail, /temporary/);

		const small = new World(START, {
			...PLANS.plus,
			siteLimit: 1,
			stringLimit: 1,
		});
		const { id } = create(small);
		assert.equal(small.send("POST", "/v2/sites", "", CREATE).status, 403);
		const strings = [CREATE.strings[0], CREATE.strings[0]];
		assert.equal(patch(small, id, { strings }).status, 422);
	});

	it("makes the newest sites inactive when the plan has fewer", () => {
		const world = new World(START);
		world.addSite();
		world.addSite({ id: "site_b" });
		world.addSite({ id: "site_c", inactive: true });
		assert.equal(world.forecast("", "site_b").status, 200);
		world.simulator.setPlan("test-key-1234567890", "free");
		const states = world
			.get("/v2/sites")
			.json.map((site: { status: string }) => site.status);
		assert.deepEqual(states, ["active", "inactive", "inactive"]);
		const refused = world.forecast("", "site_b");
		assert.equal(refused.status, 403);
		assert.match(refused.json.detail, /inactive/);
		assert.equal(world.forecast().status, 200);
	});

	it("shows an account its own sites only", () => {
		const world = new World(START);
		world.addSite();
		world.simulator.addAccount({ apiKey: "other" });
		for (const path of ["/v2/sites/site_a", "/v2/forecast/site_a"])
			assert.equal(world.send("GET", path, "", undefined, "other").status, 404);
		const list = world.send("GET", "/v2/sites", "", undefined, "other");
		assert.deepEqual(list.json, []);
		assert.throws(() => world.addSite(), /in use/);
	});
});
