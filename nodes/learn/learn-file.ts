import type { Node, NodeAPI } from "node-red";
import { z } from "zod";
import { importState } from "../../src/learn";
import { NodeFile } from "../shared/node-file";
import { daysOf, joined, type Memory, todayOf } from "./memory";

const Content = z.object({
	version: z.literal(1),
	demo: z.boolean().nullable(),
	reported: z.int().nullable(),
	state: z.unknown(),
});

const textOf = (memory: Memory) => JSON.stringify({ version: 1, ...memory });

function readMemory(text: string): Memory | undefined {
	try {
		const { demo, reported, state } = Content.parse(JSON.parse(text));
		return { demo, reported, state: importState(state) };
	} catch {
		return undefined;
	}
}

/**
 * What one node has learned, on disk (behaviour: Learning): dates that are over,
 * which change once a day, apart from today, for an SD card wears out. No method
 * rejects.
 */
export class LearnFile {
	readonly #days: NodeFile<Memory>;
	readonly #today: NodeFile<Memory>;
	/** Lists of dates as they were saved, by identity: they are replaced, never changed. */
	#savedDays: readonly unknown[] = [];
	#savedToday = "";
	/** Writes go one after another; only the newest memory is written. */
	#queue: Promise<void> = Promise.resolve();
	#newest: Memory | undefined;

	constructor(RED: NodeAPI, node: Node) {
		this.#days = new NodeFile(RED, node, "learn-days", readMemory);
		this.#today = new NodeFile(RED, node, "learn-today", readMemory);
	}

	/** What was saved, undefined where there is nothing that can be used. */
	async load(): Promise<Memory | undefined> {
		const days = await this.#days.load();
		const today = await this.#today.load();
		const memory = joined(days, today);
		if (days && today && memory) {
			this.#savedDays = keysOf(memory);
			this.#savedToday = textOf(todayOf(memory));
		}
		return memory;
	}

	/** Writes what has changed since the last time. */
	save(memory: Memory): void {
		this.#newest = memory;
		this.#queue = this.#queue.then(() => this.#write());
	}

	/**
	 * The dates that are over go first: a date must be among them before it goes from
	 * today's file, or a power cut in between would lose it.
	 */
	async #write(): Promise<void> {
		const memory = this.#newest;
		if (!memory) return;
		this.#newest = undefined;
		const days = keysOf(memory);
		if (!isSame(days, this.#savedDays)) {
			this.#savedDays = days;
			this.#days.save(textOf(daysOf(memory)));
			await this.#days.idle();
		}
		const today = textOf(todayOf(memory));
		if (today !== this.#savedToday) {
			this.#savedToday = today;
			this.#today.save(today);
			await this.#today.idle();
		}
	}

	/** Removes what was saved, for a node that was deleted for good. */
	async remove(): Promise<void> {
		await Promise.all([this.#days.remove(), this.#today.remove()]);
	}

	/** Resolves when all that was saved is on disk, or cannot be put there. */
	idle(): Promise<void> {
		return this.#queue;
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
