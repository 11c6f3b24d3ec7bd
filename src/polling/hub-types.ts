import type { Forecast, Interval } from "../forecast/forecast";
import type { Settled } from "../forecast/settled";
import type { SolarYieldError } from "../service/errors/solar-yield-error";
import type { Quota } from "../service/quota";
import type { Site } from "../service/v2/sites/site";
import type { AccountMemory, Failure, SiteMemory } from "./memory/schemas";
import type { PaceFacts } from "./pacing/pace";
import type { SiteCost } from "./pacing/site-cost";
import type { Plan, Policy } from "./schedule/schedule";
import type { AnswerHead, StoredAnswer } from "./storage/file-formats";

/** Where memory is kept; `Store` is the one on disk. No method rejects. */
export interface Keeper {
	loadAccount(): Promise<AccountMemory | undefined>;
	loadSite(key: string): Promise<SiteMemory | undefined>;
	loadAnswer(key: string): Promise<StoredAnswer | undefined>;
	discardAnswer(key: string): Promise<void>;
	saveAccount(memory: AccountMemory): Promise<void>;
	saveSite(key: string, memory: SiteMemory): Promise<void>;
	saveAnswer(answer: StoredAnswer): Promise<void>;
	/**
	 * Whether another process saved the account, or what is remembered of a
	 * source, since we loaded or saved it.
	 */
	changedByOthers(key?: string): Promise<boolean>;
	/** Claims the right to ask; false while another process has it. */
	claim(): Promise<boolean>;
	release(): Promise<void>;
	flush(): Promise<void>;
}

/** What one account (config node) allows and says. */
export interface AccountSettings extends Policy {
	readonly interval: Interval;
	/** Changes when the account does; a changed one lifts a shut gate (behaviour: The month's requests). */
	readonly fingerprint: string;
}

/** What a node wants of a source beyond the groups of every plan. */
export interface Wants {
	readonly pastDays: number;
	readonly variability: boolean;
}

export interface Subscriber extends Wants {
	/** Whether the source is polled for this subscriber. */
	readonly auto: boolean;
	/** What the subscriber's account takes stamps to mean. */
	readonly interval: Interval;
	/**
	 * A forecast to send: a new one, or after a start the stored one (`cached`).
	 * A promise is waited for before the next subscriber is told.
	 */
	onForecast(state: KnownState, cached: boolean): void | Promise<void>;
	/** An automatic request failed in a way that flows should hear of (behaviour: Errors). */
	onFailure(error: SolarYieldError): void;
	/** Something a status shows has changed. */
	onChange(): void;
	/** The site's date has changed; days have new numbers. */
	onMidnight(): void | Promise<void>;
}

/** What is known of a source at an instant. */
export interface SourceState {
	readonly forecast: Forecast | undefined;
	readonly head: AnswerHead | undefined;
	readonly site: Site | undefined;
	readonly plan: Plan;
	readonly stale: boolean;
	readonly failure: Failure | null;
	readonly quota: Quota | null;
	/** Own forecast requests this month. */
	readonly own: number;
	readonly pace: PaceFacts;
	readonly interval: Interval;
	readonly settled: Settled;
	/** Whether a request is under way. */
	readonly asking: boolean;
	/** The server's clock, epoch ms. */
	readonly now: number;
}

/** What is known of an account: what its plan has, what it has used. */
export interface AccountState {
	readonly available: readonly string[] | null;
	readonly quota: Quota | null;
	/** Own requests this month, of the kind asked for. */
	readonly own: number;
	/** Of forecast requests; null for others. */
	readonly pace: PaceFacts | null;
	/** What one more site would cost; null while unknown. */
	readonly oneMore: SiteCost | null;
	/** The server's clock, epoch ms. */
	readonly now: number;
}

/** A state that holds a forecast. */
export type KnownState = SourceState & {
	readonly forecast: Forecast;
	readonly head: AnswerHead;
};

/** What an input gets: what is known, and what went wrong in asking for more. */
export interface Answered {
	readonly state: KnownState | undefined;
	/** Whether no request was made for it. */
	readonly cached: boolean;
	readonly error: SolarYieldError | undefined;
}
