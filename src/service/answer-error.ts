import type { Value, Values } from "../texts/texts";
import { isObject } from "../util/guards";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../util/time";
import { readHttpDate } from "../util/zone";
import {
	type ErrorFacts,
	type ErrorKind,
	SolarYieldError,
} from "./errors/solar-yield-error";
import { HEADER, MOST_ERROR_BYTES, type WireAnswer } from "./http/exchange";
import { readCount } from "./quota";
import { GROUP_NAMES, type Group } from "./v2/groups";

const MAX_DETAIL = 300;
/** Wait after a 429 that names no time and is not the month's (behaviour: Where the service's description is silent). */
export const RATE_WAIT_MS = MINUTE_MS;
/** Longest `Retry-After` that is believed, ms. */
const LONGEST_WAIT_MS = 366 * DAY_MS;

/**
 * The service's own words in an error body (behaviour: Where the service's description is silent "error body"): `detail`,
 * `message`, `error`, `error.message`; an array of `{loc, msg}` is joined; HTML
 * is reduced to its title.
 */
export function errorDetail(body: string): string | null {
	const text = body.slice(0, MOST_ERROR_BYTES).trim();
	if (text === "") return null;
	let found: string | undefined;
	try {
		found = wordsOf(JSON.parse(text));
	} catch {
		// Bounded, for a page of nothing but half a tag must not take minutes.
		const title = /<title[^>]{0,200}>([^<]*)/i.exec(text)?.[1];
		found = title ?? (text.startsWith("<") ? undefined : text);
	}
	const clean = found?.replace(/\s+/g, " ").trim();
	return clean ? clean.slice(0, MAX_DETAIL) : null;
}

function wordsOf(value: unknown): string | undefined {
	if (typeof value === "string") return value.trim() || undefined;
	if (Array.isArray(value)) {
		const words = value
			.map((entry) => {
				const { loc, msg } = (entry ?? {}) as { loc?: unknown; msg?: unknown };
				if (typeof msg !== "string") return wordsOf(entry);
				return Array.isArray(loc) ? `${loc.join(".")}: ${msg}` : msg;
			})
			.filter((word) => word !== undefined);
		return words.length > 0 ? words.join("; ") : undefined;
	}
	if (!isObject(value)) return undefined;
	const { detail, message, error } = value;
	return wordsOf(detail) ?? wordsOf(message) ?? wordsOf(error);
}

/** Reason of a 403 (behaviour: Where the service's description is silent "403 causes"), read from its words. */
type Refusal =
	| { readonly type: "key" }
	| { readonly type: "group"; readonly group: Group }
	| { readonly type: "inactive" }
	| { readonly type: "plan" };

/** Groups whose names are words of their own; "default" and "strings" occur in any sentence. */
const NAMED_GROUPS = GROUP_NAMES.filter(
	(name) => name !== "default" && name !== "strings",
);

/** Whether an answer is a web page: one of a firewall, a proxy or a login, as a rule. */
export const isWebPage = ({ headers, body }: WireAnswer) =>
	/html/i.test(headers["content-type"] ?? "") ||
	/^\s*<(!doctype\s+html|html)\b/i.test(body.slice(0, 1000));

/**
 * Words by which a page can be the service's own. A firewall's page may speak of
 * authentication, never of a plan or an API key.
 */
export const OWN_WORDS =
	/\b(plan|subscription|upgrade|api[ _-]?key|inactive|site limit|too many sites)\b/i;

/** Words of a 403 about the key; "Your plan is not authorized to …" is about the plan. */
const OF_KEY = /\b((api)?key|token|credential|(un)?(authenticat|authori[sz]))/;
const OF_PLAN = /\b(plan|subscription|upgrade)/;
const OF_SITES =
	/inactive|site limit|over (the|your) (plan|limit)|too many sites|number of sites/;

function refusalOf(detail: string | null): Refusal {
	const words = detail?.toLowerCase().replaceAll("_", " ") ?? "";
	const group = NAMED_GROUPS.find((name) => words.includes(name));
	if (group) return { type: "group", group };
	if (OF_KEY.test(words) && !OF_PLAN.test(words)) return { type: "key" };
	return { type: OF_SITES.test(words) ? "inactive" : "plan" };
}

/** An error with facts that only the poller needs. */
export class RefusedError extends SolarYieldError {
	declare readonly refusal: Refusal | undefined;
	/** Answer's `Retry-After` in ms from now, where there is one. */
	declare readonly retryAfter: number | undefined;

	constructor(
		kind: ErrorKind,
		key: string,
		values: Values,
		facts: ErrorFacts,
		extra: {
			refusal?: Refusal | undefined;
			retryAfter?: number | undefined;
		} = {},
	) {
		super(kind, key, values, facts);
		// Node-RED copies known properties; debug output need not show these.
		Object.defineProperty(this, "refusal", { value: extra.refusal });
		Object.defineProperty(this, "retryAfter", { value: extra.retryAfter });
	}
}

/** `Retry-After` in ms from now; it is given in seconds or as a date. */
function retryAfterOf(answer: WireAnswer, now: number): number | undefined {
	const text = answer.headers[HEADER.retryAfter];
	if (text === undefined) return undefined;
	const ms = /^\s*\d+\s*$/.test(text)
		? Math.min(Number(text) * SECOND_MS, LONGEST_WAIT_MS)
		: readHttpDate(text) - now;
	return ms >= 0 ? ms : undefined;
}

/**
 * The error for an answer that is no success (behaviour: Where the service's description is silent "status to code").
 *
 * @param operation what the request was for, in words that complete "The plan does not include …"
 * @param now the server's clock, epoch ms
 * @param zone IANA name, for times that people read
 */
export function failureOf(
	answer: WireAnswer,
	operation: Value,
	now: number,
	zone?: string,
): SolarYieldError {
	const { status } = answer;
	const detail = errorDetail(answer.body);
	const said = detail ? ` ("${detail}")` : "";
	const facts = { status, detail };
	const values = { status, operation, said };
	if (status === 429) return tooMany(answer, said, facts, now, zone);
	if (status === 401) {
		const refusal = { type: "key" } as const;
		return new RefusedError("AUTH", "service.key_refused", values, facts, {
			refusal,
		});
	}
	if (status === 403 && (!isWebPage(answer) || OWN_WORDS.test(detail ?? ""))) {
		return refused(refusalOf(detail), values, facts);
	}
	const [kind, key] = KINDS[status] ?? KINDS[Math.floor(status / 100)] ?? OTHER;
	const refusal = status === 402 ? { type: "plan" as const } : undefined;
	const retryAfter = status >= 500 ? retryAfterOf(answer, now) : undefined;
	return new RefusedError(kind, key, values, facts, { refusal, retryAfter });
}

/** Kind and text by status, or by its first digit, where that alone says what is wrong. */
const KINDS: Readonly<Record<number, readonly [ErrorKind, string]>> = {
	402: ["PLAN", "service.payment"],
	403: ["NETWORK", "service.web_page_refuses"],
	404: ["NOT_FOUND", "service.not_found"],
	407: ["NETWORK", "service.proxy_name"],
	408: ["TIMEOUT", "service.request_timeout"],
	425: ["SERVICE", "service.too_early"],
	4: ["INPUT", "service.rejected"],
	5: ["SERVICE", "service.fault"],
};
const OTHER = ["RESPONSE", "service.unexpected_status"] as const;

function refused(
	refusal: Refusal,
	values: Values,
	facts: ErrorFacts,
): SolarYieldError {
	const { type } = refusal;
	// A site that is not there yet cannot be inactive.
	const isFull =
		type === "inactive" && /creating/.test(JSON.stringify(values.operation));
	return new RefusedError(
		type === "key" ? "AUTH" : "PLAN",
		`service.refused_${isFull ? "full" : type}`,
		{ ...values, ...(type === "group" && { group: refusal.group }) },
		facts,
		{ refusal },
	);
}

function tooMany(
	answer: WireAnswer,
	said: string,
	facts: { status: number; detail: string | null },
	now: number,
	zone: string | undefined,
): SolarYieldError {
	const { quota, isUsedUp, reset } = readCount(answer.headers, now);
	const retryAfter = retryAfterOf(answer, now);
	if (isUsedUp && quota?.limit !== null) {
		const used = quota
			? {
					key: "service.used_of",
					values: { used: quota.used, limit: quota.limit },
				}
			: "";
		// At the turn of the month the count may lag behind the reset it names.
		const retryAt = Math.max(reset, now + RATE_WAIT_MS);
		return new RefusedError(
			"QUOTA",
			"service.month_used_up",
			{ used, said, time: { at: retryAt, ...(zone && { zone }) } },
			{ ...facts, retryAt },
		);
	}
	const retryAt = now + (retryAfter ?? RATE_WAIT_MS);
	return new RefusedError(
		"RATE",
		"service.too_often",
		{ said },
		{ ...facts, retryAt },
		{ retryAfter },
	);
}
