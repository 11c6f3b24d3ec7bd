import { stat, unlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { MINUTE_MS } from "../../util/time";
import {
	codeOf,
	createWhole,
	inFolder,
	isMissing,
	readOwn,
} from "./atomic-file";

/** Age at which a lock file has outlasted every request that it could stand for, ms. */
const LONGEST_LOCK_MS = 5 * MINUTE_MS;
/** Lock files that this process holds. */
const held = new Set<string>();

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
 * Takes a lock: a file that one process at a time can create.
 *
 * @param mark makes the name of a temporary file beside it that of no other writer
 * @returns false while another one holds it
 */
export async function acquireLock(
	file: string,
	mark: string,
): Promise<boolean> {
	if (held.has(file)) return false;
	held.add(file);
	try {
		for (let attempt = 0; attempt < 2; attempt += 1) {
			// A lock need not outlive a power cut, so nothing waits for the disk.
			const write = (name: string) =>
				writeFile(name, String(process.pid), { mode: 0o600 });
			const create = () => createWhole(file, `${file}.${mark}`, write);
			if (await inFolder(dirname(file), create)) return true;
			if (!(await isAbandoned(file))) {
				held.delete(file);
				return false;
			}
			await unlink(file);
		}
	} catch {
		// Where nothing can be written, there is nothing to share either.
	}
	return true;
}

/** Gives a lock back. */
export async function releaseLock(file: string): Promise<void> {
	await unlink(file).catch(() => {});
	held.delete(file);
}

async function isAbandoned(file: string): Promise<boolean> {
	try {
		const { mtimeMs } = await stat(file);
		// A lock from the future was taken before a clock was put right.
		if (Math.abs(Date.now() - mtimeMs) > LONGEST_LOCK_MS) return true;
		const pid = Number(await readOwn(file));
		return !(pid > 0) || pid === process.pid || !isAlive(pid);
	} catch (error) {
		// What another user's process holds cannot be read, and grows old all the same.
		return isMissing(error);
	}
}
