import { DAY_MS } from "../util/time";
import { readInstant } from "../util/timestamp";
import { HEADER, UNMETERED, type WireAnswer } from "./http/exchange";

/**
 * The monthly account-wide count of one kind of request, as the headers of an
 * answer said it (spec V2, "Quota headers").
 */
export interface Quota {
	/** Requests allowed this month, null when the plan is unmetered. */
	readonly limit: number | null;
	readonly used: number;
	/** Requests left this month, null when the plan is unmetered. */
	readonly remaining: number | null;
	/** Epoch ms at which the count returns to 0. */
	readonly reset: number;
	/** Epoch ms, on the server's clock, at which this was so. */
	readonly asOf: number;
}

/** The 1st of the next month, 00:00 UTC (spec V2, "Monthly requests"). */
export function nextReset(instant: number): number {
	const date = new Date(instant);
	return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** A number of requests; a fraction of one is none that is left. */
function count(text: string | undefined): number | undefined {
	return text !== undefined && /^\s*\d{1,15}(\.\d{1,15})?\s*$/.test(text)
		? Math.floor(Number(text))
		: undefined;
}

/** The count's headers, whose values the rest of this file reads. */
const QUOTA_HEADERS = [
	HEADER.limit,
	HEADER.used,
	HEADER.remaining,
	HEADER.reset,
] as const;

/** Whether an answer carries any header of the month's count. */
const hasQuotaHeaders = (headers: WireAnswer["headers"]): boolean =>
	QUOTA_HEADERS.some((name) => name in headers);

/**
 * Whether an answer with 429 says that the month's requests are used up: none
 * remain, or it tells of a count and not how many remain. With requests left it is
 * a burst limit (behaviour: Where the service's description is silent).
 */
export function isMonthUsedUp(headers: WireAnswer["headers"]): boolean {
	const remaining = headers[HEADER.remaining]?.trim().toLowerCase();
	const limit = headers[HEADER.limit]?.trim().toLowerCase();
	// A plan without a limit cannot have used it up.
	if ([remaining, limit].includes(UNMETERED)) return false;
	return hasQuotaHeaders(headers) && !((count(remaining) ?? 0) > 0);
}

/** Furthest that a month's reset may lie ahead, ms. */
const MONTH_MS = 32 * DAY_MS;
/** Time after a reset in which the service may still name it, ms. */
const LAG_MS = DAY_MS;

/**
 * When the count of an answer returns to 0, epoch ms.
 *
 * A reset that has just passed is taken as it stands: the month has turned while
 * the count had not. One long past, or over a month ahead, is no help in
 * planning: the calendar says it then.
 *
 * @param asOf the server's clock at the answer, epoch ms
 */
export function readReset(
	headers: WireAnswer["headers"],
	asOf: number,
): number {
	const said = readInstant(headers[HEADER.reset]?.trim() ?? "");
	return said > asOf - LAG_MS && said <= asOf + MONTH_MS
		? said
		: nextReset(asOf);
}

/**
 * Reads the quota of an answer.
 *
 * @param asOf the server's clock at the answer, epoch ms
 * @returns undefined when the answer does not carry the headers, or not legibly
 */
export function readQuota(
	headers: WireAnswer["headers"],
	asOf: number,
): Quota | undefined {
	const limitText = headers[HEADER.limit]?.trim().toLowerCase();
	const remainingText = headers[HEADER.remaining]?.trim().toLowerCase();
	const unmetered = [limitText, remainingText].includes(UNMETERED);
	const limit = count(limitText);
	const left = count(remainingText);
	const used =
		count(headers[HEADER.used]) ??
		(limit !== undefined && left !== undefined
			? Math.max(0, limit - left)
			: undefined);
	if (used === undefined) return undefined;
	const remaining =
		left ?? (limit === undefined ? undefined : Math.max(0, limit - used));
	if (!unmetered && remaining === undefined) return undefined;
	return {
		limit: unmetered ? null : (limit ?? used + (remaining as number)),
		used,
		remaining: unmetered ? null : (remaining as number),
		reset: readReset(headers, asOf),
		asOf,
	};
}
