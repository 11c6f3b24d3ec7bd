import { stat, unlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import {
	codeOf,
	createWhole,
	inFolder,
	isMissing,
	readOwn,
} from "./atomic-file";

/** A claim this old, ms, outlasted every request that it could stand for. */
const MAX_CLAIM_MS = 5 * 60_000;
/** Claims of this process, by file. */
const claims = new Set<string>();

/** Whether a process runs, ours or another's. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return codeOf(error) === "EPERM";
	}
}

/**
 * Claims a file, so that of several processes one at a time has it.
 *
 * @param mark makes the name of a temporary file beside it that of no other writer
 * @returns false while another one has it
 */
export async function claimFile(file: string, mark: string): Promise<boolean> {
	if (claims.has(file)) return false;
	claims.add(file);
	try {
		for (let attempt = 0; attempt < 2; attempt += 1) {
			// A claim need not outlive a power cut.
			const write = (name: string) =>
				writeFile(name, String(process.pid), { mode: 0o600 });
			const create = () => createWhole(file, `${file}.${mark}`, write);
			if (await inFolder(dirname(file), create)) return true;
			if (!(await isAbandoned(file))) {
				claims.delete(file);
				return false;
			}
			await unlink(file);
		}
	} catch {
		// Where nothing can be written, there is nothing to share either.
	}
	return true;
}

/** Gives a claim back. */
export async function releaseFile(file: string): Promise<void> {
	await unlink(file).catch(() => {});
	claims.delete(file);
}

async function isAbandoned(file: string): Promise<boolean> {
	try {
		const { mtimeMs } = await stat(file);
		// A claim from the future was made before a clock was put right.
		if (Math.abs(Date.now() - mtimeMs) > MAX_CLAIM_MS) return true;
		const pid = Number(await readOwn(file));
		return !(pid > 0) || pid === process.pid || !isAlive(pid);
	} catch (error) {
		// What another user's process holds cannot be read, and grows old all the same.
		return isMissing(error);
	}
}
