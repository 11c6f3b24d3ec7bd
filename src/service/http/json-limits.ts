/** Deepest nesting accepted; answers of the service are about five deep. */
const MOST_DEPTH = 100;
/** Most lists and objects accepted; 38 days of 12 strings have under 50,000. */
const MOST_PARTS = 1_000_000;

const TOO_DEEP = "service.too_deep";
const TOO_MANY = "service.too_many_parts";

/**
 * Check of a JSON text before it is parsed. `JSON.parse` itself accepts any depth, but
 * what copies or shows the result later runs out of stack; and 16 MB of `{}` become
 * 400 MB of objects, more than Node-RED has on a small machine.
 *
 * @param text JSON, or anything else
 * @returns key of what is wrong, or null
 */
export function overBounds(text: string): string | null {
	return mayBeExcess(text) ? excess(text) : null;
}

/**
 * Quick upper estimate: whether the limits may be exceeded. It visits opening
 * brackets alone, which the engine finds in a thirtieth of the time that a loop over
 * all characters takes. Rows side by side do not nest, so they add no depth.
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

/** Whether a bracket opens right after one of its kind has closed: `},{`, with or without blanks. */
function isBeside(text: string, at: number, close: number): boolean {
	let before = at - 1;
	while (text.charCodeAt(before) <= BLANK) before -= 1;
	if (text.charCodeAt(before) !== COMMA) return false;
	before -= 1;
	while (text.charCodeAt(before) <= BLANK) before -= 1;
	return text.charCodeAt(before) === close;
}

/** Exact count, up to the first limit exceeded. */
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
