import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Figure, ROOT, rounded } from "./support";

interface Manifest {
	readonly dependencies?: Readonly<Record<string, string>>;
}
const manifest = (folder: string): Manifest =>
	JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** Folder of a package as one in `from` finds it. */
function folderOf(name: string, from: string): string {
	for (let at = from; at.startsWith(ROOT); at = join(at, "..")) {
		const folder = join(at, "node_modules", name);
		try {
			statSync(join(folder, "package.json"));
			return folder;
		} catch {}
	}
	throw new Error(`${name} is not installed`);
}

/** Folders of all packages that one brings along, without itself. */
function closure(from: string, found = new Set<string>()): Set<string> {
	for (const name of Object.keys(manifest(from).dependencies ?? {})) {
		const folder = folderOf(name, from);
		if (found.has(folder)) continue;
		found.add(folder);
		closure(folder, found);
	}
	return found;
}

/** Bytes of a package's own files. */
function bytesOf(folder: string): number {
	let bytes = 0;
	for (const entry of readdirSync(folder, { withFileTypes: true })) {
		if (entry.name === "node_modules") continue;
		const path = join(folder, entry.name);
		if (entry.isDirectory()) bytes += bytesOf(path);
		else if (entry.isFile()) bytes += statSync(path).size;
	}
	return bytes;
}

/** What an installation loads and puts on the disk; bounds as in `test/package/package.test.ts`. */
export async function run(): Promise<Figure[]> {
	const out = execFileSync(
		"npm",
		["pack", "--dry-run", "--json", "--ignore-scripts"],
		{ cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
	);
	// npm 11 names the packages, older ones list them.
	const [packed] = Object.values<{ size: number; unpackedSize: number }>(
		JSON.parse(out),
	);
	const brought = [...closure(ROOT)];
	const megabytes = (bytes = Number.NaN) => rounded(bytes / 1e6);
	return [
		{
			name: "packed size",
			value: megabytes(packed?.size),
			target: 0.52,
			unit: "MB",
			note: "what npm loads, without dependencies",
		},
		{
			name: "installed size",
			value: megabytes(packed?.unpackedSize),
			target: 1.95,
			unit: "MB",
			note: `without dependencies, which take ${megabytes(brought.reduce((sum, folder) => sum + bytesOf(folder), 0))} MB`,
		},
		{
			name: "direct dependencies",
			value: Object.keys(manifest(ROOT).dependencies ?? {}).length,
			target: 6,
			unit: "packages",
			note: "the catalogue of Node-RED warns from 7 on",
		},
		{
			name: "packages installed with ours",
			value: brought.length,
			unit: "packages",
			note: "axios brings nearly all of them",
		},
	];
}
