import { z } from "zod";
import type { Interval } from "../../forecast/forecast";
import { Time } from "../memory/plausible-ranges";
import { AccountMemory, SiteMemory } from "../memory/schemas";
import { decode, hashOf, seal, splitLine, unseal } from "./atomic-file";

/**
 * What the files of an account hold: texts behind a line with their digest
 * (`files.ts`). The first release wrote the account with all its sites in one
 * file, and digests of the bodies of forecasts only; its files are read as well.
 */

const Settled = z.array(z.tuple([Time, z.number()]));

/** What stands before the body in a forecast's file. All times are epoch ms on the server's clock. */
export const AnswerHead = z.object({
	version: z.literal(2),
	key: z.string(),
	/** Hash of the system an inline forecast was made for. */
	system: z.string().nullable(),
	/** The server's clock at the answer. */
	answeredAt: Time,
	computedAt: Time.nullable(),
	nextPollAt: Time.nullable(),
	/** What was asked for, which may be more than what came. */
	pastDays: z.int().nonnegative(),
	include: z.array(z.string()),
	/** Zone of the site's record, for answers that say "UTC". */
	siteZone: z.string().nullable(),
	/** Past quarters as last foreseen, by meaning of the stamps: [start in epoch ms, W]. */
	settled: z.object({
		end: Settled.optional(),
		start: Settled.optional(),
	} satisfies Record<Interval, z.ZodType>),
});
export type AnswerHead = z.infer<typeof AnswerHead>;

const FirstHead = AnswerHead.extend({
	version: z.literal(1),
	settled: Settled,
	/** Of the body. */
	digest: z.string(),
});

/** A forecast as kept on disk: what we know of it, and the body as received. */
export interface StoredAnswer {
	readonly head: AnswerHead;
	readonly body: string;
}

/** What a file holds of a forecast. */
export function writeAnswer({ head, body }: StoredAnswer): string {
	return seal(`${JSON.stringify(head)}\n${body}`);
}

/** @throws Error when the file is damaged, or another source's */
export async function readAnswer(
	content: Buffer,
	key: string,
): Promise<StoredAnswer> {
	const sealed = await unseal(content);
	const [line, body] = splitLine(sealed ?? content);
	const head = sealed
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

/** An account's memory, and that of its sites where one file holds both. */
export interface StoredAccount {
	readonly memory: AccountMemory;
	readonly sites: Readonly<Record<string, SiteMemory>>;
}

/** What a file holds of an account. */
export function writeAccount(memory: AccountMemory): string {
	return seal(JSON.stringify(memory));
}

/** @throws Error when the file is damaged */
export async function readAccount(content: Buffer): Promise<StoredAccount> {
	const sealed = await unseal(content);
	const json = JSON.parse(decode(sealed ?? content));
	if (sealed) return { memory: AccountMemory.parse(json), sites: {} };
	const { sites, ...first } = FirstAccount.parse(json);
	return { memory: { ...first, version: 2 }, sites };
}

const KeptSite = SiteMemory.extend({ version: z.literal(1), key: z.string() });

/** What a file holds of a site. */
export function writeSite(key: string, memory: SiteMemory): string {
	return seal(JSON.stringify({ version: 1, key, ...memory }));
}

/** @throws Error when the file is damaged, or another site's */
export async function readSiteMemory(
	content: Buffer,
	key: string,
): Promise<SiteMemory> {
	const sealed = await unseal(content);
	if (!sealed) throw new Error("no digest");
	const {
		version,
		key: own,
		...memory
	} = KeptSite.parse(JSON.parse(decode(sealed)));
	if (own !== key) throw new Error("another site's");
	return memory;
}
