import { SolarYieldClient } from "../service/client";
import {
	errorFacts,
	restated,
	type SolarYieldError,
} from "../service/errors/solar-yield-error";
import { type Exchange, HEADER } from "../service/http/exchange";
import { timeOf } from "../service/request-sender";
import type { Text } from "../texts/texts";
import { type Clock, systemClock } from "../util/clock";
import { MINUTE_MS } from "../util/time";
import { Timer } from "../util/timer";
import { AccountState } from "./account-state";
import { Reports } from "./reports";
import {
	isWithin,
	ownThisMonth,
	quotaNow,
	REFRESH_MS,
	type ReachedLimit,
	reachedLimit,
} from "./schedule/limits";
import type {
	AccountSettings,
	AccountSnapshot,
	ForecastSnapshot,
	InputResult,
	SourceSnapshot,
	Subscriber,
	Wants,
} from "./source/snapshots";
import {
	type ForecastSource,
	PolledSource,
	siteSource,
	siteZoneOf,
	systemHash,
	timingOf,
} from "./source/source";
import { liftLimits } from "./step/account-transitions";
import { nothingKnownError, refreshRefusal } from "./step/errors";
import {
	expireProbe,
	isPassing,
	noteSiteChange,
	noteWanted,
} from "./step/site-transitions";
import { type Situation, sourcePlan, staleAt } from "./step/situation";
import { isCovered, newTurn, type Turn, whyNone } from "./step/turn";
import type { AccountStorage } from "./storage/account-files";
import { Turns } from "./turns";

/**
 * The only one who asks the service for forecasts (behaviour: One request per new
 * forecast): one hub per base URL and key. It polls each source for all its
 * subscribers, one request at a time, remembers all on disk, and hands every
 * answer to everybody.
 */
export class Hub {
	readonly #account: AccountState;
	readonly #turns: Turns;
	readonly #timer: Timer;
	readonly #reports: Reports;
	readonly #loaded: Promise<void>;
	#starting: Promise<void> = Promise.resolve();
	readonly #started: Promise<void>;
	#markStarted: () => void = () => {};
	/** What concerns all sources, when they were looked at last. */
	#common = "";

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
		const account = new AccountState(clock, storage);
		const client = new SolarYieldClient(timed(exchange, account), {
			now: () => account.now(),
			onAnswer: (facts) => {
				account.noteAnswer(facts);
				this.#reports.count(facts);
			},
			isKnown: () => account.memory.hasAnswered,
		});
		this.#account = account;
		this.#reports = new Reports(report);
		this.#timer = new Timer(clock, () => this.#tick());
		this.#turns = new Turns(account, client, {
			onChange: (source) => this.#tell(source, (one) => one.onChange()),
			onEnd: (source) => {
				source.lookAt = 0;
				this.#tick();
			},
			onForecast: (source) => {
				const { forecast } = source.known.held ?? {};
				if (forecast) this.#reports.zone(forecast);
				source.day = forecast?.zone.dayOf(this.now());
				return this.#announce(source, source.audience, false);
			},
			onFailure: (source, error) =>
				this.#tell(source, (one) => one.onFailure(error), source.audience),
		});
		this.#started = new Promise((resolve) => {
			this.#markStarted = resolve;
		});
		this.#loaded = account.load();
	}

	// — accounts —

	/** Whether the service has ever answered well, as far as is remembered. */
	get hasAnswered(): boolean {
		return this.#account.memory.hasAnswered;
	}

	/** Names of its sites by id, as far as their records are known. */
	get siteNames(): ReadonlyMap<string, string> {
		return new Map(
			[...this.#account.sources.values()].flatMap(({ key, known }) =>
				known.site?.name ? [[key, known.site.name] as const] : [],
			),
		);
	}

	/** Makes an account's settings count; the lowest budget and the highest reserve win. */
	async setAccount(id: string, settings: AccountSettings): Promise<void> {
		const account = this.#account;
		account.set(id, settings);
		await this.#loaded;
		const { [id]: known, ...others } = account.memory.accounts;
		if (known === settings.fingerprint) return;
		const accounts = { ...others, [id]: settings.fingerprint };
		account.memory = { ...account.memory, accounts };
		if (known !== undefined) {
			this.#lift(["exhausted", "burst"]);
			this.#tick();
		}
		await account.save();
	}

	/** Without any account nothing is asked: Node-RED stops, or a deploy is under way. */
	removeAccount(id: string): void {
		this.#account.settings.delete(id);
		this.#account.renewPace(true);
	}

	/**
	 * Lifts limits of these reasons, and the block of a refused key, for one request:
	 * a person says that things have changed. The budget is the user's own: it stays.
	 */
	#lift(reasons: readonly ReachedLimit["reason"][]): void {
		const { memory, policy } = this.#account;
		const now = this.now();
		this.#account.memory = liftLimits(memory, policy, reasons, now);
		for (const source of this.#watched()) {
			source.update(expireProbe);
			source.lookAt = 0;
		}
	}

	/**
	 * "Ask now" of the account's dialog: one request for the source that is due
	 * first, whatever limit, delay or refused key stands in its way.
	 *
	 * @returns what went wrong; undefined also when no node is polled
	 */
	async askNow(): Promise<SolarYieldError | undefined> {
		await this.#started;
		this.#lift(["exhausted", "burst", "reserve"]);
		const [first] = [...this.#watched()]
			.map((source) => ({ source, at: sourcePlan(this.#situation(source)).at }))
			.sort((a, b) => a.at - b.at);
		if (!first) return undefined;
		const { source } = first;
		const { answeredAt } = source.known.memory;
		const isNew = isWithin(REFRESH_MS, answeredAt, this.now());
		return isNew && !this.#account.memory.lifted
			? undefined
			: this.#turns.take(source, newTurn("refresh"));
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
		const { memory, sources } = account;
		const now = account.now();
		const [zone = null] = [...sources.values()].flatMap(
			({ known }) => siteZoneOf(known) ?? [],
		);
		return {
			available: memory.available,
			quota: quotaNow(memory.quota[kind], now),
			own: ownThisMonth(memory.own, now, kind),
			pace: account.pace(now),
			zone,
			now,
		};
	}

	/**
	 * A historical request in its turn (behaviour: One request per new forecast).
	 *
	 * @param zone of the site, for the times in errors
	 * @throws SolarYieldError as `ask` does; `QUOTA` or `RATE` while it may not be asked
	 */
	async historical<T>(
		ask: (client: SolarYieldClient) => Promise<T>,
		zone?: string,
	): Promise<T> {
		await this.#loaded;
		return this.#turns.historical(ask, zone);
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
			source.update((site) => noteSiteChange(site, forecast, this.now()));
			source.lookAt = 0;
			this.#tick();
			return this.#turns.save(source);
		});
	}

	// — subscribers —

	/** Registers a node's interest; call what is returned to end it. */
	subscribe(origin: ForecastSource, subscriber: Subscriber): () => void {
		const source = this.#source(origin);
		source.subscribers.add(subscriber);
		if (subscriber.auto) source.unserved.add(subscriber);
		// Not at once: in a deploy many come and go, and then it starts.
		this.#account.renewPace();
		return () => {
			source.subscribers.delete(subscriber);
			source.unserved.delete(subscriber);
			this.#account.renewPace();
			if (this.#watched().next().done) this.#timer.stop();
		};
	}

	#source(origin: ForecastSource): PolledSource {
		const { sources } = this.#account;
		const known = sources.get(origin.key);
		if (known && systemHash(known.origin) === systemHash(origin)) {
			// Only that of an inline system can change.
			if (origin.kind === "inline") known.timing = timingOf(origin);
			return known;
		}
		// What is known of an inline system that was edited is another system's.
		const source = new PolledSource(origin);
		sources.set(origin.key, source);
		source.ready = this.#loaded.then(() => this.#account.loadSource(source));
		return source;
	}

	/** The sources that nodes show. */
	*#watched(): Generator<PolledSource> {
		for (const source of this.#account.sources.values()) {
			if (source.subscribers.size > 0) yield source;
		}
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
		this.#account.renewPace(true);
		this.#account.server.begin();
		for (const source of sources) {
			const waiting = [...source.unserved];
			source.unserved.clear();
			source.lookAt = 0;
			await this.#announce(source, waiting, true);
			this.#tell(source, (one) => one.onChange());
		}
		this.#tick();
	}

	/** Resolves when no request is under way and all is on disk. */
	async idle(): Promise<void> {
		await this.#loaded;
		await this.#starting;
		await this.#turns.idle();
		await this.flush();
	}

	/** Resolves when all that was to be saved is on disk. */
	flush(): Promise<void> {
		return this.#account.storage.idle();
	}

	/** Calls subscribers that are still there; what one throws stops no other. */
	#tell(
		source: PolledSource,
		call: (subscriber: Subscriber) => void | Promise<void>,
		subscribers: Iterable<Subscriber> = source.subscribers,
	): void {
		for (const one of [...subscribers]) {
			if (source.subscribers.has(one)) void this.#call(() => call(one));
		}
	}

	async #call(call: () => void | Promise<void>): Promise<void> {
		try {
			await call();
		} catch (error) {
			const reason = error instanceof Error ? error.message : "unknown";
			this.#reports.tell({ key: "polling.node_failed", values: { reason } });
		}
	}

	/**
	 * Hands on the forecast that is known, to one subscriber after the other, so that many
	 * do not block the event loop.
	 */
	async #announce(
		source: PolledSource,
		subscribers: Iterable<Subscriber>,
		cached: boolean,
	): Promise<void> {
		for (const one of [...subscribers]) {
			const snapshot = this.#forecast(source);
			if (snapshot && source.subscribers.has(one)) {
				await this.#call(() => one.onForecast(snapshot, cached));
			}
		}
	}

	// — the poll loop —

	/**
	 * Does what has come due, and sets the timer for what comes next. All sources are looked
	 * at with each minute, which may be a site's midnight, and when something has changed
	 * that concerns them all; else those alone whose time has come.
	 */
	#tick(): void {
		const account = this.#account;
		const now = this.now();
		this.#reports.clock(this.#account.server.offset);
		if (account.server.isCheckDue && !this.#isRetried()) {
			const again = () => this.#tick();
			return void account.server.checkBy(this.#turns.readTime()).then(again);
		}
		const minute = Math.floor(now / MINUTE_MS);
		const offset = Math.round((account.server.offset ?? 0) / MINUTE_MS);
		const { memory, policy } = account;
		const limit = reachedLimit(memory, policy, now);
		const common = [minute, offset, account.pace(now), memory.keyBlock, limit];
		const before = this.#common;
		this.#common = JSON.stringify(common);
		let next = Infinity;
		for (const source of this.#watched()) {
			if (this.#common !== before || source.lookAt <= now) {
				source.lookAt = this.#attend(source, now, offset);
			}
			if (!source.isAuto && !source.known.held) continue;
			next = Math.min(next, source.lookAt, (minute + 1) * MINUTE_MS);
		}
		if (next < Infinity) this.#timer.set(next - now);
		else this.#timer.stop();
	}

	/**
	 * Does what has come due for one source.
	 *
	 * @param offset of this machine's clock, minutes
	 * @returns when its poll is due
	 */
	#attend(source: PolledSource, now: number, offset: number): number {
		this.#noteMidnight(source, now);
		const state = this.#account.situation(source, now);
		const plan = sourcePlan(state);
		const told = `${plan.at} ${plan.reason} ${staleAt(state) <= now} ${offset}`;
		if (source.told !== told) {
			source.told = told;
			this.#tell(source, (one) => one.onChange());
		}
		// The end of a request is another cause to look.
		if (!state.isPolled || source.request) return Infinity;
		const at = Math.max(plan.at, source.lockedUntil);
		if (at > now) return at;
		void this.#turns.take(source, newTurn("poll"));
		return Infinity;
	}

	/** Whether a request is tried again: it reads the time by itself. */
	#isRetried(): boolean {
		return [...this.#watched()].some(
			({ known: { memory } }) =>
				memory.failure !== null && isPassing(memory.failure.kind),
		);
	}

	/** Tells of the site's midnight. */
	#noteMidnight(source: PolledSource, now: number): void {
		const { held } = source.known;
		if (!held) return;
		const day = held.forecast.zone.dayOf(now);
		const before = source.day;
		source.day = day;
		// Backwards, too: a clock that was wrong had numbered the days wrong.
		if (before !== undefined && day !== before) {
			this.#tell(source, (one) => one.onMidnight());
		}
	}

	// — what is known —

	/** What is known of a source now. */
	state(origin: ForecastSource): SourceSnapshot {
		return this.#account.snapshot(this.#source(origin));
	}

	/** A snapshot of a source that has a forecast, undefined of others. */
	#forecast(source: PolledSource): ForecastSnapshot | undefined {
		return source.known.held
			? (this.#account.snapshot(source) as ForecastSnapshot)
			: undefined;
	}

	/**
	 * What an input gets (behaviour: Messages "Input"): what is known, after a request where
	 * one is due or the message needs one. Never rejects.
	 */
	async ask(
		origin: ForecastSource,
		wants: Wants,
		refresh = false,
	): Promise<InputResult> {
		const source = this.#source(origin);
		await this.#started;
		await source.ready;
		const before = source.known.memory.answeredAt;
		if (wants.pastDays > 0 || wants.variability) {
			source.update((site) => noteWanted(site, wants, this.now()));
		}
		const turn = newTurn(refresh ? "refresh" : "input", wants);
		const error = await this.#asked(source, turn);
		const state = this.#forecast(source);
		return {
			state,
			cached: source.known.memory.answeredAt === before,
			error:
				error ??
				(state ? undefined : nothingKnownError(this.#situation(source))),
		};
	}

	/** Waits for the request under way, and has another one made where that is called for. */
	async #asked(
		source: PolledSource,
		turn: Turn,
	): Promise<SolarYieldError | undefined> {
		const isRefresh = turn.cause === "refresh";
		let error: SolarYieldError | undefined;
		while (source.request && !error) {
			const isEnough =
				!isRefresh && isCovered(this.#situation(source), turn.wants);
			if (isEnough) return undefined;
			error = await source.request;
		}
		if (!error) {
			const none = whyNone(this.#situation(source), turn);
			if (none) return none.error;
			error = await this.#turns.take(source, turn);
		}
		if (!isRefresh || !error) return error;
		// A refresh may ask again long before the next poll.
		const refused = refreshRefusal(this.#situation(source));
		if (!refused) return error;
		const { retryAt } = errorFacts(refused);
		return restated(error, { facts: { retryAt } });
	}

	#situation(source: PolledSource): Situation {
		return this.#account.situation(source);
	}
}

/** The wire, whose answers tell the server's time, and keep no `Date` that cannot be it. */
function timed(exchange: Exchange, { server }: AccountState): Exchange {
	return async (request) => {
		const answer = await exchange(request);
		const date = timeOf(answer.headers);
		if (!Number.isNaN(date) && server.accepts(date)) return answer;
		const { [HEADER.date]: _, ...headers } = answer.headers;
		return { ...answer, headers };
	};
}
