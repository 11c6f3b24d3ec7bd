import { z } from "zod";
import {
	type Forecast,
	type Interval,
	placeForecast,
} from "../forecast/forecast";
import { RefusedError } from "../service/answer-error";
import type { ReceivedForecast, SolarYieldClient } from "../service/client";
import { withAdvice } from "../service/errors/advice";
import {
	type ErrorKind,
	SolarYieldError,
} from "../service/errors/solar-yield-error";
import { ForeignAnswerError } from "../service/first-contact";
import { readForecast } from "../service/v2/forecast-answer";
import type { Group } from "../service/v2/groups";
import type { HistoricalRange } from "../service/v2/request-parameters";
import { readSite, type Site } from "../service/v2/sites/site";
import { restoreText } from "../service/v2/sites/site-dates";
import { hashOf } from "../util/disk/atomic-file";
import { jsonFormat, prune, Store } from "../util/disk/store";
import { Queue } from "../util/queue";
import { DAY_MS, dateDay, QUARTER_MS } from "../util/time";
import type { Hub } from "./hub";
import type { AccountSnapshot } from "./source/snapshots";
import { type ForecastSource, inlineSite, systemHash } from "./source/source";

/** Time for which days that are over are answered from disk, ms. */
const KEPT_MS = DAY_MS;
/** Answers of one account that are kept, the newest. */
const MOST_KEPT = 32;

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
export interface History
	extends Pick<AccountSnapshot, "quota" | "own" | "now"> {
	readonly query: HistoryQuery;
	readonly forecast: Forecast;
	readonly site: Site | undefined;
	/** Epoch ms. */
	readonly answeredAt: number;
	/** Whether it is an answer of before. */
	readonly cached: boolean;
}

/** An answer as it is kept. */
const Kept = z.object({
	/** On the server's clock, epoch ms; and until when nothing newer is to be expected. */
	answeredAt: z.number(),
	until: z.number(),
	/** The site's record; null where it could not be read. */
	record: z.unknown(),
	/** As received. */
	body: z.string(),
});
type Kept = z.infer<typeof Kept>;

/** Failures of the free read of a record in which the request would end as well. */
const ENDING: readonly ErrorKind[] = ["AUTH", "NOT_FOUND", "PLAN"];

/** Advice that differs from the client's: no historical request is repeated by itself, the flow has to. */
const AGAIN = "polling.send_again";
const REMEDIES: Partial<Record<ErrorKind, string>> = {
	SERVICE: AGAIN,
	NETWORK: "polling.network_and_send_again",
	TIMEOUT: AGAIN,
	RATE: AGAIN,
	RESPONSE: "polling.other_days",
};

const KEPT = jsonFormat(Kept.parse);

const partOf = (text: string) => hashOf(text, 16);

/**
 * Historical data of one account (behaviour: Where the service's description is silent
 * "historical parameters"). Days that are over do not change: asked again within a day
 * they are answered from disk. A row is a quarter hour, so days that are not over have
 * nothing new before the next one begins: until then the answer is that in hand.
 */
export class HistoryReader {
	readonly #hub: Hub;
	readonly #client: SolarYieldClient;
	readonly #path: string;
	/** One after another, so that the second of two that are alike finds the answer. */
	readonly #queue = new Queue();

	/**
	 * @param client for the free read of a site's record
	 * @param path what the path of each kept answer begins with
	 */
	constructor(hub: Hub, client: SolarYieldClient, path: string) {
		this.#hub = hub;
		this.#client = client;
		this.#path = path;
	}

	/**
	 * @param refresh whether to ask the service in any case
	 * @throws SolarYieldError
	 */
	async ask(query: HistoryQuery, refresh = false): Promise<History> {
		const { source, range, include, params } = query;
		const asked = [systemHash(source), range, [...include].sort(), params];
		const store = new Store(
			`${this.#path}-${partOf(source.key)}-${partOf(JSON.stringify(asked))}.json`,
			KEPT,
			() => {},
			"store.asked_anew",
		);
		const known = async () => (refresh ? undefined : this.#known(query, store));
		return (
			(await known()) ??
			this.#queue.add(
				async () => (await known()) ?? (await this.#fetch(query, store)),
			)
		);
	}

	/** A site was changed: its kept history is no longer its own. */
	forget(siteId: string): Promise<void> {
		return prune(`${this.#path}-${partOf(siteId)}`);
	}

	/** What is kept, as long as nothing newer is to be expected. */
	async #known(
		query: HistoryQuery,
		store: Store<Kept>,
	): Promise<History | undefined> {
		const kept = await store.load();
		const now = this.#hub.now();
		// Both ways: after a clock was set back the time since is not known.
		return kept && now >= kept.answeredAt && now < kept.until
			? this.#place(query, kept, readForecast(JSON.parse(kept.body)), true)
			: undefined;
	}

	async #place(
		query: HistoryQuery,
		{ answeredAt, record }: Pick<Kept, "answeredAt" | "record">,
		answer: ReceivedForecast["answer"],
		cached: boolean,
	): Promise<History> {
		const { source, interval } = query;
		const { quota, own, now } = await this.#hub.account("historical");
		const site =
			source.kind === "inline"
				? inlineSite(source)
				: record === null
					? undefined
					: readSite(record, source.key);
		const siteZone = site?.timezone ?? null;
		const forecast = placeForecast(answer, { siteZone, interval });
		return { query, forecast, site, answeredAt, cached, quota, own, now };
	}

	async #fetch(query: HistoryQuery, store: Store<Kept>): Promise<History> {
		const { source } = query;
		let site: Site | undefined;
		try {
			if (source.kind === "site") {
				site = await this.#client.site(source.key).catch((error) => {
					// Else it must not stop the request (behaviour: Failures).
					if (ENDING.includes(error.kind)) throw error;
					return undefined;
				});
			}
			const { answer, body } = await this.#request(query, site);
			const now = this.#hub.now();
			const head = { answeredAt: now, record: site?.record ?? null };
			const history = await this.#place(query, head, answer, false);
			await store.save({ ...head, until: untilOf(history), body });
			await prune(this.#path, MOST_KEPT, KEPT_MS);
			return history;
		} catch (error) {
			throw adviced(error, site);
		}
	}

	/** The request itself, once more without each group that the plan refuses. */
	async #request(
		{ source, range, include: wanted, params }: HistoryQuery,
		site: Site | undefined,
	): Promise<ReceivedForecast> {
		const zone = site?.timezone ?? undefined;
		for (let include = wanted; ; ) {
			const parameters = { range, include, params, zone };
			try {
				return await this.#hub.historical(
					(client) =>
						client.historical(
							source.kind === "site" ? source.key : source.system,
							parameters,
						),
					zone,
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

/** An error with what helps where no request is repeated by itself. */
function adviced(error: unknown, site: Site | undefined): unknown {
	if (
		!(error instanceof SolarYieldError) ||
		error instanceof ForeignAnswerError
	) {
		return error;
	}
	if (site?.state === "deleted") {
		const until = restoreText(site);
		return withAdvice(error, "polling.restore_or_choose", { until });
	}
	const remedy = REMEDIES[error.kind];
	return remedy ? withAdvice(error, remedy) : error;
}

/** Until when nothing newer is to be expected: of days that are over for a day, of a period until it ends another day tomorrow. */
function untilOf({ query: { range }, forecast, answeredAt }: History): number {
	const { zone, values, daily } = forecast;
	const today = zone.dayOf(answeredAt);
	const days = daily.map(({ date }) => dateDay(date));
	const last = zone.dayOf(values.starts.at(-1) as number);
	const end = range.endDate ? dateDay(range.endDate) : Math.max(last, ...days);
	if (end >= today)
		return (Math.floor(answeredAt / QUARTER_MS) + 1) * QUARTER_MS;
	return range.period === undefined
		? answeredAt + KEPT_MS
		: zone.dayStart(today + 1);
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
				: [-Infinity, Infinity];
	return [...new Set([...dated, ...forecast.values.days()])]
		.filter((day) => day >= first && day <= last)
		.sort((a, b) => a - b);
}
