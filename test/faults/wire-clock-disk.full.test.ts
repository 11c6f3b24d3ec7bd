import assert from "node:assert/strict";
import { isLong } from "../support/long";
import { attemptsOf, PART_NAMES } from "./harness/suite";
import { Table } from "./harness/table";

describe("faults of wire, clock and disk", () => {
	for (const part of PART_NAMES) {
		it(`${part}: all that is tried is survived`, async () => {
			const table = new Table();
			for await (const attempt of attemptsOf(part)) await table.try(attempt);
			assert.deepEqual(table.losses, []);
			assert.ok(table.tried > 0);
		}).timeout(isLong ? 3_600_000 : 120_000);
	}
});
