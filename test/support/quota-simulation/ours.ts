import {
	type AccountMemory,
	newAccountMemory,
	newSiteMemory,
	type SiteMemory,
} from "../../../src/polling/memory/memory";
import { ExpectedPower } from "../../../src/polling/pacing/expected-power";
import { nextPoll, type Pace, paceOf } from "../../../src/polling/pacing/pace";
import {
	type Policy,
	reachedLimit,
	reserveOf,
} from "../../../src/polling/schedule/limits";
import {
	planSite,
	type SourceTiming,
} from "../../../src/polling/schedule/schedule";
import {
	type PolledSource,
	pacedSource,
} from "../../../src/polling/source/source";
import {
	countRequest,
	noteAccountFailure,
	noteForecast,
	noteQuota,
} from "../../../src/polling/step/account-transitions";
import {
	noteAnswer,
	noteFailure,
	noteRequest,
	noteRequestEnd,
} from "../../../src/polling/step/site-transitions";
import { SolarYieldError } from "../../../src/service/errors/solar-yield-error";
import { DAY_MS, MINUTE_MS } from "../../../src/util/time";
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
	readonly account: AccountMemory;
}

export interface RunOptions {
	readonly start: number;
	readonly end: number;
	/** Days after today in a forecast. */
	readonly forecastDays: number;
	readonly budget?: number;
	/** Requests left for others; 5 % of the plan's unless it is set. */
	readonly reserve?: number | null;
	/** What is remembered of the account from before. */
	readonly account?: AccountMemory;
	/** Called with each pace that is found. */
	readonly onPace?: (pace: Pace) => void;
}

interface Polled {
	readonly site: number;
	readonly sun: Sun;
	readonly timing: SourceTiming;
	memory: SiteMemory;
	/** Of the last answer, once the pace needs it. */
	power: ExpectedPower | undefined;
}

/** Longest sleep of the poller's timer, ms. */
const TICK_MS = MINUTE_MS;
/** Time that a request takes, ms. */
const ANSWER_MS = 200;

/**
 * Runs the package's own schedule against a service: it plans, and remembers by the
 * transitions of memory that the hub does it by, without its input and output.
 */
export function runOurs(
	service: LightService,
	suns: readonly Sun[],
	{
		start,
		end,
		forecastDays,
		budget = Infinity,
		reserve = null,
		account: before = newAccountMemory(),
		onPace = () => {},
	}: RunOptions,
): Run {
	const asked: Asked[] = [];
	let account = before;
	const queue = new Queue<Polled>();
	const sites = suns.map(
		(sun, site): Polled => ({
			site,
			sun,
			timing: { jitterMs: 5_000 + ((site * 7_919) % 25_001) },
			memory: newSiteMemory(),
			power: undefined,
		}),
	);
	const policyNow = (): Policy => ({
		budget,
		reserve: reserveOf({ reserve }, account.quota.forecast),
	});
	let pace: Pace | undefined;
	let paceAt = 0;
	let restAt = 0;
	let paces = 0;
	let plans = 0;

	for (let now = start; now < end; ) {
		if (!pace || now >= paceAt) {
			const isSame = pace?.kind === "full";
			const all = paced(now);
			pace = paceOf(account, policyNow(), all, now, pace);
			paceAt = Math.min(pace.reset, now + DAY_MS);
			restAt = now + all.length * 20_000;
			paces += 1;
			onPace(pace);
			if (!isSame || pace.kind !== "full")
				for (const polled of sites) plan(polled, pace, now);
		}
		const { item, at } = queue.first() as { item: Polled; at: number };
		if (at > now) {
			now = Math.min(at, Math.max(now + 1, paceAt), now + TICK_MS);
			continue;
		}
		// Since it was planned, others may have reached a limit.
		if (!reachedLimit(account, policyNow(), now - item.timing.jitterMs)) {
			ask(item, now);
		}
		plan(item, pace, now);
		now += ANSWER_MS;
	}
	return { asked, paces, plans, account };

	function sourceOf({ site, sun, memory, timing }: Polled, now: number) {
		const polled = sites[site] as Polled;
		if (!polled.power) {
			const { start, watts } = sun.forecast(
				memory.computedAt ?? now,
				forecastDays,
			);
			polled.power = new ExpectedPower(sun.zone, start, watts);
		}
		const known = { memory, held: { power: polled.power } };
		const source = { key: String(site), timing, known };
		return pacedSource(source as PolledSource, now);
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
		const poll = isPaced ? nextPoll(sourceOf(polled, now), pace) : null;
		const { at } = planSite(memory, account, policyNow(), timing, now, poll);
		queue.set(polled, at);
	}

	function ask(polled: Polled, now: number): void {
		const { site, timing } = polled;
		polled.memory = noteRequest(polled.memory, now);
		account = countRequest(account, "forecast", now);
		const answer = service.ask(site, now);
		const { status, computedAt, nextPollAt, quota } = answer;
		asked.push({
			site,
			at: now,
			status,
			computedAt,
			remaining: quota.remaining,
		});
		account = noteQuota(account, "forecast", quota, status === 429);
		paceAt = Math.min(paceAt, restAt);
		polled.memory = noteRequestEnd(polled.memory);
		if (status === 429) {
			account = countRequest(account, "forecast", now, -1);
			const error = new SolarYieldError(
				"QUOTA",
				"used up; wait",
				{},
				{ status, retryAt: quota.reset },
			);
			const failed = noteFailure(polled.memory, error, now);
			polled.memory = failed;
			account = noteAccountFailure(account, error, failed.failure);
			return;
		}
		polled.memory = noteAnswer(polled.memory, {
			answeredAt: now,
			computedAt,
			said: nextPollAt,
			nextPollAt: nextPollAt > now ? nextPollAt : null,
			jitterMs: timing.jitterMs,
			isNew: computedAt !== polled.memory.computedAt,
			isUnconfirmed: false,
			automatic: true,
		});
		account = noteForecast(account, null);
		polled.power = undefined;
	}
}
