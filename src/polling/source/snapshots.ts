import type { Forecast, Interval } from "../../forecast/forecast";
import type { Settled } from "../../forecast/settled";
import type { SolarYieldError } from "../../service/errors/solar-yield-error";
import type { Quota } from "../../service/quota";
import type { Group } from "../../service/v2/groups";
import type { Site } from "../../service/v2/sites/site";
import type { Text } from "../../texts/texts";
import type { Zone } from "../../util/zone";
import type { AnswerHead, Failure } from "../memory/memory";
import type { Pace } from "../pacing/pace";
import type { RequestPlan } from "../schedule/schedule";

/** What one account (config node) allows and says. */
export interface AccountSettings {
	/** Own forecast requests per calendar month, null for no ceiling. */
	readonly budget: number | null;
	/** Requests left for other clients, null for 5 % of the plan's. */
	readonly reserve: number | null;
	/** What stamps are taken to mean. */
	readonly interval: Interval;
	/** Changes when the account does: a changed one lifts limits (behaviour: The month's requests). */
	readonly fingerprint: string;
}

/** What a node wants of a source beyond the groups of every plan. */
export interface Wants {
	readonly pastDays: number;
	readonly variability: boolean;
}

/** A node that shows a source's forecasts. */
export interface Subscriber extends Wants {
	/** Whether the source is polled for this subscriber. */
	readonly auto: boolean;
	/**
	 * A forecast to send: a new one, or after a start the stored one (`cached`).
	 * A promise is waited for before the next subscriber is told.
	 */
	onForecast(snapshot: ForecastSnapshot, cached: boolean): void | Promise<void>;
	/** An automatic request failed in a way that flows should hear of (behaviour: Errors). */
	onFailure(error: SolarYieldError): void;
	/** Something a status shows has changed. */
	onChange(): void;
	/** The site's date has changed; days have new numbers. */
	onMidnight(): void | Promise<void>;
}

/** The part of a pace that statuses and messages show. */
type PaceFacts = Pick<Pace, "kind" | "projected">;

/** What is known of a source at an instant. */
export interface SourceSnapshot {
	readonly forecast: Forecast | undefined;
	/** The site's zone, undefined while neither forecast nor record tell it. */
	readonly zone: Zone | undefined;
	readonly head: AnswerHead | undefined;
	readonly site: Site | undefined;
	readonly plan: RequestPlan;
	/** Groups that the forecast in hand was not asked for and the next one may bring. */
	readonly awaited: readonly Group[];
	readonly stale: boolean;
	readonly failure: Failure | null;
	/** Why no newer forecast comes: what happened; what to do. Null where one comes in its time. */
	readonly problem: Text | null;
	readonly quota: Quota | null;
	/** Own forecast requests this month. */
	readonly own: number;
	readonly pace: PaceFacts;
	readonly settled: Settled;
	/** The service's clock minus this machine's, ms; null where it is unknown, or no more than two minutes. */
	readonly clockOffsetMs: number | null;
	/** Whether a request is under way. */
	readonly asking: boolean;
	/** The server's clock, epoch ms. */
	readonly now: number;
}

/** A snapshot that holds a forecast. */
export type ForecastSnapshot = SourceSnapshot & {
	readonly forecast: Forecast;
	readonly head: AnswerHead;
};

/** What an input gets: what is known, and what went wrong in asking for more. */
export interface InputResult {
	readonly state: ForecastSnapshot | undefined;
	/** Whether no request was made for it. */
	readonly cached: boolean;
	readonly error: SolarYieldError | undefined;
}

/** What is known of an account at an instant: what its plan has, what it has used. */
export interface AccountSnapshot {
	readonly available: readonly string[] | null;
	readonly quota: Quota | null;
	/** Own requests this month, of the kind asked for. */
	readonly own: number;
	/** How forecast requests are paced. */
	readonly pace: PaceFacts;
	/** Zone of one of its sites; null while none is known. */
	readonly zone: Zone | null;
	/** The server's clock, epoch ms. */
	readonly now: number;
}
