import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { z } from "zod";
import { AnswerHead, SettledQuarters } from "../memory/answer-head";
import { AccountMemory, SiteMemory } from "../memory/schemas";
import type { StoredAnswer } from "./account-storage";
import {
	addDigest,
	decode,
	digestLine,
	hashOf,
	MOST_BYTES,
	splitLine,
	withoutDigest,
} from "./atomic-file";

/**
 * Formats of the files of an account: texts behind a line with their digest
 * (`atomic-file.ts`), that of a forecast packed: a seventh of the bytes on the disk, each
 * quarter hour. The first release wrote the account with all its sites in one file, and
 * forecasts as they are with digests of their bodies only; its files are read as well.
 */

const pack = promisify(gzip);
const unpack = promisify(gunzip);
/** What packed content begins with, and no text. */
const PACKED = 0x1f;

const FirstHead = AnswerHead.extend({
	version: z.literal(1),
	settled: SettledQuarters,
	/** Digest of the body. */
	digest: z.string(),
});

/** The content of a forecast's file. */
export async function writeAnswer({
	head,
	body,
}: StoredAnswer): Promise<Uint8Array> {
	// As bytes at once: joined as texts they would be joined and written again as bytes.
	const content = Buffer.concat([
		Buffer.from(`${JSON.stringify(head)}\n`),
		Buffer.from(body),
	]);
	// The quickest level: the next one takes half as long again for a tenth less.
	const packed = await pack(content, { level: 1 });
	return Buffer.concat([Buffer.from(digestLine(packed)), packed]);
}

/**
 * Room for all that gzip has packed, by its last four bytes (RFC 1952, ISIZE): in
 * pieces of the usual 16 kB an answer of megabytes takes three times as long.
 */
const unpackedLength = (packed: Buffer) =>
	Math.min(MOST_BYTES, Math.max(64, packed.readUInt32LE(packed.length - 4)));

/** @throws Error when the file is damaged, or another source's */
export async function readAnswer(
	content: Buffer,
	key: string,
): Promise<StoredAnswer> {
	const whole = await withoutDigest(content);
	const text =
		whole?.[0] === PACKED
			? await unpack(whole, {
					maxOutputLength: MOST_BYTES,
					chunkSize: unpackedLength(whole),
				})
			: (whole ?? content);
	const [line, body] = splitLine(text);
	const head = whole
		? AnswerHead.parse(JSON.parse(line))
		: firstHead(JSON.parse(line), body);
	if (head.key !== key) throw new Error("another source's forecast");
	return { head, body };
}

function firstHead(head: unknown, body: string): AnswerHead {
	const { digest, settled, ...first } = FirstHead.parse(head);
	if (digest !== hashOf(body, digest.length)) throw new Error("not whole");
	// It does not say which meaning of the stamps its quarters follow.
	return { ...first, version: 2, settled: { end: settled, start: settled } };
}

const FirstAccount = AccountMemory.extend({
	version: z.literal(1),
	sites: z.record(z.string(), SiteMemory),
});

/** An account's memory, and that of its sites where one file holds both (first release). */
interface StoredAccount {
	readonly memory: AccountMemory;
	readonly sites: Readonly<Record<string, SiteMemory>>;
}

/** The text of an account's file. */
export function writeAccount(memory: AccountMemory): string {
	return addDigest(JSON.stringify(memory));
}

/** @throws Error when the file is damaged */
export async function readAccount(content: Buffer): Promise<StoredAccount> {
	const whole = await withoutDigest(content);
	const json = JSON.parse(decode(whole ?? content));
	if (whole) return { memory: AccountMemory.parse(json), sites: {} };
	const { sites, ...first } = FirstAccount.parse(json);
	return { memory: { ...first, version: 2 }, sites };
}

const KeptSite = SiteMemory.extend({ version: z.literal(1), key: z.string() });

/** The text of a site's file. */
export function writeSite(key: string, memory: SiteMemory): string {
	return addDigest(JSON.stringify({ version: 1, key, ...memory }));
}

/** @throws Error when the file is damaged, or another site's */
export async function readSiteMemory(
	content: Buffer,
	key: string,
): Promise<SiteMemory> {
	const whole = await withoutDigest(content);
	if (!whole) throw new Error("no digest");
	const {
		version,
		key: own,
		...memory
	} = KeptSite.parse(JSON.parse(decode(whole)));
	if (own !== key) throw new Error("another site's");
	return memory;
}
