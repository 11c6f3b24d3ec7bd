import assert from "node:assert/strict";
import helper from "node-red-node-test-helper";
import { Flows } from "../support/flows";

describe("two accounts on one key in Node-RED", () => {
	let flows: Flows;
	const { load } = helper;

	beforeEach(async () => {
		flows = new Flows("2026-06-10T09:01:00Z");
		await flows.start();
		// The key of the one is the other's as well.
		(helper as any).load = (
			nodes: unknown,
			flow: unknown,
			credentials: { acc?: object },
			done: unknown,
		) =>
			(load as any).call(
				helper,
				nodes,
				flow,
				{ ...credentials, other: credentials.acc },
				done,
			);
	});
	afterEach(async () => {
		helper.load = load;
		await flows.stop();
	});

	it("give each node what its own account takes stamps to mean, with one request", async () => {
		await flows.load([
			flows.account(),
			flows.account({ id: "other", interval: "start" }),
			...flows.forecast("one"),
			...flows.forecast("two", { account: "other" }),
		]);
		await flows.input("one");
		await flows.input("two");
		assert.equal(flows.forecastRequests, 1);
		const [one, two] = ["one-1", "two-1"].map((id) => flows.of(id));
		assert.equal(one?.length, 2);
		assert.equal(two?.length, 2);
		for (const { solar, payload } of one ?? []) {
			assert.equal(solar.interval, "end");
			assert.equal(payload.solar.interval, "end");
		}
		for (const { solar, payload } of two ?? []) {
			assert.equal(solar.interval, "start");
			assert.equal(payload.solar.interval, "start");
		}
		// Of which day the row of midnight is depends on what stamps mean.
		const firsts = [one, two].map(
			(messages) => messages?.[0]?.payload.values[0].timestamp,
		);
		assert.deepEqual(firsts, [
			"2026-06-10T00:15:00+02:00",
			"2026-06-10T00:00:00+02:00",
		]);
	});
});
