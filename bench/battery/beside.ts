import { type PlanQuarters, planQuarters } from "../../src/battery/plan-inputs";
import { readSettings } from "../../src/battery/settings";
import { storedPath } from "../../src/battery/strategies";
import { costOf } from "../../src/battery/strategies/least-cost";
import { DAYS, type Day, INSTALLED_W, rowsOf } from "./days";
import { optimum } from "./optimum";

/** Most that a plan may cost more than the optimum, percent. */
const TARGET = 0.5;

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
];

function quartersOf(
	day: Day,
	number: number,
	{ bought, feedIn, settings }: Tariff,
): PlanQuarters {
	const checked = readSettings({
		strategy: "price",
		capacityKwh: [5, 10, 40][number % 3],
		efficiency: [0.8, 0.85, 0.9, 0.95][number % 4],
		maxChargeW: 5000,
		maxDischargeW: 5000,
		feedInPrice: 0.08,
		loadKwhPerDay: 12,
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

/**
 * Prints, tariff by tariff, what plans cost more than the optimum, as a share of
 * its cost (at least of a fifth of the cost without a battery, where it is near 0).
 *
 * @returns whether all are near enough
 */
export async function beside(): Promise<boolean> {
	const best = await optimum();
	let isNear = true;
	console.log(
		`${"cost above the optimum, %".padEnd(36)} ${"mean".padStart(8)} ${"most".padStart(8)}`,
	);
	for (const tariff of TARIFFS) {
		const shares = DAYS.map((day, number) => {
			const quarters = quartersOf(day, number, tariff);
			const cost = costOf(quarters, storedPath(quarters, "price").path);
			const idle = new Float64Array(quarters.count).fill(quarters.stored);
			const least = best(quarters);
			const scale = Math.max(
				Math.abs(least),
				Math.abs(costOf(quarters, idle)) / 5,
			);
			return ((cost - least) / scale) * 100;
		});
		const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
		const most = Math.max(...shares);
		if (!(most <= TARGET)) isNear = false;
		console.log(
			`${tariff.name.padEnd(36)} ${mean.toFixed(3).padStart(8)} ${most.toFixed(3).padStart(8)}`,
		);
	}
	return isNear;
}
