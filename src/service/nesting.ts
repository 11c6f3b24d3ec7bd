/** Deepest nesting that is read; the service's answers are a handful deep. */
const MOST = 100;

/**
 * Whether JSON nests so deeply that what reads, copies or shows it later could
 * run out of stack, or its parser out of memory. Judged before it is parsed.
 *
 * @param text JSON, or anything else
 */
export function nestsTooDeeply(text: string): boolean {
	// Brackets inside of texts count as well here: that is quick, and seldom too many.
	return depthOf(text, false) > MOST && depthOf(text, true) > MOST;
}

/** The deepest nesting, counted until it is too much. */
function depthOf(text: string, isExact: boolean): number {
	let depth = 0;
	let most = 0;
	for (let at = 0; at < text.length && most <= MOST; at += 1) {
		const code = text.charCodeAt(at);
		if (code === OPEN_LIST || code === OPEN_OBJECT) {
			depth += 1;
			if (depth > most) most = depth;
		} else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
			depth -= 1;
		} else if (isExact && code === QUOTE) {
			for (at += 1; at < text.length; at += 1) {
				const inner = text.charCodeAt(at);
				if (inner === QUOTE) break;
				if (inner === BACKSLASH) at += 1;
			}
		}
	}
	return most;
}

const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
