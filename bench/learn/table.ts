import { type CellResult, NAMES } from "./cells";

const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
const HORIZON_TEXT = { sameDay: "same day", dayAhead: "day ahead" } as const;

/** nRMSE and daily energy error of the last 15 days as Markdown, best of each cell bold. */
export function errorTable(results: readonly CellResult[]): string {
	const head = ["Season", "Truth", "Horizon", ...NAMES];
	return [
		row(head),
		row(head.map(() => "---")),
		...results.map(({ season, truth, horizon, nrmse, daily }) => {
			const rivals = NAMES.filter((name) => name !== "ideal");
			const least = Math.min(...rivals.map((name) => nrmse[name]));
			const leastDaily = Math.min(...rivals.map((name) => daily[name]));
			const text = (value: number, best: boolean) =>
				best ? `**${value.toFixed(1)}**` : value.toFixed(1);
			return row([
				season,
				truth,
				HORIZON_TEXT[horizon],
				...NAMES.map(
					(name) =>
						`${text(nrmse[name], nrmse[name] === least)} / ${text(daily[name], daily[name] === leastDaily)}`,
				),
			]);
		}),
	].join("\n");
}

/** RMSE of ours to that of raw, by week from the first day on, as Markdown. */
export function weekTable(results: readonly CellResult[]): string {
	const weeks = results[0]?.weeks.map((_, week) => `Week ${week + 1}`) ?? [];
	const head = ["Season", "Truth", "Horizon", ...weeks, "One place, worst"];
	return [
		row(head),
		row(head.map(() => "---")),
		...results.map(({ season, truth, horizon, weeks, placeWeeks }) =>
			row([
				season,
				truth,
				HORIZON_TEXT[horizon],
				...weeks.map((ratio) => ratio.toFixed(3)),
				`${Math.max(...placeWeeks.ours).toFixed(2)} (ideal ${Math.max(...placeWeeks.ideal).toFixed(2)})`,
			]),
		),
	].join("\n");
}

/** How often a week of a single place is worse than raw, which chance has a hand in. */
export function placeWeekTable(results: readonly CellResult[]): string {
	const share = (values: readonly number[], most: number) =>
		`${((100 * values.filter((ratio) => ratio > most).length) / values.length).toFixed(1)} %`;
	return [
		row(["", "over 3 % worse", "over 10 % worse", "worst"]),
		row(["---", "---", "---", "---"]),
		...(["ours", "ideal"] as const).map((name) => {
			const all = results.flatMap(({ placeWeeks }) => placeWeeks[name]);
			return row([
				name,
				share(all, 1.03),
				share(all, 1.1),
				Math.max(...all).toFixed(2),
			]);
		}),
	].join("\n");
}
