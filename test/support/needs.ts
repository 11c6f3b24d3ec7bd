/** The part of mocha's context that skips a suite or a test. */
interface Skippable {
	skip(): never;
}

/** Reasons that this process has told. */
const said = new Set<string>();

/**
 * Skips a suite or a test, with one line, where something is missing; where
 * SOLAR_YIELD_NO_SKIPS is 1, it fails.
 *
 * @param missing what is not there, each as a sentence without full stop; blanks
 * are left out
 */
export function needs(context: Skippable, ...missing: string[]): void {
	const reasons = missing.filter(Boolean).join(", and ");
	if (reasons === "") return;
	if (process.env.SOLAR_YIELD_NO_SKIPS === "1") {
		throw new Error(`SOLAR_YIELD_NO_SKIPS forbids to skip: ${reasons}`);
	}
	if (!said.has(reasons)) console.log(`  skipped: ${reasons}`);
	said.add(reasons);
	context.skip();
}
