/** A shorter key guards nothing, and as a word it may be part of any answer. */
const MIN_KEY_LENGTH = 6;
/** A shorter part of a key gives little away, and may stand in any answer by chance. */
const MIN_PART_LENGTH = 8;

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

/** A text that stands for the key, and what is looked for to find half of it. */
interface Form {
	readonly text: string;
	/** Length of the shortest part that is taken out. */
	readonly least: number;
	/** Short pieces, by their place in the text: each part that is long enough holds one. */
	readonly pieces: ReadonlyMap<number, string>;
}

function formOf(text: string): Form {
	const { length } = text;
	const half = Math.max(MIN_PART_LENGTH, Math.ceil(length / 2));
	const least = Math.min(length, half);
	const size = least >> 1;
	const pieces = new Map<number, string>();
	for (let at = least - size; ; at += least - size + 1) {
		const place = Math.min(at, length - least);
		pieces.set(place, text.slice(place, place + size));
		if (at >= length - least) return { text, least, pieces };
	}
}

/** Takes each long enough part of a form out of a text, around one of its pieces. */
function withoutParts(
	text: string,
	form: Form,
	[place, piece]: readonly [number, string],
): string {
	let kept = "";
	let done = 0;
	let hit = text.indexOf(piece);
	while (hit >= 0) {
		let from = 0;
		while (
			from < place &&
			hit - from > done &&
			text[hit - from - 1] === form.text[place - from - 1]
		) {
			from += 1;
		}
		let to = piece.length;
		while (
			place + to < form.text.length &&
			text[hit + to] === form.text[place + to]
		) {
			to += 1;
		}
		const isPart = from + to >= form.least;
		if (isPart) {
			kept += `${text.slice(done, hit - from)}[key]`;
			done = hit + to;
		}
		hit = text.indexOf(piece, isPart ? done : hit + 1);
	}
	return kept + text.slice(done);
}

/**
 * Takes the key out of a text: a server that echoes what it was sent must not
 * put it into a message (behaviour: The key). Found are the key and each half of it,
 * as it is and in base64, as it stands or as JSON, URLs or HTML escape it once. An
 * escaped text is handed on unescaped where the key was in it.
 */
export function keyRemover(key: string): (text: string) => string {
	if (key.length < MIN_KEY_LENGTH) return (text) => text;
	const base64 = base64Forms(key);
	const json = JSON.stringify(key).slice(1, -1);
	const texts = new Set([
		// As JSON is written: the rest of an answer stays JSON.
		json.replaceAll("/", "\\/"),
		json,
		key,
		...base64,
		...base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
	]);
	const forms = Array.from(texts, formOf);
	const pieces = [
		...new Set(forms.flatMap(({ pieces }) => [...pieces.values()])),
	];
	const isFree = (text: string) => !pieces.some((it) => text.includes(it));
	const steps = [
		(text: string) =>
			forms.reduce((clean, form) => clean.replaceAll(form.text, "[key]"), text),
		(text: string) =>
			forms.reduce(
				(clean, form) =>
					[...form.pieces].reduce(
						(rest, piece) => withoutParts(rest, form, piece),
						clean,
					),
				text,
			),
	];
	return (text) => {
		const views = [
			(it: string) => it,
			...ESCAPINGS.filter(({ sign }) => text.includes(sign)).map(
				({ read }) => read,
			),
		];
		// Nearly every answer; a search for a fixed text takes next to no time.
		if (views.every((view) => isFree(view(text)))) return text;
		let clean = text;
		for (const without of steps) {
			for (const view of views) {
				const plain = view(clean);
				const rest = without(plain);
				if (rest !== plain) clean = rest;
			}
		}
		return clean;
	};
}
