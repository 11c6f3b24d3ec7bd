/** One thing that may go wrong, and the proof that it was survived: `run` throws when it was not. */
export interface Attempt {
	readonly kind: string;
	readonly name: string;
	readonly run: () => Promise<void>;
	/** Only the long form tries it. */
	readonly heavy?: boolean;
}
