import { setImmediate } from "node:timers/promises";

/** Characters from which on one step of work blocks a Raspberry Pi noticeably. */
const LARGE = 200_000;

/**
 * Yields to the event loop between two steps of work on an answer, if it is large.
 *
 * @param length of the answer, in characters
 */
export async function yieldToEventLoop(length: number): Promise<void> {
	if (length >= LARGE) await setImmediate();
}
