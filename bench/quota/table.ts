import type {
	CellResult,
	Outcome,
} from "../../test/support/quota-simulation/cells";
import type {
	Installation,
	LateMonth,
} from "../../test/support/quota-simulation/installations";

const HOUR = 60;
const DAY = 24 * HOUR;

/** Minutes as a person reads them. */
function ageText(minutes: number | null): string {
	if (minutes === null) return "–";
	if (minutes < 2 * HOUR) return `${minutes.toFixed(minutes < 20 ? 1 : 0)} min`;
	return minutes < 2 * DAY
		? `${(minutes / HOUR).toFixed(1)} h`
		: `${(minutes / DAY).toFixed(1)} d`;
}

const outcomeText = (outcome: Outcome) =>
	[
		`**${ageText(outcome.mean)}** / ${ageText(outcome.p95)}`,
		`night ${ageText(outcome.night)}`,
		`${outcome.hoursWithout.toFixed(0)} h`,
		`${outcome.requests}${outcome.refused > 0 ? ` (${outcome.refused})` : ""}`,
	].join("; ");

const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

/** The results as Markdown, a table for each season. */
export function tables(results: readonly CellResult[]): string {
	const head = ["Plan", "Sites", "Others", "Floor", "This package"];
	const seasons = [...new Set(results.map(({ cell }) => cell.season.name))];
	return seasons
		.map((season) =>
			[
				`### ${season}`,
				"",
				row(head),
				row(head.map(() => "---")),
				...results
					.filter(({ cell }) => cell.season.name === season)
					.map(({ cell, oracle, ours }) =>
						row([
							cell.plan.name,
							String(cell.sites),
							String(cell.others),
							ageText(oracle),
							outcomeText(ours),
						]),
					),
			].join("\n"),
		)
		.join("\n\n");
}

/** Months on accounts that others use, or have used, day by day, as Markdown: a table for each season. */
export function lateMonthTables(
	months: readonly (readonly [Installation, LateMonth])[],
): string {
	const head = [
		"Plan",
		"Sites",
		"Installed",
		"Others",
		"Floor",
		"This package",
		"Polls on each full day",
	];
	const seasons = [...new Set(months.map(([{ season }]) => season.name))];
	return seasons
		.map((season) =>
			[
				`### Installed late, ${season}`,
				"",
				row(head),
				row(head.map(() => "---")),
				...months
					.filter(([one]) => one.season.name === season)
					.map(([{ plan, sites, day, others }, { mean, oracle, days }]) =>
						row([
							plan.name,
							String(sites),
							`on the ${day}${day === 21 ? "st" : "th"}`,
							others,
							ageText(oracle),
							`**${ageText(mean)}**`,
							days.map(({ polls }) => polls).join(" "),
						]),
					),
			].join("\n"),
		)
		.join("\n\n");
}
