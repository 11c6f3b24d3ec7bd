import assert from "node:assert/strict";
import {
	cpSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { AccountFiles } from "../../../src/polling/storage/account-files";
import { textIn } from "../../../src/texts/texts";
import {
	HOUR,
	House,
	household,
	MINUTE,
	SITE,
	shortPlan,
} from "../../support/house";
import {
	DAMAGES,
	DISK_CALLS,
	DISK_ERRORS,
	type DiskCall,
	FILE_DAMAGES,
} from "../cases/disk";
import { inMemory } from "./folder";
import { assertNoKey, filesText } from "./leaks";
import type { Attempt } from "./table";
import { Bystander, KEY } from "./world";

const START = "2026-06-01T10:05:00Z";
const promises = require("node:fs/promises") as Record<string, any>;

/** Lets a call of the file system fail until told otherwise. */
function failing(call: DiskCall, code: string): () => void {
	const error = () =>
		Object.assign(new Error(`${code}: told to fail`), { code, errno: -1 });
	const [first, inner] = call.split(".") as [string, string?];
	const name = inner ? "open" : first;
	const real = promises[name];
	promises[name] = inner
		? async (...parameters: unknown[]) => {
				const handle = await real(...parameters);
				const method = handle[inner].bind(handle);
				handle[inner] = async (content: unknown) => {
					// A full disk takes what still fits.
					if (inner === "writeFile") {
						await method(String(content).slice(0, 100));
					}
					throw error();
				};
				return handle;
			}
		: async () => {
				throw error();
			};
	return () => {
		promises[name] = real;
	};
}

/** A house on a folder of the disk, and the service it asks. */
function houseOn(folder: string) {
	const { clock, service } = household(START, shortPlan(24));
	const reports: string[] = [];
	const open = () =>
		new House(
			service.exchange,
			clock,
			new AccountFiles(folder, "http://service.test", KEY, (text) =>
				reports.push(textIn(text)),
			),
		);
	return { clock, service, reports, open };
}

async function bootOf(house: House) {
	await house.account();
	const listener = house.listen(SITE);
	await house.start();
	return listener;
}

/** Polls on a disk that fails, starts again on it, and goes on when it is mended. */
async function survivesDisk(
	folder: string,
	begin: () => () => void,
): Promise<void> {
	const bystander = new Bystander();
	const { service, reports, open } = houseOn(folder);
	let mend = begin();
	try {
		const first = open();
		const listener = await bootOf(first);
		await first.runFor(2 * HOUR);
		assert.equal(service.forecasts.length, 3, "polls as ever");
		assert.equal(listener.forecasts.length, 3);
		assert.ok(reports.length <= 2, `said ${reports.length} times`);
		for (const text of reports) assert.match(text, /; /);
		first.kill();
		const second = open();
		await bootOf(second);
		assert.ok(second.state().forecast, "a forecast after a start");
		assert.ok(service.forecasts.length <= 4, "at most one request for it");
		mend();
		mend = () => {};
		const before = service.forecasts.length;
		await second.runFor(2 * HOUR);
		assert.equal(service.forecasts.length, before + 2);
		second.kill();
		const third = open();
		const again = await bootOf(third);
		assert.equal(
			service.forecasts.length,
			before + 2,
			"kept on the mended disk",
		);
		assert.equal(again.forecasts[0]?.cached, true);
		third.kill();
		assertNoKey(KEY, filesText(folder) + reports.join(), "a file");
	} finally {
		mend();
		bystander.stop();
	}
	assert.deepEqual(bystander.seen, []);
}

const newFolder = () =>
	join(mkdtempSync(join(inMemory, "solar-yield-disk-")), "solar-yield");
const removed = async (folder: string, work: () => Promise<void>) => {
	try {
		await work();
	} finally {
		rmSync(join(folder, ".."), { recursive: true, force: true });
	}
};

/** Each call that a store makes, refused in each way. */
export function* diskErrors(): Generator<Attempt> {
	for (const call of DISK_CALLS) {
		for (const code of DISK_ERRORS) {
			yield {
				kind: "disk refuses",
				name: `${call}: ${code}`,
				run: () => {
					const folder = newFolder();
					return removed(folder, () =>
						survivesDisk(folder, () => failing(call, code)),
					);
				},
			};
		}
	}
}

/** Each byte of each file, damaged in each way: a start on it, and the polls after. */
export async function* damagedBytes(): AsyncGenerator<Attempt> {
	const good = newFolder();
	const { open, clock } = houseOn(good);
	const house = open();
	await bootOf(house);
	await house.runFor(2 * HOUR);
	await house.hub.flush();
	house.kill();
	const names = readdirSync(good).filter((name) => !name.endsWith(".lock"));
	const time = clock.time;
	for (const name of names) {
		const [kind] = name.split("-");
		for (const [how, damage] of FILE_DAMAGES) {
			yield {
				kind: `lost ${kind}`,
				name: how,
				run: async () => {
					const folder = newFolder();
					await removed(folder, async () => {
						cpSync(good, folder, { recursive: true });
						damage(join(folder, name));
						await survivesDamage(folder, time);
					});
				},
			};
		}
	}
	for (const name of names) {
		const whole = readFileSync(join(good, name));
		const kind = `damaged ${name.split("-")[0]}`;
		for (let at = 0; at < whole.length; at += 1) {
			for (const [how, damage] of DAMAGES) {
				const bytes = damage(whole, at);
				if (bytes.equals(whole)) continue;
				// Of a forecast's file the digest tells; a whole start is the same each time.
				const isStart = !name.startsWith("forecast") || at % 64 === 0;
				yield {
					kind,
					name: `byte ${at}: ${how}`,
					run: async () => {
						const folder = newFolder();
						await removed(folder, async () => {
							cpSync(good, folder, { recursive: true });
							writeFileSync(join(folder, name), bytes);
							if (isStart) await survivesDamage(folder, time);
							else await noticesDamage(folder);
						});
					},
				};
			}
		}
	}
	rmSync(join(good, ".."), { recursive: true, force: true });
}

/** A damaged forecast is set aside and said so: what is left is whole or not there. */
async function noticesDamage(folder: string): Promise<void> {
	const reports: string[] = [];
	const store = new AccountFiles(folder, "http://service.test", KEY, (text) =>
		reports.push(textIn(text)),
	);
	assert.ok(await store.accountStore.load(), "the account is still known");
	assert.equal(await store.answerStore(SITE).load(), undefined);
	assert.equal(reports.length, 1);
	assert.match(reports[0] ?? "", /set aside/);
}

async function survivesDamage(folder: string, time: number): Promise<void> {
	const bystander = new Bystander();
	const { service, reports, open, clock } = houseOn(folder);
	await clock.runTo(time, async () => {});
	const house = open();
	try {
		const listener = await bootOf(house);
		assert.ok(
			service.forecasts.length <= 1,
			"at most one request at the start",
		);
		await house.runFor(MINUTE);
		// What was lost is asked for at once, what was not is sent again.
		assert.equal(listener.forecasts.length, 1, "a forecast at the start");
		assert.equal(listener.forecasts[0]?.cached, service.forecasts.length === 0);
		assert.ok(reports.length <= 1, reports.join("\n"));
		await house.runFor(2 * HOUR);
		// A damaged time may put the next request off, but not for ever.
		if (service.forecasts.length < 2) await house.runFor(25 * HOUR);
		assert.ok(service.forecasts.length >= 1, "polls go on");
		assert.ok(listener.forecasts.length >= 1, "a forecast arrives");
		assert.ok(house.state().forecast);
		const hours = (clock.time - time) / HOUR;
		assert.ok(
			service.forecasts.length <= hours + 2,
			`${service.forecasts.length} requests`,
		);
		assert.deepEqual(house.reports, []);
	} finally {
		house.kill();
		bystander.stop();
	}
	assert.deepEqual(bystander.seen, []);
}
