import { z } from "zod";
import {
	type Forecast,
	type Interval,
	placeForecast,
} from "../forecast/forecast";
import type {
	HistoricalParameters,
	ReceivedForecast,
	SolarYieldClient,
} from "../service/client";
import { withAdvice } from "../service/errors/advice";
import { RefusedError } from "../service/errors/answer-error";
import { ForeignAnswerError } from "../service/errors/first-contact";
import { SolarYieldError } from "../service/errors/solar-yield-error";
import type { Quota } from "../service/quota";
import { readForecast } from "../service/v2/forecast-answer";
import type { Group } from "../service/v2/groups";
import type { HistoricalRange } from "../service/v2/historical";

import { readSite, type Site } from "../service/v2/sites/site";
import { restoreText } from "../service/v2/sites/site-dates";
import { DAY_MS, QUARTER_MS } from "../util/time";
import { dateDay } from "../util/timestamp";
import {
	type ForecastSource,
	inlineSite,
	systemHash,
} from "./account/forecast-source";
import type { Hub } from "./hub";
import { hashOf } from "./storage/atomic-file";
import { type CacheLimits, FileCache } from "./storage/file-cache";

/** Time for which days that are over are answered from disk, ms. */
const CACHED_MS = DAY_MS;
/** What one account's history may take on disk. */
const CACHE_LIMITS: CacheLimits = {
	maxAgeMs: CACHED_MS,
	maxBytes: 64 * 1024 * 1024,
};

/** A request for historical data. */
interface HistoryQuery {
	readonly source: ForecastSource;
	readonly range: HistoricalRange;
	readonly include: readonly Group[];
	/** Further query parameters, passed through. */
	readonly params: Readonly<Record<string, string>>;
	/** What the account takes stamps to mean. */
	readonly interval: Interval;
}

/** Historical data of the days asked for. */
export interface History {
	readonly query: HistoryQuery;
	readonly forecast: Forecast;
	readonly site: Site | undefined;
	/** Epoch ms. */
	readonly answeredAt: number;
	/** Whether it is an answer of before. */
	readonly cached: boolean;
	/** The count of historical requests. */
	readonly quota: Quota | null;
	/** Own historical requests this month. */
	readonly own: number;
	/** The server's clock, epoch ms. */
	readonly now: number;
}

/** What stands before the body in a file; times are epoch ms on the server's clock. */
const Head = z.object({
	version: z.literal(1),
	query: z.string(),
	answeredAt: z.number(),
	/** The site's record, null for a system that is not stored. */
	record: z.unknown(),
});

/** An answer as it is kept. */
interface KeptHistory {
	readonly head: z.infer<typeof Head>;
	readonly body: string;
}

/** Historical data as received, not yet placed in time. */
interface ReceivedHistory extends KeptHistory, ReceivedForecast {}

/** Number of the quarter hour of an instant. */
const quarterOf = (instant: number) => Math.floor(instant / QUARTER_MS);

const nameOf = (text: string) => hashOf(text, 16);

/** Advice that differs from the client's: no historical request is repeated by itself, the flow has to. */
const AGAIN = "polling.send_again";
const REMEDIES: Partial<Record<SolarYieldError["kind"], string>> = {
	SERVICE: AGAIN,
	NETWORK: "polling.network_and_send_again",
	TIMEOUT: AGAIN,
	RATE: AGAIN,
	RESPONSE: "polling.other_days",
};

/**
 * Historical data of one account (behaviour: Where the service's description is silent "historical parameters"). Days that
 * are over do not change: asked again within a day they are answered from disk. A
 * row is a quarter hour, so days that are not over have nothing new before the next
 * one begins: until then the answer is that in hand.
 */
export class HistoryReader {
	readonly #hub: Hub;
	readonly #client: SolarYieldClient;
	readonly #cache: FileCache;
	readonly #requests = new Map<string, Promise<ReceivedHistory>>();
	/** Answers with a day that is not over, as of the quarter hour of the last question. */
	readonly #recent = new Map<string, KeptHistory>();

	/**
	 * @param client for the free read of a site's record
	 * @param path what the path of each cached file begins with
	 */
	constructor(hub: Hub, client: SolarYieldClient, path: () => Promise<string>) {
		this.#hub = hub;
		this.#client = client;
		this.#cache = new FileCache(path, CACHE_LIMITS);
	}

	/**
	 * @param refresh whether to ask the service in any case
	 * @throws SolarYieldError
	 */
	async ask(query: HistoryQuery, refresh = false): Promise<History> {
		const { source, range, include, params } = query;
		const text = JSON.stringify([
			source.key,
			systemHash(source),
			range,
			[...include].sort(),
			params,
		]);
		const name = `${nameOf(source.key)}-${nameOf(text)}`;
		try {
			const known = refresh
				? undefined
				: ((await this.#cached(query, name, text)) ??
					(await this.#ofThisQuarter(query, name)));
			if (known) return known;
			let request = this.#requests.get(name);
			if (!request) {
				request = this.#fetch(query, text).finally(() =>
					this.#requests.delete(name),
				);
				this.#requests.set(name, request);
			}
			const answer = await request;
			const history = await this.#place(query, answer, false);
			if (isOver(history)) await this.#store(name, answer);
			else this.#recent.set(name, { head: answer.head, body: answer.body });
			return history;
		} catch (error) {
			if (
				!(error instanceof SolarYieldError) ||
				error instanceof ForeignAnswerError
			) {
				throw error;
			}
			const remedy = REMEDIES[error.kind];
			throw remedy ? withAdvice(error, remedy) : error;
		}
	}

	/** A site was changed: its cached history is no longer its own. */
	forget(siteId: string): Promise<void> {
		const site = nameOf(siteId);
		for (const name of this.#recent.keys()) {
			if (name.startsWith(site)) this.#recent.delete(name);
		}
		return this.#cache.remove(site);
	}

	/** The answer of the running quarter hour, where there is one. */
	async #ofThisQuarter(
		query: HistoryQuery,
		name: string,
	): Promise<History | undefined> {
		const { now } = await this.#hub.account("historical");
		for (const [each, { head }] of this.#recent) {
			if (quarterOf(head.answeredAt) !== quarterOf(now)) {
				this.#recent.delete(each);
			}
		}
		const kept = this.#recent.get(name);
		if (!kept) return undefined;
		const answer = readForecast(JSON.parse(kept.body));
		return this.#place(query, { ...kept, answer }, true);
	}

	/** What is in the cache, unless a day has passed since. */
	async #cached(
		query: HistoryQuery,
		name: string,
		text: string,
	): Promise<History | undefined> {
		const content = await this.#cache.load(name);
		if (content === undefined) return undefined;
		const end = content.indexOf("\n");
		const parsed = Head.safeParse(JSON.parse(content.slice(0, end)));
		if (!parsed.success || parsed.data.query !== text) return undefined;
		const head = parsed.data;
		const body = content.slice(end + 1);
		const { now } = await this.#hub.account("historical");
		// Both ways: after a clock was set back the time since is not known.
		if (Math.abs(now - head.answeredAt) >= CACHED_MS) return undefined;
		const answer = readForecast(JSON.parse(body));
		const history = await this.#place(query, { head, answer }, true);
		const { zone } = history.forecast;
		// A period ends another day tomorrow.
		return query.range.period === undefined ||
			zone.dayOf(now) === zone.dayOf(head.answeredAt)
			? history
			: undefined;
	}

	async #store(name: string, { head, body }: KeptHistory): Promise<void> {
		await this.#cache.save(name, `${JSON.stringify(head)}\n${body}`);
	}

	async #place(
		query: HistoryQuery,
		{ head, answer }: Pick<ReceivedHistory, "head" | "answer">,
		cached: boolean,
	): Promise<History> {
		const { source, interval } = query;
		const { quota, own, now } = await this.#hub.account("historical");
		const site =
			source.kind === "inline"
				? inlineSite(source)
				: head.record === null
					? undefined
					: readSite(head.record, source.key);
		const forecast = placeForecast(answer, {
			siteZone: site?.timezone ?? null,
			interval,
		});
		const { answeredAt } = head;
		return { query, forecast, site, answeredAt, cached, quota, own, now };
	}

	async #fetch(query: HistoryQuery, text: string): Promise<ReceivedHistory> {
		const { source } = query;
		const site =
			source.kind === "site" ? await this.#readSite(source.key) : undefined;
		let received: ReceivedForecast;
		try {
			received = await this.#request(query);
		} catch (error) {
			throw error instanceof SolarYieldError && site?.state === "deleted"
				? withAdvice(error, "polling.restore_or_choose", {
						until: restoreText(site),
					})
				: error;
		}
		const { now } = await this.#hub.account("historical");
		return {
			...received,
			head: {
				version: 1,
				query: text,
				answeredAt: now,
				record: site?.record ?? null,
			},
		};
	}

	/**
	 * The site's record, undefined where it cannot be read: that must not stop the
	 * request (behaviour: Failures).
	 *
	 * @throws SolarYieldError `AUTH`, `NOT_FOUND`, `PLAN`, in which the request would end as well
	 */
	async #readSite(siteId: string): Promise<Site | undefined> {
		try {
			return await this.#client.site(siteId);
		} catch (error) {
			const { kind } = error as SolarYieldError;
			if (["AUTH", "NOT_FOUND", "PLAN"].includes(kind)) throw error;
			return undefined;
		}
	}

	/** The request itself, once more without each group that the plan refuses. */
	async #request({
		source,
		range,
		include: wanted,
		params,
	}: HistoryQuery): Promise<ReceivedForecast> {
		for (let include = wanted; ; ) {
			const parameters: HistoricalParameters = { range, include, params };
			try {
				return await this.#hub.historical((client) =>
					source.kind === "site"
						? client.historical(source.key, parameters)
						: client.historicalInline(source.system, parameters),
				);
			} catch (error) {
				const refusal =
					error instanceof RefusedError ? error.refusal : undefined;
				const rest = include.filter(
					(group) => refusal?.type !== "group" || group !== refusal.group,
				);
				if (rest.length === include.length || rest.length === 0) throw error;
				include = rest;
			}
		}
	}
}

/** Whether all days of a history were over when the service answered. */
function isOver({ query, forecast, answeredAt }: History): boolean {
	const { zone, values, daily } = forecast;
	const lastDay = Math.max(
		...(query.range.endDate === undefined
			? [
					...daily.map(({ date }) => dateDay(date)),
					zone.dayOf(values.starts.at(-1) as number),
				]
			: [dateDay(query.range.endDate)]),
	);
	return lastDay < zone.dayOf(answeredAt);
}

/** The local dates that a history covers, as days since 1970-01-01, ascending. */
export function historyDays({ forecast, query }: History): number[] {
	const { startDate, endDate } = query.range;
	const dated = forecast.daily.map(({ date }) => dateDay(date));
	const [first, last] =
		startDate !== undefined
			? [dateDay(startDate), dateDay(endDate)]
			: dated.length > 0
				? [Math.min(...dated), Math.max(...dated)]
				: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
	return [...new Set([...dated, ...forecast.values.days()])]
		.filter((day) => day >= first && day <= last)
		.sort((a, b) => a - b);
}
