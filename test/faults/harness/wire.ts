import assert from "node:assert/strict";
import type { ForecastSnapshot } from "../../../src/polling/source/snapshots";
import { textIn } from "../../../src/texts/texts";
import { HOUR } from "../../support/house";
import type { WireCase } from "../cases/wire-case";
import {
	Bystander,
	collect,
	consume,
	memoryOf,
	mostRequests,
	World,
} from "./world";

/** What one answer may add to the memory of the process, bytes: many times the 32 MB it may weigh. */
const MOST_MEMORY = 900 * 1024 * 1024;

/**
 * A house with a good forecast, some hours of one fault, and what must hold then:
 * the right code, the forecast kept, few requests, the key nowhere, and polling
 * as before once it is over.
 */
export async function survivesWire(
	{ ends, fault, kind }: WireCase,
	hours: number,
): Promise<void> {
	const bystander = new Bystander();
	const world = await World.start();
	try {
		const kept = world.state.forecast;
		world.spoil(fault);
		// What hangs need not last 30 s in a test.
		if (kind === "stall" || kind === "drip") world.timeoutMs = 120;
		const memory = await memoryOf(() => world.house.runFor(hours * HOUR));
		const { forecast, failure } = world.state;
		const { listener, asked } = world;
		assert.ok(forecast, "the last good forecast is kept");
		assert.ok(forecast.values.rows.length > 0);
		const ended = listener.failures[0]?.kind ?? failure?.kind ?? "fine";
		assert.ok(
			ends.includes(ended),
			`ended in ${ended}: ${listener.failures[0]?.message ?? textIn(failure?.text ?? { key: "" })}`.slice(
				0,
				300,
			),
		);
		if (ended !== "fine") {
			assert.equal(forecast, kept, "the last good forecast stays in use");
			assert.ok(listener.failures.length <= 1, "told once");
			for (const { message, code, cause } of listener.failures) {
				assert.match(message, /; /);
				assert.ok(
					message.length < 900,
					`a message of ${message.length} characters`,
				);
				assert.equal(cause.code, code);
			}
		}
		assert.ok(asked.length >= 1, "it was asked");
		const most = mostRequests(ended, hours) * (fault.hops ?? 1);
		assert.ok(
			asked.length <= most,
			`${asked.length} requests in ${hours} h, at most ${most}`,
		);
		assert.ok(memory < MOST_MEMORY, `${Math.round(memory / 1e6)} MB more`);
		assert.ok(
			({} as any).polluted === undefined,
			"Object.prototype is as it was",
		);
		const text = consume(world.state as ForecastSnapshot);
		world.assertNoKey([text]);
		world.timeoutMs = 10_000;
		await world.heal();
		world.assertNoKey();
		assert.equal(world.proxy.open, 0, "no connection is left open");
		const { reports } = world.house;
		// A Date that is off is an offset of this machine's clock, as far as anybody can tell.
		const others = reports.filter(
			(it) => !/clock is|count of the month's requests cannot be read/.test(it),
		);
		assert.deepEqual(others, []);
		assert.equal(new Set(reports).size, reports.length, "said once");
	} finally {
		await world.close();
		bystander.stop();
		if (kind === "nesting" || kind === "packing") collect();
	}
	assert.deepEqual(bystander.seen, []);
}
