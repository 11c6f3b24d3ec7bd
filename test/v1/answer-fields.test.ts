import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { requestV1 } from "../../src/v1/requests";
import { normaliseV1Rows } from "../../src/v1/rows";
import { callFields } from "../faults/harness/fields";
import { Table } from "../faults/harness/table";
import { isLong } from "../support/long";

const RECORDED = join(
	__dirname,
	"../fixtures/recorded-v1-forecast-2026-03-18.json",
);
/** Of so many wrong fields the quick form tries one. */
const EVERY = 19;

describe("answers of V1", () => {
	it("with any field wrong in any way are rows or an error of ours", async () => {
		const table = new Table();
		let count = 0;
		const body = readFileSync(RECORDED, "utf8");
		for await (const attempt of callFields(
			{
				"a V1 forecast": async (client) =>
					normaliseV1Rows(await requestV1(client, "forecast", [])),
			},
			() => ({ status: 200, headers: {}, body }),
		)) {
			if (isLong || count % EVERY === 0) await table.try(attempt);
			count += 1;
		}
		assert.deepEqual(table.losses, []);
		assert.ok(table.tried > 20, String(table.tried));
	}).timeout(120_000);
});
