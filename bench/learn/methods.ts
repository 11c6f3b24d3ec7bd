import type { Day } from "./world";

/** A simple way to correct a forecast, W by quarter, from the days before and what the roof really gave on them. */
type Method = (before: Day[], day: Day) => number[];

export const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);
const ratio = (given: number, foreseen: number) =>
	foreseen > 0 ? given / foreseen : 1;

/**
 * Factor of a part of the day from its best days of 14, nearer to 1 the less is
 * foreseen, as the automated dampening of ha-solcast-solar describes it
 * (https://github.com/BJReplay/ha-solcast-solar, README.md, with its defaults).
 */
const bestDays: Method = (before, { foreseen }) => {
	const last = before.slice(-14);
	const mean = (values: number[], half: number) =>
		sum(values.slice(2 * half, 2 * half + 2)) / 2;
	return foreseen.map((watts, index) => {
		const half = Math.floor(index / 2);
		const estimates = last.map((day) => mean(day.foreseen, half));
		const peak = Math.max(0, ...estimates);
		const best = last.filter(
			(_, at) => peak > 0 && (estimates[at] as number) >= 0.9 * peak,
		);
		if (best.length < 2 || watts <= 0) return watts;
		const base = Math.min(
			1,
			Math.max(...best.map((day) => mean(day.given, half))) / peak,
		);
		if (base > 0.95 || base <= 0) return watts;
		const factor = Math.min(
			1,
			base + (1 - base) * Math.max(0, Math.log(peak / watts)),
		);
		return factor > 0.95 ? watts : factor * watts;
	});
};

export const METHODS: Record<string, Method> = {
	"as it came": (_, { foreseen }) => [...foreseen],
	/** As evcc scales a forecast by real production (https://github.com/evcc-io/evcc/pull/18867). */
	"one factor, 7 days": (before, { foreseen }) => {
		const last = before.slice(-7);
		const factor = ratio(
			sum(last.flatMap((day) => day.given)),
			sum(last.flatMap((day) => day.foreseen)),
		);
		return foreseen.map((watts) => factor * watts);
	},
	"factor of the hour, 14 days": (before, { foreseen, hours }) => {
		const given = new Map<number, number>();
		const said = new Map<number, number>();
		for (const day of before.slice(-14)) {
			for (const [index, hour] of day.hours.entries()) {
				const key = Math.floor(hour);
				given.set(key, (given.get(key) ?? 0) + (day.given[index] as number));
				said.set(key, (said.get(key) ?? 0) + (day.foreseen[index] as number));
			}
		}
		return foreseen.map((watts, index) => {
			const key = Math.floor(hours[index] as number);
			return watts * ratio(given.get(key) ?? 0, said.get(key) ?? 0);
		});
	},
	"best days of 14": bestDays,
};
