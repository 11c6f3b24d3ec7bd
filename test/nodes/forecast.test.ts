import assert from "node:assert/strict";
import { MINUTE_MS as MINUTE } from "../../src/util/time";
import { Flows, NODES, SITE } from "../support/flows";
import { nowNode } from "../support/own-nodes";

describe("solar-yield-forecast in Node-RED", () => {
	let flows: Flows;

	beforeEach(async () => {
		flows = new Flows("2026-06-10T09:01:00Z", "light");
		await flows.start();
	});
	afterEach(() => flows.stop());

	it("says from when on there is what was ticked over a stored forecast, and asks no sooner", async () => {
		await flows.stop();
		flows = new Flows("2026-06-10T09:01:00Z", "plus");
		await flows.start();
		const show = (include: string[]) => [
			flows.account(),
			...flows.forecast("f", { include }),
			...Flows.catchNode,
		];
		const awaited = () =>
			/next · .*:status\.awaited$/.test(String(flows.status("f")?.text));
		await flows.load(show(["default"]));
		assert.ok(!awaited());
		for (const include of [["default", "variability"], ["variability"]]) {
			await flows.deploy(show(include));
			assert.ok(awaited(), flows.status("f")?.text);
			assert.equal(flows.status("f")?.fill, "green");
		}
		assert.equal(flows.forecastRequests, 1);
		assert.deepEqual(flows.of("caught"), [], "it is no fault of the plan");
		await flows.runTo(
			new Date(
				Date.parse(flows.of("f-1")[0]?.solar.next_request_at) + MINUTE,
			).toISOString(),
		);
		assert.equal(flows.forecastRequests, 2);
		assert.ok(!awaited());
		const { values } = flows.of("f-1").at(-1)?.payload ?? {};
		assert.ok("pv_power_max" in values[0]);
	});

	it("sends days numbered from the site's today, and again at the site's midnight", async () => {
		await flows.load([flows.account(), ...flows.forecast("f")]);
		const days = flows.of("f-2");
		assert.equal(days[0]?.topic, `solar-yield/${SITE}/daily/0`);
		assert.equal(days[0]?.payload.date, "2026-06-10");
		assert.deepEqual(days[0]?.parts, {
			id: days[0]?.parts.id,
			type: "array",
			index: 0,
			count: days.length,
		});
		await flows.runFor(12 * 60 * MINUTE + 40 * MINUTE); // 23:41 in Berlin
		flows.clear();
		await flows.runFor(19 * MINUTE + 1000); // 00:00:01
		const first = flows.of("f-2")[0];
		assert.equal(first?.topic, `solar-yield/${SITE}/daily/0`);
		assert.equal(first?.payload.date, "2026-06-11");
		assert.equal(flows.of("f-1").length, 0);
	});

	it("keeps the properties of an incoming message and makes no request for it", async () => {
		await flows.load([flows.account(), ...flows.forecast("f")]);
		flows.clear();
		await flows.input("f", { payload: 1, house: "north", _msgid: "m1" });
		const [msg] = flows.of("f-1");
		assert.equal(msg?.house, "north");
		assert.equal(msg?._msgid, "m1");
		assert.equal(msg?.retain, true);
		assert.equal(msg?.payload.solar.site_id, SITE);
		assert.equal(msg?.solar.cached, true);
		assert.equal(flows.of("f-2")[0]?.house, "north");
		assert.equal(flows.forecastRequests, 1);
	});

	it("answers overrides, and refuses what is out of range", async () => {
		await flows.load([
			flows.account(),
			...flows.forecast("f"),
			...Flows.catchNode,
		]);
		flows.clear();
		await flows.input("f", {
			include: "default,weather",
			forecastDays: "0",
			timezone: "utc",
		});
		const [msg] = flows.of("f-1");
		assert.deepEqual(msg?.payload.included, ["default", "weather"]);
		assert.deepEqual(
			msg?.payload.daily.map(({ date }: { date: string }) => date),
			["2026-06-10"],
		);
		assert.equal(msg?.payload.timezone, "Europe/Berlin");
		assert.match(msg?.payload.values[0].timestamp, /Z$/);
		for (const [bad, field] of [
			[{ forecastDays: 8 }, "forecastDays"],
			[{ pastDays: -1 }, "pastDays"],
			[{ pastDays: 1.5 }, "pastDays"],
			[{ include: ["sun"] }, "include"],
			[{ include: { a: 1 } }, "include"],
			[{ timezone: "CET" }, "timezone"],
			[{ siteId: { id: 1 } }, "siteId"],
			[{ siteId: Number.NaN }, "siteId"],
			[{ siteId: -1 }, "siteId"],
		] as const) {
			flows.clear();
			await flows.input("f", { ...bad });
			const [caught] = flows.of("caught");
			assert.equal(caught?.error.code, "SOLAR_YIELD_INPUT");
			assert.ok(caught.error.message.startsWith(field), caught.error.message);
			assert.equal(flows.of("f-1").length, 0);
		}
		assert.equal(flows.forecastRequests, 1);
	});

	it("takes refresh as text, as MQTT and HTTP bring it", async () => {
		await flows.load([
			flows.account(),
			...flows.forecast("f"),
			...Flows.catchNode,
		]);
		await flows.runFor(5 * MINUTE);
		for (const [refresh, requests] of [
			["false", 1],
			["", 1],
			[null, 1],
			["true", 2],
			["maybe", 2],
		] as const) {
			await flows.input("f", { refresh });
			assert.equal(flows.forecastRequests, requests, String(refresh));
		}
		assert.deepEqual(
			flows.of("caught").map(({ error }) => error.message),
			['refresh is "maybe"; give true or false'],
		);
	});

	it("acts on the refresh button of its own site only", async () => {
		await flows.load([
			flows.account(),
			...flows.forecast("f"),
			...Flows.catchNode,
		]);
		await flows.runFor(5 * MINUTE);
		flows.clear();
		await flows.input("f", {
			topic: "solar-yield/site_potsdam/refresh",
			payload: "PRESS",
			refresh: true,
		});
		assert.equal(flows.forecastRequests, 1);
		assert.deepEqual([flows.of("f-1"), flows.of("caught")], [[], []]);
		await flows.input("f", {
			topic: `solar-yield/${SITE}/refresh`,
			payload: "PRESS",
		});
		assert.equal(flows.forecastRequests, 2);
		assert.equal(flows.of("f-1")[0]?.topic, `solar-yield/${SITE}/forecast`);
	});

	it("takes days beyond the last row off a broker, those of before a restart too", async () => {
		const flow = [flows.account(), ...flows.forecast("f")];
		const gone = () =>
			flows
				.of("f-2")
				.filter(({ payload }) => payload === "")
				.map(({ topic, retain, parts }) => [topic, retain, parts]);
		await flows.load(flow);
		const days = flows.of("f-2").length;
		assert.deepEqual(gone(), []);
		flows.clear();
		// Two midnights without Node-RED, and without a new forecast.
		await flows.deploy([flows.account()]);
		flows.fault = (_request, answer) => {
			answer.sendDate = false;
			answer.statusCode = 500;
			answer.end("{}");
		};
		flows.clock.sleep(48 * 60 * MINUTE);
		await flows.deploy(flow);
		assert.deepEqual(
			gone(),
			[days - 2, days - 1].map((day) => [
				`solar-yield/${SITE}/daily/${day}`,
				true,
				undefined,
			]),
		);
		flows.clear();
		await flows.input("f", {});
		assert.deepEqual(gone(), []);
	});

	describe("a deploy of modified nodes that leaves it running", () => {
		const now = (more: object = {}) =>
			nowNode({ id: "n", every: "15", wires: [["now"]], ...more });
		const flow = (wires: string[], ...more: object[]) => [
			flows.account(),
			...flows.forecast("f", { wires: [wires, [], []] }),
			{ id: "now", type: "helper", z: "tab" },
			...more,
		];
		const place = { z: "tab", x: 100, y: 100 };
		const links = [
			{ id: "lo", type: "link out", ...place, links: ["li"], wires: [] },
			{ id: "li", type: "link in", ...place, links: ["lo"], wires: [["n"]] },
		];
		const deploy = async (before: object[], after: object[]) => {
			const core = require("@node-red/nodes/core/common/60-link.js");
			flows.nodes = new Map([...NODES, ["link", core]]);
			await flows.load(before);
			// From here on it lies on a tab, as what is deployed does.
			await flows.deploy(before);
			flows.clear();
			await flows.deploy(after, "nodes");
			assert.equal(flows.forecastRequests, 1);
		};

		for (const [what, before, after] of [
			["is added", () => flow(["f-1", "n"]), () => flow(["f-1", "n"], now())],
			[
				"was changed",
				() => flow(["f-1", "n"], now()),
				() => flow(["f-1", "n"], now({ name: "renamed" })),
			],
			[
				"was changed, behind links",
				() => flow(["f-1", "lo"], now(), ...links),
				() => flow(["f-1", "lo"], now({ name: "renamed" }), ...links),
			],
		] as const) {
			it(`brings a node behind it that ${what} what it knows`, async () => {
				await deploy(before(), after());
				assert.ok(flows.of("now").length > 0);
				assert.deepEqual(
					flows.of("f-1").map(({ solar }) => solar.cached),
					[true],
				);
			});
		}

		it("sends on a wire that was drawn, and nothing more on one that was taken away", async () => {
			const wired = (...wires: string[][]) => [
				flows.account(),
				...flows.forecast("f", {
					...place,
					include: ["default", "strings"],
					wires,
				}),
			];
			await deploy(wired(["f-1"], [], []), wired(["f-1"], ["f-2"], ["f-3"]));
			const [{ payload }] = flows.of("f-1") as [any];
			assert.deepEqual(
				flows.of("f-2").map((msg) => msg.payload),
				payload.daily,
			);
			assert.deepEqual(
				flows.of("f-3").flatMap((msg) => msg.payload.values.length),
				[payload.values.length, payload.values.length],
			);
			assert.equal(flows.of("f-1").length, 1);
			await flows.deploy(wired(["f-1"], [], ["f-3"]), "nodes");
			flows.clear();
			await flows.runFor(60 * MINUTE);
			assert.ok(flows.of("f-1").length > 0);
			assert.deepEqual(flows.of("f-2"), []);
			assert.ok(flows.of("f-3").length > 0);
		});

		it("sends nothing where no wire leads to what was changed", async () => {
			await deploy(
				flow(["f-1"], now()),
				flow(["f-1"], now({ name: "renamed" })),
			);
			assert.deepEqual(flows.of("f-1"), []);
		});
	});
});
