import loadHighs from "highs";
import type { PlanQuarters } from "../../src/battery/plan-inputs";
import { endValue, leastAtEnd } from "../../src/battery/strategies/least-cost";

/**
 * Finds the least cost of quarters, with the same knowledge and the same terms as a plan.
 *
 * @param least stored energy in kWh that must be there at the end of quarters, by quarter
 */
export type Optimum = (
	quarters: PlanQuarters,
	least?: ReadonlyMap<number, number>,
) => number;

/**
 * The mixed-integer programme of a battery beside a house, solved by HiGHS: an
 * optimum that owes nothing to the planner. Per quarter, in kWh: bought (b), sold
 * (s), curtailed (c), charged (h), given (g), and stored (e) at its end. Where a
 * price is below the feed-in price or below 0, binaries keep buying from selling
 * and charging from giving.
 *
 * The end holds no less than the start where the grid may be charged from.
 */
export async function optimum(): Promise<Optimum> {
	const highs = await loadHighs();
	return (quarters, least = new Map()) => {
		const answer = highs.solve(programmeOf(quarters, least), {
			mip_rel_gap: 1e-3,
			time_limit: 60,
		});
		if (answer.Status !== "Optimal") throw new Error(answer.Status);
		return answer.ObjectiveValue + endValue(quarters) * leastAtEnd(quarters);
	};
}

function programmeOf(
	quarters: PlanQuarters,
	held: ReadonlyMap<number, number>,
): string {
	const { stored, floor, ceiling, oneWay, gridCharge, sell } = quarters;
	const objective: string[] = [];
	const rules: string[] = [];
	const bounds: string[] = [];
	const binaries: string[] = [];
	const sign = (value: number) => `${value < 0 ? "-" : "+"} ${Math.abs(value)}`;
	for (const [index, quarter] of quarters.quarters.entries()) {
		const { surplus: energy, feedIn, chargeMost } = quarter;
		const price = quarter.price as number;
		const { feedInMost, gridMost, importMost } = quarter;
		const limit = Math.min(1e3, Math.max(0, feedInMost));
		const lacks = Math.max(0, -energy, -feedInMost);
		const stops = quarters.mayCurtail && price < 0;
		const load = (quarter.loadW * quarter.hours) / 1000;
		const house = stops ? load : lacks;
		const fromGrid = Math.max(0, Math.min(gridMost, importMost - house));
		const giveMost = sell
			? quarter.giveMost
			: Math.min(quarter.giveMost, Math.max(0, -energy));
		const buyMost = house + fromGrid;
		const pv = (quarter.pvW * quarter.hours) / 1000;
		const over = Math.max(0, energy, energy - feedInMost);
		const curtailMost = stops ? pv : over;
		const wear = quarters.wearPrice * oneWay;
		objective.push(
			`${sign(price)} b${index} ${sign(-feedIn)} s${index} ${sign(wear)} h${index}`,
		);
		rules.push(
			`b${index} - s${index} - c${index} - h${index} + g${index} = ${-energy}`,
		);
		const change = `${sign(-oneWay)} h${index} ${sign(1 / oneWay)} g${index}`;
		rules.push(
			index === 0
				? `e0 ${change} = ${stored}`
				: `e${index} - e${index - 1} ${change} = 0`,
		);
		const least = Math.max(
			index === quarters.quarters.length - 1 && gridCharge
				? Math.min(stored, ceiling)
				: floor,
			held.get(index) ?? floor,
		);
		bounds.push(
			`${Math.max(0, -feedInMost)} <= b${index} <= ${buyMost}`,
			`0 <= s${index} <= ${limit}`,
			`0 <= c${index} <= ${curtailMost}`,
			`0 <= h${index} <= ${chargeMost}`,
			`0 <= g${index} <= ${giveMost}`,
			`${least} <= e${index} <= ${Math.max(ceiling, stored)}`,
		);
		if (price < Math.max(0, feedIn) || price < 0) {
			const sellMost = Math.min(limit, curtailMost + giveMost) + curtailMost;
			binaries.push(`y${index}`, `z${index}`);
			rules.push(
				`b${index} - ${buyMost} y${index} <= 0`,
				`s${index}${stops ? "" : ` + c${index}`} + ${sellMost} y${index} <= ${sellMost}`,
				`h${index} - ${chargeMost} z${index} <= 0`,
				`g${index} + ${giveMost} z${index} <= ${giveMost}`,
			);
		}
	}
	return [
		"Minimize",
		`obj: ${objective.join("\n")} ${sign(-endValue(quarters))} e${quarters.quarters.length - 1}`,
		"Subject To",
		...rules.map((rule, index) => `r${index}: ${rule}`),
		"Bounds",
		...bounds,
		...(binaries.length > 0 ? ["Binaries", ...binaries] : []),
		"End",
	].join("\n");
}
