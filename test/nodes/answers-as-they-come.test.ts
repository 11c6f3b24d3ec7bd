import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { WireAnswer } from "../../src/service/http/exchange";
import { Flows, KEY, SITE } from "../support/flows";
import { HOUR, MINUTE } from "../support/house";

/** What becomes of a forecast's answer on the way; undefined lets it pass. */
type Change = (answer: WireAnswer) => Partial<WireAnswer> | undefined;

describe("answers as networks and services really send them, in Node-RED", () => {
	let flows: Flows;
	let change: Change | undefined;
	let isSiteReadBroken = false;

	beforeEach(async () => {
		flows = new Flows("2026-06-10T09:01:00Z");
		change = undefined;
		isSiteReadBroken = false;
		await flows.start();
		flows.fault = (request, response, next) => {
			const { pathname } = new URL(request.url ?? "/", flows.url);
			if (isSiteReadBroken && /^\/v2\/sites\/./.test(pathname)) {
				request.socket.destroy();
			} else if (change && pathname.startsWith("/v2/forecast/")) {
				respond(request, response, change);
			} else next();
		};
	});
	afterEach(() => flows.stop());

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
		response.writeHead(status, { ...headers }).end(body);
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

	it("the free read of the site breaks off: the forecasts arrive all the same", async () => {
		isSiteReadBroken = true;
		await load();
		assert.equal(flows.of("f-1").length, 1);
		await flows.runFor(6 * HOUR);
		assert.ok(flows.of("f-1").length > 5, `${flows.of("f-1").length}`);
		assert.deepEqual(flows.of("caught"), []);
		assert.match(flows.status("f")?.text, /status\.next$/);
	});

	it("the forecast in hand comes once more at its time: it is asked again within minutes", async () => {
		await load();
		let held = "";
		change = ({ body }) => {
			held = body;
			return undefined;
		};
		await flows.runFor(2 * HOUR);
		const known = flows.of("f-1").length;
		const asked = flows.forecastRequests;
		let repeated = 0;
		change = ({ body }) => {
			const isNew =
				JSON.parse(body).computed_at !== JSON.parse(held).computed_at;
			if (!isNew || repeated > 0) return undefined;
			repeated += 1;
			return { body: held };
		};
		await flows.runFor(HOUR);
		assert.equal(repeated, 1);
		const forecasts = flows.of("f-1").length - known;
		assert.ok(forecasts >= 3, `${forecasts}`);
		assert.equal(flows.forecastRequests - asked, forecasts + repeated);
		assert.deepEqual(flows.of("caught"), []);
	});

	it("an answer older than the one in hand does not replace it", async () => {
		await load();
		await flows.runFor(2 * HOUR);
		const held = last()?.payload.computed_at;
		const known = flows.of("f-1").length;
		change = withBody({ computed_at: "2026-06-10T06:00:00+02:00" });
		await flows.runFor(HOUR);
		await flows.input("f", {});
		assert.equal(last()?.payload.computed_at, held);
		assert.equal(flows.of("f-1").length, known + 1, "only what was asked for");
		change = undefined;
		await flows.runFor(2 * HOUR);
		assert.ok(Date.parse(last()?.payload.computed_at) > Date.parse(held));
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
});
