import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
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
