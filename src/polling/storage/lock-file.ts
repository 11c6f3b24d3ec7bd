import { mkdir, rm, stat, unlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { codeOf, isAlive, readOwn } from "../../util/disk/atomic-file";
import { MINUTE_MS } from "../../util/time";

/** Age at which a lock file has outlasted every request that it could stand for, ms. */
const LONGEST_LOCK_MS = 5 * MINUTE_MS;
/** Lock files that this process holds. */
const held = new Set<string>();

/**
 * Takes a lock: a file that one process at a time can create, so that of two processes
 * on one folder the second sees the first one's answer before it asks.
 *
 * @returns false while another one holds it
 */
export async function acquireLock(file: string): Promise<boolean> {
	if (held.has(file)) return false;
	held.add(file);
	// Where nothing can be written, there is nothing to share either.
	const isFolder = await mkdir(dirname(file), { recursive: true }).then(
		() => true,
		() => false,
	);
	if (!isFolder) return true;
	try {
		if (await isAbandoned(file)) await rm(file, { recursive: true });
		await writeFile(file, String(process.pid), { flag: "wx", mode: 0o600 });
	} catch (error) {
		if (codeOf(error) !== "EEXIST") return true;
		held.delete(file);
		return false;
	}
	return true;
}

/** Gives a lock back. */
export async function releaseLock(file: string): Promise<void> {
	await unlink(file).catch(() => {});
	held.delete(file);
}

async function isAbandoned(file: string): Promise<boolean> {
	const facts = await stat(file).catch(() => undefined);
	if (!facts) return false;
	// A lock from the future was taken before a clock was put right.
	if (Math.abs(Date.now() - facts.mtimeMs) > LONGEST_LOCK_MS) return true;
	// One without a number is being written; one of another user cannot be read, and grows old all the same.
	const pid = Number(await readOwn(file).catch(() => 0));
	return pid > 0 && (pid === process.pid || !isAlive(pid));
}
