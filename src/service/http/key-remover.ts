/** A shorter key guards nothing, and as a word it may be part of any answer. */
const MIN_KEY_LENGTH = 6;

/** A character as it stands, and as JSON, URLs and HTML escape it. */
function anyForm(character: string): string {
	const code = character.charCodeAt(0);
	const hex = code.toString(16).padStart(2, "0");
	const plain = character.replace(/[^\w]/, "\\$&");
	return `(?:\\\\?${plain}|\\\\u00${hex}|%${hex}|&#x0*${hex};|&#0*${code};)`;
}

/** Base64 of a text at each position modulo 3 in what was encoded, without the characters that depend on its neighbours. */
const base64Forms = (text: string): string[] =>
	[0, 1, 2].map((before) => {
		const bytes = Buffer.from("\0".repeat(before) + text);
		const [from, to] = [(before * 8) / 6, (bytes.length * 8) / 6];
		return bytes.toString("base64").slice(Math.ceil(from), Math.floor(to));
	});

/**
 * Takes the key out of a text: a server that echoes what it was sent must not put it
 * into a message (behaviour: The key). Found is the whole key as it stands, escaped as
 * in JSON, URLs or HTML, and in base64.
 */
export function keyRemover(key: string): (text: string) => string {
	if (key.length < MIN_KEY_LENGTH) return (text) => text;
	const base64 = base64Forms(key).flatMap((form) => [
		form,
		form.replaceAll("+", "-").replaceAll("/", "_"),
	]);
	const escaped = new RegExp(Array.from(key, anyForm).join(""), "gi");
	return (text) => {
		let clean = text;
		for (const form of [key, ...base64])
			clean = clean.replaceAll(form, "[key]");
		// Nearly no answer: to look for a fixed text takes next to no time.
		return /[\\%&]/.test(clean) ? clean.replace(escaped, "[key]") : clean;
	};
}
