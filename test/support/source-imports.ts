import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { ROOT } from "./node-red-process";

/** An import of one source file, types included. Paths are relative to the package. */
export interface Import {
	readonly from: string;
	/** A file of ours, or the name of a package. */
	readonly to: string;
	readonly isType: boolean;
	/** Whether it is loaded with the file, and not later. */
	readonly atOnce: boolean;
}

/** The TypeScript files of `src/` and `nodes/`. */
export const sourceFiles: readonly string[] = ["src", "nodes"]
	.flatMap((folder) =>
		readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map(
			(file) => `${folder}/${file.split(sep).join("/")}`,
		),
	)
	.filter((file) => file.endsWith(".ts"))
	.sort();

const known = new Set(sourceFiles);
export const isSource = (path: string) => known.has(path);

/** The room of a source file: `nodes`, `index`, or its folder in `src/`. */
export function roomOf(file: string): string {
	return file === "src/index.ts"
		? "index"
		: (file.replace(/^src\//, "").split("/")[0] as string);
}

function importsOf(file: string): Import[] {
	const text = readFileSync(join(ROOT, file), "utf8");
	const found =
		/^(?:import|export) (type )?(?:[^"';]*? from )?"([^"]+)";|\b(require|import)\("([^"]+)"\)/gms;
	return [...text.matchAll(found)].map(([, type, fixed, call, later]) => {
		const path = (fixed ?? later) as string;
		const base = path.startsWith(".")
			? relative(ROOT, join(ROOT, dirname(file), path))
					.split(sep)
					.join("/")
			: undefined;
		const ours =
			base && [`${base}.ts`, `${base}/index.ts`].find((it) => known.has(it));
		assert.ok(!base || ours, `${file} imports ${path}, which is not there`);
		return {
			from: file,
			to: ours ?? path,
			isType: type !== undefined,
			atOnce: call === undefined,
		};
	});
}

/** Every import line of `src/` and `nodes/`. */
export const sourceImports: readonly Import[] = sourceFiles.flatMap(importsOf);
