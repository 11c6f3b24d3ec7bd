import assert from "node:assert/strict";
import { cpSync, readdirSync, writeFileSync } from "node:fs";
import promises, { type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { KeptState } from "../../nodes/battery/kept-state";
import { openBattery } from "../../nodes/battery/node";
import { LearnFile } from "../../nodes/learn/learn-file";
import { openLearn } from "../../nodes/learn/node";
import { openNow } from "../../nodes/now/node";
import { NodeFile } from "../../nodes/shared/node-file";
import { openWindow } from "../../nodes/window/node";
import { AccountFiles } from "../../src/polling/storage/account-files";
import { HOUR_MS, MINUTE_MS, QUARTER_MS } from "../../src/util/time";
import { Flows, KEY, SITE } from "../support/flows";
import { batteryNode, learnNode, windowNode } from "../support/own-nodes";
import { temporaryFolder } from "../support/temporary";

const HALF_HOUR_MS = 2 * QUARTER_MS;
/** Between the end of a quarter hour and the next reading, which closes it, ms. */
const WRITE_MS = 5 * MINUTE_MS;

/** What the disk holds when the power goes at one write. */
interface Cut {
	/** The house's time, epoch ms. */
	readonly at: number;
	readonly userDir: string;
}

/** Copies a user directory before each step of each write, with half of what is being written. */
class FailingPower {
	readonly cuts: Cut[] = [];
	readonly #userDir: string;
	readonly #now: () => number;
	readonly #real = { open: promises.open, rename: promises.rename };

	constructor(userDir: string, now: () => number) {
		this.#userDir = userDir;
		this.#now = now;
	}

	start(): void {
		const { open, rename } = this.#real;
		promises.open = async (path, flags, mode) => {
			const handle = await open(path, flags, mode);
			if (flags !== "w") return handle;
			const write = handle.writeFile.bind(handle);
			handle.writeFile = ((content: string | Buffer) => {
				const half = content.slice(0, content.length / 2);
				this.#cut((copyOf) => writeFileSync(copyOf(String(path)), half));
				return write(content);
			}) as FileHandle["writeFile"];
			return handle;
		};
		promises.rename = async (from, to) => {
			this.#cut();
			await rename(from, to);
			this.#cut();
		};
	}

	stop(): void {
		Object.assign(promises, this.#real);
	}

	#cut(spoil: (copyOf: (path: string) => string) => void = () => {}): void {
		const userDir = temporaryFolder("cut");
		cpSync(this.#userDir, userDir, { recursive: true });
		spoil((path) => path.replace(this.#userDir, userDir));
		this.cuts.push({ at: this.#now(), userDir });
	}
}

describe("a power cut at any write", () => {
	const flows = new Flows("2026-06-10T08:00:00Z", "light");
	const power = new FailingPower(flows.userDir, () => flows.clock.time);

	before(async () => {
		for (const [type, open] of Object.entries({
			now: openNow,
			learn: openLearn,
			battery: openBattery,
			window: openWindow,
		})) {
			flows.onClock(`solar-yield-${type}`, open);
		}
		await flows.start();
		power.start();
		await flows.load([
			flows.account(),
			...flows.forecast("fc", {
				wires: [["learn", "bat", "win", "fc-1"], [], []],
			}),
			learnNode({ wires: [[], []] }),
			batteryNode({ strategy: "price" }),
			windowNode(),
		]);
		const prices = Array.from({ length: 24 }, (_, hour) => ({
			start: new Date(flows.clock.time + hour * HOUR_MS).toISOString(),
			price: 0.2 + hour / 100,
		}));
		await flows.input("bat", { prices, soc: 40 });
		for (let minute = 0; minute < 130; minute += 5) {
			await flows.runFor(5 * MINUTE_MS);
			await flows.input("learn", { power_w: 1000 + minute });
			await flows.input("bat", { soc: 40 + minute / 10 });
		}
	});
	after(async () => {
		power.stop();
		await flows.stop();
	});

	/** A node on what a cut has left; what it says is an error. */
	const files = ({ userDir }: Cut, id: string): [any, any] => [
		{ settings: { userDir } },
		{
			id,
			warn: (said: string) => assert.fail(said),
		},
	];

	it("leaves the account, its site and the newest forecast but one", async () => {
		assert.ok(power.cuts.length > 100, `${power.cuts.length} cuts`);
		let known = 0;
		for (const { at, userDir } of power.cuts) {
			const store = new AccountFiles(
				join(userDir, "solar-yield"),
				flows.url,
				KEY,
				(said) => assert.fail(said),
			);
			const key = SITE;
			const answer = await store.loadAnswer(key);
			if (!answer) {
				assert.equal(known, 0, "a forecast that was there is gone");
				continue;
			}
			assert.ok(await store.loadAccount());
			assert.ok(await store.loadSite(key));
			const { answeredAt } = answer.head;
			assert.ok(answeredAt >= known);
			assert.ok(at - answeredAt < HOUR_MS + MINUTE_MS);
			known = answeredAt;
		}
		assert.ok(known > 0);
	});

	it("costs the meter at most the quarter hour that has not ended", async () => {
		const first = power.cuts[0]?.at ?? 0;
		for (const cut of power.cuts) {
			const memory = await new LearnFile(...files(cut, "learn")).load();
			const until = memory?.state.meters[0]?.read_until ?? null;
			// The first quarter that passes whole begins a quarter of an hour after the start.
			const most =
				cut.at - first <= HALF_HOUR_MS + WRITE_MS ? HALF_HOUR_MS : QUARTER_MS;
			const lost = cut.at - (until ?? first);
			assert.ok(
				lost <= most + WRITE_MS,
				`${lost / MINUTE_MS} min at ${new Date(cut.at).toISOString()}`,
			);
		}
	});

	it("leaves what the battery and the window remember", async () => {
		let seen = 0;
		for (const cut of power.cuts) {
			const kept = await new KeptState(...files(cut, "bat")).load();
			if (kept.prices) seen += 1;
			else assert.equal(seen, 0, "prices that were there are gone");
			const [RED, node] = files(cut, "win");
			await new NodeFile(RED, node, "window", JSON.parse).load();
		}
		assert.ok(seen > 50);
	});

	it("leaves no files behind that nobody clears away", async () => {
		const { userDir } = power.cuts.at(-1) as Cut;
		const folder = join(userDir, "solar-yield");
		assert.deepEqual(
			readdirSync(folder).filter((name) => name.endsWith(".tmp")),
			[],
		);
	});
});
