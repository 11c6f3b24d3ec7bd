import type { Forecast, Interval } from "../../forecast/forecast";
import type { AnswerFacts } from "../../service/client";
import {
	GROUP_NAMES,
	type Group,
	resolveGroups,
} from "../../service/v2/groups";
import type { Text } from "../../texts/texts";
import type { Clock } from "../../util/clock";
import { HOUR_MS, MINUTE_MS, QUARTER_MS } from "../../util/time";
import { Zone } from "../../util/zone";
import {
	type AccountMemory,
	newAccountMemory,
	type SiteMemory,
} from "../memory/schemas";
import { ExpectedPower } from "../pacing/expected-power";
import { nextPoll, type Pace } from "../pacing/pace";
import { PaceCache } from "../pacing/pace-cache";
import { type PacedSource, pacedSource } from "../pacing/paced-source";
import {
	ownThisMonth,
	type Policy,
	quotaNow,
	type ReachedLimit,
	reachedLimit,
} from "../schedule/limits";
import {
	obstacleOf,
	type PacedPoll,
	planSite,
	regularPlan,
	type TimedPlan,
} from "../schedule/schedule";
import { ServerClock } from "../schedule/server-clock";
import { MergedSettings } from "./account-settings";
import {
	noteClockCorrection,
	noteQuota,
	noteUntoldUse,
} from "./account-transitions";
import { notePlanChange } from "./site-transitions";
import type { ForecastSnapshot, SourceSnapshot } from "./snapshots";
import type { SourceState } from "./source-state";

/** Overdue by this much, a forecast is stale (behaviour: Failures), ms. */
const STALE_MS = HOUR_MS;
/** A forecast computed longer before its first row than this says nothing of the time, ms. */
const COMPUTED_BEFORE_MS = 24 * HOUR_MS;

/**
 * The live state of an account and its sources, and what follows from it: the
 * server's time, when each source is to be asked, what may be spent.
 */
export class AccountState {
	readonly settings = new MergedSettings();
	readonly sources = new Map<string, SourceState>();
	/** The sources that nodes show. */
	readonly watched = new Set<SourceState>();
	readonly paceCache = new PaceCache();
	readonly server: ServerClock;
	readonly #report: (text: Text) => void;
	#saidUnreadable = false;
	#saidOffset = false;
	#saidZone = false;
	#memory = newAccountMemory();

	/** @param report told of what a person should know, once */
	constructor(clock: Clock, report: (text: Text) => void) {
		this.server = new ServerClock(clock);
		this.#report = report;
	}

	/** The server's clock, epoch ms. */
	now(): number {
		return this.server.now();
	}

	// — memory —

	get memory(): AccountMemory {
		return this.#memory;
	}

	/** The only way in which memory changes: a named transition takes its place. */
	update<Facts extends unknown[]>(
		transition: (memory: AccountMemory, ...facts: Facts) => AccountMemory,
		...facts: Facts
	): void {
		this.#memory = transition(this.#memory, ...facts);
	}

	/** Whether the service has ever answered well, as far as is remembered. */
	get hasAnswered(): boolean {
		const { quota, available } = this.memory;
		if (quota.forecast || quota.historical || available) return true;
		for (const { memory } of this.sources.values()) {
			if (memory.answeredAt !== null) return true;
		}
		return false;
	}

	/** Takes note of what each answer tells besides its body. */
	noteAnswerFacts({
		kind,
		serverNow,
		quota,
		status,
		isUsedUp,
		unreadable,
	}: AnswerFacts): void {
		this.server.noteDate(serverNow);
		this.#reportOffset();
		if (kind === "free") return;
		if (quota) {
			const before = this.memory.quota[kind];
			if (kind === "forecast" && before && before.limit !== quota.limit) {
				for (const source of this.sources.values())
					source.update(notePlanChange);
			}
			this.update(noteQuota, kind, quota, isUsedUp);
		} else if (status < 300) this.update(noteUntoldUse, kind, this.now());
		if (unreadable === undefined || this.#saidUnreadable) return;
		this.#saidUnreadable = true;
		this.#report({
			key: "polling.unreadable_count",
			values: {
				text: Object.entries(unreadable).map(([name, value]) => ({
					key: "polling.header",
					values: { name, value: JSON.stringify(value) },
				})),
			},
		});
	}

	/** An offset of this machine's clock makes certificates, days and values of now wrong, though not the polling. */
	#reportOffset(): void {
		const { offset } = this.server;
		if (offset === null || this.#saidOffset) return;
		this.#saidOffset = true;
		const minutes = Math.round(Math.abs(offset) / MINUTE_MS);
		this.#report({
			key: offset > 0 ? "polling.clock_behind" : "polling.clock_ahead",
			values: { minutes },
		});
	}

	/** Compares the clock with a forecast that has just come. */
	checkClock({ computed_at, values: { starts } }: Forecast): void {
		const first = starts[0] as number;
		const last = starts.at(-1) as number;
		const isInside =
			computed_at !== null &&
			computed_at > first - COMPUTED_BEFORE_MS &&
			computed_at < last;
		if (this.server.check(isInside ? computed_at : first, last)) return;
		this.update(noteClockCorrection, this.now());
	}

	/** Says once that a site's clock is that of the rows, where this machine's data deny it. */
	checkZone({ zone, values }: Forecast): void {
		const engine = Zone.of(zone.name);
		const at = values.starts.find(
			(start) => engine?.offsetAt(start) !== zone.offsetAt(start),
		);
		if (at === undefined || !engine || this.#saidZone) return;
		this.#saidZone = true;
		this.#report({
			key: "polling.zone_denied",
			values: {
				zone: zone.name,
				said: zone.format(at),
				version: process.versions.tz ?? "?",
				own: engine.format(at),
			},
		});
	}

	// — what is planned —

	policy(): Policy {
		return this.settings.policy(this.memory.quota.forecast);
	}

	/** The limit that stops every forecast request of the account now. */
	limit(): ReachedLimit | null {
		return reachedLimit(this.memory, this.policy(), this.now());
	}

	/** When a source is to be asked. */
	plan(source: SourceState, now = this.now()): TimedPlan {
		return this.#planOf(source, source.memory, now);
	}

	#planOf(source: SourceState, memory: SiteMemory, now: number): TimedPlan {
		return planSite(
			memory,
			this.memory,
			this.policy(),
			source.timing,
			now,
			this.#nextPoll(source, now),
		);
	}

	isDue(source: SourceState): boolean {
		const now = this.now();
		return this.plan(source, now).at <= now;
	}

	/** When a source is asked next, not before now. */
	nextAt(source: SourceState): number {
		const now = this.now();
		return Math.max(this.plan(source, now).at, now);
	}

	/** Whether something forbids a request, however much it is wanted. */
	isForbidden({ memory, timing }: SourceState): boolean {
		const now = this.now();
		const obstacle = obstacleOf(
			memory,
			this.memory,
			this.policy(),
			timing,
			now,
		);
		return (
			obstacle !== null && (obstacle.what === "probe" || obstacle.at > now)
		);
	}

	/** The next poll of a source at the account's pace; null where it is not paced. */
	#nextPoll(source: SourceState, now: number): PacedPoll | null {
		if (!isPaced(source)) return null;
		const pace = this.pace(now);
		return pace.kind === "full" ? null : nextPoll(paced(source, now), pace);
	}

	/** How the account's polls are paced (behaviour: The month's requests). */
	pace(now: number): Pace {
		return this.paceCache.pace(
			this.memory,
			this.policy(),
			() => this.paced(now),
			now,
		);
	}

	/** All sources that share the account's pace. */
	paced(now: number): PacedSource[] {
		return [...this.sources.values()]
			.filter(isPaced)
			.map((source) => paced(source, now));
	}

	/** All that every source's plan depends on, as text: when it differs, each is to be planned anew. */
	planningKey(now: number): string {
		const { keyGate, lifted, lifts } = this.memory;
		const limit = reachedLimit(this.memory, this.policy(), now);
		const { kind, now: since } = this.pace(now);
		const pace = kind === "full" ? kind : `${kind} ${since}`;
		return `${limit?.reason} ${limit?.until} ${keyGate?.probedAt} ${lifted} ${lifts} ${pace}`;
	}

	/**
	 * When a forecast becomes stale: the request that the service's own times call
	 * for is an hour overdue, or no row lies ahead (behaviour: Failures). What
	 * stands in the way of the request makes no difference.
	 */
	staleAt(source: SourceState, now: number): number {
		const { forecast, memory } = source;
		if (!forecast) return Number.POSITIVE_INFINITY;
		const due = regularPlan({ ...memory, changed: false }, source.timing, now);
		const poll = this.#nextPoll(source, now);
		// What is put off to a better hour is not overdue before it.
		const planned = poll && poll.reason !== "reserve" ? poll.at : 0;
		return Math.min(
			Math.max(due.at, planned) + STALE_MS + 1,
			(forecast.values.starts.at(-1) ?? 0) + QUARTER_MS,
		);
	}

	/** Whether the plan may have a group. */
	mayHave(group: Group): boolean {
		const { available, refused } = this.memory;
		return !refused.includes(group) && (available?.includes(group) ?? true);
	}

	/** Groups that the forecast in hand was not asked for and the plan may have. */
	#awaited({ head }: SourceState): Group[] {
		if (!head) return [];
		const asked = resolveGroups(head.include);
		return GROUP_NAMES.filter(
			(group) => !asked.includes(group) && this.mayHave(group),
		);
	}

	// — what is known —

	/** @param interval what the reader's account takes stamps to mean */
	snapshot(source: SourceState, interval: Interval): SourceSnapshot {
		const now = this.now();
		// A request under way is no interrupted one.
		const open = source.memory.open && source.request === undefined;
		const plan = this.#planOf(source, { ...source.memory, open }, now);
		return {
			forecast: source.forecastIn(interval),
			head: source.head,
			site: source.site,
			plan: source.isAuto
				? { ...plan, at: Math.max(plan.at, now) }
				: { at: null, reason: "manual", what: "forecast" },
			awaited: this.#awaited(source),
			stale: this.staleAt(source, now) <= now,
			failure: source.memory.failure,
			quota: quotaNow(this.memory.quota.forecast, now),
			own: ownThisMonth(this.memory.own, now),
			pace: this.pace(now),
			interval,
			settled: source.settledIn(interval),
			asking: source.request !== undefined,
			clockOffsetMs: this.server.offset,
			now,
		};
	}

	/** A snapshot of a source that has a forecast, undefined of others. */
	forecastSnapshot(
		source: SourceState,
		interval: Interval,
	): ForecastSnapshot | undefined {
		if (!source.forecast || !source.head) return undefined;
		return this.snapshot(source, interval) as ForecastSnapshot;
	}
}

/** Whether a source is polled, and nothing but the calendar stands in the way. */
function isPaced({
	memory: { answeredAt, gate: block },
	isAuto,
}: SourceState): boolean {
	return answeredAt !== null && block === null && isAuto;
}

function paced(source: SourceState, now: number): PacedSource {
	const { key, memory, timing, forecast } = source;
	const power = (computedAt: number) =>
		forecast ? ExpectedPower.of(forecast, computedAt) : ExpectedPower.unknown;
	return pacedSource(key, memory, timing, power, now);
}
