import type { Forecast, Interval } from "../../forecast/forecast";
import type { AnswerFacts } from "../../service/client";
import type { Group } from "../../service/v2/groups";
import { QUARTER_MS } from "../../util/time";
import type { KnownState, SourceState } from "../hub-types";
import {
	type AccountMemory,
	byName,
	newAccountMemory,
} from "../memory/schemas";
import { Daylight } from "../pacing/expected-power";
import { newOthers, noteOthers } from "../pacing/other-clients";
import { type Look, nextLook, type Pace } from "../pacing/pace";
import { Pacer, pacedSource } from "../pacing/pacer";
import type { PacedSource } from "../pacing/poll-selection";
import {
	type Due,
	holdOf,
	obstacleOf,
	ownThisMonth,
	type Policy,
	planSite,
	quotaNow,
	regularPlan,
} from "../schedule/schedule";
import { type Clock, ServerClock } from "../schedule/server-clock";
import { Accounts } from "./account-settings";
import type { Entry } from "./source-state";

const HOUR = 3_600_000;
/** Overdue by this much, a forecast is stale (behaviour: Failures), ms. */
const STALE_MS = HOUR;

/**
 * What is known of an account and its sources, and what follows from it: the
 * server's time, when each source is to be asked, what may be spent.
 */
export class Ledger {
	readonly accounts = new Accounts();
	readonly entries = new Map<string, Entry>();
	/** The entries that nodes read. */
	readonly watched = new Set<Entry>();
	readonly pacer = new Pacer();
	readonly server: ServerClock;
	memory = newAccountMemory();

	constructor(clock: Clock) {
		this.server = new ServerClock(clock);
	}

	/** Goes on with what was kept, by an earlier process or by another one. */
	adopt(memory: AccountMemory): void {
		this.memory = {
			...memory,
			accounts: byName({ ...memory.accounts, ...this.memory.accounts }),
		};
	}

	/** The server's clock, epoch ms. */
	now(): number {
		return this.server.now();
	}

	/** What each answer tells besides its body. */
	hear({ kind, serverNow, quota, status }: AnswerFacts): void {
		this.server.hear(serverNow);
		if (kind === "free") return;
		const { memory } = this;
		if (quota) memory.quota[kind] = quota;
		if (quota && kind === "forecast") {
			const own = ownThisMonth(memory.own, quota.asOf);
			memory.others = noteOthers(memory.others, quota, own);
		}
		if (status === 429 && quota && quota.limit !== null) {
			memory.exhausted[kind] = quota.reset;
		}
	}

	/** Compares the clock with a forecast that has just come. */
	checkClock({ computed_at, values: { starts } }: Forecast): void {
		const first = starts[0] as number;
		const last = starts.at(-1) as number;
		const isInside =
			computed_at !== null &&
			computed_at > first - 24 * HOUR &&
			computed_at < last;
		if (this.server.check(isInside ? computed_at : first, last)) return;
		// What was counted by that clock belongs to another month, and this request to this one.
		this.memory.quota.forecast = null;
		this.memory.others = newOthers();
		this.memory.own.month = monthOf(this.now());
	}

	// — what is planned —

	policy(): Policy {
		return this.accounts.policy(this.memory.quota.forecast);
	}

	/** What holds every forecast request of the account now. */
	hold(): ReturnType<typeof holdOf> {
		return holdOf(this.memory, this.policy(), this.now());
	}

	/** When a source is to be asked. */
	plan(entry: Entry, now = this.now()): Due {
		return this.#planOf(entry, entry.memory, now);
	}

	#planOf(entry: Entry, memory: Entry["memory"], now: number): Due {
		return planSite(
			memory,
			this.memory,
			this.policy(),
			entry.timing,
			now,
			this.#look(entry, now),
		);
	}

	isDue(entry: Entry): boolean {
		const now = this.now();
		return this.plan(entry, now).at <= now;
	}

	/** When a source is asked next, not before now. */
	nextAt(entry: Entry): number {
		const now = this.now();
		return Math.max(this.plan(entry, now).at, now);
	}

	/** Whether something forbids a request, however much it is wanted. */
	isHeld({ memory, timing }: Entry): boolean {
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

	/** The next look at a source at the account's pace; null where it is not paced. */
	#look(entry: Entry, now: number): Look | null {
		if (!isPaced(entry)) return null;
		const pace = this.pace(now);
		return pace.kind === "full" ? null : nextLook(paced(entry, now), pace);
	}

	/** How the account's polls are paced (behaviour: The month's requests). */
	pace(now: number): Pace {
		return this.pacer.pace(
			this.memory,
			this.policy(),
			() => this.paced(now),
			now,
		);
	}

	/** All sources that share the account's pace. */
	paced(now: number): PacedSource[] {
		return [...this.entries.values()]
			.filter(isPaced)
			.map((entry) => paced(entry, now));
	}

	/**
	 * What all sources' plans depend on: where it has changed, all of them are to
	 * be made anew.
	 */
	standing(now: number): string {
		const { keyGate, lifted, lifts } = this.memory;
		const hold = holdOf(this.memory, this.policy(), now);
		const { kind, now: since } = this.pace(now);
		const pace = kind === "full" ? kind : `${kind} ${since}`;
		return `${hold?.reason} ${hold?.until} ${keyGate?.probedAt} ${lifted} ${lifts} ${pace}`;
	}

	/**
	 * When a forecast becomes stale: the request that the service's own times call
	 * for is an hour overdue, or no row lies ahead (behaviour: Failures). What holds it
	 * back makes no difference.
	 */
	staleAt(entry: Entry, now: number): number {
		const { forecast, memory } = entry;
		if (!forecast) return Number.POSITIVE_INFINITY;
		const due = regularPlan({ ...memory, changed: false }, entry.timing, now);
		const look = this.#look(entry, now);
		// What is put off to a better hour is not overdue before it.
		const planned = look && look.reason !== "reserve" ? look.at : 0;
		return Math.min(
			Math.max(due.at, planned) + STALE_MS + 1,
			(forecast.values.starts.at(-1) ?? 0) + QUARTER_MS,
		);
	}

	// — what is spent —

	count(requests: 1 | -1, kind: "forecast" | "historical" = "forecast"): void {
		const now = this.now();
		const { own } = this.memory;
		this.memory.own = {
			month: monthOf(now),
			forecast: ownThisMonth(own, now),
			historical: ownThisMonth(own, now, "historical"),
			[kind]: Math.max(0, ownThisMonth(own, now, kind) + requests),
		};
	}

	/** Whether the plan may have a group. */
	mayHave(group: Group): boolean {
		const { available, refused } = this.memory;
		return !refused.includes(group) && (available?.includes(group) ?? true);
	}

	// — what is known —

	state(entry: Entry, interval: Interval): SourceState {
		const now = this.now();
		// A request under way is no interrupted one.
		const open = entry.memory.open && entry.request === undefined;
		const plan = this.#planOf(entry, { ...entry.memory, open }, now);
		return {
			forecast: entry.forecastIn(interval),
			head: entry.head,
			site: entry.site,
			plan: entry.isAuto
				? { ...plan, at: Math.max(plan.at, now) }
				: { at: null, reason: "manual", what: "forecast" },
			stale: this.staleAt(entry, now) <= now,
			failure: entry.memory.failure,
			quota: quotaNow(this.memory.quota.forecast, now),
			own: ownThisMonth(this.memory.own, now),
			pace: this.pace(now),
			interval,
			settled: entry.settledIn(interval),
			asking: entry.request !== undefined,
			now,
		};
	}

	/** The state of a source that has a forecast. */
	known(entry: Entry, interval: Interval): KnownState | undefined {
		if (!entry.forecast || !entry.head) return undefined;
		return this.state(entry, interval) as KnownState;
	}
}

/** Whether a source is polled, and nothing but the calendar stands in the way. */
function isPaced({ memory: { answeredAt, gate }, isAuto }: Entry): boolean {
	return answeredAt !== null && gate === null && isAuto;
}

function paced(entry: Entry, now: number): PacedSource {
	const { key, memory, timing, forecast } = entry;
	const daylight = (computedAt: number) =>
		forecast ? Daylight.of(forecast, computedAt) : Daylight.dark;
	return pacedSource(key, memory, timing, daylight, now);
}

function monthOf(instant: number): number {
	const date = new Date(instant);
	return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}
