import { DAY_MS } from "../../../src/util/time";
import { SEASONS, sunsOf } from "./cells";
import { runOurs } from "./ours";
import { LightService, type ServicePlan } from "./service";
import type { Season, Sun } from "./sun";

const SITES = 1000;

/** A day of many sites. */
interface Scale {
	readonly name: string;
	readonly plan: ServicePlan;
}

export const SCALES: readonly Scale[] = [
	{
		name: "96 updates a day, all of them",
		plan: { limit: null, updates: 96 },
	},
	{
		name: "96 updates a day, 300 000 requests a month",
		plan: { limit: 300_000, updates: 96 },
	},
	{
		name: "96 updates a day, 30 000 requests a month",
		plan: { limit: 30_000, updates: 96 },
	},
];

interface ScaleResult {
	readonly name: string;
	readonly requests: number;
	readonly plans: number;
	readonly paces: number;
	/** Of the processor: the schedule and the light service together. */
	readonly seconds: number;
}

/** Days that are measured, after a first one on which all sites start at once. */
const DAYS = 3;

/** Runs some days of a month with many sites; the results are those of a mean day. */
export function runScale({ name, plan }: Scale): ScaleResult {
	const june = SEASONS[1] as Season;
	const first = june.start + DAY_MS;
	const end = first + DAYS * DAY_MS;
	const suns = sunsOf({ ...june, end }, 5);
	const sites = Array.from(
		{ length: SITES },
		(_, index) => suns[index % suns.length] as Sun,
	);
	const service = new LightService(
		plan,
		sites.map(({ zone }) => zone),
		[],
	);
	let cpu = process.cpuUsage();
	let isFirst = true;
	const run = runOurs(service, sites, {
		start: june.start,
		end,
		forecastDays: 2,
		onPace({ now }) {
			if (!isFirst || now < first) return;
			isFirst = false;
			cpu = process.cpuUsage();
		},
	});
	const { user, system } = process.cpuUsage(cpu);
	const requests = run.asked.filter(({ at }) => at >= first).length;
	return {
		name,
		requests: Math.round(requests / DAYS),
		plans: Math.round(run.plans / (DAYS + 1)),
		paces: Math.round(run.paces / (DAYS + 1)),
		seconds: (user + system) / 1e6 / DAYS,
	};
}
