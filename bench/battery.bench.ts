/**
 * How near battery plans come to the optimum of a mixed-integer programme (HiGHS)
 * with the same knowledge, on 60 days of winter, spring and summer with prices of
 * quarter hours and of hours, batteries of 5, 10 and 40 kWh, and round trips of 0.8
 * to 0.95: without a margin, with the one that a blank stands for beside an optimum
 * that holds as much for it, and what that margin costs on all days together.
 *
 * Then what a battery plan of 48 h takes, as a ratio to a plain loop over the same
 * 192 quarter hours that charges at the first surplus and makes the same rows,
 * with bare numbers for times. All run in turn in one process; medians.
 *
 *     npm run bench:battery
 *
 * Exits with 1 when a plan costs over 0.5 % more than the optimum, the margin over
 * 1 %, or a strategy's ratio is above the target of 50. The last line is without target: prices below 0 and below the feed-in price at noon, where
 * `price` may have to work out several plans.
 */
import { planBattery } from "../src/battery/plan";
import type { PlanInput } from "../src/battery/plan-inputs";
import { readSettings, STRATEGIES } from "../src/battery/settings";
import { Zone } from "../src/forecast/zone";
import { HOUR_MS, QUARTER_MS } from "../src/util/time";
import { beside } from "./battery/beside";

const TARGET = 50;
const QUARTERS = 192;
const WARM_UP = 300;
const ROUNDS = 700;

const start = Date.UTC(2026, 5, 20, 4);
const sun = (index: number) =>
	Math.max(0, Math.sin((((index + 4) % 96) / 60) * Math.PI)) *
	(((index + 4) % 96) / 60 < 1 ? 1 : 0);
const input: PlanInput = {
	now: start,
	soc: 35,
	quarters: Array.from({ length: QUARTERS }, (_, index) => {
		const cloud = 0.8 + 0.2 * Math.sin(index * 1.7);
		const pv = 9000 * sun(index) * cloud;
		return {
			start: start + index * QUARTER_MS,
			pv_w: pv,
			pv_min_w: pv * 0.6,
		};
	}),
	band_until: start + 24 * HOUR_MS,
	load: null,
	prices: null,
	zone: Zone.utc,
};

/** Prices of quarter hours, each its own: dear mornings and evenings, cheap noons; per kWh. */
const prices = (mean: number) =>
	Array.from({ length: QUARTERS }, (_, index) => ({
		start: start + index * QUARTER_MS,
		end: start + (index + 1) * QUARTER_MS,
		price:
			mean +
			0.12 * Math.sin((index / 48) * 2 * Math.PI) -
			0.1 * sun(index) +
			0.01 * Math.sin(index * 2.3),
	}));

const settings = (strategy: string) =>
	readSettings({
		strategy,
		capacityKwh: 10,
		maxChargeW: 5000,
		maxDischargeW: 5000,
		feedInLimitW: 5000,
		feedInPrice: 0.08,
		loadKwhPerDay: 12,
	});

function plainLoop(): unknown[] {
	const rows = [];
	let soc = 35;
	for (const quarter of input.quarters) {
		const pv_w = quarter.pv_w ?? 0;
		const load_w = 500;
		const room = ((100 - soc) / 100) * 40_000;
		const stock = ((soc - 10) / 100) * 40_000;
		const battery_w = Math.max(
			-Math.min(5000, stock),
			Math.min(5000, room, pv_w - load_w),
		);
		const curtailed_w = Math.max(0, pv_w - load_w - battery_w - 5000);
		soc += (battery_w / 40_000) * 100;
		rows.push({
			start: quarter.start,
			end: quarter.start + QUARTER_MS,
			pv_w,
			load_w,
			battery_w,
			grid_w: load_w + battery_w - pv_w + curtailed_w,
			curtailed_w,
			soc,
		});
	}
	return rows;
}

const plan = (strategy: string, mean: number) => {
	const checked = settings(strategy);
	const given = {
		...input,
		prices: strategy === "price" ? prices(mean) : null,
	};
	return () => planBattery(given, checked);
};
const contenders: { name: string; run: () => unknown; target: number }[] = [
	{ name: "plain loop", run: plainLoop, target: Number.POSITIVE_INFINITY },
	...STRATEGIES.map((name) => ({
		name: name as string,
		run: plan(name, 0.3),
		target: TARGET,
	})),
	{
		name: "price below 0",
		run: plan("price", 0.08),
		target: Number.POSITIVE_INFINITY,
	},
];

function measure(): void {
	const times = contenders.map(() => [] as number[]);
	for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
		for (const [index, { run }] of contenders.entries()) {
			const before = performance.now();
			run();
			const took = performance.now() - before;
			if (round >= WARM_UP) times[index]?.push(took);
		}
	}
	const median = (values: number[]) =>
		values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
	const medians = times.map(median);
	const plain = medians[0] as number;
	for (const [index, { name, target }] of contenders.entries()) {
		const time = medians[index] as number;
		const ratio = time / plain;
		console.log(
			`${name.padEnd(16)} ${(time * 1000).toFixed(0).padStart(6)} µs ${ratio.toFixed(1).padStart(7)} ×`,
		);
		if (ratio > target) process.exitCode = 1;
	}
}

beside()
	.then((isNear) => {
		if (!isNear) process.exitCode = 1;
		measure();
	})
	.catch((error: unknown) => {
		console.error(error);
		process.exitCode = 1;
	});
