import {
	type Bounds,
	type QuarterWays,
	type Raises,
	topOf,
	type Worth,
} from "./cheapest-path";

/** Levels of the stored energy from the floor to the ceiling, at least. */
const LEVELS = 240;
/** A level that saves less than this is taken for none: rounding. */
const ROUNDING = 1e-8;

/** Where the cost of a quarter has a kink: change of the stored energy, kWh, and its cost. */
interface Kink {
	readonly change: number;
	readonly cost: number;
}

function kinksOf({ base, ways, offset = 0 }: QuarterWays): Kink[] {
	const kinks: Kink[] = [{ change: base, cost: offset }];
	for (const way of ways) {
		const { change, cost } = kinks.at(-1) as Kink;
		kinks.push({
			change: change + way.energy,
			cost: cost + way.energy * way.cost,
		});
	}
	return kinks;
}

/** Cost of a change, linear between kinks; infinite beyond them. */
function costOfChange(kinks: readonly Kink[], change: number): number {
	for (let index = 1; index < kinks.length; index += 1) {
		const [from, to] = [kinks[index - 1] as Kink, kinks[index] as Kink];
		if (change < from.change || change > to.change) continue;
		const share = (change - from.change) / (to.change - from.change);
		return from.cost + share * (to.cost - from.cost);
	}
	return kinks.find((kink) => kink.change === change)?.cost ?? Infinity;
}

/** Cost of a change by the cheapest of a quarter's choices, and the kinks of all. */
function stepsOf(choices: readonly QuarterWays[]) {
	const all = choices.map(kinksOf);
	const costOf = (change: number) =>
		Math.min(...all.map((kinks) => costOfChange(kinks, change)));
	const kinks = all
		.flat()
		.map(({ change }) => ({ change, cost: costOf(change) }))
		.sort((a, b) => a.change - b.change);
	return { kinks, costOf };
}

/** So many steps from floor to ceiling that what is stored lies on one, or nearly so. */
function stepOf({ floor, ceiling, stored }: Bounds): number {
	let [best, least] = [LEVELS, 1];
	for (let count = LEVELS; count < 1.5 * LEVELS; count += 1) {
		const at = ((stored - floor) / (ceiling - floor)) * count;
		const off = Math.abs(at - Math.round(at));
		if (off < least - 1e-9) [best, least] = [count, off];
	}
	return (ceiling - floor) / best;
}

/**
 * The cheapest path of the stored energy whatever costs do within a quarter: the
 * same dynamic programme as `cheapestPath` over even levels of the stored energy.
 * From each level a quarter leads to any other in reach, or by a kink of its cost
 * to between two, where the cost to go is taken as linear.
 *
 * @param quarters the choices of each
 * @param end worth of what is stored after the last quarter
 * @returns stored energy in kWh at the end of each quarter
 */
export function gridPath(
	quarters: readonly (readonly QuarterWays[])[],
	bounds: Bounds,
	end: readonly Worth[],
	raises: Raises,
): number[] {
	const { floor, ceiling } = bounds;
	const step = stepOf(bounds);
	const count = Math.ceil((topOf(bounds) - floor) / step - 1e-9) + 1;
	const full = Math.round((ceiling - floor) / step);
	const levelOf = (at: number) => floor + at * step;
	const between = (costs: Float64Array, stored: number) => {
		const at = Math.min(Math.max(0, (stored - floor) / step), count - 1);
		const low = Math.min(Math.floor(at), count - 2);
		const [below, above] = [costs[low] as number, costs[low + 1] as number];
		return below + (at - low) * (above - below);
	};
	let toGo = new Float64Array(count);
	for (let at = 0; at < count; at += 1) {
		let [left, worth] = [levelOf(at) - floor, 0];
		for (const part of end) {
			const energy = Math.min(left, part.energy);
			worth += energy * part.worth;
			left -= energy;
		}
		toGo[at] = -worth;
	}
	/** Costs from the end of each quarter on, by level. */
	const after: Float64Array[] = [];
	const steps = quarters.map(stepsOf);
	for (let index = quarters.length - 1; index >= 0; index -= 1) {
		for (const { upTo, worth } of raises.get(index) ?? []) {
			const before = toGo.slice();
			for (let at = count - 2; at >= 0; at -= 1) {
				const own = (before[at] as number) - (before[at + 1] as number);
				const share = Math.max(0, Math.min(1, (upTo - levelOf(at)) / step));
				const least = share * Math.max(own, worth * step) + (1 - share) * own;
				toGo[at] = (toGo[at + 1] as number) + least;
			}
		}
		after[index] = toGo;
		const { kinks, costOf } = steps[index] as ReturnType<typeof stepsOf>;
		const down = Math.ceil((kinks[0] as Kink).change / step - 1e-9);
		const up = Math.floor((kinks.at(-1) as Kink).change / step + 1e-9);
		const costs = Array.from({ length: up - down + 1 }, (_, at) =>
			costOf((at + down) * step),
		);
		const next = new Float64Array(count);
		for (let at = 0; at < count; at += 1) {
			const most = Math.max(at, full);
			let least = Infinity;
			for (
				let to = Math.max(0, at + down);
				to <= Math.min(most, at + up);
				to += 1
			) {
				const cost = (costs[to - at - down] as number) + (toGo[to] as number);
				if (cost < least) least = cost;
			}
			for (const { change, cost } of kinks) {
				const to = levelOf(at) + change;
				if (to < floor || to > levelOf(most)) continue;
				least = Math.min(least, cost + between(toGo, to));
			}
			next[at] = least;
		}
		toGo = next;
	}
	let now = bounds.stored;
	return steps.map(({ kinks, costOf }, index) => {
		const costs = after[index] as Float64Array;
		const most = Math.max(now, ceiling);
		let [best, least] = [now, Infinity];
		const consider = (to: number, cost: number) => {
			const total = cost + between(costs, to);
			if (total < least - ROUNDING) [best, least] = [to, total];
		};
		for (const { change, cost } of kinks) {
			const to = now + change;
			if (to >= floor && to <= most) consider(to, cost);
		}
		for (let at = 0; at < count; at += 1) {
			const to = Math.min(levelOf(at), most);
			consider(to, costOf(to - now));
		}
		now = best;
		return now;
	});
}
