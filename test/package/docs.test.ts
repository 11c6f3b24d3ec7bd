import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import vm from "node:vm";
import { ROOT } from "../support/node-red-process";
import {
	isSource,
	pollingPartOf,
	roomOf,
	sourceImports,
} from "../support/source-imports";

// Mocha reads its own configuration with it.
const yaml = createRequire(require.resolve("mocha/package.json"))("js-yaml");

const read = (...path: string[]) => readFileSync(join(ROOT, ...path), "utf8");
const { scripts } = JSON.parse(read("package.json"));

const PAGES = [
	"README.md",
	"CONTRIBUTING.md",
	"CHANGELOG.md",
	...readdirSync(join(ROOT, "docs"))
		.filter((file) => file.endsWith(".md"))
		.map((file) => `docs/${file}`),
];

interface Block {
	readonly language: string;
	readonly code: string;
}

const FENCE = /^```(\w*)\n([\s\S]*?)^```/gm;
const blocks = (page: string): Block[] =>
	[...read(page).matchAll(FENCE)].map(([, language, code]) => ({
		language: language as string,
		code: code as string,
	}));
const prose = (page: string) => read(page).replace(FENCE, "");

/** What headings are called in links, as GitHub makes it. */
function anchorsOf(page: string): Set<string> {
	const seen = new Map<string, number>();
	const headings = prose(page).matchAll(/^#{1,6} (.+)$/gm);
	return new Set(
		[...headings].map(([, text]) => {
			const slug = (text as string)
				.toLowerCase()
				.replace(/[^\p{L}\p{N}_ -]/gu, "")
				.replaceAll(" ", "-");
			const times = seen.get(slug) ?? 0;
			seen.set(slug, times + 1);
			return times === 0 ? slug : `${slug}-${times}`;
		}),
	);
}

/** A reader of each language; it throws where a block is none of it. */
const READERS: Record<string, (code: string) => void> = {
	json: (code) => JSON.parse(code),
	yaml: (code) => assert.equal(typeof yaml.load(code), "object"),
	js: (code) => {
		const body = code.replace(
			/^import (\{[\s\S]*?\}) from ("[^"]+");/m,
			"const $1 = await import($2);",
		);
		new vm.Script(`async () => {${body}}`);
	},
	sh: () => {},
	text: () => {},
	mermaid: (code) => assert.match(code, /^flowchart /),
};

for (const page of PAGES) {
	describe(page, () => {
		it("has links that lead somewhere", () => {
			for (const [, target] of prose(page).matchAll(/\]\(([^)\s]+)\)/g)) {
				if (/^[a-z]+:/.test(target as string)) {
					assert.match(target as string, /^https:\/\//);
					continue;
				}
				const [path, anchor] = (target as string).split("#") as [
					string,
					string?,
				];
				const file = path === "" ? page : join(dirname(page), path);
				assert.ok(existsSync(join(ROOT, file)), `${target}: no such file`);
				if (anchor !== undefined) {
					assert.ok(anchorsOf(file).has(anchor), `${target}: no such heading`);
				}
			}
		});

		it("has code blocks that can be read", () => {
			for (const { language, code } of blocks(page)) {
				const reader = READERS[language];
				assert.ok(reader, `a block of ${language || "no language"}`);
				assert.doesNotThrow(() => reader(code), code);
			}
		});

		it("names commands and files that exist", () => {
			const text = read(page);
			for (const [, name] of text.matchAll(/\bnpm run ([\w:-]+)/g)) {
				assert.ok(scripts[name as string], `npm run ${name}`);
			}
			const files = text.matchAll(
				/`((?:src|nodes|test|tools|docs|examples|bench|\.ci)\/[\w./-]*|[\w-]+\/[\w./-]+\.ts)`/g,
			);
			for (const [, file] of files) {
				assert.ok(
					[ROOT, join(ROOT, "src")].some((folder) =>
						existsSync(join(folder, file as string)),
					),
					file,
				);
			}
		});
	});
}

/** The English page of a German one; undefined for what has none. */
const siblingOf = (page: string): string | undefined =>
	page === "docs/README.de.md"
		? "README.md"
		: page.endsWith(".de.md")
			? page.replace(".de.md", ".md")
			: undefined;

for (const page of PAGES) {
	const english = siblingOf(page);
	if (english === undefined) continue;
	describe(`${page} beside ${english}`, () => {
		it("lead to each other, and the German front door to the German page", () => {
			const link = (from: string, to: string) =>
				`](${relative(dirname(join(ROOT, from)), join(ROOT, to))})`;
			assert.ok(read(page).includes(`[English${link(page, english)}`));
			assert.ok(read(english).includes(`[Deutsch${link(english, page)}`));
			const door = "docs/README.de.md";
			if (page !== door) assert.ok(read(door).includes(link(door, page)));
		});

		it("have the same code, pictures, examples and tables", () => {
			const partsOf = (one: string) => ({
				code: blocks(one),
				pictures: [...read(one).matchAll(/!\[.*?\]\(.*?([\w-]+\.png)\)/g)].map(
					([, picture]) => picture,
				),
				examples: [...read(one).matchAll(/\*\*(\d\d - .+?)\*\*/g)].map(
					([, example]) => example,
				),
			});
			assert.deepEqual(partsOf(page), partsOf(english));
			if (english === "README.md") return;
			const shapeOf = (one: string) =>
				prose(one).match(/^(#+(?= )|\|(?=.*\w)|-(?= )|\d+\.(?= ))/gm);
			assert.deepEqual(shapeOf(page), shapeOf(english));
		});
	});
}

describe("README.md as a front door", () => {
	it("is short, and leads to every page", () => {
		const text = read("README.md");
		assert.ok(text.split("\n").length <= 151);
		for (const page of PAGES) {
			if (page === "README.md" || siblingOf(page)?.includes("docs/")) continue;
			assert.ok(text.includes(`](${page})`), page);
		}
	});
});

describe("docs/api.md", () => {
	it("has each name that scripts can import", () => {
		const entry = read("src/index.ts");
		const lists = entry.matchAll(/^export (?:type )?\{([^}]+)\}/gm);
		const names = [...lists].flatMap(([, list = ""]) =>
			list.match(/\b(?!type\b)\w+/g),
		);
		assert.ok(names.length > 30);
		const page = read("docs/api.md");
		for (const name of [...names, "demoExchange"]) {
			assert.match(page, new RegExp(`\\b${name}\\b`));
		}
	});
});

describe("docs/trouble.md", () => {
	const page = read("docs/trouble.md");
	/** What the lists below a heading explain, up to the next heading. */
	const entries = (heading: string) => {
		const [, rest] = page.split(`${heading}\n`) as [string, string];
		const [section] = rest.split(/^#/m) as [string];
		const names = section.matchAll(
			/^- ((?:(?:`[^`]+`|\*\*[^*]+\*\*)(?:, )?)+): /gm,
		);
		return [...names].flatMap(([, list = ""]) =>
			list.split(/`, `|[`*]+/).filter(Boolean),
		);
	};

	it("has each error code and no other, in both languages", () => {
		const [, union] = /export type ErrorKind =([\s\S]*?);/.exec(
			read("src/service/errors/solar-yield-error.ts"),
		) as unknown as [string, string];
		const codes = [...union.matchAll(/"(\w+)"/g)].map(
			([, kind]) => `SOLAR_YIELD_${kind}`,
		);
		assert.ok(codes.length >= 10);
		assert.deepEqual(entries("## Errors").sort(), codes.sort());
		const german = read("docs/README.de.md").matchAll(
			/^- `(SOLAR_YIELD_\w+)`/gm,
		);
		assert.deepEqual([...german].map(([, code]) => code).sort(), codes);
	});

	/** Every text of a part of a catalogue, with `…` for what is filled in. */
	function texts(part: unknown): string[] {
		if (typeof part === "string") return [part.replace(/__\w+?__/g, "…")];
		return Object.values(part as object).flatMap(texts);
	}
	const statuses = (set: string) =>
		JSON.parse(read(`nodes/${set}/locales/en-US.json`)).status;

	it("has each status of a forecast node and no other", () => {
		const { kind, setup, language: _language, ...own } = statuses("account");
		assert.deepEqual(
			entries("### solar-yield-forecast").sort(),
			texts(own).sort(),
		);
		assert.deepEqual(
			entries(
				"### Any node that cannot work, or whose last message failed",
			).sort(),
			[...texts(setup), ...texts(kind)].sort(),
		);
	});

	const sets = ["now", "export", "sum", "battery", "window", "learn", "site"];
	for (const set of [...sets, "history", "v1"]) {
		it(`has each status of a node of the type ${set} and no other`, () => {
			assert.deepEqual(
				entries(`### solar-yield-${set}`).sort(),
				texts(statuses(set)).sort(),
			);
		});
	}
});

describe("docs/architecture.md", () => {
	const drawings = blocks("docs/architecture.md")
		.filter(({ language }) => language === "mermaid")
		.map(({ code }) => code);

	/** The solid arrows of a drawing, `a & b --> c & d` as four. */
	const arrowsIn = (drawing: string | undefined) =>
		[...(drawing ?? "").matchAll(/^\s*(\w+(?: & \w+)*) --> (.+)$/gm)]
			.flatMap(([, from, to]) =>
				(from as string)
					.split(" & ")
					.flatMap((one) =>
						(to as string).split(" & ").map((other) => `${one} --> ${other}`),
					),
			)
			.sort();

	/** The arrows that import lines make between parts, as `partOf` names them. */
	const arrowsOf = (partOf: (file: string) => string | undefined) => {
		const arrows = sourceImports
			.filter(({ to }) => isSource(to))
			.map(({ from, to }) => [partOf(from), partOf(to)] as const)
			.filter(([from, to]) => from && to && from !== to)
			.map(([from, to]) => `${from} --> ${to}`);
		return [...new Set(arrows)].sort();
	};

	it("draws the imports between rooms, all of them and no other", () => {
		assert.deepEqual(arrowsIn(drawings[0]), arrowsOf(roomOf));
	});

	it("draws the imports inside src/polling/, all of them and no other", () => {
		assert.deepEqual(arrowsIn(drawings[1]), arrowsOf(pollingPartOf));
	});
});
