import { readFileSync, renameSync, statSync } from "node:fs";
import { unlink } from "node:fs/promises";
import { join } from "node:path";
import {
	type BatteryState,
	emptyState,
	restoreState,
} from "../../src/battery/state";
import {
	codeOf,
	hashOf,
	inFolder,
	isMissing,
	writeAtomically,
} from "../../src/polling/storage/atomic-file";
import { QUARTER_MS } from "../../src/util/time";

/** Ids of nodes in nested subflows grow long; file names may not. */
const LONGEST_ID = 100;

/** Far above what a state can grow to, bytes. */
const MOST_BYTES = 4 * 1024 * 1024;

/** A file that should be one of ours. A pipe, a folder, and what is far too large read as empty. */
function readOwnAtOnce(file: string): string {
	const facts = statSync(file);
	return facts.isFile() && facts.size <= MOST_BYTES
		? readFileSync(file, "utf8")
		: "";
}

let instances = 0;

/** What changes rarely, and is lost for long when it is lost. */
const slowPart = ({
	load,
	prices,
	feedIn,
	targets,
	settings,
	need,
	begun,
}: BatteryState) => [
	load?.value,
	prices?.value,
	feedIn?.value,
	targets?.value,
	settings?.value,
	need?.value,
	begun,
];

/**
 * What a battery node keeps, on disk beside the forecasts (behaviour: Battery). No
 * method rejects: where the disk does not take it, that is said once and memory has
 * to do.
 */
export class StateFile {
	readonly #folder: string;
	readonly #file: string;
	readonly #temporary: string;
	readonly #report: (text: string) => void;
	#queue: Promise<void> = Promise.resolve();
	#saved: BatteryState | undefined;
	#quarter = Number.NEGATIVE_INFINITY;
	#told = false;

	/**
	 * @param id of the node
	 * @param report tells a person what is wrong with the file
	 */
	constructor(folder: string, id: string, report: (text: string) => void) {
		const name = encodeURIComponent(id);
		const short = name.length > LONGEST_ID ? hashOf(id, 32) : name;
		this.#folder = folder;
		this.#file = join(folder, `battery-${short}.json`);
		instances += 1;
		this.#temporary = `${this.#file}.${process.pid}.${instances}.tmp`;
		this.#report = report;
	}

	/**
	 * The stored state. A file of which any part cannot be read is set aside, and the
	 * rest of it used. Read at once: it is small, and messages wait for it.
	 */
	load(): BatteryState {
		let text: string;
		try {
			text = readOwnAtOnce(this.#file);
		} catch (error) {
			if (!isMissing(error)) this.#fail(error);
			return emptyState();
		}
		let json: unknown;
		try {
			json = JSON.parse(text);
		} catch {
			this.#setAside("all of it");
			return emptyState();
		}
		const { state, damaged } = restoreState(json);
		if (damaged.length > 0) this.#setAside(damaged.join(", "));
		else this.#saved = state;
		return state;
	}

	/**
	 * Saves a state whose inputs have changed, and any other once in a quarter hour: a
	 * state of charge that comes each second must not wear out an SD card.
	 *
	 * @param now epoch ms
	 */
	save(state: BatteryState, now: number): void {
		const quarter = Math.floor(now / QUARTER_MS);
		if (state === this.#saved) return;
		if (quarter === this.#quarter && !this.#isNews(state)) return;
		this.#quarter = quarter;
		this.saveNow(state);
	}

	/** Saves a state at once. */
	saveNow(state: BatteryState): void {
		if (state === this.#saved) return;
		this.#saved = state;
		this.#inTurn(() =>
			inFolder(this.#folder, () =>
				writeAtomically(this.#file, JSON.stringify(state), this.#temporary),
			),
		);
	}

	/** Removes the file. */
	remove(): void {
		this.#inTurn(async () => {
			try {
				await unlink(this.#file);
			} catch (error) {
				if (!isMissing(error)) throw error;
			}
		});
	}

	/** Resolves when all that was to be done is done. */
	flush(): Promise<void> {
		return this.#queue;
	}

	#isNews(state: BatteryState): boolean {
		if (!this.#saved) return true;
		const [before, after] = [slowPart(this.#saved), slowPart(state)];
		return (
			after.some((part, index) => part !== before[index]) &&
			JSON.stringify(after) !== JSON.stringify(before)
		);
	}

	#inTurn(work: () => Promise<unknown>): void {
		this.#queue = this.#queue.then(work).then(
			() => {},
			(error) => this.#fail(error),
		);
	}

	#setAside(parts: string): void {
		const aside = `${this.#file}.damaged`;
		try {
			renameSync(this.#file, aside);
		} catch (error) {
			this.#fail(error);
			return;
		}
		this.#report(
			`The stored inputs of this battery were damaged (${parts}) and were set aside as ${aside}; send again what this node should know: prices, load, targets and settings`,
		);
	}

	#fail(error: unknown): void {
		if (this.#told) return;
		this.#told = true;
		this.#report(
			`The file ${this.#file} cannot be used (${codeOf(error) ?? "unreadable"}); inputs of this battery are lost with a restart; make the folder writable`,
		);
	}
}
