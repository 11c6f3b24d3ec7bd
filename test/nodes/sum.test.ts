import assert from "node:assert/strict";
import { openSum } from "../../nodes/sum/node";
import { sumStatus } from "../../nodes/sum/status";
import { forecastFromInput } from "../../src/messages/input/forecast-input";
import { inputError } from "../../src/service/errors/solar-yield-error";
import { readSumSettings, sumForecasts } from "../../src/sum";
import { MINUTE_MS as MINUTE } from "../../src/util/time";
import { makeForecast, type Plan } from "../export/forecasts";
import { translator } from "../support/catalogue";
import { Flows } from "../support/flows";
import { forecastNode, sumNode } from "../support/own-nodes";
import { THREE_DAYS } from "./three-days";

type Message = Record<string, any>;

const START = "2026-06-10T09:02:00Z";

/** A message as a forecast node sends it. */
const message = (
	site_id: string,
	plan: Partial<Plan> = {},
	more: Message = {},
): Message => {
	const { body, solar } = makeForecast({
		...THREE_DAYS,
		...plan,
		solar: { site_id, ...plan.solar },
	});
	return {
		topic: `pv/${site_id}/forecast`,
		payload: { ...body, solar },
		solar: structuredClone(solar),
		retain: true,
		...more,
	};
};

describe("solar-yield-sum in Node-RED", () => {
	let flows: Flows;

	beforeEach(async () => {
		flows = new Flows(START);
		flows.onClock("solar-yield-sum", openSum);
		await flows.start();
	});
	afterEach(() => flows.stop());

	const flow = (config: object = {}) => [
		sumNode({ wires: [["out"]], ...config }),
		{ id: "out", type: "helper", z: "tab" },
		...Flows.catchNode,
	];

	it("left blank waits for all forecast nodes that lead to it, not for one of before", async () => {
		const strings = [{ slope: 30, orientation: 180, power_kw: 5 }];
		const system = { latitude: 52.5, longitude: 13.4, strings };
		const inline = (id: string) => ({
			...forecastNode({ id, source: "inline", inline: JSON.stringify(system) }),
			wires: [["sum"], [], []],
		});
		const account = flows.account({ siteId: "" });
		await flows.load([account, inline("one"), inline("two"), ...flow()]);
		await flows.runFor(MINUTE);
		const [first] = flows.of("out");
		assert.deepEqual(first?.solar.sum_of, ["inline-one", "inline-two"]);
		await flows.deploy([account, inline("one"), inline("three"), ...flow()]);
		await flows.runFor(MINUTE);
		assert.deepEqual(flows.of("out").at(-1)?.solar.sum_of, [
			"inline-one",
			"inline-three",
		]);
		assert.deepEqual(flows.of("caught"), []);
	});

	it("sends the sum once all named sites are known, then with each forecast", async () => {
		await flows.load(flow({ name: "House", sites: "a\nb\n" }));
		assert.equal(flows.status("sum")?.fill, "grey");
		const quota = { limit: 3000, used: 2 };
		await flows.input("sum", message("a", {}, { quota, house: "north" }));
		await flows.input("sum", message("c"));
		assert.deepEqual([flows.of("out"), flows.of("caught")], [[], []]);
		assert.equal(flows.status("sum")?.fill, "yellow");
		await flows.input(
			"sum",
			message("b", {}, { quota, house: "north", siteId: "b", _msgid: "m1" }),
		);
		const [sum] = flows.of("out");
		assert.equal(sum?.topic, "pv/sum/forecast");
		assert.equal(sum?.retain, true);
		assert.equal(sum?.solar.site_name, "House");
		assert.deepEqual(sum?.solar.sum_of, ["a", "b"]);
		assert.deepEqual(
			[sum?.quota, sum?.house, sum?._msgid],
			[quota, "north", "m1"],
		);
		assert.equal(flows.status("sum")?.fill, "green");
		// What stands behind takes it for a site of its own.
		const read = forecastFromInput(sum as Message);
		assert.equal(read.solar.site_id, "sum");
		const noon = makeForecast(THREE_DAYS).quarters[48];
		assert.equal(
			read.forecast.values.valueAt(noon?.start ?? 0, "pv_power"),
			2 * (noon?.watts ?? 0),
		);
		await flows.input("sum", message("a"));
		assert.equal(flows.of("out").length, 2);
	});

	it("takes sites with commas between them, and names those missing when others come", async () => {
		await flows.load(flow({ sites: "a, b" }));
		assert.equal(flows.status("sum")?.fill, "grey");
		await flows.input("sum", message("c"));
		assert.equal(flows.status("sum")?.fill, "yellow");
		await flows.input("sum", message("a"));
		await flows.input("sum", message("b"));
		assert.deepEqual(
			flows.of("out").map(({ solar }) => solar.sum_of),
			[["a", "b"]],
		);
	});

	it("forgets a site that is no more, and is no more itself where it was named", async () => {
		await flows.load(flow());
		await flows.input("sum", message("a"));
		await flows.input("sum", message("b"));
		flows.clear();
		await flows.input("sum", { operation: "remove", siteId: "nobody" });
		assert.equal(flows.of("out").length, 0);
		await flows.input("sum", { operation: "remove", siteId: "b" });
		const [less] = flows.of("out");
		assert.deepEqual(less?.solar.sum_of, ["a"]);
		assert.deepEqual([less?.operation, less?.siteId], [undefined, undefined]);
		await flows.deploy(flow({ sites: "a\nb" }));
		await flows.input("sum", message("a"));
		await flows.input("sum", message("b"));
		flows.clear();
		// As a broker tells of it.
		await flows.input("sum", { topic: "pv/a/forecast", payload: "" });
		assert.deepEqual(
			flows
				.of("out")
				.map(({ topic, payload, retain, operation, siteId }) => [
					topic,
					payload,
					retain,
					operation,
					siteId,
				]),
			[["pv/sum/forecast", "", true, "remove", "sum"]],
		);
		assert.equal(flows.status("sum")?.fill, "yellow");
	});

	it("shows what it knows in its status", () => {
		const now = Date.parse(START);
		const settings = readSumSettings({});
		const sumOf = (stale: boolean) =>
			sumForecasts(
				[makeForecast({ ...THREE_DAYS, solar: { site_id: "a", stale } })],
				settings,
				now,
			);
		const kwh = makeForecast(THREE_DAYS).days[0]?.energy.toFixed(1);
		const known = { missing: [], heard: true, count: 1 };
		for (const [state, text] of [
			[{ missing: ["b"], heard: false, count: 0 }, "grey ring no forecast yet"],
			[
				{ missing: ["b", "c"], heard: true, count: 1 },
				"yellow ring missing: b, c",
			],
			[
				{ ...known, sum: sumOf(false) },
				`green dot ${kwh} kWh today · sites: 1`,
			],
			[
				{ ...known, sum: sumOf(true) },
				`yellow ring ${kwh} kWh today · sites: 1 · stale`,
			],
			[
				{ ...known, count: 0, failure: inputError("x; y") },
				"red ring input refused",
			],
		] as [Parameters<typeof sumStatus>[0], string][]) {
			const shown = sumStatus(state, now, translator("en-US"));
			assert.equal(`${shown.fill} ${shown.shape} ${shown.text}`, text);
		}
	});
});
