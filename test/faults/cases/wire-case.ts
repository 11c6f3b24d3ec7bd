import {
	type Answer,
	answerBytes,
	type Fault,
	type Step,
} from "../harness/proxy";

/** Code that a case must end in, without the prefix; `fine` when the answer must be taken. */
export type Ending =
	| "fine"
	| "NETWORK"
	| "TIMEOUT"
	| "SERVICE"
	| "RESPONSE"
	| "AUTH"
	| "PLAN"
	| "NOT_FOUND"
	| "QUOTA"
	| "RATE"
	| "INPUT";

/** One way in which the wire goes wrong. */
export interface WireCase {
	readonly kind: string;
	readonly name: string;
	/** One of these. */
	readonly ends: readonly Ending[];
	readonly fault: Fault;
	/** Weighs much memory or time: the quick form leaves it out. */
	readonly heavy?: boolean;
}

export type Row = readonly [
	name: string,
	ends: Ending | readonly Ending[],
	fault: Fault | ((answer: Answer) => readonly Step[]),
	heavy?: boolean,
];

export const table = (kind: string, rows: readonly Row[]): WireCase[] =>
	rows.map(([name, ends, fault, heavy = false]) => ({
		kind,
		name,
		ends: typeof ends === "string" ? [ends] : ends,
		fault: typeof fault === "function" ? { steps: fault } : fault,
		heavy,
	}));

export type Change = Parameters<typeof answerBytes>[1];

/** Answers with something else, and closes. */
export const says =
	(change: (answer: Answer) => NonNullable<Change>) =>
	(answer: Answer): Step[] => [
		{ send: answerBytes(answer, change(answer)) },
		"end",
	];
export const body = (make: (text: string) => Buffer | string) =>
	says((answer) => ({ body: make(answer.body.toString()) }));

/** Puts something in place of the first power that is not 0, or of another field's value. */
export const field = (name: string, value: string) =>
	body((text) =>
		name === "pv_power"
			? text.replace(/"pv_power":\s*[1-9][\d.]*/, `"pv_power":${value}`)
			: text.replace(
					new RegExp(`"${name}":\\s*(?:"[^"]*"|[\\d.]+|\\[[^\\]]*\\])`),
					`"${name}":${value}`,
				),
	);
