import { mkdir, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { importState } from "../../src/learn";
import {
	addDigest,
	codeOf,
	decode,
	hashOf,
	isMissing,
	readOwn,
	withoutDigest,
	writeAtomically,
} from "../../src/polling/storage/atomic-file";
import { daysOf, joined, type Memory, todayOf } from "./memory";

const Content = z.object({
	version: z.literal(1),
	demo: z.boolean().nullable(),
	reported: z.int().nullable(),
	state: z.unknown(),
});

type Report = (message: string) => void;
/** Dates that are over, which change once a day, apart from today: an SD card wears out. */
type Part = "days" | "today";

const textOf = (memory: Memory) =>
	addDigest(JSON.stringify({ version: 1, ...memory }));

let instances = 0;

/**
 * What one node has learned, on disk, in two files below the user folder. No method
 * rejects; they come one after the other.
 */
export class LearnFile {
	readonly #folder: string;
	readonly #name: string;
	readonly #report: Report;
	readonly #mark = `${process.pid}.${++instances}.tmp`;
	#queue: Promise<void> = Promise.resolve();
	/** Lists of dates as they are on disk, by identity: they are replaced, never changed. */
	#savedDays: readonly unknown[] = [];
	#savedToday = "";
	#told = false;

	/** @param report is told, once, of a folder that cannot be used, and of damage */
	constructor(folder: string, id: string, report: Report) {
		this.#folder = folder;
		this.#name = /^[\w.-]{1,100}$/.test(id) ? id : hashOf(id, 16);
		this.#report = report;
	}

	#path(part: Part): string {
		return join(this.#folder, `learn-${part}-${this.#name}.json`);
	}

	/** What was saved, undefined where there is nothing that can be used. */
	async load(): Promise<Memory | undefined> {
		const [days, today] = [await this.#read("days"), await this.#read("today")];
		const memory = joined(days, today);
		if (days && today && memory) {
			this.#savedDays = keysOf(memory);
			this.#savedToday = textOf(todayOf(memory));
		}
		return memory;
	}

	/** Writes what has changed since the last time. */
	save(memory: Memory): void {
		this.#inTurn(async () => {
			const days = keysOf(memory);
			if (!isSame(days, this.#savedDays)) {
				await this.#write("days", textOf(daysOf(memory)));
				this.#savedDays = days;
			}
			const today = textOf(todayOf(memory));
			if (today !== this.#savedToday) {
				await this.#write("today", today);
				this.#savedToday = today;
			}
		});
	}

	/** Removes what was saved. */
	remove(): Promise<void> {
		this.#inTurn(async () => {
			for (const part of ["days", "today"] as const) {
				await unlink(this.#path(part)).catch((error) => {
					if (!isMissing(error)) throw error;
				});
			}
		});
		return this.flush();
	}

	/** Resolves when all that was to be saved is on disk. */
	flush(): Promise<void> {
		return this.#queue;
	}

	#inTurn(work: () => Promise<void>): void {
		this.#queue = this.#queue.then(work).catch((error) => this.#fail(error));
	}

	async #write(part: Part, text: string): Promise<void> {
		const path = this.#path(part);
		await mkdir(this.#folder, { recursive: true });
		await writeAtomically(path, text, `${path}.${this.#mark}`);
	}

	async #read(part: Part): Promise<Memory | undefined> {
		const path = this.#path(part);
		let bytes: Buffer;
		try {
			bytes = await readOwn(path);
		} catch (error) {
			if (!isMissing(error)) this.#fail(error);
			return undefined;
		}
		try {
			const whole = await withoutDigest(bytes);
			if (!whole) throw new Error("no digest");
			const content = Content.parse(JSON.parse(decode(whole)));
			return { ...content, state: importState(content.state) };
		} catch {
			await rename(path, `${path}.damaged`).catch(() => {});
			this.#report(
				`A file of what has been learned was damaged and was set aside as ${path}.damaged; ${part === "days" ? "learning begins anew, or import an export of yours" : "today's readings so far are lost, and nothing needs to be done"}`,
			);
			return undefined;
		}
	}

	#fail(error: unknown): void {
		if (this.#told) return;
		this.#told = true;
		this.#report(
			`What is learned cannot be kept in ${this.#folder} (${codeOf(error) ?? "unreadable"}) and will be lost at a restart; make the folder writable`,
		);
	}
}

/** What the file of dates depends on. */
const keysOf = ({ demo, state }: Memory): unknown[] => [
	demo,
	state.site_id,
	state.timezone,
	...state.meters.flatMap(({ string_id, past }) => [string_id, past]),
];

const isSame = (a: readonly unknown[], b: readonly unknown[]) =>
	a.length === b.length && a.every((value, index) => value === b[index]);
