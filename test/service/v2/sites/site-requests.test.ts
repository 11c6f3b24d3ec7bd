import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { SolarYieldError } from "../../../../src/service/errors/solar-yield-error";
import type {
	Exchange,
	WireAnswer,
} from "../../../../src/service/http/exchange";
import { HOUSE, SiteWorld } from "./support";

const failing = (
	kind: "TIMEOUT" | "NETWORK",
	detail: string | null = null,
): Exchange => {
	return async () => {
		throw new SolarYieldError(kind, "Nothing came; do this", {}, { detail });
	};
};

async function errorOf(work: Promise<unknown>): Promise<SolarYieldError> {
	const [result] = await Promise.allSettled([work]);
	assert.equal(result?.status, "rejected");
	const { reason } = result as PromiseRejectedResult;
	assert.ok(reason instanceof SolarYieldError, String(reason));
	return reason;
}

const paths = ({ writes }: SiteWorld) =>
	writes.map(({ method, path }) => `${method} ${path}`);

describe("client: changes of sites", () => {
	it("restores by the path of the description first, by the other on 404 or 405, and remembers which worked", async () => {
		for (const status of [404, 405]) {
			const it = new SiteWorld({ restorePrefix: "/v2/sites" });
			const wire = it.simulator.exchange("key-of-the-test");
			it.fault = async (request) => {
				const answer = await wire(request);
				return request.path.startsWith("/sites/")
					? { ...answer, status }
					: answer;
			};
			await it.client.deleteSite(HOUSE);
			await it.client.restoreSite(HOUSE);
			await it.client.deleteSite(HOUSE);
			await it.client.restoreSite(HOUSE);
			assert.deepEqual(paths(it), [
				"DELETE /v2/sites/site_house",
				"POST /sites/site_house/restore",
				"POST /v2/sites/site_house/restore",
				"DELETE /v2/sites/site_house",
				"POST /v2/sites/site_house/restore",
			]);
		}
		const it = new SiteWorld();
		await it.client.deleteSite(HOUSE);
		await it.client.restoreSite(HOUSE);
		assert.deepEqual(paths(it), [
			"DELETE /v2/sites/site_house",
			"POST /sites/site_house/restore",
		]);
	});

	it("asks no other path when the service refuses a restore", async () => {
		const it = new SiteWorld();
		const error = await errorOf(it.client.restoreSite(HOUSE));
		assert.equal(error.kind, "INPUT");
		assert.match(error.message, /neither temporary nor pending deletion/);
		assert.equal(it.writes.length, 1);
	});

	it("does not repeat a change without an answer, and says that it may have happened", async () => {
		const changes: ((it: SiteWorld) => Promise<unknown>)[] = [
			({ client }) => client.updateSite(HOUSE, { name: "x" }),
			({ client }) => client.deleteSite(HOUSE),
			({ client }) => client.restoreSite(HOUSE),
		];
		for (const change of changes) {
			for (const [fault, kind] of [
				[failing("TIMEOUT"), "TIMEOUT"],
				[failing("NETWORK", "ECONNRESET"), "NETWORK"],
				[
					async () =>
						({ status: 502, headers: {}, body: "" }) satisfies WireAnswer,
					"SERVICE",
				],
			] as const) {
				const it = new SiteWorld();
				it.fault = fault;
				const error = await errorOf(change(it));
				assert.equal(error.kind, kind);
				assert.match(error.message, /may have been made.*not repeated.*look/);
				assert.equal(it.sent.length, 1);
			}
			const it = new SiteWorld();
			it.fault = failing("NETWORK", "ECONNREFUSED");
			const error = await errorOf(change(it));
			assert.equal(error.message, "Nothing came; do this");
		}
	});

	it("says that a change was made when only reading it back fails", async () => {
		const it = new SiteWorld({ emptyWriteBodies: true });
		const wire = it.simulator.exchange("key-of-the-test");
		it.fault = (request) =>
			request.method === "GET" ? failing("TIMEOUT")(request) : wire(request);
		const error = await errorOf(it.client.updateSite(HOUSE, { name: "x" }));
		assert.equal(error.kind, "TIMEOUT");
		assert.match(error.message, /^The change was made.*do not repeat it/);
		assert.equal(error.cause.status, null);
		assert.equal(it.record()?.name, "x");
	});

	it("reads the site where the answer is no whole record", async () => {
		for (const body of [
			'{"status":"ok"}',
			'{"id":"site_house"}',
			"[]",
			"OK",
			'{"id":"site_house","strings":null}',
		]) {
			const it = new SiteWorld();
			const wire = it.simulator.exchange("key-of-the-test");
			it.fault = async (request) => {
				const answer = await wire(request);
				return request.method === "GET" ? answer : { ...answer, body };
			};
			const site = await it.client.updateSite(HOUSE, { name: "x" });
			assert.deepEqual(site.record, it.record());
			const deleted = await it.client.deleteSite(HOUSE);
			assert.equal(deleted.state, "deleted");
			assert.deepEqual(deleted.record, it.record());
		}
	});

	it("finds a created site in a list that leaves the strings out", async () => {
		const it = new SiteWorld({ emptyWriteBodies: true });
		const wire = it.simulator.exchange("key-of-the-test");
		it.fault = async (request) => {
			const answer = await wire(request);
			if (request.path !== "/v2/sites/") return answer;
			const list = JSON.parse(answer.body).map(
				({ strings: _strings, ...rest }: any) => rest,
			);
			return { ...answer, body: JSON.stringify(list) };
		};
		const site = await it.client.createSite({ latitude: 47, longitude: 8 });
		assert.notEqual(site.site_id, HOUSE);
		assert.equal(site.strings.length, 1);
		assert.deepEqual(site.record, it.record(site.site_id));
	});

	it("does not guess which of several new sites is the one created", async () => {
		const it = new SiteWorld({ emptyWriteBodies: true });
		const wire = it.simulator.exchange("key-of-the-test");
		const body = { latitude: 47, longitude: 8 };
		it.fault = async (request) => {
			if (request.method === "POST") await wire(request);
			return wire(request);
		};
		const error = await errorOf(it.client.createSite(body));
		assert.equal(error.kind, "RESPONSE");
		assert.match(error.message, /^The change was made.*2 new ones/);
	});

	it("names the 30-day rule on a refused change of location, whatever its status", async () => {
		for (const status of [400, 403, 409, 422, 429]) {
			const it = new SiteWorld();
			it.fault = async () => ({ status, headers: {}, body: "no" });
			const error = await errorOf(
				it.client.updateSite(HOUSE, { longitude: 8 }),
			);
			assert.match(error.message, /only once in 30 days$/);
			assert.equal(error.cause.status, status);
			const other = await errorOf(it.client.updateSite(HOUSE, { name: "x" }));
			assert.ok(!other.message.includes("30 days"));
		}
	});
});
