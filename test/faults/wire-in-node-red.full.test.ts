import assert from "node:assert/strict";
import { join } from "node:path";
import helper from "node-red-node-test-helper";
import { Flows, KEY, SITE } from "../support/flows";
import { HOUR } from "../support/house";
import { historyNode } from "../support/own-nodes";
import { type WireCase, wireCases } from "./cases/wire";
import { assertNoKey, filesText, shownText } from "./harness/leaks";
import { FaultProxy } from "./harness/proxy";
import { Bystander, isForecast } from "./harness/world";

/** Bytes that are well within every answer. */
const SIZE = 8 * 1024;

/** Of each kind the first that is refused, of the kinds that need no 30 s of waiting. */
const SAMPLE: ReadonlyMap<string, WireCase> = new Map(
	wireCases(SIZE)
		.filter(({ kind, heavy }) => !heavy && kind !== "stall" && kind !== "drip")
		.reverse()
		.sort((a, b) => Number(b.ends[0] === "fine") - Number(a.ends[0] === "fine"))
		.map((test) => [test.kind, test]),
);

describe("faults of the wire in a running Node-RED", () => {
	let flows: Flows;
	let proxy: FaultProxy;
	let bystander: Bystander;

	beforeEach(async () => {
		flows = new Flows("2026-06-10T09:01:00Z", "light");
		await flows.start();
		proxy = await FaultProxy.start(Number(new URL(flows.url).port));
		proxy.isFor = isForecast;
		bystander = new Bystander();
	});
	afterEach(async () => {
		await flows.stop();
		await proxy.close();
		bystander.stop();
	});

	for (const [kind, { name, ends, fault }] of SAMPLE) {
		it(`${kind} (${name}): ${ends.join(" or ")}, and all goes on`, async () => {
			await flows.load([
				flows.account({ baseUrl: proxy.url }),
				...flows.forecast("f", { include: ["default", "strings"] }),
				historyNode({ id: "history", wires: [["f-2"]] }),
				...Flows.catchNode,
			]);
			assert.equal(flows.of("f-1").length, 1, "a first forecast");
			const texts: string[] = [];
			const remember = () => {
				for (const list of flows.received.values()) {
					for (const msg of list) texts.push(shownText(msg));
				}
				texts.push(JSON.stringify(flows.status("f")));
				flows.clear();
			};
			remember();
			proxy.fault = fault;
			await flows.runFor(2 * HOUR);
			await flows.quiet();
			const [caught] = flows.of("caught");
			const ended = caught
				? caught.error.code.replace("SOLAR_YIELD_", "")
				: "fine";
			assert.ok(ends.includes(ended), `${ended}: ${caught?.error.message}`);
			assert.ok(flows.of("caught").length <= 1, "told once");
			if (caught) {
				assert.match(caught.error.message, /; /);
				assert.ok(caught.error.message.length < 900);
				assert.deepEqual(Object.keys(caught.error.cause).sort(), [
					"code",
					"detail",
					"retry_at",
					"status",
				]);
			}
			remember();
			await flows.input("f", {});
			const [msg] = flows.of("f-1");
			assert.ok(msg?.payload.values.length > 0, "a good forecast is kept");
			assert.equal(msg?.solar.site_id, SITE);
			remember();
			proxy.fault = undefined;
			for (const hours of [2, 24]) {
				if (flows.of("f-1").length === 0) await flows.runFor(hours * HOUR);
			}
			if (ended !== "QUOTA") {
				assert.ok(flows.of("f-1").length > 0, "forecasts arrive again");
			}
			remember();
			texts.push(shownText((helper.log() as any).args));
			assertNoKey(KEY, texts.join("\n"), "a message, a status or the log");
			assertNoKey(KEY, filesText(join(flows.userDir, "solar-yield")), "a file");
			assert.deepEqual(bystander.seen, []);
			assert.equal(({} as any).polluted, undefined);
		}).timeout(60_000);
	}
});
