import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	truncateSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hub } from "../../../src/polling/hub";
import { newAccountMemory } from "../../../src/polling/memory/memory";
import { siteSource } from "../../../src/polling/source/source";
import type { StoredAnswer } from "../../../src/polling/storage/account-files";
import { AccountFiles } from "../../../src/polling/storage/account-files";
import { textIn } from "../../../src/texts/texts";
import { fastClock } from "../../support/fast-clock";
import {
	DAY,
	dice,
	HOUR,
	House,
	household,
	KEY,
	Listener,
	MINUTE,
	PLACES,
	SITE,
	shortPlan,
} from "../../support/house";
import { PLANS } from "../../support/service/plans";
import { startSimulatorServer } from "../../support/service/server";
import { Simulator, type SiteSeed } from "../../support/service/simulator";

const URL = "https://service.example";

const answer = (key = SITE, answeredAt = 1): StoredAnswer => ({
	head: {
		key,
		system: null,
		answeredAt,
		computedAt: 1,
		nextPollAt: 2,
		pastDays: 0,
		include: ["all"],
		siteZone: "Europe/Berlin",
		settled: [[0, 1.5]],
	},
	body: JSON.stringify({ values: [], text: "ä → 日本", lines: "a\nb" }),
});

/** A file that says of itself that it holds more than can be read. */
function putTerabyte(file: string): void {
	writeFileSync(file, "");
	truncateSync(file, 2 ** 40);
}

function memory(own = 3) {
	const account = newAccountMemory();
	return { ...account, own: { ...account.own, forecast: own } };
}

describe("the store", () => {
	let folder: string;
	const made: string[] = [];
	beforeEach(() => {
		folder = join(mkdtempSync(join(tmpdir(), "solar-yield-store-")), "inner");
		made.push(folder);
	});
	after(() => {
		for (const each of made) {
			rmSync(join(each, ".."), { recursive: true, force: true });
		}
	});
	const files = () => (existsSync(folder) ? readdirSync(folder).sort() : []);
	const open = (
		reports: string[] = [],
		{ url = URL, key = KEY }: { url?: string; key?: string } = {},
	) => new AccountFiles(folder, url, key, (text) => reports.push(textIn(text)));

	it("keeps a forecast packed: at most a seventh of its bytes", async () => {
		const { service } = household("2026-06-10T09:00:00Z", PLANS.light, {
			thin: false,
		});
		const { body } = await service.exchange({
			method: "GET",
			path: `/v2/forecast/${SITE}`,
			query: [["include", "all"]],
		});
		const store = open();
		await store.answerStore(SITE).save({ ...answer(), body });
		const file = files().find((name) => name.startsWith("forecast-"));
		const { size } = statSync(join(folder, file as string));
		assert.ok(size * 7 <= body.length, `${size} of ${body.length} bytes`);
		assert.equal((await open().answerStore(SITE).load())?.body, body);
	});

	it("writes nothing again that is there unchanged, and all of it where it is not", async () => {
		const store = open();
		const save = async (own: number) => {
			await store.accountStore.save(memory(own));
			const [file] = files().filter((name) => name.startsWith("account-"));
			// A whole write makes another file of the name.
			return { file: join(folder, file as string), ...stat(file as string) };
		};
		const stat = (name: string) => {
			const { ino, mtimeMs } = statSync(join(folder, name));
			return { ino, mtimeMs };
		};
		const first = await save(1);
		assert.deepEqual(await save(1), first);
		const second = await save(2);
		assert.notDeepEqual(second, first);
		rmSync(second.file);
		await save(2);
		assert.equal((await open().accountStore.load())?.own.forecast, 2);
		writeFileSync(second.file, "damaged");
		await save(2);
		assert.equal((await open().accountStore.load())?.own.forecast, 2);
	});

	it("keeps the newest of writes that overtake each other, and none is left over", async () => {
		const store = open();
		assert.equal(await store.accountStore.load(), undefined);
		for (let index = 0; index < 50; index += 1) {
			void store.accountStore.save(memory(index));
			void store.answerStore(SITE).save(answer(SITE, index));
		}
		await store.idle();
		assert.equal((await open().accountStore.load())?.own.forecast, 49);
		assert.equal((await open().answerStore(SITE).load())?.head.answeredAt, 49);
		assert.equal(files().length, 2);
	});

	it("keeps its names when the folder is removed while it runs", async () => {
		const store = open();
		await store.accountStore.load();
		await store.answerStore(SITE).save(answer());
		rmSync(folder, { recursive: true });
		await store.accountStore.save(memory(5));
		await store.answerStore(SITE).save(answer());
		assert.equal(files().length, 2);
		assert.equal((await open().accountStore.load())?.own.forecast, 5);
		assert.deepEqual(await open().answerStore(SITE).load(), answer());
	});

	it("holds neither the key nor its plain hash in names or contents", async () => {
		const store = open();
		await store.accountStore.save(memory());
		await store.answerStore(SITE).save(answer());
		await store.lock();
		for (const name of files()) {
			const text = name + readFileSync(join(folder, name), "utf8");
			assert.ok(!text.includes(KEY));
			assert.ok(!text.includes(KEY.slice(0, 8)));
			assert.ok(!text.includes("service.example"));
			const { mode } = statSync(join(folder, name));
			assert.equal(mode & 0o077, 0, "nobody else reads it");
		}
		await store.unlock();
	});

	it("gives another base URL, key or site nothing of this one", async () => {
		await open().accountStore.save(memory());
		await open().answerStore(SITE).save(answer());
		const others = [
			{ url: `${URL}/v3` },
			{ url: `${URL}\n`, key: KEY },
			{ key: `${KEY}1` },
			{ key: "" },
		];
		for (const other of others) {
			assert.equal(await open([], other).accountStore.load(), undefined);
			assert.equal(await open([], other).answerStore(SITE).load(), undefined);
		}
		for (const key of ["site-2", "Site-1", "", "../site-1", "__proto__"]) {
			assert.equal(await open().answerStore(key).load(), undefined);
		}
		assert.ok(await open().accountStore.load());
	});

	it("keeps sites with strange names inside its folder", async () => {
		const store = open();
		for (const key of ["../../etc", "a/b", "a\u0000b", "ü".repeat(300)]) {
			await store.answerStore(key).save(answer(key));
			assert.equal((await open().answerStore(key).load())?.head.key, key);
		}
		assert.equal(readdirSync(join(folder, "..")).length, 1);
	});

	it("sets a damaged file aside once, and says so once", async () => {
		const random = dice(11);
		const damages: [string, (whole: Buffer) => Buffer][] = [
			["empty", () => Buffer.alloc(0)],
			["zeros", (whole) => Buffer.alloc(whole.length)],
			["half", (whole) => whole.subarray(0, whole.length / 2)],
			["all but one", (whole) => whole.subarray(0, whole.length - 1)],
			["head only", (whole) => whole.subarray(0, whole.indexOf("\n"))],
			["no body", (whole) => whole.subarray(0, whole.indexOf("\n") + 1)],
			["twice", (whole) => Buffer.concat([whole, whole])],
			["garbage", () => Buffer.from([0xff, 0xfe, 0, 1, 2, 3])],
			["other JSON", () => Buffer.from("[1, 2]\n{}")],
			["null", () => Buffer.from("null\nnull")],
			[
				"a digit",
				(whole) => Buffer.from(whole.toString().replace("→ 日本", "→ 日木")),
			],
			...Array.from(
				{ length: 20 },
				(_, index): [string, (whole: Buffer) => Buffer] => [
					`cut ${index}`,
					(whole) => whole.subarray(0, random() * whole.length),
				],
			),
		];
		for (const [what, damage] of damages) {
			for (const kind of ["account", "forecast"] as const) {
				const store = open();
				await store.accountStore.save(memory());
				await store.answerStore(SITE).save(answer());
				const name = files().find(
					(each) => each.startsWith(kind) && each.endsWith(".json"),
				);
				const file = join(folder, name ?? "");
				const whole = readFileSync(file);
				const damaged = damage(whole);
				if (damaged.equals(whole)) continue;
				if (kind === "account" && what === "no body") continue;
				if (kind === "account" && what === "a digit") continue;
				writeFileSync(file, damaged);
				const reports: string[] = [];
				const next = open(reports);
				const account = await next.accountStore.load();
				const kept = await next.answerStore(SITE).load();
				assert.equal(account === undefined, kind === "account", what);
				assert.equal(kept === undefined, kind === "forecast", what);
				assert.equal(reports.length, 1, what);
				assert.match(reports[0] ?? "", /set aside/);
				assert.ok(!reports[0]?.includes(KEY));
				assert.ok(readFileSync(`${file}.damaged`).equals(damaged));
				assert.ok(!existsSync(file));
				await open(reports).accountStore.load();
				await open(reports).answerStore(SITE).load();
				assert.equal(reports.length, 1);
			}
		}
		assert.ok(files().length <= 4);
	});

	it("says once that its folder cannot be used, and does not fail", async () => {
		// A file where the folder should be: even root cannot write there.
		mkdirSync(join(folder, ".."), { recursive: true });
		writeFileSync(folder, "in the way");
		const reports: string[] = [];
		const store = open(reports);
		assert.equal(await store.accountStore.load(), undefined);
		for (let times = 0; times < 5; times += 1) {
			await store.accountStore.save(memory());
			await store.answerStore(SITE).save(answer());
			// Memory has to do.
			assert.deepEqual(await store.answerStore(SITE).load(), answer());
			assert.equal(await store.lock(), true);
			await store.unlock();
			assert.equal(await store.accountStore.isChanged(), false);
		}
		assert.equal(reports.length, 1);
		assert.match(reports[0] ?? "", /cannot be used/);
		rmSync(folder);
		await store.accountStore.save(memory(4));
		await store.answerStore(SITE).save(answer());
		assert.equal((await store.answerStore(SITE).load())?.head.key, SITE);
		assert.equal(reports.length, 1);
		assert.equal((await open().answerStore(SITE).load())?.head.key, SITE);
	});

	it("does not repeat itself when one file alone cannot be written", async () => {
		const reports: string[] = [];
		const store = open(reports);
		await store.answerStore(SITE).save(answer());
		const name = files().find((each) => each.startsWith("forecast-")) ?? "";
		rmSync(join(folder, name));
		mkdirSync(join(folder, name, "in-the-way"), { recursive: true });
		for (let times = 0; times < 5; times += 1) {
			await store.answerStore(SITE).save(answer());
			await store.accountStore.save(memory());
			await store.answerStore(SITE).load();
		}
		assert.ok(reports.length <= 2, reports.join("\n"));
		assert.equal(files().filter((each) => each.endsWith(".tmp")).length, 0);
	});

	it("sweeps up what killed writers left, and nothing of living ones", async () => {
		await open().accountStore.save(memory());
		const leave = (name: string, age = 0) => {
			writeFileSync(join(folder, name), "half");
			const then = new Date(Date.now() - age);
			utimesSync(join(folder, name), then, then);
		};
		// No process has this number.
		leave("account-x.json.99999999.1.tmp");
		// An earlier process had ours, as in a container.
		leave(`forecast-x.json.${process.pid}.1.tmp`, DAY);
		leave(`forecast-y.json.${process.pid}.1.tmp`);
		// The parent lives; what it left an hour ago it has given up.
		leave(`account-y.json.${process.ppid}.2.tmp`);
		leave(`account-z.json.${process.ppid}.2.tmp`, 2 * HOUR);
		leave("notes.tmp", DAY);
		await open().accountStore.load();
		assert.deepEqual(
			files().filter((name) => name.endsWith(".tmp")),
			[
				`account-y.json.${process.ppid}.2.tmp`,
				`forecast-y.json.${process.pid}.1.tmp`,
				"notes.tmp",
			].sort(),
		);
	});

	it("notices what another process wrote, and not what itself did", async () => {
		const one = open();
		const other = open();
		await one.accountStore.load();
		await other.accountStore.load();
		assert.equal(await one.accountStore.isChanged(), false);
		await one.accountStore.save(memory(1));
		assert.equal(await one.accountStore.isChanged(), false);
		assert.equal(await other.accountStore.isChanged(), true);
		await other.accountStore.load();
		assert.equal(await other.accountStore.isChanged(), false);
		await other.accountStore.save(memory(2));
		assert.equal(await other.accountStore.isChanged(), false);
		assert.equal(await one.accountStore.isChanged(), true);
	});

	it("lets one claim at a time, and none for ever", async () => {
		const one = open();
		const other = open();
		assert.equal(await one.lock(), true);
		assert.equal(await other.lock(), false);
		const another = open([], { key: "another" });
		assert.equal(await another.lock(), true);
		await another.unlock();
		await one.unlock();
		assert.equal(await other.lock(), true);
		const mine = files().filter((name) => name.endsWith(".lock"));
		await other.unlock();
		assert.equal(mine.length, 1);
		const file = join(folder, mine[0] ?? "");
		for (const [content, age, free] of [
			["99999999", 0, true],
			// It may be about to be written.
			["", 0, false],
			["", HOUR, true],
			["garbage", HOUR, true],
			[String(process.pid), 0, true],
			[String(process.ppid), 0, false],
			[String(process.ppid), HOUR, true],
			// Made before a clock was put right.
			[String(process.ppid), -HOUR, true],
		] as const) {
			writeFileSync(file, content);
			const then = new Date(Date.now() - age);
			utimesSync(file, then, then);
			assert.equal(await one.lock(), free, content);
			if (free) await one.unlock();
			rmSync(file, { force: true });
		}
	});

	it("waits for no claim for ever that cannot be read", async () => {
		const store = open();
		assert.equal(await store.lock(), true);
		await store.unlock();
		await store.accountStore.save(memory());
		const name = files().find((each) => each.startsWith("account-")) ?? "";
		const file = join(folder, name.replace(/json$/, "lock"));
		const longAgo = new Date(Date.now() - HOUR);
		for (const put of [mkdirSync, putTerabyte]) {
			put(file);
			assert.equal(await store.lock(), false);
			utimesSync(file, longAgo, longAgo);
			assert.equal(await store.lock(), true);
			await store.unlock();
		}
	});

	for (const kind of ["account", "forecast"]) {
		for (const [what, put] of [
			["a folder", (file: string) => mkdirSync(file)],
			["a pipe", (file: string) => execFileSync("mkfifo", [file])],
			["a file of a terabyte", putTerabyte],
		] as const) {
			it(`sets ${what} in the place of ${kind} aside, and says so once`, async () => {
				await open().accountStore.save(memory());
				await open().answerStore(SITE).save(answer());
				const name = files().find((each) => each.startsWith(kind)) ?? "";
				rmSync(join(folder, name));
				put(join(folder, name));
				const reports: string[] = [];
				const store = open(reports);
				await store.accountStore.load();
				await store.answerStore(SITE).load();
				assert.equal(reports.length, 1, reports.join("\n"));
				await store.accountStore.save(memory(8));
				await store.answerStore(SITE).save(answer());
				assert.equal((await open().accountStore.load())?.own.forecast, 8);
				assert.deepEqual(await open().answerStore(SITE).load(), answer());
			});
		}
	}

	it("gives a whole forecast or none after its process was killed, however often", async function () {
		this.timeout(60_000);
		const random = dice(5);
		const keys = Array.from({ length: 4 }, (_, index) => `key-${index}`);
		let kills = 0;
		for (let round = 0; round < 2; round += 1) {
			const children = keys.map((key) =>
				childProcess("saving-process", [folder, key]),
			);
			await Promise.all(
				children.map(async (child) => {
					await once(child, "message");
					await new Promise((done) => setTimeout(done, random() * 120));
					child.kill("SIGKILL");
					await once(child, "exit");
					kills += 1;
				}),
			);
			for (const key of keys) {
				const reports: string[] = [];
				const store = open(reports, { url: "http://127.0.0.1", key });
				const account = await store.accountStore.load();
				const kept = await store.answerStore(SITE).load();
				assert.deepEqual(reports, []);
				assert.ok((account?.own.forecast ?? 0) >= 1);
				const { count, padding } = JSON.parse(kept?.body ?? "{}");
				assert.equal(count, kept?.head.answeredAt);
				assert.equal(padding, String(Number(count) % 10).repeat(1_500_000));
				assert.equal(await store.lock(), true);
				await store.unlock();
			}
			// What a killed writer left is swept up at the next start.
			const whole = files().filter((name) => !name.endsWith(".tmp"));
			assert.equal(whole.length, 2 * keys.length, whole.join(" "));
		}
		assert.equal(kills, 8);
	});
});

function childProcess(name: string, parameters: string[]): ChildProcess {
	return fork(require.resolve(`../../support/${name}`), parameters, {
		execArgv: ["--require", "tsx/cjs"],
	});
}

describe("two hubs on one folder", () => {
	it("use each other's answers", async () => {
		const folder = mkdtempSync(join(tmpdir(), "solar-yield-two-"));
		const { clock, service } = household(
			"2026-06-01T10:05:00Z",
			shortPlan(24, { pastDays: 3 }),
		);
		service.addSite("site-2");
		const houses = [1, 2].map(
			() =>
				new House(service.exchange, clock, new AccountFiles(folder, URL, KEY)),
		) as [House, House];
		const settle = async () => {
			for (const house of houses) await house.settle();
			for (const house of houses) await house.settle();
		};
		const listeners: Listener[] = [];
		for (const house of houses) {
			await house.account();
			listeners.push(house.listen(SITE), house.listen("site-2"));
		}
		await Promise.all(houses.map((house) => house.hub.start()));
		await settle();
		await clock.runTo(clock.time + 12 * HOUR + MINUTE, settle);
		assert.equal(service.forecasts.length, 2 * 13);
		for (const { forecasts } of listeners) {
			assert.equal(forecasts.length, 13);
			for (const { at, state } of forecasts.slice(1)) {
				const late = at - (state.forecast.computed_at as number);
				assert.ok(late < MINUTE);
			}
		}
		// What one learns of more days, the other has at its next poll.
		await houses[0].ask(SITE, { pastDays: 3 });
		await clock.runTo(clock.time + HOUR, settle);
		assert.equal(service.forecasts.length, 2 * 14 + 1);
		for (const house of houses) {
			assert.equal(house.state().head?.pastDays, 3);
			assert.equal(house.state().own, 2 * 14 + 1);
		}
		rmSync(folder, { recursive: true });
	});

	it("do so in two processes, of which one is killed again and again", async function () {
		this.timeout(60_000);
		const folder = mkdtempSync(join(tmpdir(), "solar-yield-two-"));
		const begin = Date.now();
		const clock = fastClock(begin);
		const simulator = new Simulator({ now: clock.now });
		simulator.addAccount({ apiKey: KEY, plan: shortPlan(96) });
		simulator.addSite(KEY, {
			id: SITE,
			name: SITE,
			...PLACES["Europe/Berlin"],
			strings: [{ slope: 30, orientation: 180, power_kw: 10 }],
		} as SiteSeed);
		const server = await startSimulatorServer(simulator);
		const heard: { pid: number; computedAt: number }[] = [];
		const texts: string[] = [];
		const start = () => {
			const child = childProcess("polling-process", [
				folder,
				server.url,
				String(begin),
			]);
			child.on("message", (message: { text?: string; computedAt?: number }) => {
				const { text, computedAt } = message;
				if (text !== undefined) texts.push(text);
				if (computedAt !== undefined) {
					heard.push({ pid: child.pid ?? 0, computedAt });
				}
			});
			return child;
		};
		const from = async (child: ChildProcess, count: number) => {
			while (heard.filter(({ pid }) => pid === child.pid).length < count) {
				await new Promise((done) => setTimeout(done, 10));
			}
		};
		const steady = start();
		await from(steady, 1);
		let kills = 0;
		for (; kills < 3; kills += 1) {
			const victim = start();
			await from(victim, 2);
			victim.kill("SIGKILL");
			await once(victim, "exit");
		}
		const before = heard.length;
		await from(steady, before);
		steady.kill("SIGKILL");
		await once(steady, "exit");
		await server.close();
		assert.deepEqual(texts, []);
		const asked = simulator.requests.filter(({ path }) =>
			path.startsWith("/v2/forecast/"),
		).length;
		const received = new Set(heard.map(({ computedAt }) => computedAt)).size;
		assert.ok(received >= 4);
		// One killed with its request under way has had none of it.
		assert.ok(asked <= received + kills + 1, `${asked} for ${received}`);
		rmSync(folder, { recursive: true });
	});
});

describe("a hub on a folder that cannot be written", () => {
	it("works on memory, and says so once", async () => {
		const parent = mkdtempSync(join(tmpdir(), "solar-yield-full-"));
		const folder = join(parent, "file");
		writeFileSync(folder, "");
		const reports: string[] = [];
		const { clock, service } = household("2026-06-01T10:05:00Z", shortPlan(24));
		const store = new AccountFiles(folder, URL, KEY, (text) =>
			reports.push(textIn(text)),
		);
		const hub = new Hub(service.exchange, store, clock);
		const listener = new Listener(() => clock.time);
		await hub.setAccount("account", {
			budget: null,
			reserve: null,
			interval: "end",
			fingerprint: "a",
		});
		const stop = hub.subscribe(siteSource(SITE), listener);
		await hub.start();
		await clock.runTo(clock.time + 5 * HOUR, () => hub.idle());
		assert.equal(service.forecasts.length, 6);
		assert.equal(listener.forecasts.length, 6);
		assert.equal(reports.length, 1);
		stop();
		assert.equal(clock.timers, 0);
		rmSync(parent, { recursive: true });
	});
});
