import assert from "node:assert/strict";
import {
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { AccountFiles } from "../../../src/polling/storage/account-files";
import { textIn } from "../../../src/texts/texts";
import {
	DAY,
	HOUR,
	House,
	household,
	KEY,
	MINUTE,
	SITE,
	shortPlan,
} from "../../support/house";
import { temporaryFolder } from "../../support/temporary";

const START = "2026-06-01T10:05:00Z";

/** What becomes of a whole file, so that it holds nothing of use. */
const FILE_DAMAGES: [how: string, damage: (file: string) => void][] = [
	["is empty", (file) => truncateSync(file, 0)],
	["is cut short", (file) => truncateSync(file, 100)],
	[
		"has another byte than it was written with",
		(file) => {
			const bytes = readFileSync(file);
			bytes[0] = (bytes[0] ?? 0) ^ 1;
			writeFileSync(file, bytes);
		},
	],
	["holds anything", (file) => writeFileSync(file, "\0\u00ff{\n]")],
	[
		"is a folder",
		(file) => {
			rmSync(file);
			mkdirSync(join(file, "x"), { recursive: true });
		},
	],
];

function houses(plan = shortPlan(1)) {
	const folder = join(temporaryFolder("damage"), "solar-yield");
	const parts = household(START, plan);
	const reports: string[] = [];
	const open = () =>
		new House(
			parts.service.exchange,
			parts.clock,
			new AccountFiles(folder, "https://service.example", KEY, (text) =>
				reports.push(textIn(text)),
			),
		);
	const fileOf = (kind: string) =>
		join(
			folder,
			readdirSync(folder).find(
				(name) => name.startsWith(kind) && name.endsWith(".json"),
			) as string,
		);
	return { ...parts, folder, reports, open, fileOf };
}

describe("a damaged file", () => {
	for (const [how, damage] of FILE_DAMAGES) {
		for (const after of [MINUTE, 3 * HOUR]) {
			it(`of a forecast that ${how}: set aside, said once, and one request at once ${after / MINUTE} min after the last`, async () => {
				const { service, reports, open, fileOf } = houses();
				const first = open();
				await first.boot();
				await first.runFor(after);
				await first.hub.flush();
				first.kill();
				damage(fileOf("forecast"));
				const second = open();
				const listener = await second.boot();
				await second.runFor(MINUTE);
				assert.equal(service.forecasts.length, 2);
				assert.equal(listener.forecasts.length, 1);
				assert.equal(reports.length, 1);
				assert.match(reports[0] ?? "", /set aside as .*; /);
				second.kill();
				// And a start after that is as any other.
				const third = open();
				await third.boot();
				await third.runFor(HOUR);
				assert.equal(service.forecasts.length, 2);
				assert.equal(reports.length, 1);
				third.kill();
			});
		}
	}

	it("of a forecast costs none where the quota is used up", async () => {
		const { service, open, fileOf } = houses(
			shortPlan(24, { forecastRequests: 20 }),
		);
		const first = open();
		await first.boot(SITE, { reserve: 0 });
		service.simulator.spend(KEY, 1000);
		await first.runFor(2 * DAY);
		assert.equal(first.state().plan.reason, "exhausted");
		const before = service.forecasts.length;
		await first.hub.flush();
		first.kill();
		truncateSync(fileOf("forecast"), 0);
		const second = open();
		await second.boot(SITE, { reserve: 0 });
		await second.runFor(2 * DAY);
		assert.equal(service.forecasts.length, before);
		assert.equal(second.state().plan.reason, "exhausted");
		second.kill();
	});

	for (const [how, damage] of FILE_DAMAGES) {
		it(`of the account that ${how}: a stop by the month's limit is still known, after one free read`, async () => {
			const { service, reports, open, fileOf } = houses(
				shortPlan(24, { forecastRequests: 20 }),
			);
			const first = open();
			await first.boot(SITE, { reserve: 0 });
			service.simulator.spend(KEY, 1000);
			await first.runFor(2 * DAY);
			assert.equal(first.state().plan.reason, "exhausted");
			const before = service.forecasts.length;
			await first.hub.flush();
			first.kill();
			damage(fileOf("account"));
			const reads = service.reads.length;
			const second = open();
			const listener = await second.boot(SITE, { reserve: 0 });
			await second.runFor(HOUR);
			assert.equal(service.forecasts.length, before, "no request is tried");
			assert.equal(service.reads.length, reads + 1, "one free read");
			assert.equal(second.state().plan.reason, "exhausted");
			assert.equal(
				new Date(second.state().plan.at ?? 0).toISOString().slice(0, 10),
				"2026-07-01",
			);
			assert.equal(listener.forecasts.length, 1, "the stored forecast");
			assert.equal(reports.length, 1);
			await second.runTo("2026-07-01T02:00:00Z");
			assert.ok(service.forecasts.length > before);
			assert.equal(second.state().failure, null);
			second.kill();
		});
	}

	it("of the account: a refused key is looked at by one free read, and a short limit is kept", async () => {
		for (const [status, reason] of [
			[401, "key"],
			[429, "burst"],
		] as const) {
			const { service, clock, open, fileOf } = houses(shortPlan(24));
			const first = open();
			await first.boot();
			service.fault = async () => ({
				status,
				headers: {
					date: new Date(clock.time).toUTCString(),
					"retry-after": "7200",
				},
				body: "",
			});
			await first.runFor(HOUR);
			assert.equal(first.state().plan.reason, reason);
			const before = service.forecasts.length;
			await first.hub.flush();
			first.kill();
			truncateSync(fileOf("account"), 0);
			const reads = service.reads.length;
			const second = open();
			await second.boot();
			await second.runFor(20 * MINUTE);
			assert.equal(second.state().plan.reason, reason);
			assert.equal(service.forecasts.length, before, `${status}`);
			assert.ok(service.reads.length <= reads + 1, `${status}`);
			second.kill();
		}
	});
});

describe("a rename that is refused for a moment", () => {
	for (const code of ["EPERM", "EBUSY", "EACCES"]) {
		it(`by ${code} is tried again`, async () => {
			const promises = require("node:fs/promises");
			const real = promises.rename;
			let refused = 0;
			promises.rename = async (from: string, to: string) => {
				// Of each file the first two are refused.
				refused += 1;
				if (refused % 3 !== 0) {
					throw Object.assign(new Error(code), { code });
				}
				return real(from, to);
			};
			const { service, reports, open } = houses();
			try {
				const first = open();
				await first.boot();
				await first.hub.flush();
				first.kill();
				const second = open();
				const listener = await second.boot();
				assert.equal(listener.forecasts[0]?.cached, true);
				assert.equal(service.forecasts.length, 1);
				assert.deepEqual(reports, []);
				second.kill();
			} finally {
				promises.rename = real;
			}
		});
	}
});
