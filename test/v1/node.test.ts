import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import helper from "node-red-node-test-helper";
import { EDITOR_HEADER } from "../../nodes/shared/editor-header";
import { openV1 } from "../../nodes/v1/node";
import { answerV1Demo } from "../../src/v1/demo";
import {
	V1_PARAMETERS,
	type V1Endpoint,
	v1Limits,
} from "../../src/v1/parameters";
import { Flows, KEY } from "../support/flows";
import { v1Node } from "../support/own-nodes";
import { SECOND } from "../support/time";
import { ENDPOINTS, everythingFor, requiredFor } from "./samples";

type Message = Record<string, any>;

const RECORDED = join(
	__dirname,
	"../fixtures/recorded-v1-forecast-2026-03-18.json",
);

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
	terrain_based_horizon_coverage: true,
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

	const node = (more: Message = {}, id = "v"): object[] => [
		v1Node({
			id,
			params: requiredFor("forecast"),
			wires: [["out"]],
			...more,
		}),
	];
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
	const load = (more: Message = {}, ...others: object[]) =>
		flows.load([flows.account(), ...node(more), ...ends, ...others]);

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

	const queries = () =>
		flows.simulator.requests.map(({ path, query }) => [
			path,
			Object.fromEntries(new URLSearchParams(query)),
		]);

	const post = (path: string, body: object) =>
		new Promise<{ status: number; body: any }>((resolve, reject) => {
			helper
				.request()
				.post(`/solar-yield/v1/${path}`)
				.set(EDITOR_HEADER, "1")
				.send(body)
				.end((error: unknown, response: any) =>
					error ? reject(error) : resolve(response),
				);
		});

	describe("asking", () => {
		for (const endpoint of ENDPOINTS) {
			it(`sends to ${endpoint} exactly what is set, and hands the body on as it is`, async () => {
				await load({
					endpoint,
					params: {
						...requiredFor(endpoint),
						slope: "30",
						cable_loss_rate: " ",
						mounting_type: null,
					},
				});
				const few = await ask({ payload: 1700000000000, house: "north" });
				assert.deepEqual(
					few.caught.map(({ error }) => error.message),
					[],
				);
				const everything = everythingFor(endpoint);
				await ask({ payload: everything });
				assert.deepEqual(queries(), [
					[
						`/v1/${endpoint}/`,
						Object.fromEntries(
							Object.entries(requiredFor(endpoint)).map(([name, value]) => [
								name,
								String(value),
							]),
						),
					],
					[
						`/v1/${endpoint}/`,
						Object.fromEntries(
							Object.entries(everything).map(([name, value]) => [
								name,
								String(value),
							]),
						),
					],
				]);
				const [msg] = few.out;
				assert.equal(msg?.house, "north");
				assert.deepEqual(msg?.solar, { demo: false });
				assert.equal(msg?.payload.data, endpoint);
				const count = msg?.payload.values?.[0]?.dtm
					? msg.payload.values.length
					: undefined;
				assert.equal(msg?.rows?.length, count);
			});
		}

		it("reads the recorded answer's 672 rows as UTC instants and leaves the body alone", async () => {
			const text = readFileSync(RECORDED, "utf8");
			flows.fault = (_request, response) => response.end(text);
			await load();
			const { out } = await ask({ rows: "of before" });
			assert.deepEqual(out[0]?.payload, JSON.parse(text));
			const rows = out[0]?.rows;
			assert.equal(rows.length, 672);
			rows.forEach((row: Message, index: number) => {
				const time = Date.parse("2026-03-18T00:00:00Z") + index * 900 * SECOND;
				assert.equal(row.time, time);
				assert.equal(row.timestamp, new Date(time).toISOString());
			});
			assert.equal(typeof rows[40].pv_watts, "number");
		});

		it("reads rows in the zone that timezone names, through a day of 25 hours", async () => {
			await load({
				endpoint: "history",
				params: {
					...requiredFor("history"),
					start_date: "2026-10-25",
					end_date: "2026-10-25",
					timezone: "Europe/Berlin",
				},
			});
			const { out } = await ask({});
			const rows = out[0]?.rows;
			assert.equal(rows.length, 100);
			assert.equal(rows[0].timestamp, "2026-10-24T22:00:00.000Z");
			for (let n = 1; n < rows.length; n += 1)
				assert.equal(rows[n].time - rows[n - 1].time, 900 * SECOND);
		});

		it("reads rows in the zone that the answer names, whatever was asked for", async () => {
			let requests = 0;
			const rows = (zone: unknown) => {
				flows.fault = (_request, response) => {
					requests += 1;
					response.end(
						JSON.stringify({
							...(zone !== undefined && { data_timezone: zone }),
							values: [{ dtm: "2026-07-01 12:00:00", pv_watts: 1 }],
						}),
					);
				};
			};
			await load();
			let slope = 10;
			for (const [said, asked, time] of [
				["Europe/Berlin", "utc", "10:00"],
				["Europe/Berlin", undefined, "10:00"],
				["utc", "Europe/Berlin", "12:00"],
				["UTC", "Asia/Kathmandu", "12:00"],
				[undefined, "Europe/Berlin", "10:00"],
				["Mars/Olympus", "Europe/Berlin", "10:00"],
				[7, "Europe/Berlin", "10:00"],
				["", undefined, "12:00"],
			] as const) {
				rows(said);
				slope += 1;
				const { out } = await ask({
					payload: { slope, timezone: asked ?? null },
				});
				assert.equal(
					out[0]?.rows[0].timestamp,
					`2026-07-01T${time}:00.000Z`,
					`${said} ${asked}`,
				);
				assert.equal(requests, slope - 10, "one each");
			}
		});

		it("takes rows of an earlier message away when the answer has none", async () => {
			flows.fault = (_request, response) => response.end('{"sum": 3}');
			await load();
			const { out } = await ask({ rows: [1] });
			assert.deepEqual(out[0]?.payload, { sum: 3 });
			assert.equal("rows" in (out[0] as Message), false);
		});

		it("lets a payload override single parameters and null or blank remove them", async () => {
			await load({ params: { ...HOUSE, past_days: 2, nowcast: false } });
			await ask({
				payload: { orientation: "200.5", past_days: null, nowcast: "" },
			});
			const [[, query]] = queries() as [[string, Message]];
			assert.equal(query.orientation, "200.5");
			assert.equal(query.slope, "35");
			assert.equal("past_days" in query, false);
			assert.equal("nowcast" in query, false);
		});
	});

	describe("refusing", () => {
		it("sends nothing beyond a bound, of a wrong type or on another endpoint, and says why", async () => {
			for (const endpoint of ENDPOINTS) {
				const wrong: [name: string, value: unknown][] = V1_PARAMETERS.flatMap(
					(parameter): [string, unknown][] => {
						const limits = v1Limits(parameter, endpoint);
						if (!limits) return [[parameter.name, 1]];
						const { min, max } = limits;
						return [
							...(min === undefined ? [] : [min - 0.001]),
							...(max === undefined ? [] : [max + 0.001]),
							{},
						].map((value) => [parameter.name, value]);
					},
				);
				await load({ endpoint, params: requiredFor(endpoint) });
				const { caught, out } = await ask(
					...wrong.map(([name, value]) => ({
						payload: { [name]: value },
						name,
					})),
				);
				assert.equal(out.length, 0);
				assert.equal(caught.length, wrong.length);
				for (const { error, name } of caught) {
					assert.equal(error.code, "SOLAR_YIELD_INPUT");
					assert.ok(error.message.startsWith(`${name} `), error.message);
				}
				await helper.unload();
			}
			assert.equal(flows.simulator.requests.length, 0);
		});

		it("names what is missing, converts an azimuth counted from south, and refuses a list", async () => {
			await load({ params: {} });
			const { caught } = await ask(
				{},
				{ payload: { ...HOUSE, orientation: -45 } },
				{ payload: [HOUSE] },
			);
			const text = caught.map(({ error }) => error.message).join("\n");
			assert.match(
				text,
				/latitude, longitude, slope and orientation are missing/,
			);
			assert.match(text, /orientation -45 .*315 .*135/);
			assert.match(text, /payload is a list/);
			assert.equal(flows.simulator.requests.length, 0);
		});

		it("is red from the start when its own parameters cannot be right, but takes a payload that heals them", async () => {
			await load({ params: { ...HOUSE, slope: 120 } });
			assert.equal(flows.status("v")?.fill, "red");
			assert.match(flows.status("v")?.text, /kind\.INPUT/);
			const { out } = await ask({ payload: { slope: 30 } });
			assert.equal(out.length, 1);
		});

		it("needs an account, a known endpoint and an object of parameters", async () => {
			for (const [more, words] of [
				[{ account: "" }, /no account/],
				[{ endpoint: "now" }, /endpoint "now" does not exist/],
				[{ params: [] }, /params is \[\]; give an object/],
				[
					{ params: { ...HOUSE, latitude: "${NO_SUCH_LATITUDE}" } },
					/latitude names the environment variable NO_SUCH_LATITUDE/,
				],
			] as const) {
				await load(more);
				assert.equal(flows.status("v")?.fill, "red");
				const { caught } = await ask({});
				assert.match(caught[0]?.error.message, words);
				await helper.unload();
			}
			assert.equal(flows.simulator.requests.length, 0);
		});

		it("keeps the key and what stands under an unknown name out of the error", async () => {
			flows.fault = (_request, response) => {
				response.statusCode = 422;
				response.end(JSON.stringify({ detail: `you sent Bearer ${KEY}` }));
			};
			await load();
			const { caught } = await ask({}, { payload: { api_key: KEY } });
			assert.equal(caught.length, 2);
			const errors = JSON.stringify(caught.map(({ error }) => error));
			assert.ok(!errors.includes(KEY), errors);
		});

		it("warns once of what may not be understood", async () => {
			await load({
				params: { ...HOUSE, sky_obstruction_config: "90:120:5,130:140:6" },
			});
			await ask({});
			await ask({ payload: { slope: 12 } });
			const { warn } = helper.getNode("v") as any;
			assert.equal(warn.callCount, 1);
			assert.match(warn.lastCall.args[0], /sky_obstruction_config/);
			await ask({ payload: { sky_obstruction_config: "90:120:7;1:2:3" } });
			assert.equal(warn.callCount, 2);
		});
	});

	describe("sharing", () => {
		it("makes one request of identical ones within a minute, whichever node and however often deployed", async () => {
			const flow = [flows.account(), ...node(), ...node({}, "w"), ...ends];
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
			await ask({ payload: { slope: 31 } });
			assert.equal(flows.simulator.requests.length, 3);
		});

		it("gives identical requests the same failure for a minute", async () => {
			let answers = 0;
			flows.fault = (_request, response) => {
				answers += 1;
				response.statusCode = 422;
				response.end(
					'{"detail": [{"loc": ["query", "slope"], "msg": "steep"}]}',
				);
			};
			await load();
			const { caught } = await ask({}, {}, {});
			assert.equal(caught.length, 3);
			for (const { error } of caught) {
				assert.equal(error.code, "SOLAR_YIELD_INPUT");
				assert.match(error.message, /query\.slope: steep/);
			}
			assert.equal(answers, 1);
			await flows.runFor(61 * SECOND);
			await ask({});
			assert.equal(answers, 2);
		});

		it("asks one at a time, and after a 429 nothing until its time, whatever is asked", async () => {
			let under = 0;
			let most = 0;
			let answers = 0;
			flows.fault = (_request, response, next) => {
				under += 1;
				answers += 1;
				most = Math.max(most, under);
				setTimeout(() => {
					under -= 1;
					if (answers < 3) return next();
					response.writeHead(429, {
						"retry-after": "30",
						date: new Date(flows.clock.time).toUTCString(),
					});
					response.end();
				}, 15);
			};
			await load();
			const slopes = [1, 2, 3, 4, 5].map((slope) => ({ payload: { slope } }));
			const { out, caught } = await ask(...slopes);
			assert.equal(out.length, 2);
			assert.equal(most, 1);
			assert.equal(answers, 3);
			assert.deepEqual(
				caught.map(({ error }) => [error.code, error.cause.retry_at]),
				Array(3).fill(["SOLAR_YIELD_RATE", "2026-11-27T08:13:03.000Z"]),
			);
			assert.match(caught[0]?.error.message, /; send the message again later$/);
			flows.fault = undefined;
			await flows.runFor(29 * SECOND);
			assert.equal((await ask({ payload: { slope: 6 } })).caught.length, 1);
			await flows.runFor(2 * SECOND);
			assert.equal((await ask({ payload: { slope: 6 } })).out.length, 1);
			assert.equal((await ask({ payload: { slope: 4 } })).out.length, 1);
		});

		it("does not go on with a refused key, but asks again with another account", async () => {
			let answers = 0;
			flows.fault = (_request, response) => {
				answers += 1;
				response.statusCode = 401;
				response.end('{"detail": "no such key"}');
			};
			await load();
			const { caught } = await ask(
				{},
				{ payload: { slope: 1 } },
				{ payload: { slope: 2 } },
			);
			assert.deepEqual(
				caught.map(({ error }) => error.code),
				Array(3).fill("SOLAR_YIELD_AUTH"),
			);
			assert.equal(answers, 1);
			flows.fault = undefined;
			await flows.deploy([flows.account({ name: "new" }), ...node(), ...ends]);
			assert.equal((await ask({ payload: { slope: 3 } })).out.length, 1);
		});
	});

	describe("its end", () => {
		const status = () => {
			const { fill, shape, text } = flows.status("v") as Message;
			return [fill, shape, text.replaceAll(/@\S+:status\./g, "")].join(" ");
		};

		it("names the date in the status and turns yellow and red by itself", async () => {
			await load();
			assert.equal(status(), "green dot legacy");
			await ask({});
			assert.equal(status(), "green dot rows · legacy");
			await flows.clock.runTo("2026-11-30T23:59:59Z", flows.settle);
			assert.equal(status(), "green dot rows · legacy");
			const calls = (helper.getNode("v") as any).status.callCount;
			await flows.clock.runTo("2026-12-01T00:00:01Z", flows.settle);
			assert.equal(status(), "yellow ring rows · warning");
			assert.equal((helper.getNode("v") as any).status.callCount, calls + 1);
			flows.fault = (request) => request.socket.destroy();
			await ask({ payload: { slope: 3 } });
			assert.equal(status(), "red ring kind.NETWORK · warning");
			await helper.unload();
			assert.equal(flows.clock.timers, 0);
			flows.clock.sleep(Date.parse("2026-12-31T23:59:30Z") - flows.clock.time);
			await load();
			assert.equal(status(), "yellow ring warning");
			await flows.clock.runTo("2027-01-01T00:00:30Z", flows.settle);
			assert.equal(status(), "red dot ended");
		});

		it("says after the end what 404, 410 and silence mean, and how to move", async () => {
			flows.clock.sleep(Date.parse("2027-01-02T00:00:00Z") - flows.clock.time);
			await load();
			const faults: [NonNullable<Flows["fault"]>, string][] = [
				[(_request, response) => response.writeHead(404).end(), "NOT_FOUND"],
				[(_request, response) => response.writeHead(410).end(), "INPUT"],
				[(request) => request.socket.destroy(), "NETWORK"],
			];
			for (const [index, [fault, kind]] of faults.entries()) {
				flows.fault = fault;
				const { caught } = await ask({ payload: { slope: index } });
				assert.equal(caught[0]?.error.code, `SOLAR_YIELD_${kind}`);
				assert.match(
					caught[0]?.error.message,
					/ended on Dec 31, 2026 .*; move to V2: the button "Move to V2"/,
				);
				assert.equal(status(), "red dot ended");
			}
		});

		it("marks the demo", async () => {
			await flows.load([
				flows.account({ demo: true, baseUrl: "" }),
				...node(),
				...ends,
			]);
			const { out } = await ask({});
			assert.deepEqual(out[0]?.solar, { demo: true });
			assert.match(status(), /^green dot demo · rows · legacy$/);
		});
	});

	describe("moving to V2", () => {
		it("answers to-v2 with site and report, without any request and without an account", async () => {
			const params = everythingFor("forecast");
			await load({ params, account: "", name: "House" });
			const { out } = await ask({
				operation: "to-v2",
				payload: { slope: 12 },
				keep: 1,
			});
			const [msg] = out;
			assert.equal(msg?.keep, 1);
			assert.equal(msg?.payload.site.name, "House");
			assert.equal(msg?.payload.site.strings[0].slope, 12);
			assert.deepEqual(
				msg?.payload.report.map(({ parameter }: Message) => parameter),
				V1_PARAMETERS.map(({ name }) => name),
			);
			for (const { parameter, value } of msg?.payload.report ?? []) {
				if (parameter === "slope") assert.equal(value, 12);
				else if (parameter in params)
					assert.equal(value, params[parameter], parameter);
			}
			assert.equal(flows.simulator.requests.length, 0);
		});

		it("makes one site of a list of sets", async () => {
			await load({ params: HOUSE });
			const { out, caught } = await ask(
				{
					operation: "to-v2",
					payload: [
						{ second_array_power_kw: null },
						{ orientation: 180, pv_power_kw: 3, second_array_power_kw: null },
					],
				},
				{ operation: "to-v2", payload: [{}, 7] },
			);
			assert.deepEqual(out[0]?.payload.site.strings, [
				{ slope: 35, orientation: 90, power_kw: 4.8 },
				{ slope: 35, orientation: 180, power_kw: 3 },
			]);
			assert.match(caught[0]?.error.message, /^payload\[1\] is 7;/);
		});

		it("creates the site on request of the dialog, with the same peak power and orientation", async () => {
			await load({ params: HOUSE });
			const { status, body } = await post("create-site", {
				id: "v",
				account: "acc",
				endpoint: "forecast",
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
		});

		it("says instead what the plan lacks, and creates nothing without peak power or account", async () => {
			flows.simulator.setPlan(KEY, "light");
			await load();
			const body = {
				id: "v",
				account: "acc",
				endpoint: "forecast",
				params: HOUSE,
			};
			const refused = await post("create-site", body);
			assert.equal(refused.status, 200);
			assert.match(refused.body.plan, /plan does not include the Sites API/);
			const before = flows.simulator.requests.length;
			const powerless = await post("create-site", {
				...body,
				params: { ...HOUSE, pv_power_kw: 0 },
			});
			assert.equal(powerless.status, 400);
			assert.match(powerless.body.message, /^strings\[0\]\.power_kw is 0/);
			const homeless = await post("create-site", { ...body, account: "" });
			assert.match(
				homeless.body.message,
				/account is not chosen or not deployed/,
			);
			assert.equal(flows.simulator.requests.length, before);
		});
	});

	describe("its dialog", () => {
		it("gets the table, and the node's own verdict on a set", async () => {
			process.env.SOLAR_YIELD_TEST_LATITUDE = "51.5";
			await load();
			const table = await new Promise<any>((resolve, reject) =>
				helper
					.request()
					.get("/solar-yield/v1/parameters")
					.end((error: unknown, response: any) =>
						error ? reject(error) : resolve(response.body),
					),
			);
			assert.deepEqual(
				table.parameters,
				JSON.parse(JSON.stringify(V1_PARAMETERS)),
			);
			const check = (params: object, endpoint: V1Endpoint = "forecast") =>
				post("check", { id: "v", endpoint, params });
			const { body } = await check({
				latitude: "${SOLAR_YIELD_TEST_LATITUDE}",
				slope: 91,
				sky_obstruction_config: "1:2:3,4:5:6",
			});
			assert.deepEqual(body.missing, ["longitude", "orientation"]);
			assert.equal(body.problems.length, 1);
			assert.match(body.problems[0], /^slope 91 is out of bounds/);
			assert.equal(body.warnings.length, 1);
			// In a subflow only the instance knows.
			const unset = await check({ ...HOUSE, latitude: "${NO_SUCH_LATITUDE}" });
			assert.deepEqual(unset.body.problems, []);
			assert.deepEqual(unset.body.missing, []);
			assert.match(
				unset.body.warnings[0],
				/latitude names .* NO_SUCH_LATITUDE/,
			);
			const moved = await post("move", {
				id: "v",
				endpoint: "forecast",
				name: " Roof ",
				params: { ...HOUSE, latitude: "${SOLAR_YIELD_TEST_LATITUDE}" },
			});
			assert.equal(moved.body.site.latitude, 51.5);
			assert.equal(moved.body.site.name, "Roof");
			assert.equal(flows.simulator.requests.length, 0);
		});
	});
});
