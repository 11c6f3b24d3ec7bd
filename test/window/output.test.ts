import assert from "node:assert/strict";
import { forecastFromInput } from "../../src/messages/input/forecast-input";
import { Zone } from "../../src/util/zone";
import { windowFacts, windowRows } from "../../src/window/output";
import { windowForecast } from "../../src/window/state";
import { tick } from "../../src/window/transitions";
import { quartersOf, valueRows } from "../forecast/answers";
import { at, forecastOf, HOUR, inputsOf, QUARTER, state } from "./support";

const BERLIN = Zone.of("Europe/Berlin") as Zone;
const NOON = at("2026-06-20T12:00:00+02:00");
const power = (start: number) => {
	const hour = new Date(start + 2 * HOUR).getUTCHours();
	return hour === 12 ? 1500 : hour === 13 ? 3300 : hour === 14 ? 900 : 0;
};
const forecast = forecastOf(
	"Europe/Berlin",
	["2026-06-20", "2026-06-21"],
	power,
);

describe("what a window sends", () => {
	const settings = { hours: 2, loadW: 2000, baseLoadW: 300 };
	const prices = Array.from({ length: 24 }, (_, hour) => ({
		start: NOON + (hour - 12) * HOUR,
		end: NOON + (hour - 11) * HOUR,
		price: 0.3,
	}));
	const { output } = tick(
		state({ prices, feedIn: 0.1 }),
		inputsOf(forecast, settings),
		NOON,
	);

	it("is its own time, the next one's, and what the sun gives", () => {
		// 1.2 kW and 2 of 3 kW are left over for an appliance of 2 kW.
		assert.deepEqual(windowFacts(output, BERLIN, "on until 14:00"), {
			on: true,
			start: "2026-06-20T12:00:00+02:00",
			end: "2026-06-20T14:00:00+02:00",
			next_start: "2026-06-21T12:00:00+02:00",
			next_end: "2026-06-21T14:00:00+02:00",
			energy_kwh: 3.2,
			solar_share: 0.8,
			power_w: 2000,
			reason: "on until 14:00",
		});
	});

	it("is a row per window, unknown figures null", () => {
		assert.deepEqual(windowRows(output, BERLIN), [
			{
				start: "2026-06-20T12:00:00+02:00",
				end: "2026-06-20T14:00:00+02:00",
				energy_kwh: 3.2,
				mean_w: 2100,
				solar_share: 0.8,
				// 3.2 kWh at 0.1 that feeding in would bring, 0.8 at 0.3.
				cost: 0.56,
			},
			{
				start: "2026-06-21T12:00:00+02:00",
				end: "2026-06-21T14:00:00+02:00",
				energy_kwh: 3.2,
				mean_w: 2100,
				solar_share: 0.8,
				cost: null,
			},
		]);
	});

	it("leaves share and cost open where the appliance's power is not known", () => {
		const [row] = windowRows(
			tick(state({ prices }), inputsOf(forecast, { hours: 2 }), NOON).output,
			BERLIN,
		);
		assert.equal(row?.energy_kwh, 4.8);
		assert.deepEqual([row?.solar_share, row?.cost], [null, null]);
	});

	it("is of the next window while none has begun, and null where none is known", () => {
		const before = tick(
			state(),
			inputsOf(forecast, settings),
			NOON - HOUR,
		).output;
		const waiting = windowFacts(before, BERLIN, "next 12:00");
		assert.deepEqual(
			[waiting.on, waiting.start, waiting.next_start, waiting.energy_kwh],
			[false, null, "2026-06-20T12:00:00+02:00", 3.2],
		);
		const none = tick(state(), inputsOf(null, settings), NOON).output;
		assert.deepEqual(windowFacts(none, BERLIN, "no forecast"), {
			on: false,
			start: null,
			end: null,
			next_start: null,
			next_end: null,
			energy_kwh: null,
			solar_share: null,
			power_w: 0,
			reason: "no forecast",
		});
	});

	it("carries the offset of each time over the end of summer time", () => {
		const zone = "Europe/Berlin";
		const night = forecastOf(zone, ["2026-10-24", "2026-10-26"], (start) =>
			start >= at("2026-10-25T00:00:00Z") && start < at("2026-10-25T02:00:00Z")
				? 500
				: 0,
		);
		const [row] = windowRows(
			tick(
				state(),
				inputsOf(night, { hours: 2 }),
				at("2026-10-25T00:00:00+02:00"),
			).output,
			BERLIN,
		);
		assert.deepEqual(
			[row?.start, row?.end],
			["2026-10-25T02:00:00+02:00", "2026-10-25T03:00:00+01:00"],
		);
	});
});

describe("a forecast from a message", () => {
	const payload = {
		site_id: "site_barn",
		timezone: "Europe/Berlin",
		computed_at: "2026-06-20T06:00:00+02:00",
		values: valueRows(
			"Europe/Berlin",
			quartersOf("Europe/Berlin", "2026-06-20"),
			"local",
			power,
		),
		daily: [{ date: "2026-06-20", pv_energy_kwh: 5.7 }],
	};

	it("is what windows need of it", () => {
		const input = forecastFromInput({ payload: JSON.stringify(payload) });
		const given = windowForecast({ ...input, base: "roof/site_barn" }, NOON);
		assert.deepEqual(given.site, {
			id: "site_barn",
			topic: "roof/site_barn",
			zone: "Europe/Berlin",
		});
		assert.equal(given.at, at("2026-06-20T06:00:00+02:00"));
		const { output } = tick(state(), inputsOf(given, { hours: 2 }), NOON);
		assert.deepEqual(
			[output.current?.start, output.current?.end],
			[NOON, NOON + 8 * QUARTER],
		);
	});

	it("without a time of its own is as old as it was received", () => {
		const { computed_at: _, ...bare } = payload;
		const input = forecastFromInput({
			payload: bare,
			solar: { site_id: "site_barn", fetched_at: "2026-06-20T05:00:00Z" },
		});
		const given = windowForecast({ ...input, base: "pv/site_barn" }, NOON);
		assert.equal(given.at, at("2026-06-20T05:00:00Z"));
	});
});
