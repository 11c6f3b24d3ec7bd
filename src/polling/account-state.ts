import { DEFAULT_INTERVAL, type Interval } from "../forecast/forecast";
import type { AnswerFacts } from "../service/client";
import { readForecast } from "../service/v2/forecast-answer";
import { GROUP_NAMES, resolveGroups } from "../service/v2/groups";
import { readSite } from "../service/v2/sites/site";
import type { Clock } from "../util/clock";
import { DAY_MS, SECOND_MS } from "../util/time";
import { type AccountMemory, newAccountMemory } from "./memory/memory";
import { nextPoll, type Pace, paceOf } from "./pacing/pace";
import {
	CLOCK_TOLERANCE_MS,
	ownThisMonth,
	type Policy,
	quotaNow,
	reserveOf,
} from "./schedule/limits";
import { ServerClock } from "./schedule/server-clock";
import type { AccountSettings, SourceSnapshot } from "./source/snapshots";
import {
	type Held,
	holdForecast,
	type PolledSource,
	pacedSource,
	siteZoneOf,
	systemHash,
} from "./source/source";
import {
	noteQuota,
	noteUntoldUse,
	recoverStop,
} from "./step/account-transitions";
import { standingError } from "./step/errors";
import {
	noteInterruption,
	notePlanChange,
	takeOverSite,
} from "./step/site-transitions";
import { mayHave, type Situation, sourcePlan, staleAt } from "./step/situation";
import { wantsOf } from "./step/turn";
import type { AccountStorage, StoredAnswer } from "./storage/account-files";

/** Least time between two searches for a pace, for each source, ms: their cost grows with the sources. */
const PACE_REST_MS = 20 * SECOND_MS;

/**
 * The live state of an account and its sources, and what follows from it: the
 * server's time, when each source is to be asked, what may be spent.
 */
export class AccountState {
	readonly settings = new Map<string, AccountSettings>();
	readonly sources = new Map<string, PolledSource>();
	readonly server: ServerClock;
	/** Where it is kept. */
	readonly storage: AccountStorage;
	memory: AccountMemory = newAccountMemory();
	#pace: Pace | undefined;
	/** When the pace is found anew, and the earliest that an answer may lead to it, epoch ms. */
	#paceDue = 0;
	#paceRest = 0;
	/** What stamps are taken to mean. */
	interval: Interval = DEFAULT_INTERVAL;

	constructor(clock: Clock, storage: AccountStorage) {
		this.server = new ServerClock(clock);
		this.storage = storage;
	}

	/** The server's clock, epoch ms. */
	now(): number {
		return this.server.now();
	}

	// — accounts —

	/** What stamps are taken to mean is what the account says that was set last. */
	set(id: string, settings: AccountSettings): void {
		const { interval } = settings;
		this.settings.set(id, settings);
		this.renewPace(true);
		if (interval === this.interval) return;
		this.interval = interval;
		for (const source of this.sources.values()) {
			const { held } = source.known;
			if (!held) continue;
			const placed = holdForecast(held.answer, held.head, interval);
			source.known = { ...source.known, held: placed };
		}
	}

	/** The lowest budget and the highest reserve (behaviour: One request per new forecast). */
	get policy(): Policy {
		const { forecast } = this.memory.quota;
		const all = [...this.settings.values()];
		return {
			budget: Math.min(...all.map(({ budget }) => budget ?? Infinity)),
			// A blank reserve is a share of the limit, and may be the highest.
			reserve: Math.max(0, ...all.map((one) => reserveOf(one, forecast))),
		};
	}

	/** Takes note of what each answer tells of the month's count. */
	noteAnswer({ kind, quota, status, isUsedUp }: AnswerFacts): void {
		if (kind === "free") return;
		if (!quota) {
			if (status < 300) {
				this.memory = noteUntoldUse(this.memory, kind, this.now());
			}
			return;
		}
		const before = this.memory.quota[kind];
		this.memory = noteQuota(this.memory, kind, quota, isUsedUp);
		if (!before || before.limit === quota.limit) return;
		for (const source of this.sources.values()) source.update(notePlanChange);
	}

	// — what is planned —

	/**
	 * Has the pace found anew: after an answer when that is cheap, after a change of
	 * the accounts or of what is polled at once.
	 */
	renewPace(atOnce = false): void {
		this.#paceDue = Math.min(this.#paceDue, atOnce ? 0 : this.#paceRest);
	}

	/** How the account's polls are paced (behaviour: The month's requests). */
	pace(now: number): Pace {
		const last = this.#pace;
		// A pace from the future was found while the clock was wrong.
		if (last && now < this.#paceDue && last.now < now + CLOCK_TOLERANCE_MS) {
			return last;
		}
		const sources = [...this.sources.values()]
			.filter(isPaced)
			.map((source) => pacedSource(source, now));
		const pace = paceOf(this.memory, this.policy, sources, now, last);
		this.#pace = pace;
		this.#paceDue = Math.min(pace.reset, now + DAY_MS);
		this.#paceRest = now + sources.length * PACE_REST_MS;
		return pace;
	}

	/** All that a decision about a source goes by. */
	situation(source: PolledSource, now = this.now()): Situation {
		const { known, origin, timing, isAuto } = source;
		const pace = isPaced(source) ? this.pace(now) : null;
		return {
			now,
			account: this.memory,
			known,
			origin,
			timing,
			policy: this.policy,
			poll: pace && nextPoll(pacedSource(source, now), pace),
			shown: [...source.subscribers],
			isAuto,
			isPolled: isAuto && source.unserved.size === 0 && this.settings.size > 0,
			isClockTrusted: this.server.isTrusted,
		};
	}

	// — what is on disk —

	/**
	 * Saves what is remembered of the account, and of a source: not of one whose inline
	 * system was edited, which has nothing to say any more, nor of an id that only a
	 * message named and that cost no request: a flow may make up any number of these.
	 */
	async save(source?: PolledSource): Promise<void> {
		this.renewPace();
		this.memory = { ...this.memory, seenAt: this.now() };
		const isWorthSaving =
			source &&
			this.sources.get(source.key) === source &&
			(source.subscribers.size > 0 || source.known.memory.requestedAt !== null);
		await Promise.all([
			isWorthSaving &&
				this.storage.siteStore(source.key).save(source.known.memory),
			this.storage.accountStore.save(this.memory),
		]);
	}

	/** Loads what an earlier or another process stored of the account. */
	async load(): Promise<void> {
		const memory = await this.storage.accountStore.load();
		if (!memory) return;
		this.server.resume(memory.seenAt);
		// Settings that are set here stay.
		const accounts = { ...memory.accounts, ...this.memory.accounts };
		this.memory = { ...memory, accounts };
	}

	/** Loads what is stored of a source, when it is first named. */
	async loadSource(source: PolledSource): Promise<void> {
		await this.#load(source);
		const { failure } = source.known.memory;
		if (failure && this.storage.accountStore.isDamaged) {
			this.memory = recoverStop(this.memory, failure);
		}
		source.update(noteInterruption);
	}

	async #load(source: PolledSource): Promise<void> {
		const { key } = source;
		const system = systemHash(source.origin);
		const answers = this.storage.answerStore(key);
		const memory = await this.storage.siteStore(key).load();
		const stored = await answers.load();
		// What is stored of an inline system that was edited is another system's.
		const own = memory?.system === system ? memory : undefined;
		const answer = stored?.head.system === system ? stored : undefined;
		const held = answer && (await this.#heldOf(answer));
		const { isDamaged } = answers;
		const { known } = source;
		const taken = takeOverSite(known.memory, own, held?.head, isDamaged);
		const { record } = taken;
		source.known = {
			...known,
			memory: taken,
			held,
			asked: held && wantsOf(held.head),
			...(record !== null && { site: readSite(record, key) }),
		};
	}

	/** A stored forecast; undefined of one that cannot be read, which is set aside. */
	async #heldOf({ head, body }: StoredAnswer): Promise<Held | undefined> {
		try {
			const answer = readForecast(JSON.parse(body));
			return holdForecast(answer, head, this.interval);
		} catch {
			await this.storage.answerStore(head.key).setAside();
			return undefined;
		}
	}

	/**
	 * Takes over what another process has stored meanwhile of the account, and of a source.
	 *
	 * @returns whether it has fetched another forecast
	 */
	async takeOver(source?: PolledSource): Promise<boolean> {
		const { accountStore } = this.storage;
		if (await accountStore.isChanged()) await this.load();
		if (!source || !(await this.storage.siteStore(source.key).isChanged())) {
			return false;
		}
		const before = source.known.held?.head.computedAt;
		await this.#load(source);
		const { held } = source.known;
		return held !== undefined && held.head.computedAt !== before;
	}

	// — what is known —

	snapshot(source: PolledSource): SourceSnapshot {
		const now = this.now();
		const { memory, held, site } = source.known;
		// A request under way is no interrupted one.
		const open = memory.open && source.request === undefined;
		const known = { ...source.known, memory: { ...memory, open } };
		const state = { ...this.situation(source, now), known };
		const plan = sourcePlan(state);
		const asked = held ? resolveGroups(held.head.include) : GROUP_NAMES;
		return {
			forecast: held?.forecast,
			zone: siteZoneOf(source.known),
			head: held?.head,
			site,
			plan: state.isAuto
				? { ...plan, at: Math.max(plan.at, now) }
				: { at: null, reason: "manual", what: "forecast" },
			awaited: GROUP_NAMES.filter(
				(group) => !asked.includes(group) && mayHave(this.memory, group),
			),
			stale: staleAt(state) <= now,
			failure: memory.failure,
			// Statuses alone read it, and to make an error takes longer than all else.
			get problem() {
				return standingError(state)?.text ?? null;
			},
			quota: quotaNow(this.memory.quota.forecast, now),
			own: ownThisMonth(this.memory.own, now),
			pace: this.pace(now),
			settled: held?.head.settled ?? [],
			asking: source.request !== undefined,
			clockOffsetMs: this.server.offset,
			now,
		};
	}
}

/** Whether a source is polled, and nothing but the calendar stands in the way. */
function isPaced({ known: { memory }, isAuto }: PolledSource): boolean {
	return memory.answeredAt !== null && memory.block === null && isAuto;
}
