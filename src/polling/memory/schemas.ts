import { z } from "zod";
import type { ErrorKind } from "../../service/errors/solar-yield-error";
import { GROUP_NAMES } from "../../service/v2/groups";
import type { Text } from "../../texts/texts";
import type { DeepReadonly } from "./deep-readonly";
import { Count, Duration, Skew, Time } from "./plausible-ranges";

/**
 * What the poller must not forget over a restart (behaviour: Restarts and deploys),
 * as it stands in `account-….json` and `site-….json`. All times are epoch ms on
 * the server's clock. Files of every version have these names of fields.
 */

const kinds = [
	"AUTH",
	"PLAN",
	"NOT_FOUND",
	"QUOTA",
	"RATE",
	"INPUT",
	"SERVICE",
	"NETWORK",
	"TIMEOUT",
	"RESPONSE",
] as const satisfies readonly ErrorKind[];

const Failure = z.object({
	kind: z.enum(kinds),
	text: z.custom<Text>((text) => typeof (text as Text)?.key === "string"),
	status: z.number().nullable(),
	detail: z.string().nullable(),
	/** Whether another server answered, at an address that had never answered well. */
	foreign: z.boolean().default(false),
	at: Time,
	/** What the service asks to wait, ms; 0 where it says nothing. */
	waitMs: Duration.default(0),
	/** Failures in a row, this one included. */
	count: z.int().positive(),
	/** Whether flows have been told of it. */
	reported: z.boolean(),
});
export type Failure = DeepReadonly<z.infer<typeof Failure>>;

/** A block of requests that only a change elsewhere can end: free requests probe for it. */
const RequestBlock = z.object({
	/** `site`: unknown, deleted or inactive; `plan`: no forecasts; `input`: 400, 422. */
	type: z.enum(["key", "site", "plan", "input"]),
	since: Time,
	/** Probes so far. */
	probes: z.int().nonnegative(),
	probedAt: Time,
	/** The account's `lifts` then: after another one the block is probed at once. */
	lifts: z.int().nonnegative().default(0),
});
export type RequestBlock = DeepReadonly<z.infer<typeof RequestBlock>>;

const Quota = z.object({
	limit: Count.nullable(),
	used: Count,
	remaining: Count.nullable(),
	reset: Time,
	asOf: Time,
});

/** Version 0.1.0 began at the month's begin, with what its count held before our first answer. */
function withoutMonthsBegin(seen: [number, number][]): [number, number][] {
	const [first, ...later] = seen;
	const isBegin =
		first !== undefined &&
		first[1] === 0 &&
		new Date(first[0]).toISOString().endsWith("-01T00:00:00.000Z");
	return isBegin && later.length > 0 ? later : seen;
}

/** Requests of the account's other clients, as far as our own answers' `Used` shows them. */
const OtherClients = z.object({
	/** End of the month that `count` belongs to, epoch ms. */
	reset: Time,
	/** Requests of others in that month. */
	count: z.int().nonnegative(),
	/** [epoch ms, running total over all months] from our first answer on, ascending: a little more than a week. */
	seen: z.array(z.tuple([Time, Count])).transform(withoutMonthsBegin),
});
export type OtherClients = DeepReadonly<z.infer<typeof OtherClients>>;

/** How late the service usually is behind `next_poll_at`, ms. */
const Lateness = z.object({
	/** By how much later requests come. */
	ms: Duration,
	/** The last one that was late enough; more than `ms` while an earlier request is tried. */
	proven: Duration,
	/** What was too early. */
	floor: Duration,
	/** Forecasts in a row that were there at the first request. */
	inTime: z.int().nonnegative(),
	/** Earlier requests that were tried in vain. */
	trials: z.int().nonnegative(),
});

const noLateness = () => ({
	ms: 0,
	proven: 0,
	floor: 0,
	inTime: 0,
	trials: 0,
});

const noOtherClients = () => ({ reset: 0, count: 0, seen: [] });
export const newOtherClients: () => OtherClients = noOtherClients;

export const SiteMemory = z.object({
	/** Hash of an inline system: all that follows is of this one. */
	system: z.string().nullable(),
	/** Last forecast request; `open` while its outcome is not known. */
	requestedAt: Time.nullable(),
	open: z.boolean(),
	/** Node-RED stopped in good order while it was open. */
	stopped: z.boolean().default(false),
	/** The last answer's own clock and what it said about the next. */
	answeredAt: Time.nullable(),
	computedAt: Time.nullable(),
	nextPollAt: Time.nullable(),
	/** The last few update intervals: from a request to the next one that brings something newer. */
	steps: z.array(Duration).default([]),
	/** A `next_poll_at` that has passed while the forecast in hand is still the newest, and answers since then that held it. */
	late: z
		.object({ since: Time, answers: z.int().nonnegative() })
		.nullable()
		.default(null),
	lateness: Lateness.default(noLateness),
	/** Unchanged answers: automatic requests in a row that brought nothing newer. */
	barren: z.int().nonnegative(),
	/** `computed_at` of the last answer where it was not kept: older than the kept one, or all zero where that has power. */
	suspect: Time.nullable(),
	/** Due at once, since the site was changed. */
	changed: z.boolean(),
	failure: Failure.nullable(),
	/** The block of this site's requests. */
	gate: RequestBlock.nullable(),
	/** What messages asked for beyond the nodes' settings, kept up for a day. */
	wanted: z.object({
		pastDays: z.int().nonnegative(),
		variability: z.boolean(),
		until: Time,
	}),
	/** The site's record as last read. */
	record: z.unknown(),
	recordAt: Time.nullable(),
});
export type SiteMemory = DeepReadonly<z.infer<typeof SiteMemory>>;

const kindsOfRequest = <T extends z.ZodType>(schema: T) =>
	z.object({ forecast: schema, historical: schema });

export const AccountMemory = z.object({
	version: z.literal(2),
	/** The server's clock minus the host's, ms. */
	skew: Skew,
	/** The server's time when that was stored. */
	seenAt: Time.default(0),
	/** The service's own forecasts have shown that its `Date` is not the time. */
	dateRefuted: z.boolean().default(false),
	quota: kindsOfRequest(Quota.nullable()),
	/** This Node-RED's own requests in the month (UTC) that began at `month`. */
	own: z.object({
		month: Time,
		forecast: z.int().nonnegative(),
		historical: z.int().nonnegative(),
	}),
	/** Other clients' forecast requests. */
	others: OtherClients.default(noOtherClients),
	/** No request of that kind before this time, after a 429 (behaviour: The month's requests). */
	exhausted: kindsOfRequest(Time.nullable()),
	/** A burst limit, and the delay planned for another one. */
	burst: z.object({ until: Time, waitMs: Duration }).nullable(),
	/** Limits are lifted: the next request is allowed whatever stands in its way. */
	lifted: z.boolean(),
	/** How often limits have been lifted. */
	lifts: z.int().nonnegative().default(0),
	/** The block of all requests after the service refused the key. */
	keyGate: RequestBlock.nullable(),
	/** Groups that the plan has, and groups that it refused. */
	available: z.array(z.string()).nullable(),
	refused: z.array(z.enum(GROUP_NAMES)),
	/** Fingerprints of the accounts' settings, to notice a changed one. */
	accounts: z.record(z.string(), z.string()),
});
export type AccountMemory = DeepReadonly<z.infer<typeof AccountMemory>>;

/** Records by names that others choose: even `__proto__` is a name like any other. */
export function byName<T>(
	records: Readonly<Record<string, T>>,
): Record<string, T> {
	return Object.assign(Object.create(null), records);
}

export function newAccountMemory(): AccountMemory {
	return {
		version: 2,
		skew: 0,
		seenAt: 0,
		dateRefuted: false,
		quota: { forecast: null, historical: null },
		own: { month: 0, forecast: 0, historical: 0 },
		others: newOtherClients(),
		exhausted: { forecast: null, historical: null },
		burst: null,
		lifted: false,
		lifts: 0,
		keyGate: null,
		available: null,
		refused: [],
		accounts: byName({}),
	};
}

/** @param system hash of an inline system */
export function newSiteMemory(system: string | null = null): SiteMemory {
	return {
		system,
		requestedAt: null,
		open: false,
		stopped: false,
		answeredAt: null,
		computedAt: null,
		nextPollAt: null,
		steps: [],
		late: null,
		lateness: noLateness(),
		barren: 0,
		suspect: null,
		changed: false,
		failure: null,
		gate: null,
		wanted: { pastDays: 0, variability: false, until: 0 },
		record: null,
		recordAt: null,
	};
}
