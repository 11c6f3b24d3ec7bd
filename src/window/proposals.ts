import type { Span } from "../prices/spans";
import { HOUR_MS, QUARTER_MS } from "../util/time";
import {
	bestApart,
	KWH,
	type Run,
	runsOfLength,
	type SlotFacts,
	shortestRuns,
	slotOf,
} from "./search";

/** What an appliance needs: energy, hours of running, or both. */
export interface RunNeed {
	readonly kwh: number | null;
	readonly hours: number | null;
}

/** A time to run an appliance. */
export interface Proposal extends Span {
	/** kWh from what is left over. */
	readonly energy: number;
	/** What of the needed energy the sun does not give, kWh; null when only hours are given. */
	readonly fromGrid: number | null;
}

/**
 * When to run an appliance: times that do not overlap, best first.
 *
 * - hours: of that length, rounded up to quarters, with an even draw of `kwh`;
 *   without `kwh` all that is left over counts, and the cost is that of 1 kW.
 * - only kwh: the shortest run in which the sun gives it, 6 h at most.
 *
 * With prices the cost decides, what is left over counted with what feeding it
 * in would have brought; without them, and at equal cost, the energy from the sun,
 * then the shorter, then the earlier. Without a price those without sun are left out.
 *
 * @param quarters without holes, in ascending order
 * @param most how many at most
 * @param taken spans that no proposal may overlap
 */
export function proposeWindows(
	quarters: readonly SlotFacts[],
	{ hours, kwh }: RunNeed,
	most: number,
	taken: readonly Span[] = [],
): Proposal[] {
	const best = (runs: readonly Run[]) => bestApart(runs, "cost", most, taken);
	if (hours === null) {
		const needed = kwh ?? 0;
		return best(shortestRuns(quarters, needed)).map((run) =>
			proposal(run, needed),
		);
	}
	const length = Math.ceil((hours * HOUR_MS) / QUARTER_MS - 1e-9) * QUARTER_MS;
	const loadW = kwh === null ? null : (kwh * KWH) / length;
	const slots = quarters.map((quarter) => slotOf(quarter, loadW));
	// Of times on several days that give the same the earlier is surer, not the sunnier.
	const runs = runsOfLength(slots, length).map((run) => ({
		...run,
		pv: run.sun,
	}));
	return best(runs).map((run) => proposal(run, kwh));
}

const proposal = ({ start, end, sun }: Run, kwh: number | null): Proposal => ({
	start,
	end,
	energy: sun / KWH,
	fromGrid: kwh === null ? null : Math.max(0, kwh - sun / KWH),
});
