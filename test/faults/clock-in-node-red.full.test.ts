import assert from "node:assert/strict";
import { join } from "node:path";
import { until } from "../support/broker";
import { NodeRed } from "../support/node-red-process";
import { earlyInHour, settableClock } from "../support/shifted-clock";
import { DAY } from "../support/time";
import {
	account,
	collectedSuite,
	forecast,
	remove,
	startService,
	TAB,
	userDirectory,
	writeFlows,
} from "./harness/nodes";

describe("the clock of a Node-RED", () => {
	const { collector, undo } = collectedSuite();

	for (const [what, error] of [
		["begins in 1970", 2 * 3_600_000 - Date.now()],
		["begins a year ahead", 365 * DAY],
	] as const) {
		it(`${what} and is set: the offset is said, nothing is of another year, and values of now come at once`, async () => {
			const truth = earlyInHour();
			const { server, forecasts } = await startService(
				"plus",
				undefined,
				{},
				truth.now,
			);
			undo.push(() => server.close());
			const userDir = userDirectory();
			undo.push(() => remove(userDir));
			const clock = settableClock(join(userDir, "shift"), truth.shift + error);
			const red = new NodeRed(userDir, { ...clock.env });
			undo.push(() => red.stop());
			const got = collector.nodes("forecast", "tab");
			const now = collector.nodes("now", "tab");
			const status = collector.nodes("status", "tab");
			writeFlows(userDir, [
				TAB,
				account(server.url),
				forecast("f", [got.entry, "n"]),
				{
					id: "n",
					type: "solar-yield-now",
					z: "tab",
					name: "",
					every: "5",
					wires: [[now.entry]],
				},
				{
					id: "s",
					type: "status",
					z: "tab",
					name: "",
					scope: ["f"],
					wires: [[status.entry]],
				},
				{
					id: "again",
					type: "inject",
					z: "tab",
					props: [],
					wires: [["f"]],
				},
				...got.nodes,
				...now.nodes,
				...status.nodes,
			]);
			await red.start();
			const [first] = await collector.wait("forecast");
			const said = Math.round(-error / 1000);
			assert.ok(
				Math.abs(first?.solar.clock_offset_s - said) <= 5,
				`${first?.solar.clock_offset_s} s`,
			);
			assert.match(red.log, /This machine's clock is \d+ min .*NTP/);
			const [wrong] = await collector.wait("now");
			assert.equal(wrong?.payload.power_now_w, null);
			// The clock is set, as NTP does it, without a word to the process.
			collector.clear();
			clock.set(truth.shift);
			const [right] = await collector.wait("now");
			assert.equal(typeof right?.payload.power_now_w, "number");
			await red.inject("again");
			const [again] = await collector.wait("forecast");
			assert.equal(again?.solar.clock_offset_s, null);
			const year = new Date(truth.now()).getUTCFullYear();
			const next = Date.parse(again?.solar.next_request_at);
			assert.ok(
				Math.abs(next - truth.now()) < 2 * DAY,
				again?.solar.next_request_at,
			);
			await until("a status without an offset", () =>
				collector
					.of("status")
					.some((msg) => !/clock/.test(msg.status?.text ?? "clock")),
			);
			for (const { status: shown } of collector.of("status")) {
				assert.doesNotMatch(
					JSON.stringify(shown),
					new RegExp(`20(?!${String(year).slice(2)})\\d\\d-`),
				);
			}
			assert.equal(forecasts(), 1);
			assert.equal(
				red.log.match(/This machine's clock is/g)?.length,
				1,
				"said once",
			);
		}).timeout(90_000);
	}
});
