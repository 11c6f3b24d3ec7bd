import { DAY_MS, readInstant } from "../util/time";
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

/** Furthest that a month's reset may lie ahead, ms. */
export const LONGEST_MONTH_MS = 32 * DAY_MS;
/** Time after a reset in which the service may still name it, ms. */
const LAG_MS = DAY_MS;

/** What the headers of an answer say of the month's count. */
interface Count {
	/** Undefined without the headers, or where they are not legible. */
	readonly quota: Quota | undefined;
	/** Those that cannot be read, by name. */
	readonly unreadable: Readonly<Record<string, string>> | undefined;
	/**
	 * Whether an answer with 429 says that the month's requests are used up: none
	 * remain, or it tells of a count and not how many remain. With requests left it is
	 * a burst limit, and a plan without a limit has none to use up (behaviour: Where the
	 * service's description is silent).
	 */
	readonly isUsedUp: boolean;
	/**
	 * When the count returns to 0, epoch ms. A reset that has just passed is taken as it
	 * stands: the month has turned while the count had not. One long past, or over a
	 * month ahead, is no help in planning: the calendar says it then.
	 */
	readonly reset: number;
}

/** @param asOf the server's clock at the answer, epoch ms */
export function readCount(headers: WireAnswer["headers"], asOf: number): Count {
	const names = [HEADER.limit, HEADER.used, HEADER.remaining, HEADER.reset];
	const shown = names.filter((name) => name in headers);
	const text = (name: string) => headers[name]?.trim().toLowerCase() ?? "";
	const count = (name: string) =>
		/^\d{1,15}(\.\d{1,15})?$/.test(text(name))
			? Math.floor(Number(text(name)))
			: Number.NaN;
	const [limit, left] = [count(HEADER.limit), count(HEADER.remaining)];
	const isUnmetered = [HEADER.limit, HEADER.remaining].some(
		(name) => text(name) === UNMETERED,
	);
	// Two of the three tell the other one.
	const used = orElse(count(HEADER.used), Math.max(0, limit - left));
	const remaining = orElse(left, Math.max(0, limit - used));
	const said = readInstant(headers[HEADER.reset]?.trim() ?? "");
	const isNear = said > asOf - LAG_MS && said <= asOf + LONGEST_MONTH_MS;
	const reset = isNear ? said : nextReset(asOf);
	const isLegible = used >= 0 && (isUnmetered || remaining >= 0);
	return {
		quota: isLegible
			? {
					limit: isUnmetered ? null : orElse(limit, used + remaining),
					used,
					remaining: isUnmetered ? null : remaining,
					reset,
					asOf,
				}
			: undefined,
		unreadable:
			isLegible || shown.length === 0
				? undefined
				: Object.fromEntries(
						shown.map((name) => [name, String(headers[name]).slice(0, 40)]),
					),
		isUsedUp: !isUnmetered && shown.length > 0 && !(left > 0),
		reset,
	};
}

/** A number, or another where it is none. */
const orElse = (value: number, other: number) =>
	Number.isNaN(value) ? other : value;
