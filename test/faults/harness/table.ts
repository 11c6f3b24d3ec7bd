/** One thing that may go wrong, and the proof that it was survived: `run` throws when it was not. */
export interface Attempt {
	readonly kind: string;
	readonly name: string;
	readonly run: () => Promise<void>;
	/** Only the full form tries it. */
	readonly heavy?: boolean;
}

interface Line {
	tried: number;
	survived: number;
}

/** What was tried of each kind, and what came of it. */
export class Table {
	readonly #lines = new Map<string, Line>();
	readonly losses: string[] = [];

	async try({ kind, name, run }: Attempt): Promise<void> {
		const line = this.#lines.get(kind) ?? { tried: 0, survived: 0 };
		this.#lines.set(kind, line);
		line.tried += 1;
		try {
			await run();
			line.survived += 1;
		} catch (error) {
			const words = error instanceof Error ? error.message : String(error);
			this.losses.push(
				`${kind}: ${name}: ${words.replace(/\s+/g, " ").slice(0, 500)}`,
			);
		}
	}

	get tried(): number {
		return [...this.#lines.values()].reduce((sum, it) => sum + it.tried, 0);
	}

	toString(): string {
		const rows = [...this.#lines].map(([kind, { tried, survived }]) => [
			kind,
			String(tried),
			String(survived),
		]);
		const all = [["case", "tried", "survived"], ...rows];
		const width = Math.max(...all.map(([kind = ""]) => kind.length));
		return all
			.map(
				([kind = "", tried = "", survived = ""]) =>
					`${kind.padEnd(width)}  ${tried.padStart(7)}  ${survived.padStart(8)}`,
			)
			.join("\n");
	}
}
