import { createHash } from "node:crypto";
import {
	lstat,
	mkdir,
	open,
	readdir,
	readFile,
	rename,
	stat,
	unlink,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { HOUR_MS } from "../time";

/** The code of a system call's error, undefined for other errors. */
export const codeOf = (error: unknown) =>
	(error as NodeJS.ErrnoException)?.code;
/** Whether a file is not there. */
export const isMissing = (error: unknown) => codeOf(error) === "ENOENT";

/** The first hexadecimal digits of a content's SHA-256. */
export const hashOf = (content: string | Uint8Array, length: number) =>
	createHash("sha256").update(content).digest("hex").slice(0, length);

/** Largest file that is read, bytes: an answer of 16 MB, and what is known of it. */
export const MOST_BYTES = 24 * 1024 * 1024;

/**
 * Reads a file that should be one of ours. A pipe, which would never end, a folder,
 * a link to nothing, and what is far too large read as empty, which no file of ours is.
 */
export async function readOwn(file: string): Promise<Buffer> {
	const facts = await stat(file).catch(async (error) => {
		if (!isMissing(error)) throw error;
		return lstat(file);
	});
	return facts.isFile() && facts.size <= MOST_BYTES
		? readFile(file)
		: Buffer.alloc(0);
}

/** What a virus scanner or an indexer answers that has the file open for a moment (Windows). */
const PASSING_CODES = ["EPERM", "EBUSY", "EACCES"];
/** Waits before a rename is tried again, ms: half a second in all. */
const RENAME_WAITS_MS = [20, 60, 140, 280];

/** Renames a file, also where another program has it open for a moment. */
export async function renameFile(from: string, to: string): Promise<void> {
	for (const ms of RENAME_WAITS_MS) {
		try {
			return await rename(from, to);
		} catch (error) {
			if (!PASSING_CODES.includes(codeOf(error) ?? "")) throw error;
			await wait(ms);
		}
	}
	await rename(from, to);
}

let writers = 0;

/** Makes the name of a temporary file that of one writer: process id and number. */
export const temporaryMark = () => `${process.pid}.${++writers}.tmp`;

/**
 * Writes a file so that whoever reads it, after a power cut too, sees the old content
 * or the new one whole. A folder that is missing is made.
 *
 * @param mark of the temporary file beside it (`temporaryMark`)
 */
export async function writeAtomically(
	file: string,
	content: string | Uint8Array,
	mark: string,
): Promise<void> {
	const temporary = `${file}.${mark}`;
	const create = () => open(temporary, "w", 0o600);
	try {
		const handle = await create().catch(async (error) => {
			if (!isMissing(error)) throw error;
			await mkdir(dirname(file), { recursive: true });
			return create();
		});
		try {
			await handle.writeFile(content);
			await handle.sync();
		} finally {
			await handle.close();
		}
		await renameFile(temporary, file);
	} catch (error) {
		await unlink(temporary).catch(() => {});
		throw error;
	}
}

/** Whether a process runs, ours or another's. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return codeOf(error) === "EPERM";
	}
}

/** When a file was last written, epoch ms; 0 where there is none. */
export const writtenAt = (file: string): Promise<number> =>
	stat(file).then(
		({ mtimeMs }) => mtimeMs,
		() => 0,
	);

/** Removes temporary files whose writers were killed, and those of an hour ago, whoever has their process ids now. Never rejects. */
export async function sweepTemporary(folder: string): Promise<void> {
	for (const name of await readdir(folder).catch(() => [])) {
		const pid = Number(/\.(\d+)\.\d+\.tmp$/.exec(name)?.[1] ?? Number.NaN);
		if (Number.isNaN(pid)) continue;
		const file = join(folder, name);
		const written = await writtenAt(file);
		// In a container an earlier process often had our own number.
		const isOurs = pid === process.pid && written >= performance.timeOrigin;
		const isOld = Date.now() - written > HOUR_MS;
		if (isOld || !(isOurs || (pid !== process.pid && isAlive(pid)))) {
			await unlink(file).catch(() => {});
		}
	}
}
