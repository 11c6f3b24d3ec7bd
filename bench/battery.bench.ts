/**
 * How near battery plans come to the optimum of a mixed-integer programme (HiGHS)
 * with the same knowledge, on 60 days of winter, spring and summer with prices of
 * quarter hours and of hours, batteries of 5, 10 and 40 kWh, and round trips of 0.8
 * to 0.95: what plans cost more, as a share of its cost (at least of a fifth of the
 * cost without a battery, where it is near 0). Without a margin; with the one that a
 * blank stands for, beside an optimum that holds as much for it; and what that
 * margin costs on all days together.
 *
 *     npm run bench:battery
 *
 * Exits with 1 when a plan costs over 0.5 % more than the optimum, or the margin over 1.2 %.
 */
import { type PlanQuarters, planQuarters } from "../src/battery/plan-inputs";
import { readSettings } from "../src/battery/settings";
import { marginOf, storedPath } from "../src/battery/strategies";
import { costOf } from "../src/battery/strategies/least-cost";
import { DAYS, type Day, INSTALLED_W, rowsOf } from "./battery/days";
import { type Optimum, optimum } from "./battery/optimum";

/** Most that a plan may cost more than the optimum, percent. */
const TARGET = 0.5;
/** Most that the margin which a blank stands for may cost over all days together, percent. */
const MARGIN_TARGET = 1.2;

/** How a kWh is paid for, from the wholesale price of the day. */
interface Tariff {
	readonly name: string;
	/** Price of a kWh bought. */
	readonly bought: (spot: number) => number;
	readonly feedIn: "fixed" | "hourly";
	readonly settings: Readonly<Record<string, unknown>>;
}

const retail = (spot: number) => spot * 1.19 + 0.18;
const TARIFFS: readonly Tariff[] = [
	{
		name: "feed-in fixed",
		bought: retail,
		feedIn: "fixed",
		settings: {},
	},
	{
		name: "feed-in by the hour, some negative",
		bought: retail,
		feedIn: "hourly",
		settings: {},
	},
	{
		name: "feed-in fixed, cap of 60 %",
		bought: retail,
		feedIn: "fixed",
		settings: { feedInLimitW: 0.6 * INSTALLED_W },
	},
	{
		name: "feed-in by the hour, cap of 60 %",
		bought: retail,
		feedIn: "hourly",
		settings: { feedInLimitW: 0.6 * INSTALLED_W },
	},
	{
		name: "selling at hourly prices",
		bought: retail,
		feedIn: "hourly",
		settings: { sell: true },
	},
	{
		name: "no grid charging, cap of 60 %",
		bought: retail,
		feedIn: "hourly",
		settings: { gridCharge: false, feedInLimitW: 0.6 * INSTALLED_W },
	},
	{
		name: "prices below feed-in and below 0",
		bought: (spot) => spot - 0.01,
		feedIn: "fixed",
		settings: {},
	},
	{
		name: "wear of 0.05",
		bought: retail,
		feedIn: "hourly",
		settings: { wearPrice: 0.05 },
	},
	{
		name: "main fuse of 3 kW, 2.5 from grid",
		bought: retail,
		feedIn: "fixed",
		settings: { importLimitW: 3000, gridChargeW: 2500 },
	},
	{
		name: "hybrid inverter of 7 kW",
		bought: retail,
		feedIn: "hourly",
		settings: { acLimitW: 7000, coupling: "dc" },
	},
	{
		name: "hybrid, sells, wear of 0.03, fuse",
		bought: (spot) => spot + 0.03,
		feedIn: "fixed",
		settings: {
			...{ acLimitW: 4000, coupling: "dc", sell: true },
			...{ wearPrice: 0.03, importLimitW: 4000 },
		},
	},
	{
		name: "selling at 0.08, some prices below",
		bought: (spot) => spot + 0.03,
		feedIn: "fixed",
		settings: { sell: true },
	},
	{
		name: "PV may be stopped below 0",
		bought: (spot) => spot - 0.03,
		feedIn: "fixed",
		settings: { mayCurtail: true },
	},
];

function quartersOf(
	day: Day,
	number: number,
	{ bought, feedIn, settings }: Tariff,
	margin: number | null,
): PlanQuarters {
	const checked = readSettings({
		strategy: "price",
		capacityKwh: [5, 10, 40][number % 3],
		efficiency: [0.8, 0.85, 0.9, 0.95][number % 4],
		maxChargeW: 5000,
		maxDischargeW: 5000,
		feedInPrice: 0.08,
		loadKwhPerDay: 12,
		margin,
		...settings,
	});
	return planQuarters(
		{
			...day.input,
			soc: [40, 15, 90, 10][Math.floor(number / 4) % 4] as number,
			prices: rowsOf(day, day.spot.map(bought), number % 2 === 0 ? 4 : 1),
			feedIn: feedIn === "hourly" ? rowsOf(day, day.spot, 4) : null,
		},
		checked,
	);
}

/** Of what the margin asks for, what the plan has: stored energy by quarter, kWh. */
function keptBy(
	quarters: PlanQuarters,
	path: readonly number[],
	plain: readonly number[],
): Map<number, number> {
	const { upTo = [] } = marginOf(quarters, "price", plain) ?? {};
	const kept = new Map<number, number>();
	for (const [index, level] of upTo.entries()) {
		// HiGHS sees bounds to a millionth.
		if (level > 0)
			kept.set(index, Math.min(level, path[index] as number) - 1e-6);
	}
	return kept;
}

/** A day's costs of one tariff. */
function costsOf(best: Optimum, day: Day, number: number, tariff: Tariff) {
	const free = quartersOf(day, number, tariff, 0);
	const least = best(free);
	const idle = costOf(
		free,
		free.quarters.map(() => free.stored),
	);
	const scale = Math.max(Math.abs(least), Math.abs(idle) / 5);
	const without = costOf(free, storedPath(free, "price").path);
	const careful = quartersOf(day, number, tariff, null);
	const { path, plain } = storedPath(careful, "price");
	const cost = costOf(careful, path);
	const isSame = plain === null || path === plain;
	const alike = isSame ? least : best(careful, keptBy(careful, path, plain));
	return {
		least,
		cost,
		above: ((without - least) / scale) * 100,
		carefulAbove: ((cost - alike) / scale) * 100,
	};
}

async function main(): Promise<void> {
	const best = await optimum();
	console.log(
		`${"cost above the optimum, %".padEnd(34)} no margin: mean, most  blank: mean, most  margin's cost`,
	);
	for (const tariff of TARIFFS) {
		const days = DAYS.map((day, number) => costsOf(best, day, number, tariff));
		const sum = (of: (day: (typeof days)[number]) => number) =>
			days.reduce((total, day) => total + of(day), 0);
		const most = (of: (day: (typeof days)[number]) => number) =>
			Math.max(...days.map(of));
		const mostAbove = most(({ above }) => above);
		const mostCareful = most(({ carefulAbove }) => carefulAbove);
		const margin =
			(sum(({ cost, least }) => cost - least) /
				sum(({ least }) => Math.abs(least))) *
			100;
		if (
			!(Math.max(mostAbove, mostCareful) <= TARGET && margin <= MARGIN_TARGET)
		)
			process.exitCode = 1;
		const found = [
			sum(({ above }) => above) / days.length,
			mostAbove,
			sum(({ carefulAbove }) => carefulAbove) / days.length,
			mostCareful,
			margin,
		];
		console.log(
			`${tariff.name.padEnd(34)} ${found.map((value) => value.toFixed(3).padStart(9)).join(" ")}`,
		);
	}
}

void main();
