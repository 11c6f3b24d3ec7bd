/** A shorter key guards nothing, and as a word it may be part of any answer. */
const MIN_KEY_LENGTH = 6;

/** One way of escaping characters. */
interface Escaping {
	/** Character that every escape begins with. */
	readonly sign: string;
	readonly read: (text: string) => string;
}

const character = (code: string, radix: number) =>
	String.fromCharCode(Number.parseInt(code, radix));
const ENTITIES: Readonly<Record<string, string>> = {
	amp: "&",
	lt: "<",
	gt: ">",
	quot: '"',
	apos: "'",
};

/** JSON, URLs and HTML. */
const ESCAPINGS: readonly Escaping[] = [
	{
		sign: "\\",
		read: (text) =>
			text.replace(
				/\\(?:u([0-9a-f]{4})|(["\\/]))/gi,
				(_, code: string | undefined, plain: string) =>
					code ? character(code, 16) : plain,
			),
	},
	{
		sign: "%",
		read: (text) =>
			text.replace(/%([0-9a-f]{2})/gi, (_, code: string) =>
				character(code, 16),
			),
	},
	{
		sign: "&",
		read: (text) =>
			text.replace(
				/&(?:#x0*([0-9a-f]{1,6})|#0*([0-9]{1,7})|(amp|lt|gt|quot|apos));/gi,
				(_, hex: string, decimal: string, name: string) =>
					hex
						? character(hex, 16)
						: decimal
							? character(decimal, 10)
							: (ENTITIES[name.toLowerCase()] as string),
			),
	},
];

/**
 * Escapings that are undone together: each alone, which leaves most of the text as
 * it was, then all, since every character may be escaped in its own way.
 */
const WAYS = [...ESCAPINGS.map((way) => [way]), ESCAPINGS];

const unescaped = (text: string, { sign, read }: Escaping) =>
	text.includes(sign) ? read(text) : text;

/** Base64 forms of a key, one for each position modulo 3 in what was encoded. */
function base64Forms(key: string): string[] {
	return [0, 1, 2].map((before) => {
		const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(key)]);
		// Characters that also depend on the bytes beside the key are left out.
		return bytes
			.toString("base64")
			.slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
	});
}

/**
 * Takes the key out of a text: a server that echoes what it was sent must not
 * put it into a message (behaviour: The key). Found are the key as it is, in
 * hexadecimal digits and in base64, each as it stands or as JSON, URLs and HTML
 * escape it. An escaped text is handed on unescaped where the key was in it.
 */
export function keyRemover(key: string): (text: string) => string {
	if (key.length < MIN_KEY_LENGTH) return (text) => text;
	const hex = Buffer.from(key).toString("hex");
	const base64 = base64Forms(key);
	const json = JSON.stringify(key).slice(1, -1);
	const forms = new Set([
		key,
		// As JSON is written: the rest of an answer stays JSON.
		json,
		json.replaceAll("/", "\\/"),
		hex,
		hex.toUpperCase(),
		...base64,
		...base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
	]);
	const remove = (text: string) => {
		let clean = text;
		for (const form of forms) {
			if (clean.includes(form)) clean = clean.replaceAll(form, "[key]");
		}
		return clean;
	};
	return (text) => {
		let clean = remove(text);
		for (const ways of WAYS) {
			const plain = ways.reduce(unescaped, clean);
			const without = plain === clean ? plain : remove(plain);
			if (without !== plain) clean = without;
		}
		return clean;
	};
}
