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

/** The first way in which a forecast or a state of charge is dead, and that for people. */
function deathOf(
	facts: Facts,
	{ maxAgeHours, maxSocAgeMinutes }: Limits,
): [Reason, string] | undefined {
	if (unknown(facts.computed_at)) {
		const text = "no forecast that says when it was computed has come in";
		return ["no-forecast", text];
	}
	if (forecastAge(facts) > maxAgeHours * HOUR_MS) {
		const age = inWords(forecastAge(facts), HOUR_MS, "h");
		return ["forecast-old", `the forecast ${age} (at most ${maxAgeHours} h)`];
	}
	if (!facts.row_ahead) {
		return ["no-row-ahead", "the forecast has no power for the present"];
	}
	if (unknown(facts.soc_at))
		return ["no-soc", "no state of charge has come in"];
	if (socAge(facts) > maxSocAgeMinutes * MINUTE_MS) {
		const age = inWords(socAge(facts), MINUTE_MS, "min");
		const most = `at most ${maxSocAgeMinutes} min`;
		return ["soc-old", `the state of charge ${age} (${most})`];
	}
	return undefined;
}

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
	const death = deathOf(facts, limits);
	if (death) {
		const [reason, text] = death;
		return { act: facts.demo ? "release-demo" : "release", reason, text };
	}
	return facts.demo
		? { act: "demo", reason: "demo", text: "the forecast is demo data" }
		: { act: "drive", reason: null, text: null };
}

/**
 * What the battery was last told. `start`: nothing since this run began, so a
 * limit from before may still be in force.
 */
export type State = "start" | "driving" | "released" | "demo";

/** What is to be sent: `release-demo` is a release without limits; null = silence. */
export type Send = "plan" | "demo" | "release" | "release-demo" | null;

/**
 * The state after a verdict, and what to send because of it. To be asked at least
 * each quarter hour: while a plan drives it is sent each time, so that a watchdog
 * behind it can tell silence from a plan that stays.
 */
export function next(
	state: State,
	{ act }: ReleaseVerdict,
): { readonly state: State; readonly send: Send } {
	if (act === "drive") return { state: "driving", send: "plan" };
	// Demo data, too, lifts what a real plan has set.
	if (state === "driving") return { state: "released", send: "release" };
	if (act === "demo") return { state: "demo", send: "demo" };
	// A release goes out once, and again only after something else did.
	return { state: "released", send: state === "released" ? null : act };
}
