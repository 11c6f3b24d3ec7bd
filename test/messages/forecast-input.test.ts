import assert from "node:assert/strict";
import type { Forecast } from "../../src/forecast/forecast";
import { factsFromInput } from "../../src/messages/facts";
import {
	followSite,
	forecastFromInput,
	readPayload,
} from "../../src/messages/input/forecast-input";
import { nowFromInput } from "../../src/messages/input/now-input";
import {
	readTopicPrefix,
	siteOfTopic,
	siteTopicOf,
} from "../../src/messages/topic";
import { makeForecast } from "../export/forecasts";

const { body } = makeForecast({
	zone: "Asia/Kathmandu",
	date: "2026-06-01",
	days: 2,
	peaks: [5000],
	bandHours: 24,
});

const refuses = (message: object, words: RegExp) =>
	assert.throws(() => forecastFromInput(message), {
		code: "SOLAR_YIELD_INPUT",
		message: words,
	});

describe("a forecast from a message", () => {
	it("is the same as object, JSON text, and bytes of JSON text", () => {
		const object = forecastFromInput({ payload: body });
		for (const payload of [
			JSON.stringify(body),
			`\uFEFF${JSON.stringify(body)}`,
			Buffer.from(JSON.stringify(body)),
		]) {
			const { forecast, solar } = forecastFromInput({ payload });
			assert.deepEqual(forecast.values.starts, object.forecast.values.starts);
			assert.deepEqual(solar, object.solar);
		}
	});

	it("is not changed by what a flow does to the message afterwards", () => {
		const change: ((rows: Record<string, unknown>[]) => unknown)[] = [
			(rows) => rows.reverse(),
			(rows) => rows.splice(0),
			(rows) => rows.push({ timestamp: "later" }),
			(rows) => rows.map((row) => Object.assign(row, { pv_power: -1 })),
			(rows) => rows.map((row) => Object.assign(row, { pv_energy_kwh: -1 })),
		];
		const kept = ({ values, strings, daily }: Forecast) =>
			JSON.stringify([
				[values.starts, values.rows],
				strings?.map(({ series }) => [series.starts, series.rows]),
				daily,
			]);
		for (const changed of change) {
			const rows = structuredClone(body.values) as Record<string, unknown>[];
			const payload = {
				...structuredClone(body),
				values: rows,
				strings: rows.map((row) => ({ ...row, string_index: 0 })),
				daily: [{ date: "2026-06-01", pv_energy_kwh: 1 }],
			};
			const { forecast } = forecastFromInput({ payload });
			const before = kept(forecast);
			for (const list of [payload.values, payload.strings, payload.daily]) {
				changed(list);
			}
			assert.equal(kept(forecast), before);
		}
	});

	it("without facts takes the payload's zone, and rows that end at their stamp", () => {
		const { forecast, solar } = forecastFromInput({ payload: body });
		assert.equal(forecast.zone.name, "Asia/Kathmandu");
		assert.equal(forecast.interval, "end");
		assert.equal(
			forecast.values.starts[0],
			Date.parse("2026-06-01T00:00:00+05:45"),
		);
		assert.deepEqual(
			{ ...solar, band_until: null },
			{
				site_id: "site_a1",
				site_name: null,
				timezone: "Asia/Kathmandu",
				latitude: null,
				longitude: null,
				demo: false,
				interval: "end",
				interval_minutes: 15,
				computed_at: "2026-06-01T00:00:00+05:45",
				next_poll_at: null,
				next_request_at: null,
				reason: "",
				fetched_at: null,
				cached: false,
				stale: false,
				missing: [],
				gaps: null,
				band_until: null,
				settled: [],
				strings: [],
			},
		);
		assert.match(solar.band_until ?? "", /^2026-06-01T1\d:/);
	});

	it("carries its facts in the payload, and msg.solar wins over them", () => {
		const inner = { interval: "start", site_name: "Inner", gaps: 3 };
		const payload = { ...body, solar: inner };
		const own = forecastFromInput({ payload });
		assert.equal(own.forecast.interval, "start");
		assert.equal(own.solar.site_name, "Inner");
		assert.equal(own.solar.gaps, 3);
		const outer = forecastFromInput({
			payload,
			solar: { interval: "end", site_id: "site_b2", site_name: null },
		});
		assert.equal(outer.forecast.interval, "end");
		assert.equal(outer.solar.site_id, "site_b2");
		assert.equal(outer.solar.site_name, null);
	});

	it("places UTC rows in the zone that the facts name", () => {
		const payload = {
			site_id: "site_a1",
			timezone: "UTC",
			values: [{ timestamp: "2026-07-01T12:00:00Z", pv_power: 5 }],
		};
		const solar = { timezone: "Australia/Adelaide" };
		const { forecast } = forecastFromInput({ payload, solar });
		assert.equal(forecast.zone.name, "Australia/Adelaide");
		// A naive stamp is in the zone that its own payload names.
		const naive = forecastFromInput({
			payload: {
				...payload,
				timezone: "Europe/Berlin",
				values: [{ timestamp: "2026-07-01T12:00:00", pv_power: 5 }],
			},
			solar,
		});
		assert.equal(
			naive.forecast.values.starts[0],
			Date.parse("2026-07-01T09:45:00Z"),
		);
	});

	it("says what to wire instead of what is no forecast", () => {
		refuses({}, /payload is missing.*wire output 1/);
		refuses({ payload: "31.7" }, /msg\.payload is 31\.7 and no forecast/);
		refuses({ payload: "hello" }, /text and no JSON: "hello"; wire output 1/);
		refuses({ payload: [] }, /is \[\]/);
		refuses({ payload: body.values }, /no forecast; wire output 1/);
		refuses(
			{ payload: (body.daily as object[])[0] },
			/one daily row \(output 2\); wire output 1/,
		);
		refuses(
			{
				payload: {
					string_index: 0,
					power_kw: 5,
					daily: [],
					values: body.values,
				},
			},
			/one string \(output 3\); wire output 1/,
		);
		refuses(
			{ payload: { power_now_w: 1, days: [] } },
			/values of a solar-yield-now node/,
		);
		refuses({ payload: { daily: [] } }, /values is missing/);
		refuses({ payload: { ...body, values: [] } }, /values holds no rows/);
		refuses(
			{ payload: { ...body, values: [{ timestamp: "noon" }] } },
			/values\[0\]\.timestamp is "noon"/,
		);
		refuses({ payload: { ...body, timezone: "Mars" } }, /timezone is "Mars"/);
	});

	it("refuses facts that are none, by field and value", () => {
		const solar = (facts: unknown) => ({ payload: body, solar: facts });
		refuses(solar("x"), /msg\.solar is "x"/);
		refuses(solar({ interval: "middle" }), /msg\.solar\.interval is "middle"/);
		refuses(solar({ interval_minutes: 30 }), /interval_minutes is 30/);
		refuses(
			solar({ settled: [[1, null]] }),
			/msg\.solar\.settled\[0\]\[1\] is null/,
		);
		refuses(
			{ payload: { ...body, solar: { demo: "yes" } } },
			/msg\.payload\.solar\.demo is "yes"/,
		);
	});

	it("refuses another site than msg.siteId names", () => {
		refuses(
			{ payload: body, siteId: "site_b2" },
			/msg\.siteId is "site_b2".*of site "site_a1"/,
		);
		assert.equal(
			forecastFromInput({ payload: body, siteId: "site_a1" }).solar.site_id,
			"site_a1",
		);
		const { site_id: _none, ...nameless } = body;
		assert.equal(
			forecastFromInput({ payload: nameless, siteId: "mine" }).solar.site_id,
			"mine",
		);
	});
});

describe("the site that a node follows", () => {
	const solar = { site_id: "a" };

	it("is the first, until msg.siteId names another", () => {
		assert.equal(followSite(undefined, solar, undefined), "a");
		assert.equal(followSite("a", solar, undefined), "a");
		assert.throws(() => followSite("b", solar, undefined), {
			code: "SOLAR_YIELD_INPUT",
			message: /of site "a", but this node follows site "b"; .*msg\.siteId/,
		});
		assert.equal(followSite("b", solar, "a"), "a");
	});
});

describe("the beginning of a forecast node's topics", () => {
	it("is solar-yield unless the node says otherwise", () => {
		assert.equal(readTopicPrefix(undefined), "solar-yield");
		assert.equal(readTopicPrefix("  "), "solar-yield");
		assert.equal(readTopicPrefix(" home/roof "), "home/roof");
	});

	for (const topic of ["home/+/roof", "#"]) {
		it(`is refused where no broker would take it: ${topic}`, () => {
			assert.throws(() => readTopicPrefix(topic), {
				code: "SOLAR_YIELD_INPUT",
				message: /^topic is .*enter a topic without them$/,
			});
		});
	}
});

describe("facts and topics of messages without a forecast", () => {
	it("come from msg.solar, else from the topic", () => {
		assert.equal(
			factsFromInput({ solar: { site_id: "s" }, topic: "x/y/now" }).site_id,
			"s",
		);
		const demo = factsFromInput({ topic: "home/demo-s1/now" });
		assert.deepEqual([demo.site_id, demo.demo], ["s1", true]);
		assert.throws(() => factsFromInput({ topic: "now" }), {
			code: "SOLAR_YIELD_INPUT",
		});
	});

	it("topics keep the prefix of the message, name demo data, and hold no wildcard", () => {
		const site = { site_id: "a/b+#", demo: false };
		assert.equal(
			siteTopicOf("my/house/a_b__/forecast", site),
			"my/house/a_b__",
		);
		assert.equal(siteTopicOf("a/+/#/x/now", site), "a/_/_/a_b__");
		assert.equal(siteTopicOf(undefined, site), "solar-yield/a_b__");
		assert.equal(siteTopicOf("whatever", site), "solar-yield/a_b__");
		assert.equal(
			siteTopicOf("p/demo-s/now", { site_id: "s", demo: true }),
			"p/demo-s",
		);
		assert.deepEqual(siteOfTopic("p/demo-s/now"), { site_id: "s", demo: true });
		const button = siteOfTopic("solar-yield/b/refresh", ["refresh"]);
		assert.deepEqual(button, { site_id: "b", demo: false });
		assert.equal(siteOfTopic("solar-yield/b/refresh"), undefined);
	});
});

describe("values of a now node from a message", () => {
	const values = { power_now_w: 5, days: [], strings: [], energy_today_kwh: 1 };

	it("are told from everything else, and broken ones are refused by field", () => {
		assert.deepEqual(nowFromInput(values), values);
		for (const other of [body, undefined, null, 5, [], "x"]) {
			assert.equal(nowFromInput(other), undefined);
		}
		assert.throws(() => nowFromInput({ ...values, days: [null] }), {
			code: "SOLAR_YIELD_INPUT",
			message: /msg\.payload\.days\[0\] is null/,
		});
		assert.throws(() => nowFromInput({ ...values, strings: undefined }), {
			message: /msg\.payload\.strings is missing/,
		});
	});

	it("are not changed by what a flow does to the message afterwards", () => {
		const payload = {
			...values,
			days: [{ date: "2026-06-01", pv_energy_kwh: 1 }],
			strings: [{ string_id: "a", power_now_w: 1 }],
		};
		const sent = structuredClone(payload);
		const kept = nowFromInput(sent);
		sent.power_now_w = -1;
		for (const row of [...sent.days, ...sent.strings]) {
			Object.assign(row, { pv_energy_kwh: -1, power_now_w: -1 });
		}
		sent.days.pop();
		sent.strings.pop();
		assert.deepEqual(kept, payload);
	});
});

describe("a payload", () => {
	it("that is neither text nor bytes is handed on", () => {
		assert.equal(readPayload(5), 5);
		assert.equal(readPayload(undefined), undefined);
		assert.equal(readPayload("5"), 5);
	});
});
