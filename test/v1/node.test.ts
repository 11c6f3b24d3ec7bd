import assert from "node:assert/strict";
import helper from "node-red-node-test-helper";
import { EDITOR_HEADER } from "../../nodes/shared/editor-header";
import { openV1 } from "../../nodes/v1/node";
import { answerV1Demo } from "../../src/v1/demo";
import { V1_PARAMETERS } from "../../src/v1/parameters";
import { Flows, KEY } from "../support/flows";
import { v1Node } from "../support/own-nodes";
import { SECOND } from "../support/time";
import { requiredFor } from "./samples";

type Message = Record<string, any>;

/** A house with two arrays, as a V1 user has it in every request. */
const HOUSE = {
	latitude: 50.9,
	longitude: 6.4,
	slope: 35,
	orientation: 90,
	pv_power_kw: 4.8,
	second_array_slope: 20,
	second_array_orientation: 270,
	second_array_power_kw: 5.2,
};

describe("solar-yield-v1 in Node-RED", () => {
	let flows: Flows;

	beforeEach(async () => {
		flows = new Flows("2026-11-27T08:12:33Z");
		flows.simulator.others = (request, now) =>
			request.path.startsWith("/v1/") ? answerV1Demo(request, now) : undefined;
		flows.onClock("solar-yield-v1", openV1);
		await flows.start();
	});
	afterEach(() => flows.stop());

	const node = (more: Message = {}, id = "v"): object =>
		v1Node({ id, params: requiredFor("forecast"), wires: [["out"]], ...more });
	const ends = [
		{ id: "out", type: "helper", z: "tab" },
		...Flows.catchNode,
		{
			id: "ender",
			type: "complete",
			z: "tab",
			scope: ["v", "w"],
			wires: [["done"]],
		},
		{ id: "done", type: "helper", z: "tab" },
	];
	const load = (more: Message = {}) =>
		flows.load([flows.account(), node(more), ...ends]);

	/** Sends messages and waits until each has ended; gives what came out and what was caught. */
	async function ask(
		...messages: (Message | [id: string, Message])[]
	): Promise<{ out: Message[]; caught: Message[] }> {
		flows.clear();
		for (const message of messages) {
			const [id, msg] = Array.isArray(message) ? message : ["v", message];
			(helper.getNode(id) as any).receive(msg);
		}
		const ended = () => flows.of("done").length + flows.of("caught").length;
		for (let turn = 0; ended() < messages.length; turn += 1) {
			assert.ok(turn < 2000, "every message ends");
			await new Promise((done) => setTimeout(done, 5));
		}
		return { out: [...flows.of("out")], caught: [...flows.of("caught")] };
	}

	const post = (path: string, body: object) =>
		new Promise<{ status: number; body: any }>((resolve, reject) => {
			helper
				.request()
				.post(`/solar-yield/v1/${path}`)
				.set(EDITOR_HEADER, "1")
				.send({ id: "v", account: "acc", endpoint: "forecast", ...body })
				.end((error: unknown, response: any) =>
					error ? reject(error) : resolve(response),
				);
		});

	const status = () => {
		const { fill, shape, text } = flows.status("v") as Message;
		return [fill, shape, text.replaceAll(/@\S+:status\./g, "")].join(" ");
	};

	it("sends what is set, with a payload's changes, and hands the body on beside its rows", async () => {
		await load({ params: { ...HOUSE, past_days: 2, nowcast: false } });
		const { out, caught } = await ask({
			payload: { orientation: "200.5", past_days: null, nowcast: "" },
			house: "north",
		});
		assert.deepEqual(caught, []);
		const [{ path, query } = {}] = flows.simulator.requests;
		assert.equal(path, "/v1/forecast/");
		assert.deepEqual(
			Object.fromEntries(new URLSearchParams(query)),
			Object.fromEntries(
				Object.entries({ ...HOUSE, orientation: 200.5 }).map(
					([name, value]) => [name, String(value)],
				),
			),
		);
		assert.equal(out[0]?.house, "north");
		assert.deepEqual(out[0]?.solar, { demo: false });
		assert.equal(out[0]?.payload.data, "forecast");
		assert.equal(out[0]?.rows.length, out[0]?.payload.values.length);
		// Of an earlier message nothing stays.
		flows.fault = (_request, response) => response.end('{"sum": 3}');
		const bare = await ask({ rows: [1], payload: { slope: 3 } });
		assert.deepEqual(bare.out[0]?.payload, { sum: 3 });
		assert.equal("rows" in (bare.out[0] as Message), false);
	});

	it("reads rows in the zone that the answer names, else in the one asked for", async () => {
		await load();
		let slope = 10;
		for (const [said, asked, time] of [
			["Europe/Berlin", "utc", "10:00"],
			["utc", "Europe/Berlin", "12:00"],
			["Mars/Olympus", "Europe/Berlin", "10:00"],
			["", undefined, "12:00"],
		] as const) {
			flows.fault = (_request, response) =>
				response.end(
					JSON.stringify({
						...(said !== undefined && { data_timezone: said }),
						values: [{ dtm: "2026-07-01 12:00:00", pv_watts: 1 }],
					}),
				);
			slope += 1;
			const { out } = await ask({
				payload: { slope, timezone: asked ?? null },
			});
			assert.equal(
				out[0]?.rows[0].timestamp,
				`2026-07-01T${time}:00.000Z`,
				`${said} ${asked}`,
			);
		}
	});

	it("is red from the start when it cannot work, but takes a payload that heals it", async () => {
		for (const [more, words] of [
			[{ account: "" }, /no account/],
			[{ endpoint: "now" }, /endpoint "now" does not exist/],
			[{ params: [] }, /params is \[\]; give an object/],
			[
				{ params: { ...HOUSE, latitude: "${NO_SUCH_LATITUDE}" } },
				/latitude names the environment variable NO_SUCH_LATITUDE/,
			],
			[{ params: { ...HOUSE, slope: 120 } }, /^slope 120 /],
		] as const) {
			await load(more);
			assert.equal(flows.status("v")?.fill, "red");
			const { caught } = await ask({});
			assert.match(caught[0]?.error.message, words);
			if (caught[0]?.error.message.startsWith("slope")) {
				assert.match(
					(await ask({ payload: [1] })).caught[0]?.error.message,
					/payload is a list/,
				);
				assert.equal(flows.simulator.requests.length, 0);
				assert.equal((await ask({ payload: { slope: 30 } })).out.length, 1);
			}
			await helper.unload();
		}
	});

	it("makes one request of identical ones within a minute, whichever node and however often deployed, failures included", async () => {
		const flow = [flows.account(), node(), node({}, "w"), ...ends];
		await flows.load(flow);
		const { out } = await ask({}, ["w", {}], {});
		assert.equal(out.length, 3);
		out[0]?.payload.values.splice(0);
		out[0]?.rows.splice(0);
		assert.equal(out[1]?.payload.values.length, 672);
		await flows.deploy(flow);
		const again = await ask(["w", { payload: { slope: "30" } }]);
		assert.equal(again.out[0]?.rows.length, 672);
		assert.equal(flows.simulator.requests.length, 1);
		await flows.runFor(61 * SECOND);
		await ask({});
		assert.equal(flows.simulator.requests.length, 2);
		let failures = 0;
		flows.fault = (_request, response) => {
			failures += 1;
			response.statusCode = 422;
			response.end('{"detail": [{"loc": ["query", "slope"], "msg": "steep"}]}');
		};
		const steep = { payload: { slope: 31 } };
		const { caught } = await ask(steep, steep);
		for (const { error } of caught) {
			assert.equal(error.code, "SOLAR_YIELD_INPUT");
			assert.match(error.message, /query\.slope: steep/);
		}
		assert.deepEqual([caught.length, failures], [2, 1]);
		await flows.runFor(61 * SECOND);
		await ask(steep);
		assert.equal(failures, 2);
	});

	it("names the date in the status and turns yellow and red by itself", async () => {
		await flows.load([
			flows.account({ demo: true, baseUrl: "" }),
			node(),
			...ends,
		]);
		assert.equal(status(), "green dot demo · legacy");
		assert.deepEqual((await ask({})).out[0]?.solar, { demo: true });
		assert.equal(status(), "green dot demo · rows · legacy");
		await helper.unload();
		await load();
		await ask({});
		await flows.clock.runTo("2026-11-30T23:59:59Z", flows.settle);
		assert.equal(status(), "green dot rows · legacy");
		await flows.clock.runTo("2026-12-01T00:00:01Z", flows.settle);
		assert.equal(status(), "yellow ring rows · warning");
		flows.fault = (request) => request.socket.destroy();
		await ask({ payload: { slope: 3 } });
		assert.equal(status(), "red ring kind.NETWORK · warning");
		await helper.unload();
		assert.equal(flows.clock.timers, 0);
		flows.clock.sleep(Date.parse("2026-12-31T23:59:30Z") - flows.clock.time);
		await load();
		await flows.clock.runTo("2027-01-01T00:00:30Z", flows.settle);
		assert.equal(status(), "red dot ended");
		flows.fault = (_request, response) => response.writeHead(410).end();
		const { caught } = await ask({});
		assert.match(
			caught[0]?.error.message,
			/ended on Dec 31, 2026 .*; move to V2: the button "Move to V2"/,
		);
	});

	it("answers to-v2 with site and report, without any request and without an account", async () => {
		await load({ params: HOUSE, account: "", name: "House" });
		const { out, caught } = await ask(
			{ operation: "to-v2", payload: { slope: 12 }, keep: 1 },
			{
				operation: "to-v2",
				payload: [
					{ second_array_power_kw: null },
					{ orientation: 180, pv_power_kw: 3, second_array_power_kw: null },
				],
			},
			{ operation: "to-v2", payload: [{}, 7] },
		);
		assert.equal(out[0]?.keep, 1);
		assert.equal(out[0]?.payload.site.name, "House");
		assert.equal(out[0]?.payload.site.strings[0].slope, 12);
		assert.deepEqual(
			out[0]?.payload.report.map(({ parameter }: Message) => parameter),
			V1_PARAMETERS.map(({ name }) => name),
		);
		assert.deepEqual(out[1]?.payload.site.strings, [
			{ slope: 35, orientation: 90, power_kw: 4.8 },
			{ slope: 35, orientation: 180, power_kw: 3 },
		]);
		assert.match(caught[0]?.error.message, /^payload\[1\] is 7;/);
		assert.equal(flows.simulator.requests.length, 0);
	});

	it("creates the site on request of the dialog, or says what the plan or the set lacks", async () => {
		await load({ params: HOUSE });
		const { status, body } = await post("create-site", {
			params: HOUSE,
			name: "Moved house",
		});
		assert.equal(status, 200);
		assert.equal(body.name, "Moved house");
		assert.deepEqual(body.notes, []);
		assert.deepEqual(
			body.strings.map(({ slope, orientation, power_kw }: Message) => [
				slope,
				orientation,
				power_kw,
			]),
			[
				[35, 90, 4.8],
				[20, 270, 5.2],
			],
		);
		flows.simulator.setPlan(KEY, "light");
		const refused = await post("create-site", { params: HOUSE });
		assert.equal(refused.status, 200);
		assert.match(refused.body.plan, /plan does not include the Sites API/);
		const before = flows.simulator.requests.length;
		for (const [more, words] of [
			[
				{ params: { ...HOUSE, pv_power_kw: 0 } },
				/^strings\[0\]\.power_kw is 0/,
			],
			[{ params: HOUSE, account: "" }, /account is not chosen or not deployed/],
		] as const) {
			const { status, body } = await post("create-site", more);
			assert.equal(status, 400);
			assert.match(body.message, words);
		}
		assert.equal(flows.simulator.requests.length, before);
	});
});
