import assert from "node:assert/strict";
import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Broker } from "../support/broker";
import { Collector } from "../support/collector";
import { installedUserDir, NodeRed } from "../support/node-red-process";
import { accountNode, forecastNode } from "../support/own-nodes";
import {
	type SimulatorServer,
	startSimulatorServer,
} from "../support/service/server";
import { Simulator } from "../support/service/simulator";
import { earlyInHour, type ShiftedClock } from "../support/shifted-clock";

type Message = Record<string, any>;

const KEY = "sk-second+secret/Key=7";
const SITE = "site_barn";

describe("two Node-RED processes on one broker", () => {
	const broker = new Broker();
	const collector = new Collector();
	let clock: ShiftedClock;
	let simulator: Simulator;
	let service: SimulatorServer;
	let first: NodeRed;
	let second: NodeRed;

	before(async function () {
		this.timeout(180_000);
		await broker.start();
		await collector.start();
		clock = earlyInHour();
		simulator = new Simulator({ now: clock.now });
		simulator.addAccount({ apiKey: KEY, plan: "light" });
		simulator.addSite(KEY, {
			id: SITE,
			name: "Barn",
			latitude: 52.5,
			longitude: 13.4,
			strings: [
				{ id: "str_a", slope: 30, orientation: 90, power_kw: 5 },
				{ id: "str_b", slope: 30, orientation: 270, power_kw: 4 },
			],
		});
		service = await startSimulatorServer(simulator);
		const userDir = installedUserDir();
		const other = mkdtempSync(join(tmpdir(), "solar-yield-second-"));
		cpSync(userDir, other, { recursive: true });
		first = new NodeRed(userDir, clock.env);
		second = new NodeRed(other, clock.env);
	});
	after(async () => {
		await first?.stop();
		await second?.stop();
		await service?.close();
		await collector.stop();
		await broker.stop();
	});

	const tab = { id: "tab", type: "tab", label: "tab" };
	/** A now node whose messages are collected, and an inject that asks it for a window. */
	const now = (tag: string, window: object): object[] => {
		const { entry, nodes } = collector.nodes(tag, "tab");
		const caught = collector.nodes(`${tag}-caught`, "tab");
		return [
			{
				id: "now",
				type: "solar-yield-now",
				z: "tab",
				name: "",
				every: "1",
				wires: [[entry]],
			},
			{
				id: "window",
				type: "inject",
				z: "tab",
				props: [{ p: "payload" }],
				payload: JSON.stringify(window),
				payloadType: "json",
				repeat: "",
				once: false,
				wires: [["now"]],
			},
			{
				id: "catcher",
				type: "catch",
				z: "tab",
				scope: null,
				wires: [[caught.entry]],
			},
			...nodes,
			...caught.nodes,
		];
	};
	const forecasts = () =>
		simulator.requests.filter(({ path }) => path.startsWith("/v2/forecast/"))
			.length;

	it("the second shows the same values, through restarts, and makes no request", async () => {
		// Part of a quarter hour at both ends, the night between.
		const midnight = new Date(clock.now());
		midnight.setUTCHours(24, 0, 0, 0);
		const window = {
			from: midnight.getTime() - 4 * 3_600_000 + 123_456,
			to: midnight.getTime() + 12 * 3_600_000 + 654_321,
		};
		await second.start([
			tab,
			...now("second", window),
			{
				id: "in",
				type: "mqtt in",
				z: "tab",
				name: "",
				topic: "solar-yield/+/forecast",
				qos: "1",
				datatype: "auto-detect",
				broker: "broker",
				nl: false,
				rap: true,
				rh: 0,
				inputs: 0,
				wires: [["now"]],
			},
			broker.node("broker"),
		]);
		await first.start([]);
		await first.deploy(
			[
				tab,
				...now("first", window),
				accountNode({ baseUrl: service.url, siteId: SITE }),
				forecastNode({
					include: ["default", "weather", "clearsky", "strings"],
					wires: [["now", "out"], [], []],
				}),
				{
					id: "out",
					type: "mqtt out",
					z: "tab",
					name: "",
					topic: "",
					qos: "1",
					retain: "",
					broker: "broker",
					wires: [],
				},
				broker.node("broker"),
			],
			{ acc: { apiKey: KEY } },
		);
		await assertSame();
		assert.equal(forecasts(), 1);
		const asked = simulator.requests.length;

		// The second starts again, the first is gone: the broker has it all.
		await second.stop();
		await first.stop();
		const [before] = collector.of("first");
		collector.clear();
		await second.start();
		const [again] = await collector.wait("second");
		assert.deepEqual(
			constant(again?.payload),
			constant((before as Message).payload),
		);
		assert.equal(simulator.requests.length, asked);
		assert.deepEqual(collector.of("second-caught"), []);
	}).timeout(60_000);

	/** What does not change from one moment to the next. */
	const constant = (payload: Message) => {
		const {
			power_now_w: _now,
			power_in_30min_w: _soon,
			power_in_1h_w: _later,
			power_clearsky_now_w: _clear,
			energy_this_hour_kwh: _hour,
			energy_next_hour_kwh: _next,
			energy_so_far_today_kwh: _past,
			energy_remaining_today_kwh: _future,
			temp_now: _temp,
			weather_code_now: _weather,
			age_minutes: _age,
			horizon_hours: _horizon,
			strings,
			...rest
		} = payload;
		return {
			...rest,
			strings: strings.map(({ string_id, energy_today_kwh }: Message) => ({
				string_id,
				energy_today_kwh,
			})),
		};
	};

	async function assertSame(): Promise<void> {
		await collector.wait("first");
		await collector.wait("second");
		// Both asked for the same window, which no clock has a part in.
		await first.inject("window");
		await second.inject("window");
		const isAnswer = ({ payload }: Message) => "energy_kwh" in payload;
		const [mine] = await collector.wait("first", 1, isAnswer);
		const [theirs] = await collector.wait("second", 1, isAnswer);
		assert.equal(typeof mine?.payload.energy_kwh, "number");
		assert.deepEqual(theirs?.payload, mine?.payload);
		// And the values of the same minute, as the clock brings them.
		const stamped = (tag: string) =>
			collector.of(tag).filter((msg) => !isAnswer(msg));
		const [a] = stamped("first");
		const [b] = stamped("second");
		assert.deepEqual(constant(b?.payload), constant(a?.payload));
		const sum = ({ payload }: Message) =>
			payload.energy_so_far_today_kwh + payload.energy_remaining_today_kwh;
		assert.ok(Math.abs(sum(a as Message) - sum(b as Message)) < 1e-5);
	}
});
