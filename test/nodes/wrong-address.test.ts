import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { HOUR_MS as HOUR } from "../../src/util/time";
import { Flows } from "../support/flows";
import { historyNode, siteNode } from "../support/own-nodes";

type Write = (response: ServerResponse) => void;

const writes =
	(status: number, type: string, body: string): Write =>
	(response) => {
		response.writeHead(status, { "content-type": type });
		response.end(body);
	};

const page = writes(200, "text/html", "<title>Shop</title>");

describe("a base URL that leads to another server", () => {
	let flows: Flows;

	beforeEach(async () => {
		flows = new Flows("2026-06-10T09:01:00Z");
		await flows.start();
	});
	afterEach(() => flows.stop());

	const isAddress = () => {
		const shown = flows.status("f");
		assert.match(shown?.text ?? "", /status\.setup\.address$/);
		assert.deepEqual([shown?.fill, shown?.shape], ["red", "dot"]);
	};

	it("is said at once, and until it has answered well", async () => {
		flows.fault = (_request, response) => page(response);
		await flows.load([
			flows.account(),
			...flows.forecast("f"),
			...Flows.catchNode,
		]);
		const message =
			"This address is not the Solar Yield Service (it answers with a web page); check the base URL";
		isAddress();
		assert.deepEqual(
			flows.of("caught").map(({ error }) => error.message),
			[message],
		);
		await flows.runFor(24 * HOUR);
		isAddress();
		assert.equal(flows.of("caught").length, 1, "told once");
		await flows.input("f", {});
		assert.equal(flows.of("caught").at(-1)?.error.message, message);

		// From then on it is the service that has a fault.
		flows.fault = undefined;
		await flows.runFor(2 * HOUR);
		await flows.quiet();
		assert.ok(flows.of("f-1").length > 0);
		assert.equal(flows.status("f")?.fill, "green");
		flows.fault = (_request, response) => page(response);
		flows.clear();
		await flows.runFor(6 * HOUR);
		assert.doesNotMatch(flows.status("f")?.text ?? "", /setup/);
		for (const { error } of flows.of("caught")) {
			assert.doesNotMatch(error.message, /This address/);
		}
	});

	it("shows in the nodes that ask for a message", async () => {
		flows.fault = (_request, response) => page(response);
		await flows.load([
			flows.account(),
			historyNode({ id: "h" }),
			siteNode({ id: "s", operation: "list" }),
			...Flows.catchNode,
		]);
		for (const id of ["h", "s"]) {
			const { error } = await flows.call(id);
			assert.match(
				error?.message,
				/^This address is not .*; check the base URL$/,
			);
			assert.match(flows.status(id)?.text, /status\.setup\.address$/);
			assert.equal(flows.status(id)?.shape, "dot");
		}
	});
});
