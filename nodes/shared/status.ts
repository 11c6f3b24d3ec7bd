import type { NodeStatus } from "node-red";
import type { BatteryPlan, Mode } from "../../src/battery/payload";
import type {
	Reason as ReleaseReason,
	Verdict,
} from "../../src/battery/release";
import { siteDayEnergy } from "../../src/forecast/forecast";
import type { NowPayload } from "../../src/forecast/now";
import { Zone } from "../../src/forecast/zone";
import type { SourceSnapshot } from "../../src/polling/account/snapshots";
import type { RequestReason } from "../../src/polling/schedule/schedule";
import type {
	ErrorKind,
	SolarYieldError,
} from "../../src/service/errors/solar-yield-error";
import type { SiteState } from "../../src/service/v2/sites/site";
import type { SiteOperation } from "../../src/service/v2/sites/site-operations";
import { V1_SHUTDOWN, type V1Phase } from "../../src/v1/shutdown";

/** Looks a text up in the catalogue, in the server's language. */
export type Translate = (
	key: string,
	values?: Record<string, string>,
) => string;

const CATALOGUE =
	"@solar-yield/node-red-solar-yield/solar-yield-account:status.";

/** Shape and colour of every status, in one place. */
const LOOK = {
	idle: { fill: "grey", shape: "ring" },
	asking: { fill: "blue", shape: "dot" },
	fine: { fill: "green", shape: "dot" },
	waiting: { fill: "yellow", shape: "ring" },
	failing: { fill: "red", shape: "ring" },
	stuck: { fill: "red", shape: "dot" },
} as const satisfies Record<string, NodeStatus>;
type Look = keyof typeof LOOK;

/** How a reason for the next request looks; all others are as they should be. */
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

/** A time this near needs no date, on whichever side of midnight it is. */
const NEAR_MS = 12 * 3_600_000;

/** A clock time of the site, with the date where it could be taken for another day's. */
function clockText(instant: number, now: number, zone: Zone): string {
	const text = zone.format(instant);
	const time = text.slice(11, 16);
	const suffix = zone === Zone.utc ? " UTC" : "";
	return Math.abs(instant - now) < NEAR_MS ||
		zone.dayOf(instant) === zone.dayOf(now)
		? time + suffix
		: `${text.slice(5, 10)} ${time}${suffix}`;
}

/** An energy as the language of the catalogue writes it. */
const energyText = (kwh: number, translate: Translate) =>
	kwh.toFixed(1).replace(".", translate(`${CATALOGUE}decimal`));

function make(look: Look, text: string, demo: boolean): NodeStatus {
	return { ...LOOK[look], text: demo ? `demo · ${text}` : text };
}

/** What a forecast node knows and when it asks next (behaviour: Statuses). */
export function forecastStatus(
	state: SourceSnapshot,
	demo: boolean,
	translate: Translate,
): NodeStatus {
	const { forecast, plan, now, failure, stale } = state;
	const say = (key: string, values?: Record<string, string>) =>
		translate(CATALOGUE + key, values);
	const zone =
		forecast?.zone ?? Zone.of(state.site?.timezone ?? "") ?? Zone.utc;
	const today = forecast && siteDayEnergy(forecast, zone.dayOf(now));
	const parts: string[] = [];
	if (today != null)
		parts.push(say("today", { kwh: energyText(today, translate) }));
	if (stale) parts.push(say("stale"));
	if (state.asking && !forecast) return make("asking", say("asking"), demo);
	const time = plan.at === null ? "" : clockText(plan.at, now, zone);
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
	const look =
		REASON_LOOK[plan.reason] ??
		(stale ? "waiting" : forecast ? "fine" : "idle");
	return make(
		// Without any forecast a failure is all there is to show.
		look === "waiting" && !forecast && failure ? "failing" : look,
		parts.join(" · "),
		demo,
	);
}

/** The status of a node that cannot work, by what is wrong with it. */
export function problemStatus(
	problem: SolarYieldError,
	translate: Translate,
): NodeStatus {
	return {
		...LOOK.stuck,
		text: translate(`${CATALOGUE}kind.${problem.kind satisfies ErrorKind}`),
	};
}

const V1_CATALOGUE = "@solar-yield/node-red-solar-yield/solar-yield-v1:status.";

const V1_LOOK = {
	legacy: "fine",
	warning: "waiting",
	ended: "stuck",
} as const satisfies Record<V1Phase, Look>;

/** What a V1 node shows: how it stands, and always when V1 ends. */
export interface V1State {
	readonly phase: V1Phase;
	readonly asking: boolean;
	/** Why the node cannot work as it is set up. */
	readonly problem?: SolarYieldError | undefined;
	/** The last request's failure, or how many rows it brought. */
	readonly failure?: SolarYieldError | undefined;
	readonly rows?: number | undefined;
}

export function v1Status(
	{ phase, asking, problem, failure, rows }: V1State,
	demo: boolean,
	translate: Translate,
): NodeStatus {
	const error = problem ?? failure;
	const parts: string[] = [];
	if (asking) parts.push(translate(`${CATALOGUE}asking`));
	else if (error) parts.push(translate(`${CATALOGUE}kind.${error.kind}`));
	else if (rows !== undefined)
		parts.push(translate(`${V1_CATALOGUE}rows`, { count: String(rows) }));
	parts.push(translate(V1_CATALOGUE + phase, { date: V1_SHUTDOWN.lastDay }));
	const look = asking
		? "asking"
		: problem
			? "stuck"
			: failure && phase !== "ended"
				? "failing"
				: V1_LOOK[phase];
	return make(look, parts.join(" · "), demo);
}

const NOW_CATALOGUE =
	"@solar-yield/node-red-solar-yield/solar-yield-now:status.";

/** What a now node shows: power and today's energy, or that it waits for a forecast. */
export function nowStatus(
	values: NowPayload | undefined,
	demo: boolean,
	translate: Translate,
): NodeStatus {
	if (!values) return make("idle", translate(`${NOW_CATALOGUE}waiting`), demo);
	const { power_now_w, energy_today_kwh, stale } = values;
	const parts = [
		power_now_w === null
			? translate(`${NOW_CATALOGUE}unknown`)
			: translate(`${NOW_CATALOGUE}power`, { watts: power_now_w.toFixed(0) }),
	];
	if (energy_today_kwh !== null) {
		const kwh = energyText(energy_today_kwh, translate);
		parts.push(translate(`${CATALOGUE}today`, { kwh }));
	}
	if (stale) parts.push(translate(`${CATALOGUE}stale`));
	return make(stale ? "waiting" : "fine", parts.join(" · "), demo);
}

const EXPORT_CATALOGUE =
	"@solar-yield/node-red-solar-yield/solar-yield-export:status.";

/** What an export node did last. */
export interface ExportState {
	readonly format: string;
	/** What it sent: when, in the site's time, and how many quarters it had to interpolate. */
	readonly sent?: {
		readonly at: number;
		readonly zone: Zone;
		readonly filled: number;
	};
	/** Why it sent nothing. */
	readonly failure?: SolarYieldError;
}

/** What an export node shows: its format, and when it last sent or why it did not. */
export function exportStatus(
	{ format, sent, failure }: ExportState,
	demo: boolean,
	translate: Translate,
): NodeStatus {
	const parts = [format];
	if (failure) {
		parts.push(
			translate(
				`${EXPORT_CATALOGUE}${failure.kind === "INPUT" ? "refused" : "unusable"}`,
			),
		);
	} else if (sent) {
		const time = clockText(sent.at, sent.at, sent.zone);
		parts.push(translate(`${EXPORT_CATALOGUE}sent`, { time }));
		if (sent.filled > 0) {
			const count = String(sent.filled);
			parts.push(translate(`${EXPORT_CATALOGUE}filled`, { count }));
		}
	} else parts.push(translate(`${EXPORT_CATALOGUE}waiting`));
	return make(
		failure ? "failing" : sent ? "fine" : "idle",
		parts.join(" · "),
		demo,
	);
}

/** How a failure looks that a message ended in: whether the next may do better by itself. */
const failureLook = ({ kind }: SolarYieldError): Look =>
	["SERVICE", "NETWORK", "TIMEOUT", "RESPONSE", "RATE", "QUOTA"].includes(kind)
		? "failing"
		: "stuck";

const SITE_CATALOGUE =
	"@solar-yield/node-red-solar-yield/solar-yield-site:status.";

/** What each operation has done. */
const DONE: Record<SiteOperation, string> = {
	list: "listed",
	get: "read",
	create: "created",
	update: "changed",
	delete: "deleted",
	restore: "restored",
	"add-string": "string_added",
	"update-string": "string_changed",
	"remove-string": "string_removed",
};

/** What a site node does, did last, or why it could not. */
export type SiteNodeState =
	| { readonly asking: true }
	| { readonly failure: SolarYieldError }
	| { readonly operation: "list"; readonly count: number }
	| {
			readonly operation: Exclude<SiteOperation, "list">;
			/** Name or id of the site. */
			readonly site: string;
	  };

export function siteStatus(
	state: SiteNodeState,
	demo: boolean,
	translate: Translate,
): NodeStatus {
	if ("asking" in state) {
		return make("asking", translate(`${CATALOGUE}asking`), demo);
	}
	if ("failure" in state) {
		const { failure } = state;
		const text = translate(`${CATALOGUE}kind.${failure.kind}`);
		return make(failureLook(failure), text, demo);
	}
	const values =
		state.operation === "list"
			? { count: String(state.count) }
			: { site: state.site };
	const text = translate(SITE_CATALOGUE + DONE[state.operation], values);
	return make("fine", text, demo);
}

const HISTORY_CATALOGUE =
	"@solar-yield/node-red-solar-yield/solar-yield-history:status.";

/** What a history node does, sent last, or why it could not. */
export type HistoryNodeState =
	| { readonly asking: true }
	| { readonly failure: SolarYieldError }
	| {
			/** Days sent so far, and all of them. */
			readonly sent: number;
			readonly count: number;
			/** Energy of all the days, null while it is not known. */
			readonly kwh: number | null;
			/** Whether no request was needed. */
			readonly cached: boolean;
	  };

export function historyStatus(
	state: HistoryNodeState,
	demo: boolean,
	translate: Translate,
): NodeStatus {
	if ("asking" in state || "failure" in state) {
		return siteStatus(state, demo, translate);
	}
	const { sent, count, kwh, cached } = state;
	const say = (key: string, values?: Record<string, string>) =>
		translate(HISTORY_CATALOGUE + key, values);
	if (sent < count) {
		const values = { sent: String(sent), count: String(count) };
		return make("asking", say("sending", values), demo);
	}
	const parts = [say("days", { count: String(count) })];
	if (kwh !== null) {
		parts.push(say("energy", { kwh: energyText(kwh, translate) }));
	}
	if (cached) parts.push(say("cached"));
	return make("fine", parts.join(" · "), demo);
}

const BATTERY_CATALOGUE =
	"@solar-yield/node-red-solar-yield/solar-yield-battery:status.";

const MODE_KEY: Record<Mode, string> = {
	charge: "charge",
	"grid-charge": "grid_charge",
	discharge: "discharge",
	hold: "hold",
	idle: "idle",
	release: "release",
	demo: "demo",
};

const RELEASE_KEY: Record<ReleaseReason, string> = {
	"no-forecast": "no_forecast",
	"forecast-old": "forecast_old",
	"no-row-ahead": "no_row_ahead",
	"no-soc": "no_soc",
	"soc-old": "soc_old",
	demo: "demo",
};

/** What a battery node last decided. */
export interface BatteryState {
	readonly verdict: Verdict;
	/** The plan it sent, if it sent one. */
	readonly plan: BatteryPlan | undefined;
	readonly zone: Zone | undefined;
	/** Epoch ms. */
	readonly now: number;
}

/** What a battery node does now and when the battery is full, or why it leaves it alone. */
export function batteryStatus(
	{ verdict, plan, zone, now }: BatteryState,
	translate: Translate,
): NodeStatus {
	const say = (key: string, values?: Record<string, string>) =>
		translate(BATTERY_CATALOGUE + key, values);
	const { act, reason } = verdict;
	if (act === "release" || act === "release-demo") {
		return make(
			"waiting",
			say(`reason.${RELEASE_KEY[reason ?? "no-forecast"]}`),
			act === "release-demo",
		);
	}
	const demo = act === "demo";
	if (!plan) return make("fine", say("ready"), demo);
	const parts = [say(`mode.${MODE_KEY[plan.now.mode]}`)];
	if (plan.full_at !== null && zone) {
		const time = clockText(Date.parse(plan.full_at), now, zone);
		parts.push(say("full", { time }));
	}
	return make("fine", parts.join(" · "), demo);
}
