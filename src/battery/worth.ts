/**
 * What can be done in each quarter, as changes of the stored energy in kWh.
 *
 * Without any way taken the store changes by `base[quarter]` (0, or the most
 * that can be given, as a negative number). The quarter's ways, those from
 * `first[quarter]` to before `first[quarter + 1]`, each add up to `energy[way]`
 * at a cost per stored kWh of which only the rank counts: `level[way]`, 0 for
 * the lowest cost in the plan. They are taken in order, so that the levels of a
 * quarter must not fall.
 */
export interface Moves {
	readonly base: readonly number[];
	readonly first: readonly number[];
	readonly energy: readonly number[];
	readonly level: readonly number[];
}

export interface Store {
	/** Stored energy at the start, kWh; not under the floor. */
	readonly stored: number;
	readonly floor: number;
	readonly ceiling: number;
	/** Per level: up to which stored energy at the end one more kWh is worth more than its cost; must not rise. */
	readonly endWorth: ArrayLike<number>;
}

/**
 * The cheapest path of the stored energy: a dynamic programme backwards in time.
 *
 * Its grid of the state of charge is not laid out evenly but put, quarter by
 * quarter, where the worth of one more stored kWh changes. Worths can only be
 * costs that occur among the ways, so per level the programme carries one point:
 * E(level), the stored energy up to which one more kWh is worth more than that
 * level's cost. A quarter earlier the ways up to that level will have been
 * taken, hence E'(level) = E(level) − base − their energy, kept within the
 * bounds. Going forwards again, each way is taken as long as the store lies
 * below E(its level). With costs that do not fall within a quarter this is the
 * exact optimum, in quarters × levels steps.
 *
 * At equal cost and worth a way is left: what can be given is given at once.
 *
 * @returns stored energy in kWh at the end of each quarter
 */
export function cheapestPath(
	{ base, first, energy, level }: Moves,
	{ stored, floor, ceiling, endWorth }: Store,
): Float64Array {
	const count = base.length;
	// One row of the grid at a time; of each, only the points of its own ways are needed again.
	const grid = new Float64Array(endWorth);
	const worthwhile = new Float64Array(energy.length);
	for (let index = count - 1; index >= 0; index -= 1) {
		const end = first[index + 1] as number;
		for (let way = first[index] as number; way < end; way += 1) {
			worthwhile[way] = grid[level[way] as number] as number;
		}
		let point = 0;
		let taken = base[index] as number;
		for (let way = first[index] as number; way <= end; way += 1) {
			const upTo = way < end ? (level[way] as number) : grid.length;
			for (; point < upTo; point += 1) {
				const needed = grid[point] as number;
				// From here on all points lie at the floor, and stay there.
				if (needed === floor && taken >= 0) {
					point = grid.length;
					break;
				}
				const moved = needed - taken;
				grid[point] = moved < floor ? floor : Math.min(moved, ceiling);
			}
			if (way < end) taken += energy[way] as number;
		}
	}
	const path = new Float64Array(count);
	let now = stored;
	for (let index = 0; index < count; index += 1) {
		let reach = now + (base[index] as number);
		let next = Math.max(reach, floor);
		const end = first[index + 1] as number;
		for (let way = first[index] as number; way < end; way += 1) {
			reach += energy[way] as number;
			const limit = Math.min(reach, worthwhile[way] as number, ceiling);
			if (limit > next) next = limit;
		}
		path[index] = next;
		now = next;
	}
	return path;
}
