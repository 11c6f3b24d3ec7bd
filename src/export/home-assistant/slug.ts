/**
 * Letters that Unicode does not decompose, as Home Assistant writes them in ids
 * (its slugify goes by text-unidecode). Letters with accents need no entry.
 */
const LETTERS: Readonly<Record<string, string>> = {
	ß: "ss",
	æ: "ae",
	œ: "oe",
	ø: "o",
	ł: "l",
	đ: "d",
	ð: "d",
	þ: "th",
	ħ: "h",
	ı: "i",
	ŋ: "ng",
	ŧ: "t",
	ĸ: "k",
	"€": "eur",
	"’": "",
	ʼ: "",
};

/**
 * A name as entity ids and templates can hold it, like Home Assistant's own
 * slugify (helpers of python-slugify) for names in Latin letters: `Süd-Straße`
 * is `sud_strasse`. Letters of other scripts are left out.
 */
export function slug(text: string): string {
	if (/^[a-z0-9]+(?:_[a-z0-9]+)*$/.test(text)) return text;
	return text
		.normalize("NFKD")
		.replace(/\p{M}/gu, "")
		.toLowerCase()
		.replace(/\P{ASCII}/gu, (letter) => LETTERS[letter] ?? letter)
		.replace(/(?<=\d),(?=\d)/g, "")
		.replace(/[^a-z0-9]+/g, "_")
		.replace(/^_+|_+$/g, "");
}
