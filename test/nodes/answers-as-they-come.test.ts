import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { openBattery } from "../../nodes/battery/node";
import { openNow } from "../../nodes/now/node";
import type { WireAnswer } from "../../src/service/http/exchange";
import { Flows, KEY, SITE } from "../support/flows";
import { HOUR, MINUTE } from "../support/house";
import { batteryNode, nowNode } from "../support/own-nodes";

/** What becomes of a forecast's answer on the way; undefined lets it pass. */
type Change = (answer: WireAnswer) => Partial<WireAnswer> | undefined;

describe("answers as networks and services really send them, in Node-RED", () => {
	const { setTimeout: realTimeout } = globalThis;
	let flows: Flows;
	let change: Change | undefined;

	beforeEach(async () => {
		flows = new Flows("2026-06-10T09:01:00Z", "light");
		flows.onClock("solar-yield-battery", openBattery as never);
		flows.onClock("solar-yield-now", openNow);
		change = undefined;
		await flows.start();
		flows.fault = (request, response, next) => {
			const { pathname } = new URL(request.url ?? "/", flows.url);
			if (change && pathname.startsWith("/v2/forecast/")) {
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
	const last = () => flows.of("f-1").at(-1);

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
		change = ({ body }) => ({
			body: JSON.stringify({
				...JSON.parse(body),
				computed_at: "2027-01-01T00:00:00+01:00",
			}),
		});
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
			(index: number, more: object = {}): Change =>
			() => ({
				body: JSON.stringify({ ...JSON.parse(sent.at(index) ?? ""), ...more }),
			});
		const status =
			(code: number, seconds?: number): Change =>
			() => ({
				status: code,
				body: "",
				headers: seconds ? { "retry-after": String(seconds) } : {},
			});

		/** How often the service is asked from 9 to 17 h, if the answers from 11 to 13 h are such. */
		for (const [what, to, forecasts] of [
			["as they should be", () => undefined, 9],
			[
				"older than the one in hand",
				(good: WireAnswer) => ({
					body: JSON.stringify({
						...JSON.parse(good.body),
						computed_at: "2026-06-10T06:00:00+02:00",
					}),
				}),
				9,
			],
			["that are the one in hand", again(-1), 13],
			["that are the one before", again(-2), 8],
			[
				"that are the one before, computed anew",
				again(-2, { computed_at: "2026-06-10T12:30:00+02:00" }),
				8,
			],
			["with status 425", status(425), 14],
			["with status 503, in 2 h", status(503, 7200), 8],
			["with status 503, in a year", status(503, 365 * 86_400), 4],
			["with status 402", status(402), 3],
		] as [string, Change, number][]) {
			it(`${what}: ${forecasts} requests, 1 free`, async () => {
				sent.length = 0;
				let isSpoiled = false;
				change = (good) => {
					if (isSpoiled) return to(good);
					sent.push(good.body);
					return undefined;
				};
				await flows.load([
					flows.account({ reserve: "0" }),
					...flows.forecast("f"),
					...Flows.catchNode,
				]);
				await flows.runTo("2026-06-10T10:59:00Z");
				isSpoiled = true;
				await flows.runTo("2026-06-10T12:59:00Z");
				isSpoiled = false;
				await flows.runTo("2026-06-10T17:01:00Z");
				const asked = flows.forecastRequests;
				const free = flows.simulator.requests.length - asked;
				assert.deepEqual([asked, free], [forecasts, 1]);
			});
		}
	});
});
