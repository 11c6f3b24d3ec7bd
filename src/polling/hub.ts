import {
	type Forecast,
	type Interval,
	placeForecast,
} from "../forecast/forecast";
import { settle } from "../forecast/settled";
import {
	type AnswerFacts,
	type ForecastParameters,
	type ReceivedForecast,
	SolarYieldClient,
} from "../service/client";
import { SolarYieldError } from "../service/errors";
import { RefusedError } from "../service/failure";
import { type ForecastAnswer, readForecast } from "../service/v2/forecast";
import { ALL_GROUPS, type Group } from "../service/v2/groups";
import { readSite, type Site } from "../service/v2/site";
import type { Exchange } from "../service/wire";
import { Alarm } from "./alarm";
import { type Clock, ServerClock, systemClock } from "./clock";
import { costOfOneMore } from "./cost";
import { Daylight } from "./daylight";
import type { PacedSource } from "./looks";
import {
	type AccountMemory,
	byName,
	failureError,
	newAccountMemory,
	newSiteMemory,
	type SiteMemory,
} from "./memory";
import { noteOthers } from "./others";
import {
	holdError,
	isToBeReported,
	noteBurst,
	noteFailure,
	noteInterruption,
	shutGates,
} from "./outcome";
import { type Look, nextLook, type Pace } from "./pace";
import { Pacer, pacedSource } from "./pacer";
import {
	AHEAD_MS,
	type Due,
	historicalHoldOf,
	holdOf,
	obstacleOf,
	ownThisMonth,
	type Policy,
	planSite,
	quotaNow,
	regularPlan,
	reserveOf,
	type SourceTiming,
} from "./schedule";
import { inlineSite, type Source, spreadOf, systemHash } from "./source";
import { learnStep } from "./steps";
import type { AnswerHead } from "./store";
import type {
	AccountSettings,
	AccountState,
	Answered,
	Keeper,
	KnownState,
	SourceState,
	Subscriber,
	Wants,
} from "./types";

export type * from "./types";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Time in which `refresh` gets the answer that has just come (CONTRACT 2), ms. */
const REFRESH_DISTANCE_MS = 60_000;
/** While another process asks, ms. */
const BUSY_MS = 5_000;
/** Free looks at the server's clock: this long after a start or a look, and after one in vain, ms. */
const CLOCK_LOOK_MS = { first: 60_000, inVain: HOUR } as const;
/** How finely an answer's `Date` tells the time, ms. */
const DATE_STEP_MS = 1000;
/** Overdue by this much, a forecast is stale (CONTRACT 3.5), ms. */
const STALE_MS = HOUR;

interface Entry {
	source: Source;
	timing: SourceTiming;
	memory: SiteMemory;
	/** The checked answer, kept to be placed anew when the interval is changed. */
	answer: ForecastAnswer | undefined;
	head: AnswerHead | undefined;
	forecast: Forecast | undefined;
	site: Site | undefined;
	/** When what is on disk has been read. */
	ready: Promise<void>;
	readonly subscribers: Set<Subscriber>;
	/** Auto subscribers that have not had the stored forecast since they came. */
	readonly unserved: Set<Subscriber>;
	request: Promise<SolarYieldError | undefined> | undefined;
	/** What the last answer was asked for, kept or not. */
	asked: Wants | undefined;
	/** String ids that even the newest record does not know. */
	unknownStrings: string;
	/** Another process asks: wait until then, epoch ms. */
	busyUntil: number;
	/** Local day (since 1970-01-01) that days were numbered from last. */
	day: number | undefined;
	wasStale: boolean;
}

/** Who makes a request: the clock, an input where one is due, or `msg.refresh`. */
type Cause = "clock" | "input" | "refresh";

/** Makes a request only if it is still needed when its turn comes. */
interface Need {
	readonly cause: Cause;
	readonly isNeeded: () => boolean;
}

/** Answers that the service gives before it counts (spec V2, "Errors"). */
const UNCOUNTED_STATUS = [400, 401, 403, 404, 409, 422, 429];

/**
 * The only one who asks (CONTRACT 3.1): one hub per base URL and key. It polls
 * each source for all its subscribers, one request at a time, remembers all on
 * disk, and hands every answer to everybody.
 */
export class Hub {
	readonly #clock: Clock;
	readonly #keeper: Keeper;
	readonly #client: SolarYieldClient;
	readonly #alarm: Alarm;
	readonly #pacer = new Pacer();
	readonly #report: (message: string) => void;
	readonly #loaded: Promise<void>;
	readonly #accounts = new Map<string, AccountSettings>();
	readonly #entries = new Map<string, Entry>();
	#server: ServerClock;
	#memory = newAccountMemory();
	#turn: Promise<unknown> = Promise.resolve();
	/** Monotonic ms from which the server's clock may be looked at. */
	#lookAfter = Number.POSITIVE_INFINITY;
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
		this.#report = report;
		this.#clock = clock;
		this.#keeper = keeper;
		this.#server = new ServerClock(clock);
		this.#client = new SolarYieldClient(exchange, {
			now: () => this.#server.now(),
			onAnswer: (facts) => this.#hear(facts),
		});
		this.#alarm = new Alarm(clock, () => this.#tick());
		this.#started = new Promise((resolve) => {
			this.#markStarted = resolve;
		});
		this.#loaded = this.#load();
	}

	async #load(): Promise<void> {
		const memory = await this.#keeper.loadAccount();
		if (!memory) return;
		this.#server = new ServerClock(this.#clock, memory.skew);
		this.#adopt(memory);
	}

	/** Goes on with what was kept, by an earlier process or by another one. */
	#adopt(memory: AccountMemory): void {
		this.#memory = {
			...memory,
			accounts: byName({ ...memory.accounts, ...this.#memory.accounts }),
			sites: byName(memory.sites),
		};
		const { sites } = this.#memory;
		for (const entry of this.#entries.values()) {
			const { key } = entry.source;
			const system = systemHash(entry.source);
			const { wanted } = entry.memory;
			const known = sites[key];
			if (known?.system === system) entry.memory = known;
			else if (known) entry.memory = newSiteMemory(system);
			sites[key] = entry.memory;
			if (wanted.until > entry.memory.wanted.until) {
				entry.memory.wanted = wanted;
			}
		}
	}

	// — accounts —

	/** Makes an account's settings count; the lowest budget and the highest reserve win. */
	async setAccount(id: string, settings: AccountSettings): Promise<void> {
		this.#accounts.set(id, settings);
		this.#pacer.changed(true);
		for (const entry of this.#entries.values()) this.#place(entry);
		await this.#loaded;
		const known = this.#memory.accounts[id];
		if (known === settings.fingerprint) return;
		this.#memory.accounts[id] = settings.fingerprint;
		if (known !== undefined) {
			this.#lift();
			this.#tick();
		}
		await this.#store();
	}

	removeAccount(id: string): void {
		this.#accounts.delete(id);
		this.#pacer.changed(true);
	}

	#policy(): Policy {
		const accounts = [...this.#accounts.values()];
		const budgets = accounts
			.map(({ budget }) => budget)
			.filter((budget) => budget !== null);
		// A blank reserve is a share of the limit, and may be the highest.
		const reserves = accounts.map((account) =>
			reserveOf(account, this.#memory.quota.forecast),
		);
		return {
			budget: budgets.length > 0 ? Math.min(...budgets) : null,
			reserve: reserves.length > 0 ? Math.max(...reserves) : null,
		};
	}

	#interval(): Interval {
		return [...this.#accounts.values()].at(-1)?.interval ?? "end";
	}

	/** Allows one request whatever gate is shut: a person says that things have changed. */
	lift(): void {
		void this.#loaded.then(() => {
			this.#lift();
			this.#tick();
			return this.#store();
		});
	}

	#lift(): void {
		const { keyGate, sites, exhausted } = this.#memory;
		exhausted.historical = null;
		const hold = holdOf(this.#memory, this.#policy(), this.#server.now());
		this.#memory.lifted =
			keyGate !== null || (hold !== null && hold.reason !== "budget");
		for (const site of Object.values(sites)) {
			if (site.gate) site.gate.probedAt = 0;
		}
	}

	/**
	 * "Ask now" of the account's dialog: one request for the source that is due
	 * first, whatever gate is shut.
	 *
	 * @returns what went wrong; undefined also when no node is polled
	 */
	async askNow(): Promise<SolarYieldError | undefined> {
		await this.#started;
		this.#lift();
		const now = this.#server.now();
		const [first] = [...this.#entries.values()]
			.filter(({ subscribers }) => subscribers.size > 0)
			.sort((a, b) => this.#plan(a, now).at - this.#plan(b, now).at);
		const { lifted } = this.#memory;
		if (!first || (!lifted && this.#isFresh(first, now))) return undefined;
		return this.#request(first, REFRESH);
	}

	/** The server's clock, epoch ms. */
	now(): number {
		return this.#server.now();
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
		const now = this.#server.now();
		const isForecast = kind === "forecast";
		return {
			available: this.#memory.available,
			quota: quotaNow(this.#memory.quota[kind], now),
			own: ownThisMonth(this.#memory.own, now, kind),
			pace: isForecast ? this.#pace(now) : null,
			oneMore: isForecast
				? costOfOneMore(this.#memory, this.#policy(), this.#paced(now), now)
				: null,
			interval: this.#interval(),
			now,
		};
	}

	/**
	 * A historical request in its turn (CONTRACT 3.1), with a count and a stop of
	 * its own (CONTRACT 3.3).
	 *
	 * @throws SolarYieldError as `ask` does; `QUOTA` or `RATE` while it may not be asked
	 */
	historical<T>(ask: (client: SolarYieldClient) => Promise<T>): Promise<T> {
		return this.#inTurn(async () => {
			await this.#loaded;
			const claimed = await this.#keeper.claim();
			try {
				await this.#takeOverFromOthers();
				const hold = historicalHoldOf(this.#memory, this.#server.now());
				if (hold) throw holdError(hold);
				return await this.#fetchHistorical(ask);
			} finally {
				if (claimed) await this.#keeper.release();
			}
		});
	}

	async #fetchHistorical<T>(
		ask: (client: SolarYieldClient) => Promise<T>,
	): Promise<T> {
		this.#count(1, "historical");
		await this.#save();
		try {
			const answer = await ask(this.#client);
			this.#memory.exhausted.historical = null;
			return answer;
		} catch (error) {
			const failure = this.#unexpected(error);
			if (UNCOUNTED_STATUS.includes(failure.cause.status ?? 0)) {
				this.#count(-1, "historical");
			}
			if (failure.kind === "RATE") {
				noteBurst(this.#memory, failure, this.#server.now());
			}
			throw failure;
		} finally {
			await this.#save();
		}
	}

	/**
	 * A site was changed through us: its record is read again, and its forecast is
	 * due at once (CONTRACT 3.6).
	 *
	 * @param forecast false for a change that no forecast depends on, of the name
	 */
	siteChanged(siteId: string, forecast = true): void {
		void this.#loaded.then(() => {
			const memory = this.#memory.sites[siteId];
			if (!memory) return;
			memory.recordAt = null;
			if (!forecast) return this.#store();
			memory.changed = true;
			memory.failure = null;
			memory.gate = null;
			this.#tick();
			return this.#store();
		});
	}

	// — subscribers —

	/** Registers a node's interest; call what is returned to end it. */
	subscribe(source: Source, subscriber: Subscriber): () => void {
		const entry = this.#entry(source);
		entry.subscribers.add(subscriber);
		this.#pacer.changed(true);
		if (subscriber.auto) entry.unserved.add(subscriber);
		return () => {
			entry.subscribers.delete(subscriber);
			entry.unserved.delete(subscriber);
			this.#pacer.changed(true);
			if (![...this.#entries.values()].some((e) => e.subscribers.size > 0)) {
				this.#alarm.stop();
			}
		};
	}

	#entry(source: Source): Entry {
		const system = systemHash(source);
		const timing: SourceTiming = {
			spreadMs: spreadOf(source.key),
			...(source.kind === "inline" ? { intervalMs: source.intervalMs } : {}),
		};
		const known = this.#entries.get(source.key);
		if (known && systemHash(known.source) === system) {
			known.timing = timing;
			return known;
		}
		// Of an inline system that was edited, what is known is another's.
		const kept = this.#memory.sites[source.key];
		const memory = kept?.system === system ? kept : newSiteMemory(system);
		this.#memory.sites[source.key] = memory;
		const entry: Entry = {
			source,
			timing,
			memory,
			answer: undefined,
			head: undefined,
			forecast: undefined,
			site: source.kind === "inline" ? inlineSite(source) : undefined,
			ready: Promise.resolve(),
			subscribers: new Set(),
			unserved: new Set(),
			request: undefined,
			asked: undefined,
			unknownStrings: "",
			busyUntil: 0,
			day: undefined,
			wasStale: false,
		};
		this.#entries.set(source.key, entry);
		entry.ready = this.#loaded.then(async () => {
			await this.#loadEntry(entry);
			// Nobody waits for that request's answer any more.
			if (entry.memory.open) noteInterruption(entry.memory);
		});
		return entry;
	}

	/** Reads what is kept of a source; what it cannot read changes nothing. */
	async #loadEntry(entry: Entry): Promise<void> {
		const { source } = entry;
		const stored = await this.#keeper.loadAnswer(source.key);
		const { memory } = entry;
		if (memory.record !== null) {
			try {
				entry.site = readSite(memory.record, source.key);
			} catch {
				memory.recordAt = null;
			}
		}
		if (!stored || stored.head.system !== systemHash(source)) {
			// Without the forecast, what was heard of it must not hold back the next request.
			memory.answeredAt = null;
			return;
		}
		const { head } = stored;
		try {
			const answer = readForecast(JSON.parse(stored.body));
			entry.forecast = placeForecast(answer, {
				siteZone: head.siteZone,
				interval: this.#interval(),
			});
			entry.answer = answer;
			entry.head = head;
			entry.asked = askedOf(head);
		} catch {
			memory.answeredAt = null;
			await this.#keeper.discardAnswer(source.key);
			return;
		}
		// The forecast is written before the account: the newer of the two counts.
		if (head.answeredAt > (memory.answeredAt ?? 0)) {
			memory.answeredAt = head.answeredAt;
			memory.nextPollAt = head.nextPollAt;
			memory.computedAt = head.computedAt;
			if ((memory.requestedAt ?? 0) <= head.answeredAt) {
				memory.open = false;
				memory.failure = null;
			}
		}
	}

	#place(entry: Entry): void {
		if (!entry.answer || !entry.head) return;
		const interval = this.#interval();
		if (entry.forecast?.interval === interval) return;
		entry.forecast = placeForecast(entry.answer, {
			siteZone: entry.head.siteZone,
			interval,
		});
	}

	/** The flows have started: stored forecasts go out, then polling begins. */
	start(): Promise<void> {
		this.#starting = this.#start();
		return this.#starting;
	}

	async #start(): Promise<void> {
		await this.#loaded;
		const entries = [...this.#entries.values()];
		await Promise.all(entries.map(({ ready }) => ready));
		this.#markStarted();
		this.#pacer.changed(true);
		this.#lookAfter = Math.min(
			this.#lookAfter,
			this.#clock.monotonic() + CLOCK_LOOK_MS.first,
		);
		for (const entry of entries) {
			const waiting = [...entry.unserved];
			entry.unserved.clear();
			const state = this.#known(entry);
			if (state) {
				this.#tell(entry, (one) => one.onForecast(state, true), waiting);
			}
			this.#tell(entry, (one) => one.onChange());
		}
		this.#tick();
	}

	/** Resolves when no request is under way and all is on disk. */
	async idle(): Promise<void> {
		await this.#loaded;
		await this.#starting;
		for (let turn: unknown; turn !== this.#turn; ) {
			turn = this.#turn;
			await turn;
			await Promise.all([...this.#entries.values()].map((e) => e.request));
		}
		await this.#keeper.flush();
	}

	/** Resolves when all that was to be saved is on disk. */
	flush(): Promise<void> {
		return this.#keeper.flush();
	}

	// — what is known —

	/** What is known of a source now. */
	state(source: Source): SourceState {
		return this.#state(this.#entry(source));
	}

	#state(entry: Entry): SourceState {
		const now = this.#server.now();
		// A request under way is no interrupted one.
		const open = entry.memory.open && entry.request === undefined;
		const plan = planSite(
			{ ...entry.memory, open },
			this.#memory,
			this.#policy(),
			entry.timing,
			now,
			this.#lookAtPace(entry, now),
		);
		return {
			forecast: entry.forecast,
			head: entry.head,
			site: entry.site,
			plan: this.#isAuto(entry)
				? { ...plan, at: Math.max(plan.at, now) }
				: { at: null, reason: "manual", what: "forecast" },
			stale: this.#isStale(entry, now),
			failure: entry.memory.failure,
			quota: quotaNow(this.#memory.quota.forecast, now),
			own: ownThisMonth(this.#memory.own, now),
			pace: this.#pace(now),
			interval: this.#interval(),
			settled: entry.head?.settled ?? [],
			asking: entry.request !== undefined,
			now,
		};
	}

	#known(entry: Entry): KnownState | undefined {
		const state = this.#state(entry);
		return state.forecast && state.head ? (state as KnownState) : undefined;
	}

	#isAuto(entry: Entry): boolean {
		return [...entry.subscribers].some(({ auto }) => auto);
	}

	#plan(entry: Entry, now: number): Due {
		return planSite(
			entry.memory,
			this.#memory,
			this.#policy(),
			entry.timing,
			now,
			this.#lookAtPace(entry, now),
		);
	}

	/** The next look at a source at the account's pace; null where it is not paced. */
	#lookAtPace(entry: Entry, now: number): Look | null {
		if (!this.#isPaced(entry)) return null;
		const pace = this.#pace(now);
		return pace.kind === "full" ? null : nextLook(paced(entry, now), pace);
	}

	/** How the account's polls are paced (CONTRACT 3.3). */
	#pace(now: number): Pace {
		return this.#pacer.pace(
			this.#memory,
			this.#policy(),
			() => this.#paced(now),
			now,
		);
	}

	/** All sources that share the account's pace. */
	#paced(now: number): PacedSource[] {
		return [...this.#entries.values()]
			.filter((entry) => this.#isPaced(entry))
			.map((entry) => paced(entry, now));
	}

	/** Whether a source is polled, and nothing but the calendar stands in the way. */
	#isPaced(entry: Entry): boolean {
		const { answeredAt, gate } = entry.memory;
		return answeredAt !== null && gate === null && this.#isAuto(entry);
	}

	/**
	 * Whether the request that the service's own times call for is an hour overdue,
	 * or no row lies ahead (CONTRACT 3.5). What holds it back makes no difference.
	 */
	#isStale(entry: Entry, now: number): boolean {
		const { forecast, memory } = entry;
		if (!forecast) return false;
		const due = regularPlan({ ...memory, changed: false }, entry.timing, now);
		const look = this.#lookAtPace(entry, now);
		// What is put off to a better hour is not overdue before it.
		const planned = look && look.reason !== "reserve" ? look.at : 0;
		return (
			now > Math.max(due.at, planned) + STALE_MS ||
			now >= (forecast.values.starts.at(-1) ?? 0) + 15 * 60_000
		);
	}

	// — asking —

	/**
	 * What an input gets (CONTRACT 2 "Input"): what is known, after a request where
	 * one is due or the message needs one. Never rejects.
	 */
	async ask(source: Source, wants: Wants, refresh = false): Promise<Answered> {
		const entry = this.#entry(source);
		await this.#started;
		await entry.ready;
		const before = entry.memory.answeredAt;
		const error = await (refresh
			? this.#refresh(entry, wants)
			: this.#askIfNeeded(entry, wants));
		const state = this.#known(entry);
		return {
			state,
			cached: entry.memory.answeredAt === before,
			error: error ?? (state ? undefined : this.#nothingKnown(entry)),
		};
	}

	#nothingKnown(entry: Entry): SolarYieldError {
		const retryAt = this.#nextAt(entry);
		const { failure } = entry.memory;
		return failure
			? failureError(failure, retryAt)
			: new SolarYieldError(
					"SERVICE",
					"No forecast is known yet; wait for the next request",
					{ retryAt },
				);
	}

	/** When the source is asked next, not before now. */
	#nextAt(entry: Entry): number {
		const now = this.#server.now();
		return Math.max(this.#plan(entry, now).at, now);
	}

	async #refresh(
		entry: Entry,
		wants: Wants,
	): Promise<SolarYieldError | undefined> {
		this.#want(entry, wants);
		while (entry.request) {
			const error = await entry.request;
			if (error) return error;
		}
		const now = this.#server.now();
		if (this.#isFresh(entry, now)) return undefined;
		const refused = this.#refusal(entry, now);
		if (refused) return refused;
		const { failure } = entry.memory;
		if (failure && isWithin(REFRESH_DISTANCE_MS, failure.at, now)) {
			return failureError(failure, failure.at + REFRESH_DISTANCE_MS);
		}
		return this.#request(entry, REFRESH);
	}

	/** Whether an answer has just come. */
	#isFresh({ memory: { answeredAt } }: Entry, now: number): boolean {
		return (
			answeredAt !== null && isWithin(REFRESH_DISTANCE_MS, answeredAt, now)
		);
	}

	/** Why even an explicit request is not made: a 429, a 401, the reserve or the budget. */
	#refusal(entry: Entry, now: number): SolarYieldError | undefined {
		const { keyGate, lifted } = this.#memory;
		const { failure } = entry.memory;
		if (keyGate && !lifted) {
			const { at } = this.#plan(entry, now);
			return failure?.kind === "AUTH"
				? failureError(failure, at)
				: new SolarYieldError(
						"AUTH",
						"The service refused the API key; check the key of the account",
						{ retryAt: at },
					);
		}
		const hold = holdOf(this.#memory, this.#policy(), now);
		return hold ? holdError(hold) : undefined;
	}

	async #askIfNeeded(
		entry: Entry,
		wants: Wants,
	): Promise<SolarYieldError | undefined> {
		this.#want(entry, wants);
		while (entry.request) {
			if (entry.forecast && this.#covers(entry, wants)) return undefined;
			const error = await entry.request;
			if (error) return error;
		}
		const isNeeded = () => {
			const covered =
				entry.forecast !== undefined && this.#covers(entry, wants);
			// A poller serves the source: it asks in its own time.
			if (covered && this.#isAuto(entry)) return false;
			return this.#isDue(entry) || (!covered && !this.#isHeld(entry));
		};
		return isNeeded()
			? this.#request(entry, { cause: "input", isNeeded })
			: undefined;
	}

	/** Whether something forbids a request, however much it is wanted. */
	#isHeld({ memory, timing }: Entry): boolean {
		const now = this.#server.now();
		const policy = this.#policy();
		const obstacle = obstacleOf(memory, this.#memory, policy, timing, now);
		return (
			obstacle !== null && (obstacle.what === "probe" || obstacle.at > now)
		);
	}

	/** Whether the last answer was asked for with all that is wanted. */
	#covers({ asked }: Entry, wants: Wants): boolean {
		return (
			asked !== undefined &&
			asked.pastDays >= wants.pastDays &&
			(!wants.variability || asked.variability || !this.#mayHave("variability"))
		);
	}

	/** Keeps up for a day what messages want, so that the next poll brings it along. */
	#want(entry: Entry, { pastDays, variability }: Wants): void {
		const now = this.#server.now();
		const { wanted } = entry.memory;
		const valid = wanted.until > now;
		if (pastDays === 0 && !variability) return;
		entry.memory.wanted = {
			pastDays: Math.max(pastDays, valid ? wanted.pastDays : 0),
			variability: variability || (valid && wanted.variability),
			until: now + DAY,
		};
	}

	#mayHave(group: Group): boolean {
		const { available, refused } = this.#memory;
		return !refused.includes(group) && (available?.includes(group) ?? true);
	}

	/** What a request asks for: all that anybody shows, and no more days than wanted. */
	#parameters(
		entry: Entry,
	): Required<Pick<ForecastParameters, "pastDays" | "include">> {
		const now = this.#server.now();
		const { wanted } = entry.memory;
		const wants: Wants[] = [
			...entry.subscribers,
			...(wanted.until > now ? [wanted] : []),
		];
		const refused = ALL_GROUPS.filter((group) =>
			this.#memory.refused.includes(group),
		);
		return {
			pastDays: Math.max(0, ...wants.map(({ pastDays }) => pastDays)),
			include: [
				...(refused.length === 0
					? ["all"]
					: ALL_GROUPS.filter((group) => !refused.includes(group))),
				...(wants.some(({ variability }) => variability) &&
				this.#mayHave("variability")
					? ["variability"]
					: []),
			],
		};
	}

	/**
	 * Makes a request, or joins the one under way for this source.
	 *
	 * @returns what went wrong
	 */
	#request(entry: Entry, need: Need): Promise<SolarYieldError | undefined> {
		entry.request ??= this.#inTurn(() => this.#perform(entry, need))
			.catch((error) => {
				// Whatever it was, it must not be tried again at once.
				entry.memory.open = false;
				this.#memory.lifted = false;
				const failure = this.#unexpected(error);
				this.#fail(entry, failure, need.cause === "clock");
				return failure;
			})
			.finally(() => {
				entry.request = undefined;
				this.#tick();
			});
		return entry.request;
	}

	/** One request at a time per account (CONTRACT 3.1). */
	#inTurn<T>(work: () => Promise<T>): Promise<T> {
		const result = this.#turn.then(work);
		this.#turn = result.catch(() => {});
		return result;
	}

	#unexpected(error: unknown): SolarYieldError {
		return error instanceof SolarYieldError
			? error
			: new SolarYieldError(
					"RESPONSE",
					`The answer could not be used (${error instanceof Error ? error.message : "unknown"}); report this as a fault of the package`,
				);
	}

	#isDue(entry: Entry): boolean {
		const now = this.#server.now();
		return this.#plan(entry, now).at <= now;
	}

	async #perform(
		entry: Entry,
		need: Need,
	): Promise<SolarYieldError | undefined> {
		if (!need.isNeeded()) return undefined;
		const claimed = await this.#keeper.claim();
		if (!claimed && need.cause === "clock") {
			entry.busyUntil = this.#server.now() + BUSY_MS;
			return undefined;
		}
		try {
			await this.#takeOverFromOthers();
			return await this.#askService(entry, need);
		} finally {
			if (claimed) await this.#keeper.release();
		}
	}

	async #askService(
		entry: Entry,
		{ cause, isNeeded }: Need,
	): Promise<SolarYieldError | undefined> {
		const automatic = cause === "clock";
		const now = this.#server.now();
		// Since it was decided, others may have asked, and a gate may have shut.
		if (!isNeeded()) return undefined;
		if (cause === "refresh") {
			const refused = this.#refusal(entry, now);
			if (refused) return refused;
		} else if (this.#plan(entry, now).what === "probe") {
			await this.#probe(entry);
			if (this.#plan(entry, this.#server.now()).what === "probe") {
				await this.#save();
				return automatic ? undefined : this.#nothingKnown(entry);
			}
		}
		let error = await this.#look(entry);
		// One attempt is what was allowed, not one until it works.
		if (error) this.#memory.lifted = false;
		// With the server's clock known it may turn out that nothing is due yet.
		if (isNeeded()) {
			error ??= await this.#fetch(entry, automatic);
			if (error) this.#fail(entry, error, automatic);
		} else error = undefined;
		await this.#save();
		return error && this.#remembered(entry, error);
	}

	/** The error as flows see it: with the time at which it is tried again. */
	#remembered(entry: Entry, error: SolarYieldError): SolarYieldError {
		const { failure } = entry.memory;
		return failure ? failureError(failure, this.#nextAt(entry)) : error;
	}

	/** Uses what another process on the same directory has fetched meanwhile. */
	async #takeOverFromOthers(): Promise<void> {
		if (!(await this.#keeper.changedByOthers())) return;
		const memory = await this.#keeper.loadAccount();
		if (!memory) return;
		this.#adopt(memory);
		for (const entry of this.#entries.values()) {
			const { answeredAt, computedAt } = entry.head ?? {};
			if (answeredAt === entry.memory.answeredAt) continue;
			await this.#loadEntry(entry);
			const state = this.#known(entry);
			if (state && state.head.computedAt !== computedAt) {
				this.#announce(entry, state);
			}
		}
	}

	/**
	 * The free read of the site's record that goes before a request: when the
	 * server's clock is in doubt (asking too early would cost a request), when no
	 * record is known, and once a day.
	 *
	 * @returns an error that the request itself would end in as well
	 */
	async #look(entry: Entry): Promise<SolarYieldError | undefined> {
		const { memory, source } = entry;
		const now = this.#server.now();
		const fresh =
			memory.recordAt !== null && isWithin(DAY, memory.recordAt, now);
		if (source.kind !== "site" || (fresh && this.#server.trusted)) {
			return undefined;
		}
		try {
			await this.#readRecord(entry);
		} catch (error) {
			const failure = this.#unexpected(error);
			return ["NETWORK", "TIMEOUT", "AUTH", "RATE"].includes(failure.kind)
				? failure
				: undefined;
		}
		return this.#siteStop(entry);
	}

	async #readRecord(entry: Entry): Promise<void> {
		const site = await this.#client.site(entry.source.key);
		entry.site = site;
		entry.memory.record = site.record;
		entry.memory.recordAt = this.#server.now();
	}

	/** Why a site has no forecasts, from its own record. */
	#siteStop({ site }: Entry): SolarYieldError | undefined {
		if (site?.state === "deleted") {
			return new SolarYieldError(
				"NOT_FOUND",
				`The site was deleted (${site.deleted_at}); restore it within 30 days, or choose another site`,
			);
		}
		if (site?.state === "inactive") {
			return new RefusedError(
				"PLAN",
				"The site is inactive: it is over the plan's limit of sites; activate it in the service's web app, or delete another one",
				{},
				{ refusal: { type: "inactive" } },
			);
		}
		return undefined;
	}

	/** The request itself, once more without each group that the plan refuses. */
	async #fetch(
		entry: Entry,
		automatic: boolean,
	): Promise<SolarYieldError | undefined> {
		const { memory } = entry;
		const { changed } = memory;
		for (;;) {
			const parameters = this.#parameters(entry);
			memory.requestedAt = this.#server.now();
			memory.open = true;
			// What is changed from now on, this answer may not know.
			memory.changed = false;
			this.#memory.lifted = false;
			this.#count(1);
			// Before it is sent, so that a crash loop does not forget it.
			await this.#save();
			let received: ReceivedForecast;
			try {
				received = await (entry.source.kind === "site"
					? this.#client.forecast(entry.source.key, parameters)
					: this.#client.inlineForecast(entry.source.system, parameters));
			} catch (error) {
				memory.open = false;
				memory.changed ||= changed;
				const failure = this.#unexpected(error);
				const { status } = failure.cause;
				if (status !== null && UNCOUNTED_STATUS.includes(status)) {
					this.#count(-1);
				}
				if (
					failure instanceof RefusedError &&
					failure.refusal?.type === "group" &&
					!this.#memory.refused.includes(failure.refusal.group)
				) {
					this.#memory.refused.push(failure.refusal.group);
					continue;
				}
				return this.#diagnose(entry, failure);
			}
			memory.open = false;
			try {
				await this.#accept(entry, received, parameters, automatic, changed);
				return undefined;
			} catch (error) {
				memory.changed ||= changed;
				return this.#unexpected(error);
			}
		}
	}

	#count(requests: 1 | -1, kind: "forecast" | "historical" = "forecast"): void {
		const now = this.#server.now();
		const { own } = this.#memory;
		this.#memory.own = {
			month: monthOf(now),
			forecast: ownThisMonth(own, now),
			historical: ownThisMonth(own, now, "historical"),
			[kind]: Math.max(0, ownThisMonth(own, now, kind) + requests),
		};
	}

	/** 403 and 404 on a forecast: the free site read tells why (CONTRACT 3.5). */
	async #diagnose(
		entry: Entry,
		error: SolarYieldError,
	): Promise<SolarYieldError> {
		const isSite = entry.source.kind === "site";
		const { status } = error.cause;
		if (
			!isSite ||
			error.kind === "AUTH" ||
			(status !== 403 && status !== 404)
		) {
			return error;
		}
		try {
			await this.#readRecord(entry);
		} catch (reading) {
			if (status !== 404 || this.#unexpected(reading).kind !== "NOT_FOUND") {
				return error;
			}
			entry.memory.recordAt = null;
			return new SolarYieldError(
				"NOT_FOUND",
				"The account has no site of this id; choose one of the account's sites",
				{ status, detail: error.cause.detail },
			);
		}
		return this.#siteStop(entry) ?? error;
	}

	/** Asks the free list of sites whether a stop is over (CONTRACT 3.5). */
	async #probe(entry: Entry): Promise<void> {
		const { memory } = entry;
		const { keyGate } = this.#memory;
		const gate = keyGate ?? memory.gate;
		if (!gate) return;
		gate.probes += 1;
		try {
			const sites = await this.#client.sites();
			if (keyGate) this.#memory.keyGate = null;
			const { key } = entry.source;
			const site =
				sites.find(({ site_id }) => site_id === key) ??
				// The list may come in pages.
				(await this.#client.site(key).catch(() => undefined));
			if (
				memory.gate?.type === "site" &&
				(site?.state === "active" || site?.state === "temporary")
			) {
				memory.gate = null;
				memory.recordAt = null;
			}
		} catch (error) {
			const failure = this.#unexpected(error);
			if (failure.kind === "AUTH" && !keyGate) this.#fail(entry, failure, true);
		}
		gate.probedAt = this.#server.now();
	}

	// — outcomes —

	#hear({ kind, serverNow, quota, status }: AnswerFacts): void {
		if (serverNow !== undefined) {
			this.#server.set(serverNow);
		}
		if (kind === "free") return;
		if (quota) this.#memory.quota[kind] = quota;
		if (quota && kind === "forecast") {
			const own = ownThisMonth(this.#memory.own, quota.asOf);
			this.#memory.others = noteOthers(this.#memory.others, quota, own);
		}
		if (status === 429 && quota && quota.limit !== null) {
			this.#memory.exhausted[kind] = quota.reset;
		}
	}

	async #accept(
		entry: Entry,
		{ answer, body }: ReceivedForecast,
		{ pastDays, include }: { pastDays: number; include: readonly string[] },
		automatic: boolean,
		isOfChangedSite: boolean,
	): Promise<void> {
		const { memory, source } = entry;
		const now = this.#server.now();
		const siteZone = entry.site?.timezone ?? null;
		const forecast = placeForecast(answer, {
			siteZone,
			interval: this.#interval(),
		});
		const computedAt =
			forecast.computed_at ??
			(isSameCurve(entry.forecast, forecast) ? memory.computedAt : null) ??
			now;
		const isNew =
			entry.forecast === undefined || memory.computedAt !== computedAt;
		const isSaidAgain = memory.suspect === computedAt;
		const nextPollAt = forecast.next_poll_at;
		const usable = nextPollAt !== null && nextPollAt >= now + DATE_STEP_MS;
		if (isNew && !isSaidAgain) memory.barren = 0;
		else if (automatic) memory.barren += 1;
		memory.answeredAt = now;
		if (usable) {
			const { spreadMs } = entry.timing;
			memory.steps = learnStep(memory, {
				answeredAt: now,
				computedAt,
				nextPollAt,
				spreadMs,
			});
		}
		memory.nextPollAt = usable ? nextPollAt : null;
		memory.failure = null;
		memory.gate = null;
		this.#memory.keyGate = null;
		this.#memory.burst = null;
		this.#memory.exhausted.forecast = null;
		if (forecast.available) {
			const available = [...forecast.available];
			this.#memory.available = available;
			this.#memory.refused = this.#memory.refused.filter(
				(group) => !available.includes(group),
			);
		}
		entry.asked = askedOf({ pastDays, include });
		// A curve that is suddenly all zero must be said by two forecasts (CONTRACT 3.5).
		const isSuspect =
			isNew &&
			entry.forecast !== undefined &&
			hasPower(entry.forecast) &&
			!hasPower(forecast) &&
			(memory.suspect === null || isSaidAgain);
		memory.suspect = isSuspect ? computedAt : null;
		if (isSuspect) return;
		memory.computedAt = computedAt;
		const settled =
			entry.forecast && isNew
				? settle(entry.head?.settled ?? [], entry.forecast, computedAt, now)
				: (entry.head?.settled ?? []);
		entry.answer = answer;
		entry.forecast = forecast;
		entry.head = {
			version: 1,
			key: source.key,
			system: systemHash(source),
			answeredAt: now,
			computedAt,
			nextPollAt: memory.nextPollAt,
			pastDays,
			include: [...include],
			siteZone,
			settled: settled.map(([start, watts]) => [start, watts]),
		};
		await this.#keeper.saveAnswer({ head: entry.head, body });
		await this.#joinStrings(entry);
		if (isNew || isOfChangedSite) {
			this.#announce(entry, this.#known(entry) as KnownState);
		}
	}

	/** A string id that the record does not know: the record is older than the string. */
	async #joinStrings(entry: Entry): Promise<void> {
		if (entry.source.kind !== "site") return;
		const known = new Set(entry.site?.strings.map((s) => s.string_id));
		const unknown = (entry.forecast?.strings ?? [])
			.map(({ string_id }) => string_id)
			.filter((id) => id !== null && !known.has(id))
			.join("\n");
		if (unknown !== "" && unknown !== entry.unknownStrings) {
			await this.#readRecord(entry).catch(() => {});
		}
		entry.unknownStrings = unknown;
	}

	/** Calls subscribers that are still there; what one of them throws stops no other. */
	#tell(
		entry: Entry,
		call: (subscriber: Subscriber) => void,
		whom: Iterable<Subscriber> = entry.subscribers,
	): void {
		for (const subscriber of [...whom]) {
			if (!entry.subscribers.has(subscriber)) continue;
			try {
				call(subscriber);
			} catch (error) {
				this.#report(
					`A node could not use a forecast (${error instanceof Error ? error.message : "unknown"}); report this as a fault of the package`,
				);
			}
		}
	}

	/** Subscribers that are polled for; who has yet to start gets the stored forecast then. */
	#audience(entry: Entry): Subscriber[] {
		return [...entry.subscribers].filter(
			(one) => one.auto && !entry.unserved.has(one),
		);
	}

	#announce(entry: Entry, state: KnownState): void {
		entry.day = state.forecast.zone.dayOf(state.now);
		this.#tell(
			entry,
			(one) => one.onForecast(state, false),
			this.#audience(entry),
		);
	}

	#fail(entry: Entry, error: SolarYieldError, automatic: boolean): void {
		const now = this.#server.now();
		const failure = noteFailure(entry.memory, error, now);
		shutGates(entry.memory, this.#memory, error, failure, now);
		const audience = this.#audience(entry);
		if (automatic && audience.length > 0 && isToBeReported(failure)) {
			failure.reported = true;
			const told = this.#remembered(entry, error);
			this.#tell(entry, (one) => one.onFailure(told), audience);
		}
	}

	#store(): Promise<void> {
		this.#pacer.changed();
		this.#memory.skew = this.#server.skew;
		return this.#keeper.saveAccount(this.#memory);
	}

	async #save(): Promise<void> {
		await this.#store();
		for (const entry of this.#entries.values()) {
			this.#tell(entry, (one) => one.onChange());
		}
	}

	// — the clock —

	/** Does what has come due, and sets the alarm for what comes next. */
	#tick(): void {
		const watched = [...this.#entries.values()].filter(
			({ subscribers }) => subscribers.size > 0,
		);
		if (watched.length === 0) {
			this.#alarm.stop();
			return;
		}
		const now = this.#server.now();
		if (this.#lookAtClock(watched, now)) return;
		let next = Number.POSITIVE_INFINITY;
		for (const entry of watched) {
			next = Math.min(next, this.#turnDay(entry, now));
			this.#watchStale(entry, now);
			if (!this.#isPolled(entry) || entry.request) continue;
			const { busyUntil } = entry;
			const at = Math.max(
				this.#plan(entry, now).at,
				busyUntil > now + BUSY_MS ? 0 : busyUntil,
			);
			if (at <= now) void this.#request(entry, this.#pollOf(entry));
			else next = Math.min(next, at);
		}
		this.#alarm.set(next - now);
	}

	/** Not while a deploy is under way: some nodes, or the account's limits, are not known. */
	#isPolled(entry: Entry): boolean {
		return (
			this.#isAuto(entry) &&
			entry.unserved.size === 0 &&
			this.#accounts.size > 0
		);
	}

	#pollOf(entry: Entry): Need {
		return {
			cause: "clock",
			isNeeded: () => this.#isPolled(entry) && this.#isDue(entry),
		};
	}

	/**
	 * Where the host's clocks do not tell the server's time, a free request does:
	 * else a clock that is behind would let a poll be missed.
	 *
	 * @returns whether one was made, after which there is another tick
	 */
	#lookAtClock(watched: readonly Entry[], now: number): boolean {
		const polled = watched.filter((entry) => this.#isPolled(entry));
		// While requests fail, each new try looks for itself.
		const isTried =
			this.#memory.keyGate !== null ||
			polled.every(({ memory }) => memory.failure);
		if (
			isTried ||
			this.#clock.monotonic() < this.#lookAfter ||
			!this.#isInDoubt(polled, now)
		) {
			return false;
		}
		this.#lookAfter = Number.POSITIVE_INFINITY;
		void this.#inTurn(() => this.#client.sites())
			.catch(() => {})
			.finally(() => {
				const { first, inVain } = CLOCK_LOOK_MS;
				const isInDoubt = this.#isInDoubt(polled, this.#server.now());
				this.#lookAfter =
					this.#clock.monotonic() + (isInDoubt ? inVain : first);
				this.#tick();
			});
		return true;
	}

	/** Whether the server's clock may be another one; surely if it is behind an answer's. */
	#isInDoubt(entries: readonly Entry[], now: number): boolean {
		return (
			!this.#server.trusted ||
			entries.some(({ memory }) => (memory.answeredAt ?? 0) > now + AHEAD_MS)
		);
	}

	/** Tells of the site's midnight; returns when the next one is. */
	#turnDay(entry: Entry, now: number): number {
		if (!entry.forecast) return Number.POSITIVE_INFINITY;
		const { zone } = entry.forecast;
		const day = zone.dayOf(now);
		const before = entry.day;
		entry.day = day;
		// Backwards, too: a clock that was wrong had numbered the days wrong.
		if (before !== undefined && day !== before) {
			this.#tell(entry, (one) => one.onMidnight());
		}
		return zone.dayStart(day + 1);
	}

	#watchStale(entry: Entry, now: number): void {
		const stale = this.#isStale(entry, now);
		if (stale !== entry.wasStale) {
			entry.wasStale = stale;
			this.#tell(entry, (one) => one.onChange());
		}
	}
}

const REFRESH: Need = { cause: "refresh", isNeeded: () => true };

/** Whether a remembered time is less than `ms` ago; one far ahead was read off a wrong clock. */
function isWithin(ms: number, time: number, now: number): boolean {
	return now - time < ms && time <= now + AHEAD_MS;
}

/** What a request asked for, in terms of what nodes want. */
function askedOf({
	pastDays,
	include,
}: Pick<AnswerHead, "pastDays"> & { include: readonly string[] }): Wants {
	return { pastDays, variability: include.includes("variability") };
}

function paced(entry: Entry, now: number): PacedSource {
	const { source, memory, timing } = entry;
	const daylight = (computedAt: number) =>
		entry.forecast ? Daylight.of(entry.forecast, computedAt) : Daylight.dark;
	return pacedSource(source.key, memory, timing, daylight, now);
}

function monthOf(instant: number): number {
	const date = new Date(instant);
	return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

/** Whether an answer that does not say when it was computed brought nothing new. */
function isSameCurve(old: Forecast | undefined, { values }: Forecast): boolean {
	return (
		old?.values.rows.length === values.rows.length &&
		values.starts.every(
			(start, index) =>
				start === old.values.starts[index] &&
				values.rows[index]?.pv_power === old.values.rows[index]?.pv_power,
		)
	);
}

function hasPower(forecast: Forecast): boolean {
	return forecast.values.rows.some((row) => Number(row.pv_power) > 0);
}
