import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	forecastMessages,
	type Presentation,
} from "../../src/messages/forecast-messages";
import { Hub } from "../../src/polling/hub";
import { siteSource } from "../../src/polling/source/source";
import { AccountFiles } from "../../src/polling/storage/account-files";
import { MINUTE_MS, QUARTER_MS } from "../../src/util/time";
import { FakeClock } from "../../test/support/fake-clock";
import { ManySites } from "./service";

/** A disk that is not waited for, where there is one: it is CPU that is measured. */
const DISK = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** CPU that this process has used so far, ms. */
function cpuMs(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

/** What polls cost a hub. */
export interface PollCost {
	readonly sites: number;
	readonly polls: number;
	/** CPU of a poll, ms: request, messages, status, and files included, the service not. */
	readonly cpuMs: number;
}

/**
 * Lets a hub poll some sites, each with a forecast node, on a clock that moves
 * when told, with its files on disk.
 *
 * @param polls at least so many are measured, after a first slot that is not
 */
export async function pollCost(
	sites: number,
	polls: number,
): Promise<PollCost> {
	const folder = mkdtempSync(join(DISK, "solar-yield-scale-"));
	try {
		return await measure(sites, polls, folder);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

async function measure(
	sites: number,
	polls: number,
	folder: string,
): Promise<PollCost> {
	const clock = new FakeClock("2026-06-10T05:01:00Z");
	const service = new ManySites(
		() => clock.time,
		"include=default&forecast_days=0",
	);
	let others = 0;
	const hub = new Hub(
		async (request, signal) => {
			const before = cpuMs();
			const answer = await service.exchange(request, signal);
			others += cpuMs() - before;
			return answer;
		},
		new AccountFiles(folder, "https://service.example", "key", console.error),
		clock,
		console.error,
	);
	await hub.setAccount("account", {
		budget: null,
		reserve: null,
		interval: "end",
		fingerprint: "a",
	});
	for (let site = 1; site <= sites; site += 1) subscribe(hub, `site-${site}`);
	const settle = () => hub.idle();
	await hub.start();
	await clock.runTo(clock.time + 13 * MINUTE_MS, settle);
	const slots = Math.ceil(polls / sites);
	const asked = service.polls;
	others = 0;
	const before = cpuMs();
	await clock.runTo(clock.time + slots * QUARTER_MS, settle);
	const cost = (cpuMs() - before - others) / (service.polls - asked);
	return { sites, polls: service.polls - asked, cpuMs: cost };
}

/** A forecast node's work. */
function subscribe(hub: Hub, siteId: string): void {
	const source = siteSource(siteId);
	const presentation: Presentation = {
		key: siteId,
		topic: "solar-yield",
		demo: false,
		selection: {
			include: ["default"],
			timezone: "local",
			pastDays: 0,
			forecastDays: 7,
		},
	};
	hub.subscribe(source, {
		auto: true,
		pastDays: 0,
		variability: false,
		onForecast(state, cached) {
			for (const messages of forecastMessages(
				state,
				presentation,
				cached,
				() => "id",
			)) {
				Array.from(messages);
			}
		},
		onFailure: (error) => {
			throw error;
		},
		onChange: () => void hub.state(source),
		onMidnight() {},
	});
}
