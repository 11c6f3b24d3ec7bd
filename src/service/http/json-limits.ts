/** Deepest nesting that is read; the service's answers are a handful deep. */
const MOST_DEPTH = 100;
/** Most lists and objects that are read; 37 days of 12 strings are under 50,000. */
const MOST_PARTS = 1_000_000;

const TOO_DEEP = "it nests more deeply than can be handled";
const TOO_MANY = "it has more parts than can be handled";

/**
 * Why JSON is more than can be handled, judged before it is parsed: nested so
 * deeply that what reads, copies or shows it later could run out of stack, or of
 * so many parts that they would fill the memory, at 60 times the size of their text.
 *
 * @param text JSON, or anything else
 * @returns what is wrong, in words that follow "the answer cannot be used: ", or null
 */
export function overBounds(text: string): string | null {
	return mayBeExcess(text) ? excess(text) : null;
}

/**
 * Whether there may be too much. Only where something opens is looked at, which
 * the engine finds in a thirtieth of the time that each character would take: in
 * rows side by side none lies deeper than the one before it.
 */
function mayBeExcess(text: string): boolean {
	let parts = 0;
	let steps = 0;
	for (const [open, close] of [
		["{", CLOSE_OBJECT],
		["[", CLOSE_LIST],
	] as const) {
		let at = text.indexOf(open);
		while (at >= 0) {
			parts += 1;
			if (!isBeside(text, at, close)) steps += 1;
			if (parts > MOST_PARTS || steps > MOST_DEPTH) return true;
			at = text.indexOf(open, at + 1);
		}
	}
	return false;
}

/** Whether what opens follows what has just closed: `},{`, with or without blanks. */
function isBeside(text: string, at: number, close: number): boolean {
	let before = at - 1;
	while (text.charCodeAt(before) <= BLANK) before -= 1;
	if (text.charCodeAt(before) !== COMMA) return false;
	before -= 1;
	while (text.charCodeAt(before) <= BLANK) before -= 1;
	return text.charCodeAt(before) === close;
}

/** What there is too much of, counted until it is. */
function excess(text: string): string | null {
	let depth = 0;
	let parts = 0;
	for (let at = 0; at < text.length; at += 1) {
		const code = text.charCodeAt(at);
		if (code === OPEN_LIST || code === OPEN_OBJECT) {
			depth += 1;
			parts += 1;
			if (depth > MOST_DEPTH) return TOO_DEEP;
			if (parts > MOST_PARTS) return TOO_MANY;
		} else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
			depth -= 1;
		} else if (code === QUOTE) {
			for (at += 1; at < text.length; at += 1) {
				const inner = text.charCodeAt(at);
				if (inner === QUOTE) break;
				if (inner === BACKSLASH) at += 1;
			}
		}
	}
	return null;
}

const BLANK = 0x20;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
