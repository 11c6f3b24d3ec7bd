import { DEFAULT_INTERVAL, type Interval } from "../forecast/forecast";
import { SolarYieldClient } from "../service/client";
import type { SolarYieldError } from "../service/errors/solar-yield-error";
import { type Exchange, HEADER } from "../service/http/exchange";
import type { Text } from "../texts/texts";
import { type Clock, systemClock } from "../util/clock";
import { readHttpDate } from "../util/zone";
import type { AccountSettings } from "./account/account-settings";
import { AccountState } from "./account/account-state";
import { liftLimits, noteSettings } from "./account/account-transitions";
import {
	type ForecastSource,
	siteSource,
	systemHash,
} from "./account/forecast-source";
import {
	noteSiteChange,
	noteStart,
	noteStop,
} from "./account/site-transitions";
import type { AccountSnapshot, SourceSnapshot } from "./account/snapshots";
import { SourceState, timingOf } from "./account/source-state";
import type { Subscriber, Wants } from "./account/subscriber";
import { costOfOneMore } from "./pacing/site-cost";
import { ForecastFetcher } from "./requests/fetch-forecast";
import { ForecastRequests } from "./requests/forecast-requests";
import { HistoricalRequests } from "./requests/historical-requests";
import {
	InputRequests,
	type InputResult,
	REFRESH,
} from "./requests/input-requests";
import { Notifier } from "./requests/notifier";
import { PollLoop } from "./requests/poll-loop";
import { RequestQueue } from "./requests/request-queue";
import { SiteProbe } from "./requests/site-probe";
import { StoredState } from "./requests/stored-state";
import { ownThisMonth, quotaNow, type ReachedLimit } from "./schedule/limits";
import type { AccountStorage } from "./storage/account-storage";

/**
 * The only one who asks the service for forecasts (behaviour: One request per new
 * forecast): one hub per base URL and key. It polls each source for all its
 * subscribers, one request at a time, remembers all on disk, and hands every
 * answer to everybody.
 */
export class Hub {
	readonly #storage: AccountStorage;
	readonly #account: AccountState;
	readonly #notifier: Notifier;
	readonly #queue = new RequestQueue();
	readonly #stored: StoredState;
	readonly #requests: ForecastRequests;
	readonly #historical: HistoricalRequests;
	readonly #inputs: InputRequests;
	readonly #pollLoop: PollLoop;
	readonly #loaded: Promise<void>;
	#starting: Promise<void> = Promise.resolve();
	#started!: Promise<void>;
	#markStarted!: () => void;

	/**
	 * @param exchange the wire to the service, key included
	 * @param storage of the memory; what is in it is read at once
	 * @param report told of what a person should know, such as a subscriber that throws
	 */
	constructor(
		exchange: Exchange,
		storage: AccountStorage,
		clock: Clock = systemClock,
		report: (text: Text) => void = () => {},
	) {
		const account = new AccountState(clock, report);
		const notifier = new Notifier(account, report);
		const client = new SolarYieldClient(
			withoutImpossibleDates(exchange, account),
			{
				now: () => account.now(),
				onAnswer: (facts) => account.noteAnswerFacts(facts),
				isKnown: () => account.hasAnswered,
			},
		);
		const queue = this.#queue;
		const stored = new StoredState(account, storage, notifier);
		const probe = new SiteProbe(account, client, notifier);
		this.#storage = storage;
		this.#account = account;
		this.#notifier = notifier;
		this.#stored = stored;
		this.#requests = new ForecastRequests(
			account,
			queue,
			storage,
			stored,
			notifier,
			probe,
			new ForecastFetcher(account, client, storage, stored, notifier, probe),
			(source) => this.#changed(source),
		);
		this.#historical = new HistoricalRequests(
			account,
			queue,
			client,
			storage,
			stored,
		);
		this.#inputs = new InputRequests(account, this.#requests);
		this.#pollLoop = new PollLoop(
			account,
			client,
			notifier,
			queue,
			this.#requests,
			clock,
		);
		this.#started = new Promise((resolve) => {
			this.#markStarted = resolve;
		});
		this.#loaded = stored.loadAccount();
	}

	/** Something about a source has changed that the poll loop goes by. */
	#changed(source: SourceState): void {
		source.wakeAt = 0;
		this.#notifier.changed(source);
		this.#pollLoop.tick();
	}

	// — accounts —

	/** Whether the service has ever answered well, as far as is remembered. */
	get hasAnswered(): boolean {
		return this.#account.hasAnswered;
	}

	/** Names of its sites by id, as far as their records are known. */
	get siteNames(): ReadonlyMap<string, string> {
		const names = new Map<string, string>();
		for (const { key, site } of this.#account.sources.values()) {
			if (site?.name) names.set(key, site.name);
		}
		return names;
	}

	/** Makes an account's settings count; the lowest budget and the highest reserve win. */
	async setAccount(id: string, settings: AccountSettings): Promise<void> {
		const account = this.#account;
		account.settings.set(id, settings);
		account.paceCache.invalidate(true);
		await this.#loaded;
		const known = account.memory.accounts[id];
		if (known === settings.fingerprint) return;
		account.update(noteSettings, id, settings.fingerprint);
		if (known !== undefined) {
			this.#lift(["exhausted", "burst"]);
			this.#pollLoop.tick();
		}
		await this.#stored.save();
	}

	/** Without any account nothing is asked: Node-RED stops, or a deploy is under way. */
	removeAccount(id: string): void {
		const { settings, paceCache, sources } = this.#account;
		settings.remove(id);
		paceCache.invalidate(true);
		if (settings.size > 0) return;
		for (const source of sources.values()) {
			const { open, answeredAt } = source.memory;
			// Where nothing is known a stop in good order must not cost a wait.
			if (!open || answeredAt !== null) continue;
			source.update(noteStop);
			void this.#storage.saveSite(source.key, source.memory);
		}
	}

	/**
	 * Lifts limits of these reasons, and the block of a refused key, for one request:
	 * a person says that things have changed. The budget is the user's own: it stays.
	 */
	#lift(reasons: readonly ReachedLimit["reason"][]): void {
		const limit = this.#account.limit();
		const isLimited = limit !== null && reasons.includes(limit.reason);
		this.#account.update(liftLimits, isLimited);
	}

	/**
	 * "Ask now" of the account's dialog: one request for the source that is due
	 * first, whatever stands in its way.
	 *
	 * @returns what went wrong; undefined also when no node is polled
	 */
	async askNow(): Promise<SolarYieldError | undefined> {
		await this.#started;
		this.#lift(["exhausted", "burst", "reserve"]);
		const account = this.#account;
		const now = account.now();
		const [first] = [...account.watched].sort(
			(a, b) => account.plan(a, now).at - account.plan(b, now).at,
		);
		const { lifted } = account.memory;
		if (!first || (!lifted && this.#inputs.isFresh(first))) return undefined;
		return this.#requests.request(first, REFRESH);
	}

	/** The server's clock, epoch ms. */
	now(): number {
		return this.#account.now();
	}

	/**
	 * What is known of the account without asking.
	 *
	 * @param kind of the requests that quota and own count are about
	 */
	async account(
		kind: "forecast" | "historical" = "forecast",
	): Promise<AccountSnapshot> {
		await this.#loaded;
		const account = this.#account;
		const { memory } = account;
		const now = account.now();
		const isForecast = kind === "forecast";
		return {
			available: memory.available,
			quota: quotaNow(memory.quota[kind], now),
			own: ownThisMonth(memory.own, now, kind),
			pace: isForecast ? account.pace(now) : null,
			oneMore: isForecast
				? costOfOneMore(memory, account.policy(), account.paced(now), now)
				: null,
			zone:
				[...account.sources.values()].find(({ zone }) => zone)?.zone ?? null,
			now,
		};
	}

	/**
	 * A historical request in its turn (behaviour: One request per new forecast),
	 * with a count and limits of its own (behaviour: The month's requests).
	 *
	 * @throws SolarYieldError as `ask` does; `QUOTA` or `RATE` while it may not be asked
	 */
	async historical<T>(
		ask: (client: SolarYieldClient) => Promise<T>,
	): Promise<T> {
		await this.#loaded;
		return this.#historical.request(ask);
	}

	/**
	 * A site was changed through us: its record is read again, and its forecast is
	 * due at once (behaviour: A changed site).
	 *
	 * @param forecast false for a change that no forecast depends on, of the name
	 */
	siteChanged(siteId: string, forecast = true): void {
		const source = this.#source(siteSource(siteId));
		void source.ready.then(() => {
			const { requestedAt, recordAt } = source.memory;
			// Of a site that was never asked for there is nothing to be renewed.
			if (requestedAt === null && recordAt === null) return;
			source.update(noteSiteChange, forecast);
			if (forecast) this.#changed(source);
			return this.#stored.save(source);
		});
	}

	// — subscribers —

	/** Registers a node's interest; call what is returned to end it. */
	subscribe(origin: ForecastSource, subscriber: Subscriber): () => void {
		const { paceCache, watched } = this.#account;
		const source = this.#source(origin);
		const stop = source.add(subscriber);
		const noteChange = () => {
			source.wakeAt = 0;
			// Not at once: in a deploy many come and go, and then it starts.
			paceCache.invalidate();
		};
		watched.add(source);
		noteChange();
		return () => {
			stop();
			noteChange();
			if (source.subscribers.size === 0) watched.delete(source);
			if (watched.size === 0) this.#pollLoop.stop();
		};
	}

	#source(origin: ForecastSource): SourceState {
		const { sources } = this.#account;
		const known = sources.get(origin.key);
		if (known?.origin === origin) return known;
		if (known && systemHash(known.origin) === systemHash(origin)) {
			known.timing = timingOf(origin);
			return known;
		}
		// What is known of an inline system that was edited is another system's.
		const source = new SourceState(origin);
		sources.set(origin.key, source);
		source.ready = this.#loaded.then(() => this.#stored.loadSource(source));
		return source;
	}

	/** The flows have started: stored forecasts go out, then polling begins. */
	start(): Promise<void> {
		this.#starting = this.#start();
		return this.#starting;
	}

	async #start(): Promise<void> {
		await this.#loaded;
		const sources = [...this.#account.sources.values()];
		await Promise.all(sources.map(({ ready }) => ready));
		this.#markStarted();
		this.#account.paceCache.invalidate(true);
		this.#pollLoop.begin();
		for (const source of sources) {
			source.wakeAt = 0;
			if (source.memory.stopped) {
				source.update(noteStart);
				void this.#storage.saveSite(source.key, source.memory);
			}
			const waiting = [...source.unserved];
			source.unserved.clear();
			await this.#notifier.announce(source, waiting, true);
			this.#notifier.tell(source, (one) => one.onChange());
		}
		this.#pollLoop.tick();
	}

	/** Resolves when no request is under way and all is on disk. */
	async idle(): Promise<void> {
		await this.#loaded;
		await this.#starting;
		await this.#queue.idle();
		await this.#storage.flush();
	}

	/** Resolves when all that was to be saved is on disk. */
	flush(): Promise<void> {
		return this.#storage.flush();
	}

	// — what is known —

	/**
	 * What is known of a source now.
	 *
	 * @param interval what the reader's account takes stamps to mean
	 */
	state(
		origin: ForecastSource,
		interval: Interval = DEFAULT_INTERVAL,
	): SourceSnapshot {
		return this.#account.snapshot(this.#source(origin), interval);
	}

	/**
	 * What an input gets (behaviour: Messages "Input"): what is known, after a request where
	 * one is due or the message needs one. Never rejects.
	 *
	 * @param interval what the reader's account takes stamps to mean
	 */
	async ask(
		origin: ForecastSource,
		wants: Wants,
		refresh = false,
		interval: Interval = DEFAULT_INTERVAL,
	): Promise<InputResult> {
		const source = this.#source(origin);
		await this.#started;
		await source.ready;
		return this.#inputs.ask(source, wants, refresh, interval);
	}
}

/** The wire, whose answers keep no `Date` that cannot be the time. */
function withoutImpossibleDates(
	exchange: Exchange,
	account: AccountState,
): Exchange {
	return async (request, signal) => {
		const answer = await exchange(request, signal);
		const date = readHttpDate(answer.headers[HEADER.date] ?? "");
		if (Number.isNaN(date) || account.server.accepts(date)) return answer;
		const { [HEADER.date]: _, ...headers } = answer.headers;
		return { ...answer, headers };
	};
}
