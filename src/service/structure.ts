/** Deepest nesting that is read; the service's answers are a handful deep. */
const MOST_DEPTH = 100;
/** Most lists and objects that are read; 37 days of 12 strings are under 50,000. */
const MOST_PARTS = 1_000_000;

/**
 * Why JSON is more than can be handled, judged before it is parsed: nested so
 * deeply that what reads, copies or shows it later could run out of stack, or of
 * so many parts that they would fill the memory, at 60 times the size of their text.
 *
 * @param text JSON, or anything else
 * @returns what is wrong, in words that follow "the answer cannot be used: ", or null
 */
export function overBounds(text: string): string | null {
	// Brackets inside of texts count as well here: that is quick, and seldom too many.
	return excess(text, false) && excess(text, true);
}

/** What there is too much of, counted until it is. */
function excess(text: string, isExact: boolean): string | null {
	let depth = 0;
	let parts = 0;
	for (let at = 0; at < text.length; at += 1) {
		const code = text.charCodeAt(at);
		if (code === OPEN_LIST || code === OPEN_OBJECT) {
			depth += 1;
			parts += 1;
			if (depth > MOST_DEPTH) return "it nests more deeply than can be handled";
			if (parts > MOST_PARTS) return "it has more parts than can be handled";
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
	return null;
}

const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
