import { DEFAULT_INTERVAL, type Interval } from "../forecast/forecast";
import { SolarYieldClient } from "../service/client";
import type { SolarYieldError } from "../service/errors/solar-yield-error";
import { type Exchange, HEADER } from "../service/http/exchange";
import { readHttpDate } from "../util/timestamp";
import { Ledger } from "./account/account-state";
import { type Source, siteSource, systemHash } from "./account/forecast-source";
import { Entry, timingOf } from "./account/source-state";
import type {
	AccountSettings,
	AccountState,
	Answered,
	Keeper,
	SourceState,
	Subscriber,
	Wants,
} from "./hub-types";
import { costOfOneMore } from "./pacing/site-cost";
import { Inputs, REFRESH } from "./requests/input-requests";
import { Herald } from "./requests/notifier";
import { Watch } from "./requests/poll-loop";
import { Asker } from "./requests/request-queue";
import {
	ownThisMonth,
	quotaNow,
	type RequestReason,
} from "./schedule/schedule";
import { type Clock, systemClock } from "./schedule/server-clock";

export type * from "./hub-types";

/**
 * The only one who asks (behaviour: One request per new forecast): one hub per base URL and key. It polls
 * each source for all its subscribers, one request at a time, remembers all on
 * disk, and hands every answer to everybody.
 */
export class Hub {
	readonly #keeper: Keeper;
	readonly #ledger: Ledger;
	readonly #herald: Herald;
	readonly #asker: Asker;
	readonly #inputs: Inputs;
	readonly #watch: Watch;
	readonly #loaded: Promise<void>;
	#starting: Promise<void> = Promise.resolve();
	#started!: Promise<void>;
	#markStarted!: () => void;

	/**
	 * @param exchange the wire to the service, key included
	 * @param keeper the memory; what is in it is read at once
	 * @param report told of a subscriber that throws
	 */
	constructor(
		exchange: Exchange,
		keeper: Keeper,
		clock: Clock = systemClock,
		report: (message: string) => void = () => {},
	) {
		this.#keeper = keeper;
		this.#ledger = new Ledger(clock);
		this.#herald = new Herald(this.#ledger, report);
		const client = new SolarYieldClient(
			this.#withoutImpossibleDates(exchange),
			{
				now: () => this.#ledger.now(),
				onAnswer: (facts) => this.#ledger.hear(facts),
			},
		);
		this.#asker = new Asker(
			this.#ledger,
			keeper,
			client,
			this.#herald,
			(entry) => this.#changed(entry),
		);
		this.#inputs = new Inputs(this.#ledger, this.#asker);
		this.#watch = new Watch(
			this.#ledger,
			client,
			this.#herald,
			this.#asker,
			clock,
		);
		this.#started = new Promise((resolve) => {
			this.#markStarted = resolve;
		});
		this.#loaded = this.#load();
	}

	/** The wire, whose answers keep no `Date` that cannot be the time. */
	#withoutImpossibleDates(exchange: Exchange): Exchange {
		return async (request, signal) => {
			const answer = await exchange(request, signal);
			const date = readHttpDate(answer.headers[HEADER.date] ?? "");
			if (Number.isNaN(date) || this.#ledger.server.believes(date)) {
				return answer;
			}
			const { [HEADER.date]: _, ...headers } = answer.headers;
			return { ...answer, headers };
		};
	}

	async #load(): Promise<void> {
		const memory = await this.#keeper.loadAccount();
		if (!memory) return;
		this.#ledger.server.resume(memory.skew, memory.dateRefuted);
		this.#ledger.adopt(memory);
	}

	/** Something about a source has changed that the clock goes by. */
	#changed(entry: Entry): void {
		entry.wakeAt = 0;
		this.#herald.changed(entry);
		this.#watch.tick();
	}

	// — accounts —

	/** Makes an account's settings count; the lowest budget and the highest reserve win. */
	async setAccount(id: string, settings: AccountSettings): Promise<void> {
		const { accounts, pacer } = this.#ledger;
		accounts.set(id, settings);
		pacer.changed(true);
		await this.#loaded;
		const { memory } = this.#ledger;
		const known = memory.accounts[id];
		if (known === settings.fingerprint) return;
		memory.accounts[id] = settings.fingerprint;
		if (known !== undefined) {
			this.#lift(["exhausted", "burst"]);
			this.#watch.tick();
		}
		await this.#asker.store();
	}

	/** Without any account nothing is asked: Node-RED stops, or a deploy is under way. */
	removeAccount(id: string): void {
		const { accounts, pacer, entries } = this.#ledger;
		accounts.remove(id);
		pacer.changed(true);
		if (accounts.size > 0) return;
		for (const entry of entries.values()) {
			const { memory, key } = entry;
			// Where nothing is known a stop in good order must not cost a wait.
			if (!memory.open || memory.answeredAt !== null) continue;
			memory.stopped = true;
			void this.#keeper.saveSite(key, memory);
		}
	}

	/**
	 * Allows one request behind a refused key, and behind these holds: a person says
	 * that things have changed. The budget is the user's own: it stands.
	 */
	#lift(holds: readonly RequestReason[]): void {
		const { memory } = this.#ledger;
		memory.exhausted.historical = null;
		const hold = this.#ledger.hold();
		memory.lifted =
			memory.keyGate !== null || (hold !== null && holds.includes(hold.reason));
		memory.lifts += 1;
	}

	/**
	 * "Ask now" of the account's dialog: one request for the source that is due
	 * first, whatever gate is shut.
	 *
	 * @returns what went wrong; undefined also when no node is polled
	 */
	async askNow(): Promise<SolarYieldError | undefined> {
		await this.#started;
		this.#lift(["exhausted", "burst", "reserve"]);
		const ledger = this.#ledger;
		const now = ledger.now();
		const [first] = [...ledger.watched].sort(
			(a, b) => ledger.plan(a, now).at - ledger.plan(b, now).at,
		);
		const { lifted } = ledger.memory;
		if (!first || (!lifted && this.#inputs.isFresh(first))) return undefined;
		return this.#asker.request(first, REFRESH);
	}

	/** The server's clock, epoch ms. */
	now(): number {
		return this.#ledger.now();
	}

	/**
	 * What is known of the account without asking.
	 *
	 * @param kind of the requests that quota and own count are about
	 */
	async account(
		kind: "forecast" | "historical" = "forecast",
	): Promise<AccountState> {
		await this.#loaded;
		const ledger = this.#ledger;
		const { memory } = ledger;
		const now = ledger.now();
		const isForecast = kind === "forecast";
		return {
			available: memory.available,
			quota: quotaNow(memory.quota[kind], now),
			own: ownThisMonth(memory.own, now, kind),
			pace: isForecast ? ledger.pace(now) : null,
			oneMore: isForecast
				? costOfOneMore(memory, ledger.policy(), ledger.paced(now), now)
				: null,
			now,
		};
	}

	/**
	 * A historical request in its turn (behaviour: One request per new forecast), with a count and a stop of
	 * its own (behaviour: The month's requests).
	 *
	 * @throws SolarYieldError as `ask` does; `QUOTA` or `RATE` while it may not be asked
	 */
	async historical<T>(
		ask: (client: SolarYieldClient) => Promise<T>,
	): Promise<T> {
		await this.#loaded;
		return this.#asker.historical(ask);
	}

	/**
	 * A site was changed through us: its record is read again, and its forecast is
	 * due at once (behaviour: A changed site).
	 *
	 * @param forecast false for a change that no forecast depends on, of the name
	 */
	siteChanged(siteId: string, forecast = true): void {
		const entry = this.#entry(siteSource(siteId));
		void entry.ready.then(() => {
			const { memory } = entry;
			// Of a site that was never asked for there is nothing to be renewed.
			if (memory.requestedAt === null && memory.recordAt === null) return;
			memory.recordAt = null;
			if (forecast) {
				memory.changed = true;
				memory.failure = null;
				memory.gate = null;
				this.#changed(entry);
			}
			return this.#asker.store(entry);
		});
	}

	// — subscribers —

	/** Registers a node's interest; call what is returned to end it. */
	subscribe(source: Source, subscriber: Subscriber): () => void {
		const { pacer, watched } = this.#ledger;
		const entry = this.#entry(source);
		const stop = entry.add(subscriber);
		const noteChange = () => {
			entry.wakeAt = 0;
			// Not at once: in a deploy many come and go, and then it starts.
			pacer.changed();
		};
		watched.add(entry);
		noteChange();
		return () => {
			stop();
			noteChange();
			if (entry.subscribers.size === 0) watched.delete(entry);
			if (watched.size === 0) this.#watch.stop();
		};
	}

	#entry(source: Source): Entry {
		const { entries } = this.#ledger;
		const known = entries.get(source.key);
		if (known?.source === source) return known;
		if (known && systemHash(known.source) === systemHash(source)) {
			known.timing = timingOf(source);
			return known;
		}
		// Of an inline system that was edited, what is known is another's.
		const entry = new Entry(source);
		entries.set(source.key, entry);
		entry.ready = this.#loaded.then(() => this.#asker.load(entry));
		return entry;
	}

	/** The flows have started: stored forecasts go out, then polling begins. */
	start(): Promise<void> {
		this.#starting = this.#start();
		return this.#starting;
	}

	async #start(): Promise<void> {
		await this.#loaded;
		const entries = [...this.#ledger.entries.values()];
		await Promise.all(entries.map(({ ready }) => ready));
		this.#markStarted();
		this.#ledger.pacer.changed(true);
		this.#watch.begin();
		for (const entry of entries) {
			entry.wakeAt = 0;
			if (entry.memory.stopped) {
				entry.memory.stopped = false;
				void this.#keeper.saveSite(entry.key, entry.memory);
			}
			const waiting = [...entry.unserved];
			entry.unserved.clear();
			await this.#herald.announce(entry, waiting, true);
			this.#herald.tell(entry, (one) => one.onChange());
		}
		this.#watch.tick();
	}

	/** Resolves when no request is under way and all is on disk. */
	async idle(): Promise<void> {
		await this.#loaded;
		await this.#starting;
		await this.#asker.idle();
		await this.#keeper.flush();
	}

	/** Resolves when all that was to be saved is on disk. */
	flush(): Promise<void> {
		return this.#keeper.flush();
	}

	// — what is known —

	/**
	 * What is known of a source now.
	 *
	 * @param interval what the reader's account takes stamps to mean
	 */
	state(source: Source, interval: Interval = DEFAULT_INTERVAL): SourceState {
		return this.#ledger.state(this.#entry(source), interval);
	}

	/**
	 * What an input gets (behaviour: Messages "Input"): what is known, after a request where
	 * one is due or the message needs one. Never rejects.
	 *
	 * @param interval what the reader's account takes stamps to mean
	 */
	async ask(
		source: Source,
		wants: Wants,
		refresh = false,
		interval: Interval = DEFAULT_INTERVAL,
	): Promise<Answered> {
		const entry = this.#entry(source);
		await this.#started;
		await entry.ready;
		return this.#inputs.ask(entry, wants, refresh, interval);
	}
}
