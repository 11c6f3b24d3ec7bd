import assert from "node:assert/strict";
import helper from "node-red-node-test-helper";
import { EDITOR_HEADER } from "../../nodes/shared/editor-header";
import { DAY_MS as DAY, MINUTE_MS as MINUTE } from "../../src/util/time";
import { Flows, KEY, SITE } from "../support/flows";
import type { PlanName } from "../support/service/plans";

const START = "2026-06-10T09:01:00Z";
const ROOF = { slope: 15, orientation: 90, power_kw: 2.5 };
const CABIN = { latitude: 47.1, longitude: 8.2, name: "Cabin" };

/** A site node with a helper node behind it. */
const siteNode = (more: object = {}): object[] => [
	{
		id: "s",
		type: "solar-yield-site",
		z: "tab",
		name: "",
		account: "acc",
		siteId: "",
		operation: "",
		wires: [["s-out"]],
		...more,
	},
	{ id: "s-out", type: "helper", z: "tab" },
];

/** What the service itself holds. */
function stored(flows: Flows, siteId = SITE): any {
	const { status, body } = flows.simulator.handle({
		method: "GET",
		path: `/v2/sites/${siteId}`,
		query: new URLSearchParams(),
		headers: { authorization: `Bearer ${KEY}` },
		body: "",
	});
	return status === 200 ? JSON.parse(body) : undefined;
}

describe("solar-yield-site in Node-RED", () => {
	let flows: Flows;
	const start = async (plan: PlanName = "plus") => {
		flows = new Flows(START, plan);
		await flows.start();
	};
	const load = (more: object = {}, ...others: object[]) =>
		flows.load([
			flows.account(),
			...siteNode(more),
			...Flows.catchNode,
			...others,
		]);
	/** The one answer to a message. */
	const done = async (msg: object) => {
		const { answers, error } = await flows.call("s", msg);
		assert.equal(error?.message, undefined);
		assert.equal(answers.length, 1);
		return answers[0] as Record<string, any>;
	};
	const refused = async (msg: object) => {
		const { answers, error } = await flows.call("s", msg);
		assert.equal(answers.length, 0);
		assert.ok(error);
		return error;
	};
	afterEach(() => flows.stop());

	it("drives a site through its states", async () => {
		await start();
		await load();
		const created = await done({ operation: "create", payload: CABIN });
		const siteId: string = created.siteId;
		assert.equal(created.site.state, "active");
		assert.deepEqual(created.payload, stored(flows, siteId));
		assert.match(created.notes[0], /default string of 10 kWp/);

		const deleted = await done({ operation: "delete", siteId });
		assert.equal(stored(flows, siteId).status, "pending_deletion");
		assert.equal(deleted.site.state, "deleted");
		assert.equal(deleted.restore_until, "2026-07-10T09:01:00Z");

		await flows.runFor(30 * DAY - MINUTE);
		const restored = await done({ operation: "restore", siteId });
		assert.equal(restored.site.state, "active");
		await done({ operation: "delete", siteId });
		await flows.runFor(30 * DAY);
		const gone = await refused({ operation: "restore", siteId });
		assert.equal(gone.code, "SOLAR_YIELD_NOT_FOUND");
		assert.equal(flows.status("s")?.fill, "red");
	});

	it("keeps what a message brings, and says what it is about", async () => {
		await start();
		await load({ operation: "list" });
		const msg = await done({ operation: "get", house: "north", _msgid: "m1" });
		assert.equal(msg.house, "north");
		assert.equal(msg._msgid, "m1");
		assert.equal(msg.operation, "list");
		assert.deepEqual(msg.payload, [stored(flows)]);
		assert.deepEqual(msg.solar, { demo: false });
		assert.deepEqual(msg.sites[0].power_kw, 10);
		assert.equal(flows.status("s")?.fill, "green");
		const counted = flows.simulator.requests.filter((it) => it.counted);
		assert.equal(counted.length, 0);
	});

	it("does only what it is set to", async () => {
		await start();
		await load({ operation: "get", siteId: SITE });
		const msg = await done({ operation: "delete" });
		assert.equal(msg.operation, "get");
		assert.equal(stored(flows).status, "active");
		assert.equal(msg.restore_until, undefined);
	});

	it("refuses what could be a mistake", async () => {
		await start();
		await load();
		const requests = () => flows.simulator.requests.length;
		for (const [msg, words] of [
			[{}, /^operation is missing/],
			[{ operation: "delete" }, /msg\.siteId/],
			[
				{ operation: "add-string", payload: { ...ROOF, orientation: -90 } },
				/^orientation is -90.*add 180/,
			],
		] as const) {
			const error = await refused({ ...msg });
			assert.equal(error.code, "SOLAR_YIELD_INPUT");
			assert.match(error.message, words);
			assert.equal(requests(), 0);
		}
		const [south] = stored(flows).strings;
		const before = requests();
		const update = { operation: "update", payload: { strings: [south] } };
		assert.match((await refused({ ...update })).message, /str_west/);
		assert.equal(requests(), before + 1);
		const no = await refused({ ...update, removeStrings: "false" });
		assert.match(no.message, /str_west/);
		const unsure = await refused({ ...update, removeStrings: "yes" });
		assert.match(
			unsure.message,
			/^removeStrings is "yes"; give true or false$/,
		);
		await done({ ...update, removeStrings: "true" });
		assert.deepEqual(stored(flows).strings, [south]);
	});

	it("makes the forecast of a changed site due at once, once, and of a renamed one not", async () => {
		await start("light");
		flows.simulator.setPlan(KEY, "plus");
		await load({ siteId: SITE }, ...flows.forecast("f"));
		await flows.settle();
		assert.equal(flows.forecastRequests, 1);
		await Promise.all([
			flows.input("s", { operation: "add-string", payload: ROOF }),
			flows.input("s", { operation: "add-string", payload: ROOF }),
			flows.call("s", {
				operation: "update",
				payload: { config: { losses: { albedo: 0.3 } } },
			}),
		]);
		await flows.quiet();
		await flows.runFor(1000);
		assert.equal(stored(flows).strings.length, 4);
		assert.equal(flows.forecastRequests, 2);
		assert.equal(flows.of("f-1").at(-1)?.solar.strings.length, 4);
		await done({ operation: "update", payload: { name: "New name" } });
		await flows.runFor(1000);
		assert.equal(flows.forecastRequests, 2);
		await done({ operation: "update", payload: { latitude: 48 } });
		await flows.runFor(1000);
		assert.equal(flows.forecastRequests, 3);
		assert.equal(flows.of("f-1").at(-1)?.solar.site_name, "New name");
	});

	it("stops the polls of a deleted site with the reason, and starts them again when it is restored", async () => {
		await start();
		await load({ siteId: SITE }, ...flows.forecast("f"));
		await flows.settle();
		assert.equal(flows.forecastRequests, 1);
		await done({ operation: "delete" });
		await flows.runFor(1000);
		assert.equal(flows.status("f")?.fill, "red");
		assert.match(flows.status("f")?.text, /reason\.site_deleted/);
		const [failure] = flows.of("caught");
		assert.equal(failure?.error.code, "SOLAR_YIELD_NOT_FOUND");
		assert.match(failure?.error.message, /was deleted.*restore it/);
		await flows.runFor(8 * 60 * MINUTE);
		assert.equal(flows.forecastRequests, 1);
		await done({ operation: "restore" });
		await flows.runFor(1000);
		assert.equal(flows.forecastRequests, 2);
		assert.equal(flows.status("f")?.fill, "green");
		await flows.runFor(20 * MINUTE);
		assert.ok(flows.forecastRequests >= 3);
	});

	it("marks what comes from the demo", async () => {
		await start();
		await flows.load([
			flows.account({ demo: true, baseUrl: "" }),
			...siteNode(),
			...Flows.catchNode,
		]);
		assert.equal((await done({ operation: "list" })).solar.demo, true);
		assert.match(flows.status("s")?.text, /^demo · /);
	});

	it("gives the dialog a site and stores its strings, with the guards of every update", async () => {
		await start();
		await load();
		const ask = (path: string) =>
			helper.request().get(`/solar-yield/${path}`).set(EDITOR_HEADER, "1");
		const { body: site } = await ask("site/acc?siteId=").expect(200);
		assert.equal(site.site_id, SITE);
		assert.equal(site.state, "active");
		assert.equal(site.restore_until, null);
		assert.deepEqual(site.strings, stored(flows).strings);
		await ask(`site/acc?siteId=site_none`).expect(400);
		await ask("site/nobody?siteId=").expect(404);

		const [south, west] = site.strings;
		const save = (body: object) =>
			helper
				.request()
				.post("/solar-yield/site/acc/strings")
				.set(EDITOR_HEADER, "1")
				.send(body);
		const refusal = await save({ siteId: SITE, strings: [south] }).expect(400);
		assert.equal(refusal.body.code, "SOLAR_YIELD_INPUT");
		assert.match(refusal.body.message, /str_west/);
		await save({ strings: [south, west] }).expect(400);
		await save({ siteId: SITE }).expect(400);
		const { body: saved } = await save({
			siteId: SITE,
			strings: [south, { ...west, slope: 22 }, ROOF],
		}).expect(200);
		assert.deepEqual(saved.notes, []);
		assert.deepEqual(saved.strings, stored(flows).strings);
		assert.deepEqual(saved.strings.slice(0, 2), [
			south,
			{ ...west, slope: 22 },
		]);
		await save({
			siteId: SITE,
			strings: [south],
			removeStrings: true,
		}).expect(200);
		assert.deepEqual(stored(flows).strings, [south]);
	});

	it("creates the site that it is set to, unless a message brings another", async () => {
		await start();
		const system = JSON.stringify({ ...CABIN, strings: [ROOF] });
		await load({ operation: "create", system });
		for (const payload of [1_700_000_000_000, "PRESS", "", null, true]) {
			const { siteId } = await done({ payload });
			const { name, strings } = stored(flows, siteId);
			assert.equal(name, "Cabin");
			assert.equal(strings[0].power_kw, ROOF.power_kw);
		}
		const other = await done({ payload: { ...CABIN, name: "Mill" } });
		assert.equal(stored(flows, other.siteId).name, "Mill");
		// Meant as another site, and badly made.
		for (const payload of ['{"name": "Mill"}', [CABIN], { name: "Mill" }]) {
			assert.equal((await refused({ payload })).code, "SOLAR_YIELD_INPUT");
		}
	});

	it("refuses a system that cannot be one, and needs none for other operations", async () => {
		await start();
		await load();
		const set = (more: object) =>
			flows.deploy([flows.account(), ...siteNode(more), ...Flows.catchNode]);
		for (const [system, words] of [
			["{", /^system is no JSON; /],
			['{"latitude": 91, "longitude": 1}', /^latitude is 91; /],
		] as const) {
			await set({ operation: "create", system });
			assert.equal(flows.status("s")?.fill, "red");
			assert.match((await refused({ payload: CABIN })).message, words);
			await set({ operation: "list", system });
			assert.ok((await done({})).payload.length > 0);
		}
	});

	it("creates the site of the dialog for a deployed account", async () => {
		await start();
		await load();
		const create = (account: string, system: unknown) =>
			helper
				.request()
				.post(`/solar-yield/site/${account}/create`)
				.set(EDITOR_HEADER, "1")
				.send({ system });
		const system = JSON.stringify({ ...CABIN, strings: [ROOF] });
		const { body } = await create("acc", system).expect(200);
		assert.equal(stored(flows, body.site_id).name, "Cabin");
		const before = flows.simulator.requests.length;
		for (const [account, text, words] of [
			["nobody", system, /not deployed; /],
			["acc", "{", /^system is no JSON; /],
			["acc", undefined, /^system is no JSON; /],
		] as const) {
			const { body } = await create(account, text).expect(400);
			assert.equal(body.code, "SOLAR_YIELD_INPUT");
			assert.match(body.message, words);
		}
		assert.equal(flows.simulator.requests.length, before);
	});
});
