import type { Forecast, Interval } from "../../forecast/forecast";
import type { Settled } from "../../forecast/settled";
import type { Zone } from "../../forecast/zone";
import type { Quota } from "../../service/quota";
import type { Group } from "../../service/v2/groups";
import type { Site } from "../../service/v2/sites/site";
import type { AnswerHead } from "../memory/answer-head";
import type { Failure } from "../memory/schemas";
import type { PaceFacts } from "../pacing/pace";
import type { SiteCost } from "../pacing/site-cost";
import type { RequestPlan } from "../schedule/schedule";

/** What is known of a source at an instant. */
export interface SourceSnapshot {
	readonly forecast: Forecast | undefined;
	readonly head: AnswerHead | undefined;
	readonly site: Site | undefined;
	readonly plan: RequestPlan;
	/** Groups that the forecast in hand was not asked for and the next one may bring. */
	readonly awaited: readonly Group[];
	readonly stale: boolean;
	readonly failure: Failure | null;
	readonly quota: Quota | null;
	/** Own forecast requests this month. */
	readonly own: number;
	readonly pace: PaceFacts;
	readonly interval: Interval;
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

/** What is known of an account at an instant: what its plan has, what it has used. */
export interface AccountSnapshot {
	readonly available: readonly string[] | null;
	readonly quota: Quota | null;
	/** Own requests this month, of the kind asked for. */
	readonly own: number;
	/** How forecast requests are paced; null for others. */
	readonly pace: PaceFacts | null;
	/** What one more site would cost; null while unknown. */
	readonly oneMore: SiteCost | null;
	/** Zone of one of its sites; null while none is known. */
	readonly zone: Zone | null;
	/** The server's clock, epoch ms. */
	readonly now: number;
}
