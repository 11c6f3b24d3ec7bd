import { HOUR_MS, MINUTE_MS } from "../util/time";
import type { BatterySettings } from "./settings";

/** An instant by the wall clock, and by a clock that never jumps where the host has one. */
export interface Moment {
	/** Epoch ms. */
	readonly at: number;
	/** Ms on a monotonic clock of this process; null or absent where none is known, as after a restart. */
	readonly monotonic?: number | null;
}

/**
 * Age of something in ms: by the clock that shows more, since a wall clock may be
 * set back and a monotonic one stands still while the host sleeps. What seems to
 * lie ahead, with no monotonic clock to tell better, has an age without bound: it
 * cannot be known.
 */
function ageOf(past: Moment, now: Moment): number {
	const wall = now.at - past.at;
	if (past.monotonic == null || now.monotonic == null) {
		return wall >= 0 ? wall : Number.POSITIVE_INFINITY;
	}
	return Math.max(wall, now.monotonic - past.monotonic);
}

/** What decides whether a plan may drive the battery. */
export interface Facts {
	/** Epoch ms at which the forecast was computed; null = no forecast, or it does not say. */
	readonly computed_at: number | null;
	/** When the forecast came in. A `computed_at` ahead of our clock makes it no younger. */
	readonly received?: Moment | null;
	/** Whether the running quarter's power is known (`quartersAhead` is not empty). */
	readonly row_ahead: boolean;
	/** Epoch ms at which the state of charge came in; null = none yet. */
	readonly soc_at: number | null;
	/** When the state of charge came in, on the monotonic clock. */
	readonly soc_monotonic?: number | null;
	/** Epoch ms until which the last plan foresaw no change of the state of charge (`steadyUntil`). */
	readonly soc_steady_until?: number | null;
	/** Whether the forecast is made up. */
	readonly demo: boolean;
	/** Epoch ms. */
	readonly now: number;
	readonly monotonic?: number | null;
}

export type Reason =
	| "no-forecast"
	| "forecast-old"
	| "no-row-ahead"
	| "no-soc"
	| "soc-old"
	| "demo";

/** `release-demo`: the data would be dead and is made up besides. */
export type Act = "drive" | "demo" | "release" | "release-demo";

export interface ReleaseVerdict {
	readonly act: Act;
	/** Why not `drive`. */
	readonly reason: Reason | null;
	/** The reason for people. */
	readonly text: string | null;
}

type Limits = Pick<BatterySettings, "maxAgeHours" | "maxSocAgeMinutes">;

interface Check {
	readonly reason: Reason;
	readonly fails: (facts: Facts, limits: Limits) => boolean;
	readonly text: (facts: Facts, limits: Limits) => string;
}

/** A time that is not finite is as unknown as none. */
const unknown = (at: number | null) => at === null || !Number.isFinite(at);
const clockOf = ({ now, monotonic = null }: Facts): Moment => ({
	at: now,
	monotonic,
});

/** Ms since the forecast was computed, and no less than since it came in. */
function forecastAge(facts: Facts): number {
	const { computed_at, received, now } = facts;
	const computed = now - (computed_at as number);
	if (!received) return computed >= 0 ? computed : Number.POSITIVE_INFINITY;
	return Math.max(computed, ageOf(received, clockOf(facts)));
}

/** Ms since the state of charge came in, less the time for which the last plan foresaw no change of it. */
function socAge(facts: Facts): number {
	const { soc_monotonic = null, soc_steady_until } = facts;
	const at = facts.soc_at as number;
	const age = ageOf({ at, monotonic: soc_monotonic }, clockOf(facts));
	const steady = Math.max(0, (soc_steady_until ?? at) - at);
	return Math.max(0, age - steady);
}

const inWords = (ms: number, unit: number, name: string) =>
	Number.isFinite(ms)
		? `is ${Math.floor(ms / unit)} ${name} old`
		: "seems to come from the future, so that its age is not known";

/** Each way in which a forecast or a state of charge can be dead; the first that holds is named. */
const CHECKS: readonly Check[] = [
	{
		reason: "no-forecast",
		fails: ({ computed_at }) => unknown(computed_at),
		text: () => "no forecast that says when it was computed has come in",
	},
	{
		reason: "forecast-old",
		fails: (facts, { maxAgeHours }) =>
			forecastAge(facts) > maxAgeHours * HOUR_MS,
		text: (facts, { maxAgeHours }) =>
			`the forecast ${inWords(forecastAge(facts), HOUR_MS, "h")} (at most ${maxAgeHours} h)`,
	},
	{
		reason: "no-row-ahead",
		fails: ({ row_ahead }) => !row_ahead,
		text: () => "the forecast has no power for the present",
	},
	{
		reason: "no-soc",
		fails: ({ soc_at }) => unknown(soc_at),
		text: () => "no state of charge has come in",
	},
	{
		reason: "soc-old",
		fails: (facts, { maxSocAgeMinutes }) =>
			socAge(facts) > maxSocAgeMinutes * MINUTE_MS,
		text: (facts, { maxSocAgeMinutes }) =>
			`the state of charge ${inWords(socAge(facts), MINUTE_MS, "min")} (at most ${maxSocAgeMinutes} min)`,
	},
];

const DEMO_TEXT = "the forecast is demo data";

/** States of charge that differ by less are the same to a source that sends whole percents. */
const SAME_SOC = 0.5;

/**
 * Until when a plan foresees no change of the state of charge, epoch ms: a source
 * that sends on change only has nothing to say before. Null when it changes at once.
 */
export function steadyUntil(
	rows: readonly { readonly start: string; readonly soc: number }[],
	soc: number,
): number | null {
	let steady = 0;
	for (const row of rows) {
		if (Math.abs(row.soc - soc) >= SAME_SOC) break;
		steady += 1;
	}
	const row = rows[Math.min(steady, rows.length - 1)];
	return row && steady > 0 ? Date.parse(row.start) : null;
}

/** A dead forecast must never drive a battery, nor may made-up data: what may be done, and why. */
export function judge(facts: Facts, limits: Limits): ReleaseVerdict {
	for (const { reason, fails, text } of CHECKS) {
		if (!fails(facts, limits)) continue;
		const act = facts.demo ? "release-demo" : "release";
		return { act, reason, text: text(facts, limits) };
	}
	return facts.demo
		? { act: "demo", reason: "demo", text: DEMO_TEXT }
		: { act: "drive", reason: null, text: null };
}

/**
 * What the battery was last told. `start`: nothing since this run began, so a
 * limit from before may still be in force.
 */
export type State = "start" | "driving" | "released" | "demo";

/** What is to be sent: `release-demo` is a release without limits; null = silence. */
export type Send = "plan" | "demo" | "release" | "release-demo" | null;

/** A release goes out once, and again only after something else did. Demo data lifts what a real plan has set, and nothing more. */
const STEPS: Readonly<
	Record<State, Readonly<Record<Act, readonly [State, Send]>>>
> = {
	start: {
		drive: ["driving", "plan"],
		demo: ["demo", "demo"],
		release: ["released", "release"],
		"release-demo": ["released", "release-demo"],
	},
	driving: {
		drive: ["driving", "plan"],
		demo: ["released", "release"],
		release: ["released", "release"],
		"release-demo": ["released", "release"],
	},
	released: {
		drive: ["driving", "plan"],
		demo: ["demo", "demo"],
		release: ["released", null],
		"release-demo": ["released", null],
	},
	demo: {
		drive: ["driving", "plan"],
		demo: ["demo", "demo"],
		release: ["released", "release"],
		"release-demo": ["released", "release-demo"],
	},
};

/**
 * The state after a verdict, and what to send because of it. To be asked at least
 * each quarter hour: while a plan drives it is sent each time, so that a watchdog
 * behind it can tell silence from a plan that stays.
 */
export function next(
	state: State,
	{ act }: ReleaseVerdict,
): { readonly state: State; readonly send: Send } {
	const [after, send] = STEPS[state][act];
	return { state: after, send };
}
