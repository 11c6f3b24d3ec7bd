import assert from "node:assert/strict";
import { isLong } from "../support/long";
import { type Attempt, callFields, forecastFields } from "./harness/fields";

/** What is tried, and of how many the quick form takes one. */
const PARTS: [
	part: string,
	attempts: () => AsyncIterable<Attempt> | Iterable<Attempt>,
	every: number,
][] = [
	["other answers", callFields, 131],
	["a forecast", forecastFields, 251],
];

describe("a campaign of faults", () => {
	for (const [part, attempts, every] of PARTS) {
		it(`of ${part}: all that is tried is survived`, async () => {
			const kinds = new Set<string>();
			const losses: string[] = [];
			let count = 0;
			for await (const { kind, name, heavy = false, run } of attempts()) {
				// Each kind has at least its first; of fields alone there are thousands.
				const isDue =
					!kinds.has(kind) || !/^fields/.test(kind) || count++ % every === 0;
				if (!isLong && (heavy || !isDue)) continue;
				kinds.add(kind);
				await run().catch((error) =>
					losses.push(`${kind}: ${name}: ${String(error).slice(0, 500)}`),
				);
			}
			assert.deepEqual(losses, []);
			assert.ok(kinds.size > 0);
		}).timeout(isLong ? 3_600_000 : 120_000);
	}
});
