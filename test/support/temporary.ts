import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders: string[] = [];

/** A new folder that goes with this process. */
export function temporaryFolder(name: string): string {
	const folder = mkdtempSync(join(tmpdir(), `solar-yield-${name}-`));
	if (folders.push(folder) === 1) {
		process.once("exit", () => {
			for (const it of folders) rmSync(it, { recursive: true, force: true });
		});
	}
	return folder;
}
