import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import vm from "node:vm";
import { ROOT } from "../support/node-red-process";

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

describe("README.md as a front door", () => {
	it("is short, and leads to every page", () => {
		const text = read("README.md");
		assert.ok(text.split("\n").length < 300);
		for (const page of PAGES) {
			if (page !== "README.md") assert.ok(text.includes(`](${page})`), page);
		}
	});

	it("says what a stranger meets first", () => {
		const text = read("README.md");
		assert.match(text, /`PORT=\d+ npm run demo`/);
		assert.match(text, /^\| grey ring /m);
		assert.match(text, /^## The first five minutes$/m);
	});

	it("has a flow of the same properties as the first example", () => {
		const flow = blocks("README.md").find(
			({ language }) => language === "json",
		);
		const own = JSON.parse(flow?.code as string) as Record<string, unknown>[];
		const example = JSON.parse(
			read("examples/1 - First forecast.json"),
		) as Record<string, unknown>[];
		for (const type of ["solar-yield-account", "solar-yield-forecast"]) {
			const properties = (nodes: Record<string, unknown>[]) =>
				Object.keys(nodes.find((node) => node.type === type) as object)
					.filter((name) => name !== "z")
					.sort();
			assert.deepEqual(properties(own), properties(example));
		}
	});
});

describe("docs/trouble.md", () => {
	const page = read("docs/trouble.md");
	/** First cells of the tables below a heading, up to the next of any level. */
	const cells = (heading: string) => {
		const [, rest] = page.split(`${heading}\n`) as [string, string];
		const [section] = rest.split(/^#/m) as [string];
		return [...section.matchAll(/^\| `?([^|`]+?)`? +\|/gm)]
			.map(([, cell]) => cell as string)
			.filter((cell) => !/^-+$/.test(cell))
			.slice(1);
	};

	it("has each error code and no other, in both languages", () => {
		const [, union] = /export type ErrorKind =([\s\S]*?);/.exec(
			read("src/service/errors/solar-yield-error.ts"),
		) as unknown as [string, string];
		const codes = [...union.matchAll(/"(\w+)"/g)].map(
			([, kind]) => `SOLAR_YIELD_${kind}`,
		);
		assert.ok(codes.length >= 10);
		assert.deepEqual(cells("## Errors").sort(), codes.sort());
		const german = read("docs/README.de.md").matchAll(
			/^\| `(SOLAR_YIELD_\w+)`/gm,
		);
		assert.deepEqual([...german].map(([, code]) => code).sort(), codes);
	});

	it("has each colour and shape and no other", () => {
		const looks = read("nodes/shared/status.ts").matchAll(
			/^\t\w+: \{ fill: "(\w+)", shape: "(\w+)" \},$/gm,
		);
		assert.deepEqual(
			cells("## Statuses").sort(),
			[...looks].map(([, fill, shape]) => `${fill} ${shape}`).sort(),
		);
	});

	/** Every text of a part of a catalogue, with `…` for what is filled in. */
	function texts(part: unknown): string[] {
		if (typeof part === "string") return [part.replace(/__\w+?__/g, "…")];
		return Object.values(part as object).flatMap(texts);
	}
	const statuses = (set: string) =>
		JSON.parse(read(`nodes/${set}/locales/en-US.json`)).status;

	it("has each status of a forecast node and no other", () => {
		const { kind, decimal: _decimal, ...own } = statuses("account");
		assert.deepEqual(
			cells("### solar-yield-forecast").sort(),
			texts(own).sort(),
		);
		assert.deepEqual(
			cells(
				"### Any node that cannot work, or whose last message failed",
			).sort(),
			texts(kind).sort(),
		);
	});

	for (const set of ["now", "export", "battery", "site", "history", "v1"]) {
		it(`has each status of a node of the type ${set} and no other`, () => {
			assert.deepEqual(
				cells(`### solar-yield-${set}`).sort(),
				texts(statuses(set)).sort(),
			);
		});
	}
});
