import { isAscii } from "node:buffer";
import { createHash, webcrypto } from "node:crypto";
import {
	link,
	lstat,
	mkdir,
	open,
	readFile,
	rename,
	stat,
	unlink,
} from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";

/** The code of a system call's error, undefined for other errors. */
export const codeOf = (error: unknown) =>
	(error as NodeJS.ErrnoException)?.code;
/** Whether a file is not there. */
export const isMissing = (error: unknown) => codeOf(error) === "ENOENT";

/** Identity of one version of a file; a rename keeps it. */
export const stampOf = (facts: {
	mtimeMs: number;
	size: number;
	ino: number;
}) => `${facts.mtimeMs} ${facts.size} ${facts.ino}`;

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

/** Largest file that is read, bytes: an answer of 32 MB, and what is known of it. */
export const MOST_BYTES = 48 * 1024 * 1024;

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

/** Puts content on the disk, where a power cut leaves it whole; returns its stamp. */
export async function writeWhole(
	file: string,
	content: string | Uint8Array,
): Promise<string> {
	const handle = await open(file, "w", 0o600);
	try {
		await handle.writeFile(content);
		await handle.sync();
		return stampOf(await handle.stat());
	} finally {
		await handle.close();
	}
}

/**
 * Writes a file so that whoever reads it, after a power cut too, sees the old
 * content or the new one whole. (The usual library for this no longer runs on
 * Node.js 20, and leaves a temporary file behind for each write cut short.)
 *
 * @param temporary name beside the file, of no other writer
 * @returns the stamp of what was written
 */
export async function writeAtomically(
	file: string,
	content: string | Uint8Array,
	temporary: string,
): Promise<string> {
	try {
		const stamp = await writeWhole(temporary, content);
		await renameFile(temporary, file);
		return stamp;
	} catch (error) {
		await unlink(temporary).catch(() => {});
		throw error;
	}
}

/**
 * Writes files atomically that one writer keeps, and only those whose content is
 * another than it left there: an SD card wears out.
 */
export class ChangedFiles {
	/** What was left in each file, and its stamp then. */
	readonly #left = new Map<
		string,
		{ content: string | Uint8Array; stamp: string }
	>();

	/** Notes a content that an earlier process left in a file. */
	async #found(file: string, content: string | Uint8Array) {
		const bytes = await readOwn(file).catch(() => undefined);
		if (!bytes?.equals(Buffer.from(content as string))) return undefined;
		const stamp = await stat(file).then(stampOf, () => "");
		const found = { content, stamp };
		this.#left.set(file, found);
		return found;
	}

	/** Parameters and result are those of `writeAtomically`. */
	async write(
		file: string,
		content: string | Uint8Array,
		temporary: string,
	): Promise<string> {
		const left = this.#left.get(file) ?? (await this.#found(file, content));
		if (left?.content === content) {
			// Somebody else may have written or removed it.
			const stamp = await stat(file).then(stampOf, () => "");
			if (stamp === left.stamp) return stamp;
		}
		const stamp = await writeAtomically(file, content, temporary);
		this.#left.set(file, { content, stamp });
		return stamp;
	}
}

/**
 * Creates a file with all its content at once; false when there is one.
 *
 * @param write puts the content there first, under a name of no other writer
 */
export async function createWhole(
	file: string,
	temporary: string,
	write: (temporary: string) => Promise<unknown>,
): Promise<boolean> {
	try {
		await write(temporary);
		try {
			await link(temporary, file);
		} catch (error) {
			if (codeOf(error) === "EEXIST") return false;
			// Not every file system has links.
			await renameFile(temporary, file);
		}
		return true;
	} finally {
		await unlink(temporary).catch(() => {});
	}
}

/**
 * Does work that needs a folder, which is made where it is missing.
 *
 * @param furnish puts into a new folder what belongs there
 */
export async function inFolder<T>(
	folder: string,
	work: () => Promise<T>,
	furnish: () => Promise<unknown> = async () => {},
): Promise<T> {
	try {
		return await work();
	} catch (error) {
		if (!isMissing(error)) throw error;
		await mkdir(folder, { recursive: true });
		await furnish();
		return work();
	}
}

/** The first hexadecimal digits of a content's SHA-256. */
export const hashOf = (content: string | Uint8Array, length: number) =>
	createHash("sha256").update(content).digest("hex").slice(0, length);

const DIGEST_LENGTH = 32;
const NEW_LINE = 10;

/** The line before a content, by which damage is noticed. */
export const digestLine = (content: string | Uint8Array) =>
	`${hashOf(content, DIGEST_LENGTH)}\n`;

/** A text behind a line with its digest. */
export const addDigest = (text: string) => digestLine(text) + text;

/**
 * The content behind its digest, not yet decoded; megabytes are hashed on another thread.
 *
 * @returns undefined where no line with a digest stands before it
 * @throws Error when the text does not fit its digest
 */
export async function withoutDigest(
	content: Buffer,
): Promise<Buffer | undefined> {
	const digest = content.toString("latin1", 0, DIGEST_LENGTH);
	const hasDigest =
		content[DIGEST_LENGTH] === NEW_LINE && /^[0-9a-f]+$/.test(digest);
	if (!hasDigest) return undefined;
	const text = content.subarray(DIGEST_LENGTH + 1);
	const hash = Buffer.from(await webcrypto.subtle.digest("SHA-256", text));
	if (!hash.toString("hex").startsWith(digest)) throw new Error("altered");
	return text;
}

/** Text of a file: a forecast of megabytes is plain ASCII as a rule, which is read faster. */
export function decode(content: Buffer): string {
	return content.toString(isAscii(content) ? "latin1" : "utf8");
}

/** The first line of a file, and all that follows it. */
export function splitLine(content: Buffer): [first: string, rest: string] {
	const end = content.indexOf(NEW_LINE);
	return [
		decode(content.subarray(0, Math.max(end, 0))),
		decode(content.subarray(end + 1)),
	];
}
