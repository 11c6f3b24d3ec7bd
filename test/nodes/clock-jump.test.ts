import assert from "node:assert/strict";
import helper from "node-red-node-test-helper";
import { openBattery } from "../../nodes/battery/node";
import { openExport } from "../../nodes/export/node";
import { openNow } from "../../nodes/now/node";
import { openWindow } from "../../nodes/window/node";
import {
	HOUR_MS as HOUR,
	MINUTE_MS as MINUTE,
	SECOND_MS as SECOND,
} from "../../src/util/time";
import { makeForecast } from "../export/forecasts";
import { Flows } from "../support/flows";
import { batteryNode, windowNode } from "../support/own-nodes";
import { THREE_DAYS } from "./three-days";

type Message = Record<string, any>;

const IDS = ["now", "export", "battery", "window"] as const;

describe("the host's clock is set while Node-RED runs", () => {
	let flows: Flows;

	beforeEach(async () => {
		flows = new Flows("2026-06-10T06:02:00Z");
		flows.onClock("solar-yield-now", openNow);
		flows.onClock("solar-yield-export", openExport);
		flows.onClock("solar-yield-battery", openBattery as never);
		flows.onClock("solar-yield-window", openWindow);
		// What the window node has begun is on disk before its switch is told.
		const { settle } = flows;
		flows.settle = async () => {
			await settle();
			await (helper.getNode("window") as any)?.solarYield?.idle();
			await settle();
		};
		await flows.start();
		const more = (type: string) => ({
			id: type,
			type: `solar-yield-${type}`,
			z: "tab",
			name: "",
			wires: [[`${type}-out`]],
		});
		await flows.load([
			{ ...more("now"), every: "15" },
			{ ...more("export"), format: "home-assistant" },
			batteryNode({ id: "battery", wires: [["battery-out"]] }),
			windowNode({ id: "window", wires: [["window-out"], ["plan"]] }),
			...IDS.map((id) => ({ id: `${id}-out`, type: "helper", z: "tab" })),
			{ id: "plan", type: "helper", z: "tab" },
			...Flows.catchNode,
		]);
		const { body, solar } = makeForecast(THREE_DAYS);
		const computed_at = "2026-06-10T06:00:00Z";
		const facts = { ...solar, computed_at };
		for (const id of IDS) {
			await flows.input(id, {
				topic: `pv/${solar.site_id}/forecast`,
				payload: { ...body, computed_at, solar: facts },
				solar: facts,
			});
		}
		await flows.input("battery", { soc: 40 });
	});
	afterEach(() => flows.stop());

	const sent = (id: string) => flows.of(`${id}-out`);
	/** What each node that sends on the clock has sent within two seconds of a jump. */
	const jumpTo = async (wallError: number) => {
		flows.clear();
		flows.clock.wallError = wallError;
		await flows.runFor(2 * SECOND);
		await flows.quiet();
		return Object.fromEntries(IDS.map((id) => [id, sent(id).length]));
	};

	it("forward: what sends on the clock does so at once", async () => {
		const { payload } = flows.of("plan").at(-1) as Message;
		const start = Date.parse(payload[0].start);
		const counts = await jumpTo(start + 5 * MINUTE - flows.clock.time);
		assert.ok(
			Object.values(counts).every((count) => count >= 1),
			JSON.stringify(counts),
		);
		assert.equal(sent("window")[0]?.payload, true);
		// The state of charge is hours old by that clock.
		assert.equal(sent("battery")[0]?.payload.now.mode, "release");
		const state = sent("export").at(-1)?.payload as Message;
		assert.ok(
			Math.abs(Date.parse(state.sent_at) - flows.clock.now()) < MINUTE,
			state.sent_at,
		);
		assert.deepEqual(flows.of("caught"), []);
	});

	it("back, after a state of charge that came while it was ahead: that is no fresher for it", async () => {
		await jumpTo(24 * HOUR);
		await flows.input("battery", { soc: 55 });
		assert.notEqual(sent("battery").at(-1)?.payload.now.mode, "release");
		const { now, export: exported } = await jumpTo(0);
		assert.ok(now && exported);
		// As old as it is: 30 min, or as long as its last plan foresaw no change of it.
		await flows.runFor(45 * MINUTE);
		await flows.quiet();
		assert.equal(sent("battery").at(-1)?.payload.now.mode, "release");
		const count = sent("battery").length;
		await flows.runFor(22 * HOUR);
		await flows.quiet();
		assert.equal(sent("battery").length, count, "silent until another comes");
	});
});
