import assert from "node:assert/strict";
import { SolarYieldClient } from "../../src/service/client";
import { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import type { Exchange, WireRequest } from "../../src/service/http/exchange";
import { createExactly } from "../../src/v1/create-site";
import { Simulator } from "../support/service/simulator";
import type { Variants } from "../support/service/variants";

const KEY = "key-of-a-test";
const BODY = {
	name: "Roof",
	latitude: 48.1,
	longitude: 11.5,
	strings: [
		{ slope: 30, orientation: 180, power_kw: 10, gcr: 0.4 },
		{ slope: 30, orientation: 180, power_kw: 10 },
		{ slope: 20, orientation: 90, power_kw: 2.5 },
	],
	config: { losses: { cable: 0.02 } },
};

function service(variants: Partial<Variants> = {}) {
	const simulator = new Simulator({
		now: () => Date.parse("2026-11-27T12:00:00Z"),
		variants,
	});
	simulator.addAccount({ apiKey: KEY });
	simulator.addSite(KEY, { name: "Before", latitude: 1, longitude: 2 });
	const exchange = simulator.exchange(KEY);
	return { simulator, exchange, client: new SolarYieldClient(exchange) };
}

/** An exchange that does something else for one kind of request. */
const but =
	(
		exchange: Exchange,
		method: WireRequest["method"],
		otherwise: Exchange,
	): Exchange =>
	(request, signal) =>
		(request.method === method ? otherwise : exchange)(request, signal);

const unanswered =
	(kind: "TIMEOUT" | "NETWORK", detail?: string): Exchange =>
	async () => {
		throw new SolarYieldError(
			kind,
			"No answer; nothing needs to be done",
			{},
			{ detail: detail ?? null },
		);
	};

describe("creating a site", () => {
	for (const variants of [
		{},
		{ emptyWriteBodies: true },
		{ defaultStringAlways: true },
		{
			defaultStringAlways: true,
			emptyWriteBodies: true,
			idField: "site_id",
			listShape: "items",
		},
	] as const) {
		it(`gives the site asked for, and no other string, with ${JSON.stringify(variants)}`, async () => {
			const { client } = service(variants);
			const { site, removed } = await createExactly(client, BODY);
			assert.equal(removed, "defaultStringAlways" in variants ? 1 : 0);
			const stored = await client.site(site.site_id);
			assert.deepEqual(site.strings, stored.strings);
			const { record } = stored;
			assert.equal(record.name, "Roof");
			assert.deepEqual(
				(record.strings as any[]).map(
					({ slope, orientation, power_kw, gcr }) => [
						slope,
						orientation,
						power_kw,
						gcr,
					],
				),
				[
					[30, 180, 10, 0.4],
					[30, 180, 10, null],
					[20, 90, 2.5, null],
				],
			);
			assert.equal((record.config as any).losses.cable, 0.02);
			assert.equal((await client.sites()).length, 2);
		});
	}

	it("takes an answer of other words for success and finds the site in the list", async () => {
		const { exchange } = service();
		const client = new SolarYieldClient(
			but(exchange, "POST", async (request) => ({
				...(await exchange(request)),
				body: "created",
			})),
		);
		assert.equal((await client.createSite(BODY)).name, "Roof");
	});

	it("does not guess when several sites are new", async () => {
		const { exchange } = service();
		const client = new SolarYieldClient(
			but(exchange, "POST", async (request) => {
				await exchange(request);
				return { ...(await exchange(request)), body: "" };
			}),
		);
		await assert.rejects(
			client.createSite(BODY),
			/the list holds 2 new ones; do not repeat it/,
		);
	});

	it("says that it may have happened when no answer came, and never repeats it", async () => {
		for (const [lost, mayHave] of [
			[unanswered("TIMEOUT"), true],
			[unanswered("NETWORK", "ECONNRESET"), true],
			[unanswered("NETWORK", "ECONNREFUSED"), false],
		] as const) {
			const { exchange } = service();
			let sent = 0;
			const client = new SolarYieldClient(
				but(exchange, "POST", (request) => {
					sent += 1;
					return lost(request);
				}),
			);
			await assert.rejects(client.createSite(BODY), (error: Error) => {
				assert.equal(
					/; the change may have been made all the same/.test(error.message),
					mayHave,
				);
				return true;
			});
			assert.equal(sent, 1);
		}
	});

	it("names the created site when what follows fails", async () => {
		const { exchange } = service({ defaultStringAlways: true });
		const client = new SolarYieldClient(
			but(exchange, "PATCH", unanswered("NETWORK", "ECONNREFUSED")),
		);
		await assert.rejects(createExactly(client, BODY), (error: Error) => {
			assert.match(
				error.message,
				/was created all the same, as site_\w+: look/,
			);
			return true;
		});
	});

	it("hands on the plan's refusal", async () => {
		const { simulator, client } = service();
		simulator.setPlan(KEY, "free");
		await assert.rejects(createExactly(client, BODY), {
			code: "SOLAR_YIELD_PLAN",
		});
	});
});
