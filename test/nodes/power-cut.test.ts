import assert from "node:assert/strict";
import {
	cpSync,
	existsSync,
	readdirSync,
	readFileSync,
	renameSync,
	statSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import promises, { type FileHandle } from "node:fs/promises";
import { basename, join } from "node:path";
import helper from "node-red-node-test-helper";
import { openBattery } from "../../nodes/battery/node";
import { openExport } from "../../nodes/export/node";
import { openLearn } from "../../nodes/learn/node";
import { openNow } from "../../nodes/now/node";
import { openWindow } from "../../nodes/window/node";
import { AccountFiles } from "../../src/polling/storage/account-files";
import { textIn } from "../../src/texts/texts";
import { isMissing } from "../../src/util/disk/atomic-file";
import { withDigest } from "../../src/util/disk/store";
import { HOUR_MS, MINUTE_MS } from "../../src/util/time";
import { FakeClock } from "../support/fake-clock";
import { Flows, KEY, SITE } from "../support/flows";
import { House, PLACES } from "../support/house";
import {
	batteryNode,
	historyNode,
	learnNode,
	windowNode,
} from "../support/own-nodes";
import { Simulator } from "../support/service/simulator";
import { temporaryFolder } from "../support/temporary";

/** A process id that no system gives: what has it was killed. */
const NO_PROCESS = 2 ** 30;

const isTemporary = (name: string) => /\.(tmp|lock)$/.test(name);

/** What the disk holds when the power goes at one call of the file system. */
interface Cut {
	/** The house's time, epoch ms. */
	readonly at: number;
	readonly userDir: string;
	/** Tells apart what the files hold that are whole. */
	readonly state: string;
}

/** How much of a file is on the disk when the power goes while it is written. */
const PARTS: readonly ((length: number) => number)[] = [
	() => 0,
	() => 1,
	(length) => length >> 1,
	(length) => length - 1,
	(length) => length,
];

/** Copies our folder before and after each call that changes it, and within each write. */
class FailingPower {
	readonly cuts: Cut[] = [];
	readonly #folder: string;
	readonly #now: () => number;
	#opening = 0;
	readonly #real = (({ open, writeFile, rename, link, unlink }) => ({
		open,
		writeFile,
		rename,
		link,
		unlink,
	}))(promises);

	constructor(userDir: string, now: () => number) {
		this.#folder = join(userDir, "solar-yield");
		this.#now = now;
	}

	start(): void {
		const { open, writeFile, rename, link, unlink } = this.#real;
		promises.open = async (path, flags, mode) => {
			this.#opening += 1;
			const handle = await open(path, flags, mode).finally(() => {
				this.#opening -= 1;
			});
			if (flags !== "w") return handle;
			const write = handle.writeFile.bind(handle);
			handle.writeFile = ((content: string | Buffer) => {
				this.#cutWithin(String(path), content);
				return write(content);
			}) as FileHandle["writeFile"];
			return handle;
		};
		promises.writeFile = (async (path: string, content: string, ...rest) => {
			this.#cutWithin(path, content);
			await writeFile(path, content, ...rest);
		}) as typeof writeFile;
		const around =
			<Paths extends unknown[]>(call: (...paths: Paths) => Promise<void>) =>
			async (...paths: Paths) => {
				this.#cut();
				await call(...paths);
				this.#cut();
			};
		promises.rename = around(rename) as typeof rename;
		promises.link = around(link);
		promises.unlink = around(unlink);
	}

	/** Waits until nothing is being written: the disk does not wait for the house's clock. */
	async idle(): Promise<void> {
		for (let calm = 0; calm < 2; calm += 1) {
			await new Promise((done) => setTimeout(done, 5));
			const isWriting = readdirSync(this.#folder).some(isTemporary);
			if (isWriting || this.#opening > 0) calm = -1;
		}
	}

	stop(): void {
		Object.assign(promises, this.#real);
	}

	#cutWithin(path: string, content: string | Buffer): void {
		const bytes = Buffer.from(content);
		for (const part of PARTS) {
			this.#cut((copy) =>
				writeFileSync(
					join(copy, basename(path)),
					bytes.subarray(0, part(bytes.length)),
				),
			);
		}
	}

	#cut(spoil: (copy: string) => void = () => {}): void {
		if (!existsSync(this.#folder)) return;
		const { userDir, state } = this.#copyFolder();
		const copy = join(userDir, "solar-yield");
		spoil(copy);
		for (const name of readdirSync(copy)) {
			const dead = name.replace(`.${process.pid}.`, `.${NO_PROCESS}.`);
			if (name.endsWith(".tmp")) renameSync(join(copy, name), join(copy, dead));
		}
		this.cuts.push({ at: this.#now(), userDir, state });
	}

	/** Another thread may rename a file between a look at the folder and the copy: looks again. */
	#copyFolder(): { userDir: string; state: string } {
		for (let left = 100; ; left -= 1) {
			const userDir = temporaryFolder("cut");
			try {
				const state = readdirSync(this.#folder)
					.filter((name) => !isTemporary(name))
					.map((name) => statSync(join(this.#folder, name)).ino)
					.join();
				cpSync(this.#folder, join(userDir, "solar-yield"), { recursive: true });
				return { userDir, state };
			} catch (error) {
				if (!isMissing(error) || left === 0) throw error;
			}
		}
	}
}

describe("a power cut at any write", () => {
	// Until after the site's midnight, when what was read of a day moves to another file.
	const flows = new Flows("2026-06-10T18:00:00Z", "light");
	const power = new FailingPower(flows.userDir, () => flows.clock.time);
	const midnight = Date.parse("2026-06-10T22:00:00Z");

	before(async () => {
		for (const [type, open] of Object.entries({
			now: openNow,
			export: openExport,
			learn: openLearn,
			battery: openBattery,
			window: openWindow,
		})) {
			flows.onClock(`solar-yield-${type}`, open);
		}
		await flows.start();
		power.start();
		const house = [
			flows.account(),
			...flows.forecast("fc", {
				wires: [["learn", "bat", "win", "ha", "fc-1"], [], []],
			}),
			learnNode({ wires: [[], []] }),
			batteryNode({ strategy: "price" }),
			windowNode(),
			{
				id: "ha",
				type: "solar-yield-export",
				z: "tab",
				name: "",
				format: "home-assistant",
				wires: [[]],
			},
			historyNode({
				period: "",
				startDate: "2026-06-08",
				endDate: "2026-06-08",
			}),
		];
		await flows.load(house);
		await flows.input("hist");
		const prices = Array.from({ length: 24 }, (_, hour) => ({
			start: new Date(flows.clock.time + hour * HOUR_MS).toISOString(),
			price: 0.2 + hour / 100,
		}));
		await flows.input("bat", { prices, soc: 40 });
		const start = flows.clock.time;
		while (flows.clock.time < midnight + HOUR_MS) {
			await flows.runFor(5 * MINUTE_MS);
			const minutes = (flows.clock.time - start) / MINUTE_MS;
			await flows.input("learn", { power_w: 1000 + minutes });
			await flows.input("bat", { soc: 40 + minutes / 10 });
			await power.idle();
		}
		// A start writes nothing that it finds.
		await helper.unload();
		await flows.load(house);
		await power.idle();
		power.stop();
	}).timeout(180_000);
	after(async () => {
		power.stop();
		await flows.stop();
	});

	const folderOf = ({ userDir }: Cut) => join(userDir, "solar-yield");

	it("takes no file away that was there, and leaves each whole", async () => {
		assert.ok(power.cuts.length > 400, `${power.cuts.length} cuts`);
		let known = new Set<string>();
		for (const cut of power.cuts) {
			const names = readdirSync(folderOf(cut)).filter(
				(name) => !isTemporary(name),
			);
			for (const name of known) assert.ok(names.includes(name), name);
			known = new Set(names);
		}
		const kinds = [...known].map(
			(name) => /^[a-z-]+?(?=-[\da-f]{16}|-\w+\.|\.|$)/.exec(name)?.[0],
		);
		assert.deepEqual(
			kinds.sort(),
			"account battery export forecast history learn site window".split(" "),
		);
		const caches = new Map<string, string>();
		for (const cut of power.cuts) {
			for (const name of readdirSync(folderOf(cut))) {
				const file = join(folderOf(cut), name);
				if (!/^(history|export)-.*\.json$/.test(name)) continue;
				const whole = readFileSync(file);
				assert.ok(withDigest(whole.subarray(33)).equals(whole), name);
				if (name.startsWith("history")) caches.set(name, file);
			}
		}
		assert.equal(caches.size, 1);
	});

	it("leaves the account, its site and the newest forecast but one", async () => {
		let known = 0;
		for (const { at, userDir } of power.cuts) {
			const store = new AccountFiles(
				join(userDir, "solar-yield"),
				flows.url,
				KEY,
				(said) => assert.fail(textIn(said)),
			);
			const key = SITE;
			const answer = await store.answerStore(key).load();
			if (!answer) {
				assert.equal(known, 0, "a forecast that was there is gone");
				continue;
			}
			assert.ok(await store.accountStore.load());
			assert.ok(await store.siteStore(key).load());
			const { answeredAt } = answer.head;
			assert.ok(answeredAt >= known);
			assert.ok(at - answeredAt < HOUR_MS + MINUTE_MS);
			known = answeredAt;
		}
		assert.ok(known > 0);
	});

	it("is followed by a start that makes at most one request, and polls as ever", async () => {
		let quiet = 0;
		const states = new Map(power.cuts.map((cut) => [cut.state, cut]));
		for (const cut of states.values()) {
			const clock = new FakeClock(cut.at);
			const simulator = new Simulator({ now: () => clock.time });
			simulator.addAccount({ apiKey: KEY, plan: "light" });
			simulator.addSite(KEY, {
				id: SITE,
				...PLACES["Europe/Berlin"],
				name: "",
			});
			const asked = () =>
				simulator.requests.filter(({ path }) =>
					path.startsWith("/v2/forecast/"),
				).length;
			// A lock without a number holds for five minutes, which here take no time.
			for (const name of readdirSync(folderOf(cut))) {
				const file = join(folderOf(cut), name);
				if (name.endsWith(".lock") && statSync(file).size === 0) {
					utimesSync(file, 0, 0);
				}
			}
			const store = new AccountFiles(folderOf(cut), flows.url, KEY, (said) =>
				assert.fail(textIn(said)),
			);
			const house = new House(simulator.exchange(KEY), clock, store);
			const listener = await house.boot(SITE);
			assert.ok(asked() <= 1);
			if (asked() === 0) quiet += 1;
			await house.runFor(HOUR_MS);
			assert.ok(listener.forecasts.length > 0);
			house.kill();
		}
		assert.ok(quiet > states.size / 2);
	}).timeout(180_000);
});
