import type { Day } from "./world";

/** A way to correct forecasts: told each day when it is over, asked for the next. */
export interface Method {
	/** W by quarter from W foreseen by quarter. */
	correct(day: Day, foreseen: readonly number[]): number[];
	learn(day: Day): void;
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

/** The forecast as it came. */
const raw = (): Method => ({
	correct: (_, foreseen) => [...foreseen],
	learn: () => {},
});

/**
 * One factor: energy produced over energy foreseen of the last days, as evcc
 * scales a solar forecast by real production
 * (https://github.com/evcc-io/evcc/pull/18867; issues/31502 asks for whole days).
 */
const oneFactor = (): Method => {
	const days: { produced: number; foreseen: number }[] = [];
	return {
		correct: (_, foreseen) => {
			const last = days.slice(-7);
			const expected = sum(last.map((day) => day.foreseen));
			const factor =
				expected > 0 ? sum(last.map((day) => day.produced)) / expected : 1;
			return foreseen.map((watts) => watts * factor);
		},
		learn: ({ metered, settled }) => {
			const known = settled.filter((_, index) => metered[index] !== null);
			days.push({
				produced: sum(metered.map((watts) => watts ?? 0)),
				foreseen: sum(known),
			});
		},
	};
};

/** How far a quarter is from noon: 1 at sunrise and sunset, 0 at the middle of the day, as [morning, evening]. */
function distances(foreseen: readonly number[]): [number, number][] {
	const first = foreseen.findIndex((watts) => watts > 0);
	const last = foreseen.reduce((at, watts, k) => (watts > 0 ? k : at), 0);
	const noon = (first + last) / 2;
	const half = Math.max(1, noon - first);
	return foreseen.map((_, index) => {
		const distance = Math.min(1, Math.abs(index - noon) / half);
		return index < noon ? [distance, 0] : [0, distance];
	});
}

/**
 * A damping of the morning and one of the evening, 0 to 1, fading to noon, as
 * forecast.solar has them (https://doc.forecast.solar/damping); set to what
 * would have been best over the last 14 days.
 */
const damping = (): Method => {
	const days: Day[] = [];
	const best = (side: 0 | 1) => {
		let products = 0;
		let squares = 0;
		for (const { settled, metered } of days.slice(-14)) {
			const far = distances(settled);
			for (const [index, watts] of metered.entries()) {
				if (watts === null) continue;
				const foreseen = settled[index] as number;
				const share = foreseen * (far[index] as [number, number])[side];
				products += share * (foreseen - watts);
				squares += share * share;
			}
		}
		return squares > 0 ? Math.max(0, Math.min(1, products / squares)) : 0;
	};
	return {
		correct: (_, foreseen) => {
			const [morning, evening] = [best(0), best(1)];
			const far = distances(foreseen);
			return foreseen.map((watts, index) => {
				const [a, b] = far[index] as [number, number];
				return watts * (1 - morning * a - evening * b);
			});
		},
		learn: (day) => {
			days.push(day);
		},
	};
};

/**
 * A factor per half hour from the best days of the last 14, nearer to 1 the less
 * is foreseen, as the automated dampening of ha-solcast-solar describes it with
 * its defaults (https://github.com/BJReplay/ha-solcast-solar: README.md
 * "Automated dampening", its page of advanced options: similar peak 0.9, two matches, factors
 * above 0.95 ignored, logarithmic adjustment).
 */
const bestDays = (): Method => {
	const days: Day[] = [];
	const half = (values: readonly (number | null)[], index: number) => {
		const [a, b] = [values[2 * index] ?? null, values[2 * index + 1] ?? null];
		return a === null || b === null ? null : (a + b) / 2;
	};
	return {
		correct: (_, foreseen) => {
			const last = days.slice(-14);
			const corrected = [...foreseen];
			for (let index = 0; 2 * index < foreseen.length; index += 1) {
				const estimates = last.map((day) => half(day.settled, index) ?? 0);
				const peak = Math.max(0, ...estimates);
				const produced = last
					.filter(
						(_, at) => peak > 0 && (estimates[at] as number) >= 0.9 * peak,
					)
					.flatMap((day) => half(day.metered, index) ?? []);
				if (produced.length < 2) continue;
				const base = Math.min(1, Math.max(...produced) / peak);
				if (base > 0.95) continue;
				for (const at of [2 * index, 2 * index + 1]) {
					const watts = foreseen[at] ?? 0;
					if (watts <= 0) continue;
					const far = Math.max(0, Math.log(peak) - Math.log(watts));
					const factor = Math.min(1, base + (1 - base) * far);
					corrected[at] = watts * (factor > 0.95 ? 1 : factor);
				}
			}
			return corrected;
		},
		learn: (day) => {
			days.push(day);
		},
	};
};

export const COMPETITORS = {
	raw,
	"one factor": oneFactor,
	damping,
	"best days": bestDays,
} as const satisfies Record<string, () => Method>;
export type Competitor = keyof typeof COMPETITORS;
