import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { ROOT } from "./node-red-process";

/** An import of one file. Paths are relative to the package. */
export interface Import {
	readonly from: string;
	/** A file of ours, or the name of a package. */
	readonly to: string;
	readonly isType: boolean;
}

/** The files under a folder whose names end so, as paths from the root of the package. */
const filesIn = (folder: string, ending = /\.ts$/): string[] =>
	readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
		.map((file) => `${folder}/${file.split(sep).join("/")}`)
		.filter((file) => ending.test(file))
		.sort();

/** The TypeScript files of `src/` and `nodes/`. */
export const sourceFiles: readonly string[] = [
	...filesIn("src"),
	...filesIn("nodes"),
];
/** Code of `test/` and `bench/`. */
export const testFiles: readonly string[] = [
	...filesIn("test", /\.(ts|cjs)$/),
	...filesIn("bench", /\.(ts|cjs)$/),
];

const sources = new Set(sourceFiles);
const known = new Set([...sourceFiles, ...testFiles]);
export const isSource = (path: string) => sources.has(path);

/** The room of a source file: `nodes`, `index`, or its folder in `src/`. */
export function roomOf(file: string): string {
	return file === "src/index.ts"
		? "index"
		: (file.replace(/^src\//, "").split("/")[0] as string);
}

/** The part of polling that a file is in: `hub`, or its folder; undefined for files elsewhere. */
export const pollingPartOf = (file: string): string | undefined =>
	file.startsWith("src/polling/")
		? (/^src\/polling\/(\w+)\//.exec(file)?.[1] ?? "hub")
		: undefined;

/** What a file imports, requires or names the type of, at once or later. */
export function importsOf(file: string): Import[] {
	const text = readFileSync(join(ROOT, file), "utf8");
	const found =
		/^(?:import|export) (type )?(?:[^"';]*? from )?"([^"]+)";|\b(typeof )?(?:require|import)\("([^"]+)"\)/gms;
	return [...text.matchAll(found)].flatMap(([, type, fixed, typeOf, later]) => {
		const path = (fixed ?? later) as string;
		// Tables of data are no code.
		if (/^\..*\.json$/.test(path)) return [];
		const base = path.startsWith(".")
			? relative(ROOT, join(ROOT, dirname(file), path))
					.split(sep)
					.join("/")
			: undefined;
		const ours =
			base &&
			[base, `${base}.ts`, `${base}/index.ts`].find((it) => known.has(it));
		assert.ok(
			!isSource(file) || !base || ours,
			`${file} imports ${path}, which is not there`,
		);
		return [
			{
				from: file,
				to: ours ?? base ?? path,
				isType: type !== undefined || typeOf !== undefined,
			},
		];
	});
}

/** Every import of `src/` and `nodes/`. */
export const sourceImports: readonly Import[] = sourceFiles.flatMap(importsOf);
