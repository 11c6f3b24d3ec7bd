import { setImmediate } from "node:timers/promises";

/** Work on so many characters blocks a Raspberry Pi for a time that others notice. */
const LARGE = 200_000;

/**
 * Between two pieces of work on an answer: lets what waits run first, if the answer is large.
 *
 * @param length of the answer, in characters
 */
export async function yieldToEventLoop(length: number): Promise<void> {
	if (length >= LARGE) await setImmediate();
}
