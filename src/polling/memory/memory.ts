import { z } from "zod";
import type { ErrorKind } from "../../service/errors/solar-yield-error";
import { GROUP_NAMES } from "../../service/v2/groups";
import type { Text } from "../../texts/texts";

/**
 * What the poller must not forget over a restart (behaviour: Restarts and deploys),
 * as it stands in its files. All times are epoch ms on the server's clock.
 */

/** A value that nobody changes: memory is replaced as a whole, by the transitions. */
type DeepReadonly<T> = Text extends T
	? T
	: T extends object
		? { readonly [K in keyof T]: DeepReadonly<T[K]> }
		: T;

/** A time; 0 for long past. */
const Time = z.number().min(0).max(Date.UTC(2200));
/** A duration, ms, or a number of requests. */
const Amount = z.number().nonnegative();
const Count = z.int().nonnegative();
const maybeTime = Time.nullable().default(null);
const count = Count.default(0);
const flag = z.boolean().default(false);
/** One value for each of the service's counts. */
const ofKinds = <T>(schema: z.ZodType<T>) =>
	z
		.object({ forecast: schema.nullable(), historical: schema.nullable() })
		.default({ forecast: null, historical: null });

const Failure = z.object({
	kind: z.string() as unknown as z.ZodType<ErrorKind>,
	text: z.custom<Text>((text) => typeof (text as Text)?.key === "string"),
	status: z.number().nullable(),
	detail: z.string().nullable(),
	/** Whether another server answered, at an address that had never answered well. */
	foreign: z.boolean(),
	at: Time,
	/** When the first of those in a row came. */
	since: Time,
	/** What the service asks to wait, ms; 0 where it says nothing. */
	waitMs: Amount,
	/** Failures in a row, this one included. */
	count: z.int().positive(),
	/** Whether flows have been told of it. */
	reported: z.boolean(),
});
export type Failure = z.infer<typeof Failure>;

/** A block of requests that only a change elsewhere can end: of key and site free requests see the end, of plan and input a later forecast. */
const RequestBlock = z.object({
	/** `site`: unknown, deleted or inactive; `plan`: no forecasts; `input`: 400, 422. */
	type: z.enum(["key", "site", "plan", "input"]),
	/** Probes so far. */
	probes: Count,
	probedAt: Time,
});
export type RequestBlock = z.infer<typeof RequestBlock>;

const Quota = z.object({
	limit: Amount.nullable(),
	used: Amount,
	remaining: Amount.nullable(),
	reset: Time,
	asOf: Time,
});

/** Requests of the account's other clients, as far as our own answers' `Used` shows them. */
const OtherClients = z.object({
	/** End of the month that `count` belongs to. */
	reset: Time,
	/** Requests of others in that month. */
	count: Amount,
	/** [epoch ms, running total over all months] from our first answer on, ascending: a little more than a week. */
	seen: z.array(z.tuple([Time, Amount])),
});
export type OtherClients = DeepReadonly<z.infer<typeof OtherClients>>;

export const newOtherClients = (): z.infer<typeof OtherClients> => ({
	reset: 0,
	count: 0,
	seen: [],
});

export const SiteMemory = z.object({
	/** Hash of an inline system: all that follows is of this one. */
	system: z.string().nullable().default(null),
	/** Last forecast request; `open` while its outcome is not known. */
	requestedAt: maybeTime,
	open: flag,
	/** The last answer's own clock and what it said about the next. */
	answeredAt: maybeTime,
	computedAt: maybeTime,
	nextPollAt: maybeTime,
	/** The last update intervals, ms: from a request to the next one that brings something newer. */
	steps: z.array(Amount).default([]),
	/** A `next_poll_at` that has passed while the forecast in hand is still the newest, and answers since then that held it. */
	late: z.object({ since: Time, answers: Count }).nullable().default(null),
	/** How late the last forecasts were behind `next_poll_at`, ms; empty where none was. */
	lateness: z.array(Amount).default([]),
	/** Automatic requests in a row that brought nothing newer. */
	barren: count,
	/** `computed_at` of the last answer where it was not kept, for it is all zero where the one in hand has power. */
	suspect: maybeTime,
	/** When the site was changed, while no answer knows it: due at once. */
	changedAt: maybeTime,
	failure: Failure.nullable().default(null),
	/** The block of this site's requests. */
	block: RequestBlock.nullable().default(null),
	/** What messages asked for beyond the nodes' settings, kept up for a day. */
	wanted: z
		.object({ pastDays: Count, variability: z.boolean(), until: Time })
		.default({ pastDays: 0, variability: false, until: 0 }),
	/** The site's record as last read. */
	record: z.unknown().default(null),
	recordAt: maybeTime,
});
export type SiteMemory = DeepReadonly<z.infer<typeof SiteMemory>>;

export const AccountMemory = z.object({
	/** The server's time when this was stored. */
	seenAt: Time.default(0),
	quota: ofKinds(Quota),
	/** Whether the service has ever answered well. */
	hasAnswered: flag,
	/** This Node-RED's own requests in the month (UTC) in which `month` lies. */
	own: z
		.object({ month: Time, forecast: Count, historical: Count })
		.default({ month: 0, forecast: 0, historical: 0 }),
	/** Other clients' forecast requests. */
	others: OtherClients.default(newOtherClients),
	/** No request of that kind before this time, after a 429 (behaviour: The month's requests). */
	exhausted: ofKinds(Time),
	/** A burst limit, and the delay planned for another one. */
	burst: z.object({ until: Time, waitMs: Amount }).nullable().default(null),
	/** Limits are lifted: the next request is allowed whatever stands in its way. */
	lifted: flag,
	/** The block of all requests after the service refused the key. */
	keyBlock: RequestBlock.nullable().default(null),
	/** Groups that the plan has, and groups that it refused. */
	available: z.array(z.string()).nullable().default(null),
	refused: z.array(z.enum(GROUP_NAMES)).default([]),
	/** Fingerprints of the accounts' settings, to notice a changed one. */
	accounts: z.record(z.string(), z.string()).default({}),
});
export type AccountMemory = DeepReadonly<z.infer<typeof AccountMemory>>;

/** What is remembered before anything is known. */
export const newAccountMemory = (): AccountMemory => AccountMemory.parse({});

/** @param system hash of an inline system */
export const newSiteMemory = (system: string | null = null): SiteMemory =>
	SiteMemory.parse({ system });

/** What is remembered of an answer beside its body. */
export const AnswerHead = z.object({
	key: z.string(),
	/** Hash of the system an inline forecast was made for. */
	system: z.string().nullable(),
	answeredAt: Time,
	computedAt: Time,
	nextPollAt: Time.nullable(),
	/** What was asked for, which may be more than what came. */
	pastDays: Count,
	include: z.array(z.string()),
	/** Zone of the site's record, for answers that say "UTC". */
	siteZone: z.string().nullable(),
	/** Past quarters as last foreseen before they began: [start, W]. */
	settled: z.array(z.tuple([Time, z.number()])),
});
export type AnswerHead = DeepReadonly<z.infer<typeof AnswerHead>>;
