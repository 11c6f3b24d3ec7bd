import type { BatterySettings } from "./settings";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** What decides whether a plan may drive the battery. */
export interface Facts {
	/** Epoch ms at which the forecast was computed; null = no forecast, or it does not say. */
	readonly computed_at: number | null;
	/** Whether the running quarter's power is known (`quartersAhead` is not empty). */
	readonly row_ahead: boolean;
	/** Epoch ms at which the state of charge came in; null = none yet. */
	readonly soc_at: number | null;
	/** Whether the forecast is made up. */
	readonly demo: boolean;
	/** Epoch ms. */
	readonly now: number;
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

export interface Verdict {
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
const age = (facts: Facts, at: number | null) => facts.now - (at as number);

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
			age(facts, facts.computed_at) > maxAgeHours * HOUR_MS,
		text: (facts, { maxAgeHours }) =>
			`the forecast is ${Math.floor(age(facts, facts.computed_at) / HOUR_MS)} h old (at most ${maxAgeHours} h)`,
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
			age(facts, facts.soc_at) > maxSocAgeMinutes * MINUTE_MS,
		text: (facts, { maxSocAgeMinutes }) =>
			`the state of charge is ${Math.floor(age(facts, facts.soc_at) / MINUTE_MS)} min old (at most ${maxSocAgeMinutes} min)`,
	},
];

const DEMO_TEXT = "the forecast is demo data";

/** A dead forecast must never drive a battery, nor may made-up data: what may be done, and why. */
export function judge(facts: Facts, limits: Limits): Verdict {
	const failed = CHECKS.find((check) => check.fails(facts, limits));
	if (failed) {
		return {
			act: facts.demo ? "release-demo" : "release",
			reason: failed.reason,
			text: failed.text(facts, limits),
		};
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

/** The state after a verdict, and what to send because of it. */
export function next(
	state: State,
	{ act }: Verdict,
): { readonly state: State; readonly send: Send } {
	const [after, send] = STEPS[state][act];
	return { state: after, send };
}
