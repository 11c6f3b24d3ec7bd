import {
	type AccountMemory,
	newAccountMemory,
	newSiteMemory,
	type SiteMemory,
} from "../../../src/polling/memory/schemas";
import { Daylight } from "../../../src/polling/pacing/expected-power";
import { noteOthers } from "../../../src/polling/pacing/other-clients";
import { nextLook, type Pace } from "../../../src/polling/pacing/pace";
import { Pacer, pacedSource } from "../../../src/polling/pacing/pacer";
import {
	ownThisMonth,
	type Policy,
	planSite,
	type SourceTiming,
} from "../../../src/polling/schedule/schedule";
import { learnStep } from "../../../src/polling/schedule/update-interval";
import { Queue } from "./queue";
import type { LightService } from "./service";
import type { Sun } from "./sun";

/** A request as it was made, and what came of it. */
export interface Asked {
	readonly site: number;
	readonly at: number;
	readonly status: 200 | 429;
	readonly computedAt: number;
	readonly remaining: number | null;
}

/** What a run of the poller did. */
export interface Run {
	readonly asked: Asked[];
	/** Times a pace was found, and a site's next request planned. */
	readonly paces: number;
	readonly plans: number;
	/** Whether requests had to be left out. */
	readonly isShort: boolean;
	readonly account: AccountMemory;
}

export interface RunOptions {
	readonly start: number;
	readonly end: number;
	/** Days after today in a forecast. */
	readonly forecastDays: number;
	readonly policy?: Policy;
	/** What is remembered of the account from before. */
	readonly account?: AccountMemory;
	/** Called with each pace that is found. */
	readonly onPace?: (pace: Pace) => void;
}

interface Polled {
	readonly site: number;
	readonly sun: Sun;
	readonly timing: SourceTiming;
	readonly memory: SiteMemory;
	/** Of the last answer, once the pace needs it. */
	daylight: Daylight | undefined;
}

/** Longest sleep of the poller's alarm, ms. */
const TICK_MS = 60_000;
/** Time that a request takes, ms. */
const ANSWER_MS = 200;

/**
 * Runs the package's own schedule against a service: it plans and remembers
 * with the functions that the hub does it with, without its input and output.
 */
export function runOurs(
	service: LightService,
	suns: readonly Sun[],
	{
		start,
		end,
		forecastDays,
		policy = { budget: null, reserve: null },
		account = newAccountMemory(),
		onPace = () => {},
	}: RunOptions,
): Run {
	const asked: Asked[] = [];
	const pacer = new Pacer();
	const queue = new Queue<Polled>();
	const sites = suns.map(
		(sun, site): Polled => ({
			site,
			sun,
			timing: { spreadMs: 5_000 + ((site * 7_919) % 25_001) },
			memory: newSiteMemory(),
			daylight: undefined,
		}),
	);
	let pace: Pace | undefined;
	let paces = 0;
	let plans = 0;
	let isShort = false;

	for (let now = start; now < end; ) {
		const found = pacer.pace(account, policy, () => paced(now), now);
		if (found !== pace) {
			const isSame = found.kind === "full" && pace?.kind === "full";
			pace = found;
			paces += 1;
			isShort ||= found.kind !== "full";
			onPace(pace);
			if (!isSame) for (const polled of sites) plan(polled, pace, now);
		}
		const { item, at } = queue.first() as { item: Polled; at: number };
		if (at > now) {
			now = Math.min(at, Math.max(now + 1, pacer.nextAt), now + TICK_MS);
			continue;
		}
		ask(item, now);
		plan(item, pace, now);
		now += ANSWER_MS;
	}
	return { asked, paces, plans, isShort, account };

	function sourceOf({ site, sun, memory, timing }: Polled, now: number) {
		const daylight = (computedAt: number) => {
			const polled = sites[site] as Polled;
			if (!polled.daylight) {
				const { start, watts } = sun.forecast(computedAt, forecastDays);
				polled.daylight = new Daylight(sun.zone, start, watts);
			}
			return polled.daylight;
		};
		return pacedSource(String(site), memory, timing, daylight, now);
	}

	function paced(now: number) {
		return sites
			.filter(({ memory }) => memory.answeredAt !== null)
			.map((polled) => sourceOf(polled, now));
	}

	function plan(polled: Polled, pace: Pace, now: number): void {
		plans += 1;
		const { memory, timing } = polled;
		const isPaced = memory.answeredAt !== null && pace.kind !== "full";
		const look = isPaced ? nextLook(sourceOf(polled, now), pace) : null;
		const { at } = planSite(memory, account, policy, timing, now, look);
		queue.set(polled, at);
	}

	function ask(polled: Polled, now: number): void {
		const { site, memory, timing } = polled;
		const own = ownThisMonth(account.own, now) + 1;
		const answer = service.ask(site, now);
		const { status, computedAt, nextPollAt, quota } = answer;
		asked.push({
			site,
			at: now,
			status,
			computedAt,
			remaining: quota.remaining,
		});
		account.own = { month: monthOf(now), forecast: own, historical: 0 };
		account.others = noteOthers(account.others, quota, own);
		account.quota.forecast = quota;
		pacer.changed();
		if (status === 429) {
			account.own.forecast -= 1;
			account.exhausted.forecast = quota.reset;
			return;
		}
		const { spreadMs } = timing;
		memory.steps = learnStep(memory, {
			answeredAt: now,
			computedAt,
			nextPollAt,
			spreadMs,
		});
		memory.answeredAt = now;
		memory.computedAt = computedAt;
		memory.nextPollAt = nextPollAt > now ? nextPollAt : null;
		polled.daylight = undefined;
	}
}

function monthOf(instant: number): number {
	const date = new Date(instant);
	return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}
