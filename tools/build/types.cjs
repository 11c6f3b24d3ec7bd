// The types of the public entry in one file, docstrings included: what the
// entry names, and what these need. It reads the declarations that the compiler
// has written, file by file.
const { existsSync, readFileSync } = require("node:fs");
const { dirname, join } = require("node:path");

/** A docstring and what it is about begin at the margin; all else is indented, or closes. */
const STATEMENT =
	/\n(?=\/\*\*|(?<!\*\/\n)(?:import|export|declare|interface|type)\b)/;
const DOCSTRING = /^\/\*\*[\s\S]*?\*\/(?:\n|$)/;
const LIST = /^(import|export)( type)? \{([^}]*)\}(?: from "([^"]+)")?;/;
const DECLARED =
	/^(export )?(?:declare )?(?:abstract )?(?:class|const|function|interface|type) ([\w$]+)/;

/** `{ A, type B }` as names, each with whether it is a type. */
function namesIn(list, areTypes) {
	if (/\bas\b/.test(list)) {
		throw new Error(`{${list}} gives another name; that is not provided for`);
	}
	return list
		.split(",")
		.map((name) => name.trim())
		.filter(Boolean)
		.map((name) => ({
			name: name.replace(/^type /, ""),
			isType: areTypes || name.startsWith("type "),
		}));
}

/** A file of declarations: what it says of itself, takes, gives and declares. */
function readFile(file) {
	const found = { about: "", taken: new Map(), given: [], declared: new Map() };
	for (const text of readFileSync(file, "utf8").split(STATEMENT)) {
		const [docstring = ""] = DOCSTRING.exec(text) ?? [];
		const statement = text.slice(docstring.length).trimEnd();
		if (/@packageDocumentation/.test(docstring)) found.about = docstring;
		if (statement === "" || statement === "export {};") continue;
		const [, way, type, list, path] = LIST.exec(statement) ?? [];
		if (way) {
			for (const { name, isType } of namesIn(list, Boolean(type))) {
				if (path) found.taken.set(name, { path, statement });
				if (way === "export") found.given.push({ name, isType });
			}
			continue;
		}
		const [, isGiven, name] = DECLARED.exec(statement) ?? [];
		if (!name) throw new Error(`${file}: what is this? ${statement}`);
		if (isGiven) found.given.push({ name, isType: false });
		const known = found.declared.get(name) ?? { text: "", words: new Set() };
		known.text += `${docstring}${statement.replace(/^export /, "")}\n`;
		const code = statement.replace(/\/\*[\s\S]*?\*\//g, "");
		for (const word of code.match(/[A-Za-z_$][\w$]*/g)) known.words.add(word);
		found.declared.set(name, known);
	}
	return found;
}

/**
 * @param entry path of the entry's declarations, those of its files beside it
 * @returns the text of one file that declares the same
 */
function typesOf(entry) {
	const files = new Map();
	const open = (file) => {
		if (!files.has(file)) files.set(file, readFile(file));
		return files.get(file);
	};
	const imports = new Set();
	const places = new Map();
	const reach = (file, name) => {
		const { declared, taken } = open(file);
		const own = declared.get(name);
		if (own) {
			const place = places.get(name);
			if (place === file) return;
			if (place) throw new Error(`${name} is in ${place} and in ${file}`);
			places.set(name, file);
			for (const word of own.words) reach(file, word);
		} else if (taken.has(name)) {
			const { path, statement } = taken.get(name);
			if (!path.startsWith(".")) {
				imports.add(statement);
				return;
			}
			const base = join(dirname(file), path);
			const beside = `${base}.d.ts`;
			reach(existsSync(beside) ? beside : join(base, "index.d.ts"), name);
		}
	};
	const { about, given } = open(entry);
	for (const { name } of given) reach(entry, name);
	const names = given.map(({ name, isType }) =>
		isType ? `type ${name}` : name,
	);
	return (
		[
			about,
			...[...imports].map((statement) => `${statement}\n`),
			...[...places].map(([name, file]) => open(file).declared.get(name).text),
			`export { ${names.join(", ")} };\n`,
		]
			.join("")
			// Who reads it is an editor, which shows docstrings as they are meant.
			.replace(/^[ \t]+(?:\* ?(?!\/))?/gm, "")
	);
}

module.exports = { typesOf };
