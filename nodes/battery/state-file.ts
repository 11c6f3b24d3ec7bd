import { rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { NodeAPI } from "node-red";
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
	readOwn,
	writeAtomically,
} from "../../src/polling/storage/atomic-file";
import { QUARTER_MS } from "../../src/util/time";

/** Ids of nodes in nested subflows grow long; file names may not. */
const LONGEST_ID = 100;

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

	/** The stored state. A file of which any part cannot be read is set aside, and the rest of it used. */
	async load(): Promise<BatteryState> {
		let text: string;
		try {
			text = String(await readOwn(this.#file));
		} catch (error) {
			if (!isMissing(error)) this.#fail(error);
			return emptyState();
		}
		let json: unknown;
		try {
			json = JSON.parse(text);
		} catch {
			await this.#setAside("all of it");
			return emptyState();
		}
		const { state, damaged } = restoreState(json);
		if (damaged.length > 0) await this.#setAside(damaged.join(", "));
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

	async #setAside(parts: string): Promise<void> {
		const aside = `${this.#file}.damaged`;
		await rename(this.#file, aside).catch(() => {});
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

/**
 * Waits for the end of a deploy and tells whether a node is no longer in the flows. One
 * that is only disabled still is. Of a node in a subflow the id is that of the
 * instance, a hyphen, and the id it has in the subflow.
 */
export function whenDeleted(RED: NodeAPI, id: string, act: () => void): void {
	RED.events.once("flows:started", () => {
		const ids = new Set<string>();
		RED.nodes.eachNode((node) => ids.add(node.id));
		const isThere = (path: string): boolean =>
			ids.has(path) ||
			[...path.matchAll(/-/g)].some(
				({ index }) =>
					ids.has(path.slice(index + 1)) && isThere(path.slice(0, index)),
			);
		if (!isThere(id)) act();
	});
}
