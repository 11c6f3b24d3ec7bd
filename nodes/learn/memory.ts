import { createLearnState, type LearnState } from "../../src/learn";

/** What a learn node knows and keeps on disk. */
export interface Memory {
	/** Whether it was learned from demo data; null before the first forecast. */
	readonly demo: boolean | null;
	/** Site's date of the last daily report, days since 1970-01-01; null before. */
	readonly reported: number | null;
	readonly state: LearnState;
}

export const freshMemory = (): Memory => ({
	demo: null,
	reported: null,
	state: createLearnState(),
});

/** The part that changes once a day: dates that are over. */
export const daysOf = (memory: Memory): Memory => ({
	...memory,
	state: {
		...memory.state,
		notes: [],
		meters: memory.state.meters.map((meter) => ({
			...meter,
			today: null,
			standing: null,
		})),
	},
});

/** The part that changes each quarter hour: all but dates that are over. */
export const todayOf = (memory: Memory): Memory => ({
	...memory,
	state: {
		...memory.state,
		meters: memory.state.meters.map((meter) => ({ ...meter, past: [] })),
	},
});

/** What both parts say, or one of them where the other is gone. */
export function joined(
	days: Memory | undefined,
	today: Memory | undefined,
): Memory | undefined {
	if (!today || !days) return today ?? days;
	// Written one after the other: a power cut may have come in between.
	if (days.state.site_id !== today.state.site_id) return today;
	const pasts = new Map(
		days.state.meters.map(({ string_id, past }) => [string_id, past]),
	);
	return {
		...today,
		state: {
			...today.state,
			meters: today.state.meters.map((meter) => {
				const past = pasts.get(meter.string_id) ?? [];
				const last = past.at(-1)?.day ?? -1;
				return {
					...meter,
					past,
					today: meter.today && meter.today.day > last ? meter.today : null,
				};
			}),
		},
	};
}
