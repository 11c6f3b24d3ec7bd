import type { Node, NodeAPI } from "node-red";
import {
	type BatteryState,
	emptyState,
	restoreState,
} from "../../src/battery/battery-state";
import { QUARTER_MS } from "../../src/util/time";
import { tellWarning } from "../shared/handler";
import { NodeFile } from "../shared/node-file";

/** What changes rarely, and is lost for long when it is lost. */
const inputsOf = ({
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

/** What a battery node keeps, in a file of its own (behaviour: Battery). */
export class KeptState {
	readonly #file: NodeFile<BatteryState>;
	#saved: BatteryState | undefined;
	#quarter = Number.NEGATIVE_INFINITY;

	constructor(RED: NodeAPI, node: Node) {
		this.#file = new NodeFile(RED, node, "battery", (text) => {
			const { state, damaged } = restoreState(parse(text));
			if (damaged.includes("version")) return undefined;
			if (damaged.length > 0) {
				tellWarning(RED, node, {
					key: "battery.forgotten",
					values: { what: damaged },
				});
			}
			return state;
		});
	}

	/** The stored state, an empty one where there is none; what of it cannot be read is told. */
	async load(): Promise<BatteryState> {
		this.#saved = await this.#file.load();
		return this.#saved ?? emptyState();
	}

	/**
	 * Saves a state whose inputs have changed, and any other once in a quarter hour: a
	 * state of charge that comes each second must not wear out an SD card.
	 *
	 * @param now epoch ms
	 */
	save(state: BatteryState, now: number): void {
		const quarter = Math.floor(now / QUARTER_MS);
		if (quarter === this.#quarter && !this.#isNews(state)) return;
		this.#quarter = quarter;
		this.saveNow(state);
	}

	/** Saves a state at once. */
	saveNow(state: BatteryState): void {
		if (state === this.#saved) return;
		this.#saved = state;
		this.#file.save(JSON.stringify(state));
	}

	/** Resolves when all that was saved is on disk, or cannot be put there. */
	idle(): Promise<void> {
		return this.#file.idle();
	}

	/** Forgets it all. */
	remove(): Promise<void> {
		return this.#file.remove();
	}

	#isNews(state: BatteryState): boolean {
		if (!this.#saved) return true;
		const [before, after] = [inputsOf(this.#saved), inputsOf(state)];
		return (
			after.some((part, index) => part !== before[index]) &&
			JSON.stringify(after) !== JSON.stringify(before)
		);
	}
}

/** A text's JSON, undefined for a text that is none. */
function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
