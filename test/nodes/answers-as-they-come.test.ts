import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import helper from "node-red-node-test-helper";
import { openBattery } from "../../nodes/battery/node";
import { openNow } from "../../nodes/now/node";
import type { WireAnswer } from "../../src/service/http/exchange";
import { onSlowLine } from "../service/http/peer";
import { resolveAsBefore, resolveTo } from "../support/addresses";
import { Flows, KEY, SITE } from "../support/flows";
import { HOUR, MINUTE } from "../support/house";
import { batteryNode, nowNode } from "../support/own-nodes";

/** What becomes of a forecast's answer on the way; undefined lets it pass. */
type Change = (answer: WireAnswer) => Partial<WireAnswer> | undefined;

describe("answers as networks and services really send them, in Node-RED", () => {
	const { setTimeout: realTimeout } = globalThis;
	let flows: Flows;
	let change: Change | undefined;
	/** Answers the free read of the site in place of the service. */
	let siteRead: ((response: ServerResponse) => unknown) | undefined;

	beforeEach(async () => {
		flows = new Flows("2026-06-10T09:01:00Z", "light");
		flows.onClock("solar-yield-battery", openBattery as never);
		flows.onClock("solar-yield-now", openNow);
		change = undefined;
		siteRead = undefined;
		await flows.start();
		flows.fault = (request, response, next) => {
			const { pathname } = new URL(request.url ?? "/", flows.url);
			if (siteRead && /^\/v2\/sites\/./.test(pathname)) {
				response.setHeader("date", new Date(flows.clock.time).toUTCString());
				siteRead(response);
			} else if (change && pathname.startsWith("/v2/forecast/")) {
				respond(request, response, change);
			} else next();
		};
	});
	afterEach(async () => {
		globalThis.setTimeout = realTimeout;
		await flows.stop();
	});

	/** Answers as the service would, but for what is changed. */
	function respond(
		request: IncomingMessage,
		response: ServerResponse,
		to: Change,
	): void {
		const { pathname, searchParams } = new URL(request.url ?? "/", flows.url);
		const good = flows.simulator.handle({
			method: request.method ?? "GET",
			path: pathname,
			query: searchParams,
			headers: { authorization: `Bearer ${KEY}` },
			body: "",
		});
		const { status, headers, body } = { ...good, ...to(good) };
		const date = new Date(flows.clock.time).toUTCString();
		response.writeHead(status, { date, ...headers }).end(body);
	}
	const withBody =
		(more: object): Change =>
		({ body }) => ({ body: JSON.stringify({ ...JSON.parse(body), ...more }) });
	const withHeaders =
		(more: Record<string, string>): Change =>
		({ headers }) => ({
			headers: {
				...Object.fromEntries(
					Object.entries(headers).filter(
						([name]) => !name.startsWith("requestlimit"),
					),
				),
				...more,
			},
		});

	const load = () =>
		flows.load([
			flows.account({ reserve: "0" }),
			...flows.forecast("f"),
			...Flows.catchNode,
		]);
	const last = () => flows.of("f-1").at(-1);

	const hours = 6;
	for (const [what, answer] of [
		["breaks off", (response) => response.socket?.destroy()],
		["answers 429", (response) => response.writeHead(429).end("slow")],
		["answers 500", (response) => response.writeHead(500).end()],
		["hangs", () => {}],
	] as [string, (response: ServerResponse) => unknown][]) {
		it(`the free read of the site ${what}: the forecasts arrive all the same`, async () => {
			siteRead = answer;
			// What a request is given at most passes sooner.
			globalThis.setTimeout = ((callback: () => void, ms = 0, ...more: []) =>
				realTimeout(callback, ms === 30_000 ? 1500 : ms, ...more)) as never;
			await load();
			assert.equal(flows.of("f-1").length, 1);
			await flows.runFor(hours * HOUR);
			assert.equal(flows.of("f-1").length, 1 + hours);
			assert.equal(flows.forecastRequests, 1 + hours);
			assert.deepEqual(flows.of("caught"), []);
			assert.match(flows.status("f")?.text, /status\.next$/);
		});
	}

	describe("a name of several addresses", () => {
		afterEach(resolveAsBefore);

		it("is reached by its next where its first has no route", async () => {
			resolveTo("2001:db8::1", "127.0.0.1");
			const baseUrl = flows.url.replace("127.0.0.1", "both.example");
			await flows.load([flows.account({ baseUrl }), ...flows.forecast("f")]);
			assert.equal(flows.of("f-1").length, 1);
		});

		it("is reached by its first on a slow line", async () => {
			resolveTo("127.0.0.1", "127.0.0.9");
			const load = async (port: number) => {
				const baseUrl = `http://slow.example:${port}`;
				await flows.load([flows.account({ baseUrl }), ...flows.forecast("f")]);
			};
			await onSlowLine(2500, load, flows.url);
			assert.equal(flows.of("f-1").length, 1);
			assert.equal(flows.simulator.requests.length, 2, "the free read as well");
		});
	});

	it("a 429 of forecasts does not hold what is free", async () => {
		await flows.load([
			flows.account(),
			...flows.forecast("f"),
			{
				id: "s",
				type: "solar-yield-site",
				z: "tab",
				name: "",
				account: "acc",
				siteId: SITE,
				operation: "get",
				wires: [["s-out"]],
			},
			{ id: "s-out", type: "helper", z: "tab" },
			...Flows.catchNode,
		]);
		change = () => ({ status: 429, headers: {}, body: "slow down" });
		await flows.runFor(HOUR + MINUTE);
		assert.match(flows.status("f")?.text, /reason\.burst$/);
		const { answers, error } = await flows.call("s");
		assert.equal(error, undefined);
		assert.equal(answers[0]?.payload.id, SITE);
	});

	it("a 403 that is a web page passes: it is asked again within minutes, and said so", async () => {
		await load();
		change = () => ({
			status: 403,
			headers: { "content-type": "text/html" },
			body: "<!doctype html><title>Attention Required!</title>",
		});
		await flows.runFor(HOUR + 3 * MINUTE);
		const [caught] = flows.of("caught");
		assert.equal(caught?.error.code, "SOLAR_YIELD_NETWORK");
		assert.match(caught?.error.message, /web page.*; .*firewall/);
		change = undefined;
		await flows.runFor(5 * MINUTE);
		assert.equal(flows.of("f-1").length, 2);
	});

	for (const status of [408, 425]) {
		it(`a ${status} passes: it is asked again after a minute`, async () => {
			await load();
			change = () => ({ status, headers: {}, body: "" });
			await flows.runTo("2026-06-10T10:01:00Z");
			change = undefined;
			await flows.runFor(2 * MINUTE);
			assert.equal(flows.of("f-1").length, 2);
			assert.deepEqual(flows.of("caught"), []);
		});
	}

	it("a 402 is the plan's: asked once a day, and not said to be asked by itself in between", async () => {
		await load();
		change = () => ({
			status: 402,
			headers: {},
			body: '{"detail":"Invoice is due"}',
		});
		await flows.runFor(20 * HOUR);
		assert.equal(flows.forecastRequests, 2);
		const [caught] = flows.of("caught");
		assert.equal(flows.of("caught").length, 1);
		assert.equal(caught?.error.code, "SOLAR_YIELD_PLAN");
		assert.match(caught?.error.message, /payment.*"Invoice is due"/);
		assert.doesNotMatch(caught?.error.message, /by itself/);
	});

	it("the key in an answer is shown to nobody", async () => {
		await load();
		change = () => ({
			status: 401,
			headers: {},
			body: JSON.stringify({ detail: `unknown: ${KEY}` }),
		});
		await flows.runFor(HOUR);
		const [caught] = flows.of("caught");
		assert.match(caught?.error.message, /unknown: \[key\]/);
		const shown = JSON.stringify([caught, flows.status("f")]);
		assert.ok(!shown.includes(KEY));
	});

	it("stamps with a blank, and 24:00 for midnight, are read", async () => {
		await load();
		const rows = last()?.payload.values.length;
		change = ({ body }) => ({
			body: body
				.replace(/"(\d{4}-\d\d-\d\d)T00:00:00/g, (_, date: string) => {
					const before = new Date(Date.parse(date) - 24 * HOUR);
					return `"${before.toISOString().slice(0, 10)}T24:00:00`;
				})
				.replace(/"(\d{4}-\d\d-\d\d)T(\d\d:)/g, '"$1 $2'),
		});
		await flows.runFor(HOUR);
		assert.equal(flows.of("f-1").length, 2);
		assert.equal(last()?.payload.values.length, rows);
		assert.deepEqual(
			last()?.payload.values.map(({ timestamp }: any) => timestamp),
			flows.of("f-1")[0]?.payload.values.map(({ timestamp }: any) => timestamp),
		);
		assert.equal(last()?.solar.gaps, 0);
	});

	for (const quarters of [2, 4]) {
		it(`rows of ${quarters * 15} minutes are refused by name`, async () => {
			await load();
			const held = last()?.payload.computed_at;
			change = ({ body }) => {
				const answer = JSON.parse(body);
				const values = answer.values.filter(
					(_: unknown, index: number) => index % quarters === 0,
				);
				return { body: JSON.stringify({ ...answer, values, strings: null }) };
			};
			await flows.runFor(2 * HOUR);
			const [caught] = flows.of("caught");
			assert.equal(caught?.error.code, "SOLAR_YIELD_RESPONSE");
			assert.match(
				caught?.error.message,
				new RegExp(`${quarters * 15} minutes apart; 15 are expected`),
			);
			await flows.input("f", {});
			assert.equal(last()?.payload.computed_at, held);
		});
	}

	it("small negative powers at night are 0 in the values of now", async () => {
		change = ({ body }) => ({
			body: body.replace(
				/"pv_power":\s*0(?:\.0)?(?=[,}\s])/g,
				'"pv_power":-0.4',
			),
		});
		await flows.load([
			flows.account(),
			...flows.forecast("f", { wires: [["f-1", "n"], [], []] }),
			nowNode({ id: "n", every: "15", wires: [["now"]] }),
			{ id: "now", type: "helper", z: "tab" },
		]);
		await flows.runTo("2026-06-10T22:31:00Z");
		await flows.quiet();
		const { payload } = flows.of("now").at(-1) ?? {};
		assert.equal(payload.power_now_w, 0);
		assert.equal(payload.energy_next_hour_kwh, 0);
		assert.equal(payload.energy_so_far_today_kwh, 0);
		const [first] = last()?.payload.values ?? [];
		assert.equal(first.pv_power, -0.4, "the rows are handed on as received");
	});

	it("a broken record does not hide the list of sites", async () => {
		flows.fault = (_request, response) => {
			const items = [
				{ id: "one", latitude: 50, longitude: 8 },
				{ id: "bad", latitude: "north" },
				{ id: "two", latitude: 51, longitude: 9 },
			];
			response.end(JSON.stringify({ items, total: 3 }));
		};
		await flows.load([
			flows.account(),
			{
				id: "s",
				type: "solar-yield-site",
				z: "tab",
				name: "",
				account: "acc",
				siteId: "",
				operation: "list",
				wires: [["s-out"]],
			},
			{ id: "s-out", type: "helper", z: "tab" },
			...Flows.catchNode,
		]);
		const { answers, error } = await flows.call("s");
		assert.equal(error, undefined);
		const [list] = answers;
		assert.deepEqual(
			list?.sites.map(({ site_id }: any) => site_id),
			["one", "two"],
		);
		assert.match(list?.notes.join(), /\[1\]\.latitude is "north"/);
	});

	it("an answer of another site is refused by name", async () => {
		await load();
		const held = last()?.payload.computed_at;
		change = withBody({ site_id: "site_of_others" });
		await flows.runFor(2 * HOUR);
		const [caught] = flows.of("caught");
		assert.equal(caught?.error.code, "SOLAR_YIELD_RESPONSE");
		assert.match(caught?.error.message, /site_of_others.*site_berlin/);
		assert.match(caught?.error.message, /asked again by itself/);
		await flows.input("f", {});
		assert.equal(last()?.payload.computed_at, held);
		assert.equal(last()?.payload.site_id, SITE);
	});

	it("quota headers in any case and with decimals are read", async () => {
		change = withHeaders({
			"REQUESTLIMIT-LIMIT": "3000.0",
			"RequestLimit-used": "12.50",
			"requestLimit-Remaining": "2987.5",
		});
		await load();
		const { limit, used, remaining } = last()?.quota ?? {};
		assert.deepEqual([limit, used, remaining], [3000, 12, 2987]);
	});

	it("quota headers that cannot be read are said once, and own requests count on", async () => {
		await load();
		const { used, remaining } = last()?.quota ?? {};
		change = withHeaders({ "RequestLimit-Used": "many" });
		await flows.runFor(3 * HOUR);
		const after = last()?.quota;
		assert.ok(after.used > used);
		const said = (helper.log() as any).args
			.flat()
			.filter(({ msg }: any) =>
				/cannot be read \(/.test(String(msg?.message ?? msg)),
			);
		assert.equal(said.length, 1, JSON.stringify(said));
		assert.equal(after.remaining, remaining - (after.used - used));
	});

	it("a 429 with requests left is over in minutes", async () => {
		await load();
		change = ({ headers }) => ({
			status: 429,
			headers: { ...headers, "retry-after": "120" },
			body: "slow down",
		});
		await flows.runFor(HOUR);
		assert.match(flows.status("f")?.text, /reason\.burst$/);
		assert.equal(flows.of("caught")[0]?.error.code, "SOLAR_YIELD_RATE");
		change = undefined;
		await flows.runFor(HOUR);
		assert.match(flows.status("f")?.text, /status\.next$/);
	});

	it("the Retry-After of a 503 is obeyed", async () => {
		await load();
		change = ({ headers }) => ({
			status: 503,
			headers: { ...headers, "retry-after": "7200" },
			body: "",
		});
		await flows.runFor(HOUR);
		const asked = flows.forecastRequests;
		change = undefined;
		await flows.runFor(HOUR);
		assert.equal(flows.forecastRequests, asked);
		await flows.runFor(HOUR + 5 * MINUTE);
		assert.ok(flows.forecastRequests > asked);
	});

	it("a node that asks on input says that it does not ask again", async () => {
		change = () => ({ status: 503, body: "" });
		await flows.load([
			flows.account(),
			...flows.forecast("f", { poll: "manual" }),
			...Flows.catchNode,
		]);
		await flows.input("f", {});
		const [caught] = flows.of("caught");
		assert.match(caught?.error.message, /; try again later$/);
	});

	it("a computed_at that lies ahead is shown with the time of its answer", async () => {
		change = withBody({ computed_at: "2027-01-01T00:00:00+01:00" });
		await load();
		const { fetched_at, computed_at } = last()?.solar ?? {};
		assert.match(fetched_at, /^2026-06-10T09:01/);
		assert.match(computed_at, /^2027/);
		// And gives way to the next one.
		change = undefined;
		await flows.runFor(2 * HOUR);
		assert.match(last()?.payload.computed_at, /^2026-06-10/);
	});

	it("a computed_at that lies ahead keeps a battery going for its age limit from reception, no longer", async () => {
		change = withBody({ computed_at: "2027-01-01T00:00:00+01:00" });
		await flows.load([
			flows.account(),
			...flows.forecast("f", { wires: [["f-1", "b"], [], []] }),
			batteryNode({ id: "b", maxAgeHours: "3", wires: [["b-out"]] }),
			{ id: "b-out", type: "helper", z: "tab" },
			...Flows.catchNode,
		]);
		change = () => ({ status: 503, headers: {}, body: "" });
		const mode = () => flows.of("b-out").at(-1)?.payload.now.mode;
		const drive = async (minutes: number) => {
			for (let passed = 0; passed < minutes; passed += 15) {
				await flows.input("b", { soc: 40 });
				await flows.runFor(15 * MINUTE);
			}
			await flows.quiet();
		};
		await drive(165);
		assert.notEqual(mode(), undefined);
		assert.notEqual(mode(), "release");
		await drive(30);
		assert.equal(mode(), "release");
		assert.match(flows.of("b-out").at(-1)?.payload.reason, /forecast/);
	});

	it("strings with the id 1 and without an id have topics of their own", async () => {
		change = ({ body }) => {
			const answer = JSON.parse(body);
			const ids = ["1", undefined];
			answer.strings = answer.strings?.map(
				({
					string_id: _,
					...row
				}: {
					string_id: string;
					string_index: number;
				}) => ({
					...row,
					string_id: ids[row.string_index],
				}),
			);
			return { body: JSON.stringify(answer) };
		};
		await flows.load([
			flows.account(),
			...flows.forecast("f", { include: ["default", "strings"] }),
		]);
		const topics = flows.of("f-3").map(({ topic }) => topic);
		assert.equal(topics.length, 2);
		assert.equal(new Set(topics).size, 2, topics.join());
		assert.deepEqual(
			topics.map((topic) => topic.split("/").at(-1)),
			["1", "_1"],
		);
	});

	describe("cost no request that a plain answer of their kind would not", () => {
		/** Bodies of the good answers, in order. */
		const sent: string[] = [];
		const again =
			(index: number): Change =>
			() => ({ body: sent.at(index) ?? "" });
		const status =
			(code: number, body = "", headers: Record<string, string> = {}): Change =>
			() => ({ status: code, body, headers });
		const later = (ms: number) =>
			status(503, "", { "retry-after": String(ms / 1000) });
		const html = { "content-type": "text/html" };
		const half = KEY.slice(0, Math.ceil(KEY.length / 2));
		const negative: Change = ({ body }) => ({
			body: body.replace(/"pv_power":0(?=[,}])/g, '"pv_power":-0.4'),
		});
		const decimals: Change = ({ headers }) => ({
			headers: Object.fromEntries(
				Object.entries(headers).map(([name, value]) =>
					name.startsWith("requestlimit") && /^\d+$/.test(value)
						? [name.toUpperCase(), `${value}.0`]
						: [name, value],
				),
			),
		});

		/**
		 * How often the service is asked from 9 to 17 h, if the answers from 11 to 13 h are
		 * such: all of a group as often as its first.
		 */
		const GROUPS: [forecasts: number, free: number, Record<string, Change>][] =
			[
				[
					9,
					1,
					{
						"as they should be": () => undefined,
						"of a computed_at ahead": withBody({
							computed_at: "2027-01-01T00:00:00+01:00",
						}),
						"older than the one in hand": withBody({
							computed_at: "2026-06-10T06:00:00+02:00",
						}),
						"with negative powers": negative,
						"with a quota in decimals": decimals,
						"without a readable quota": withHeaders({
							"RequestLimit-Used": "many",
						}),
					},
				],
				[13, 1, { "that are the one in hand": again(-1) }],
				[
					8,
					1,
					{
						"that are the one before, computed anew": (good) =>
							withBody({ computed_at: "2026-06-10T12:30:00+02:00" })({
								...good,
								body: sent.at(-2) ?? "",
							}),
						"that are the one before": again(-2),
					},
				],
				[
					14,
					1,
					{
						"with status 500": status(500),
						"with status 408": status(408),
						"with status 425": status(425),
						"with a page and status 403": status(
							403,
							"<title>No</title>",
							html,
						),
						"with 2 MB and status 500": status(500, "x".repeat(2e6)),
						"that cannot be read": () => ({ body: "[" }),
						"of another site": withBody({ site_id: "other" }),
					},
				],
				[8, 1, { "with status 503, in 2 h": later(2 * HOUR) }],
				[4, 1, { "with status 503, in a year": later(365 * 24 * HOUR) }],
				[
					3,
					2,
					{
						"with the plan's 403": status(403, '{"detail":"not in your plan"}'),
					},
				],
				[3, 1, { "with status 402": status(402) }],
				[
					4,
					2,
					{
						"with status 401": status(401),
						"with status 401 and half of the key": status(401, half),
					},
				],
			];
		const rows = GROUPS.flatMap(([forecasts, free, answers]) =>
			Object.entries(answers).map(
				([what, to]) => [what, to, forecasts, free] as const,
			),
		);
		for (const [what, to, forecasts, free] of rows) {
			it(`${what}: ${forecasts} requests, ${free} free`, async () => {
				sent.length = 0;
				let isSpoiled = false;
				change = (good) => {
					if (isSpoiled) return to(good);
					sent.push(good.body);
					return undefined;
				};
				await load();
				await flows.runTo("2026-06-10T10:59:00Z");
				isSpoiled = true;
				await flows.runTo("2026-06-10T12:59:00Z");
				isSpoiled = false;
				await flows.runTo("2026-06-10T17:01:00Z");
				const all = flows.simulator.requests.length;
				const asked = flows.forecastRequests;
				assert.deepEqual([asked, all - asked], [forecasts, free]);
			});
		}

		for (const [what, to, read] of [
			["that tells the quota", () => undefined, "nobody"],
			["that may be another server's", withHeaders({}), ""],
		] as [string, Change, string][]) {
			it(`a refusal ${what}, at the first contact: 1 request, 2 free`, async () => {
				change = to;
				await flows.load([
					flows.account({ siteId: "nobody" }),
					...flows.forecast("f"),
				]);
				assert.deepEqual(
					flows.simulator.requests.map(({ path }) => path),
					["/v2/sites/nobody", "/v2/forecast/nobody", `/v2/sites/${read}`],
				);
			});
		}
	});
});
