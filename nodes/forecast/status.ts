import type { NodeStatus } from "node-red";
import { siteDayEnergy } from "../../src/forecast/forecast";
import { missingGroups } from "../../src/messages/view";
import type { RequestReason } from "../../src/polling/schedule/schedule";
import type { SourceSnapshot } from "../../src/polling/source/snapshots";
import type { Group } from "../../src/service/v2/groups";
import type { SiteState } from "../../src/service/v2/sites/site";
import { textIn } from "../../src/texts/texts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/util/time";
import { Zone } from "../../src/util/zone";
import {
	energyText,
	type Look,
	makeStatus,
	sharedTexts,
	type Translate,
	clockText as timeText,
} from "../shared/status";

/** Looks of the reasons for the next request that differ from normal. */
const REASON_LOOK: Partial<Record<RequestReason, Look>> = {
	retry: "waiting",
	unfinished: "waiting",
	rejected: "stuck",
	plan: "stuck",
	site: "stuck",
	key: "stuck",
	burst: "waiting",
	exhausted: "waiting",
	reserve: "waiting",
	budget: "waiting",
	spread: "waiting",
};

/** Why a site that is known has no forecasts. */
const STOPPED: Partial<Record<SiteState, string>> = {
	deleted: "site_deleted",
	inactive: "site_inactive",
};

/** By how much this machine's clock is off, in the largest unit that has two of it. */
function clockText(offsetMs: number, say: Translate): string {
	const ms = Math.abs(offsetMs);
	const [unit, unitMs] =
		ms >= 2 * DAY_MS
			? (["d", DAY_MS] as const)
			: ms >= 2 * HOUR_MS
				? (["h", HOUR_MS] as const)
				: (["min", MINUTE_MS] as const);
	const amount = `${Math.round(ms / unitMs)} ${unit}`;
	return say(offsetMs > 0 ? "clock_slow" : "clock_fast", { amount });
}

/** Groups that a node shows and that come with the next forecast, in words. */
function awaitedText(
	{ forecast, awaited }: SourceSnapshot,
	include: readonly Group[],
	translate: Translate,
): string[] {
	const groups = forecast ? missingGroups(forecast, include) : [];
	const names = groups
		.filter((group) => awaited.includes(group))
		.map((group) =>
			translate(
				`@solar-yield/node-red-solar-yield/solar-yield-forecast:solar-yield-forecast.group.${group}`,
			),
		);
	return names.length > 0
		? [sharedTexts(translate)("awaited", { groups: names.join(", ") })]
		: [];
}

/** What a Status node gets beside the words of the status, for pages that speak their reader's language. */
export interface StatusFacts {
	/** ISO 8601: when this was told. */
	readonly at: string;
	readonly site_id: string;
	readonly demo: boolean;
	/** IANA name; of this machine while the site's is not known. */
	readonly timezone: string;
	/** Whether any forecast is known. */
	readonly known: boolean;
	/** Why no newer forecast comes, by language: what happened; what to do. */
	readonly problem: Readonly<Record<"en" | "de", string>> | null;
	/** ISO 8601: since when requests fail. */
	readonly since: string | null;
	/** ISO 8601; null where only messages ask. */
	readonly next_request_at: string | null;
}

/** What pages say of a forecast node, as `msg.status.solar` of a Status node. */
export function statusFacts(
	state: SourceSnapshot,
	site_id: string,
	demo: boolean,
): StatusFacts {
	const { forecast, failure, plan, problem } = state;
	const iso = (at: number | null | undefined) =>
		at == null ? null : new Date(at).toISOString();
	return {
		at: new Date(state.now).toISOString(),
		site_id,
		demo,
		timezone: (state.zone ?? Zone.host).name,
		known: forecast !== undefined,
		problem: problem && {
			en: textIn(problem, "en-US"),
			de: textIn(problem, "de"),
		},
		since: problem && iso(failure?.since),
		next_request_at: iso(plan.at),
	};
}

/**
 * What a forecast node knows and when it asks next (behaviour: Statuses).
 *
 * @param include groups that it shows
 */
export function forecastStatus(
	state: SourceSnapshot,
	demo: boolean,
	translate: Translate,
	include: readonly Group[] = [],
): NodeStatus {
	const { forecast, zone, plan, now, failure, stale, clockOffsetMs } = state;
	const say = sharedTexts(translate);
	const today =
		forecast &&
		siteDayEnergy(
			forecast,
			forecast.zone.dayOf(now),
			"pv_power",
			state.settled,
		);
	const parts: string[] = [];
	if (today != null)
		parts.push(say("today", { kwh: energyText(today, translate) }));
	if (stale) parts.push(say("stale"));
	if (clockOffsetMs != null) parts.push(clockText(clockOffsetMs, say));
	if (state.asking && !forecast)
		return makeStatus("asking", say("asking"), demo);
	const time = plan.at === null ? "" : timeText(plan.at, now, zone, translate);
	// Another server at this address: waiting does not help.
	if (failure?.foreign && ["retry", "manual"].includes(plan.reason)) {
		return makeStatus("stuck", say("setup.address"), demo);
	}
	const reason =
		(plan.reason === "site" && STOPPED[state.site?.state ?? "active"]) ||
		plan.reason;
	parts.push(
		REASON_LOOK[plan.reason] === undefined
			? plan.at === null
				? say("manual")
				: say("next", { time })
			: say(`reason.${reason}`, {
					time,
					kind: failure ? say(`kind.${failure.kind}`) : "",
				}),
	);
	if (REASON_LOOK[plan.reason] !== "stuck") {
		parts.push(...awaitedText(state, include, translate));
	}
	const look =
		REASON_LOOK[plan.reason] ??
		(stale ? "waiting" : forecast ? "fine" : "idle");
	return makeStatus(
		// Without any forecast the failure is all there is to show.
		look === "waiting" && !forecast && failure ? "failing" : look,
		parts.join(" · "),
		demo,
	);
}
