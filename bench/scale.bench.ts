import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { forecastMessages } from "../src/messages/forecast-messages";
import { Hub } from "../src/polling/hub";
import { siteSource } from "../src/polling/source/source";
import { AccountFiles } from "../src/polling/storage/account-files";
import type { Exchange, WireAnswer } from "../src/service/http/exchange";
import { MINUTE_MS, QUARTER_MS } from "../src/util/time";
import { FakeClock } from "../test/support/fake-clock";
import { type Figure, KEY, rounded, serviceOf } from "./support";

/** A poll of many sites may cost so many times one of a single site. */
const MOST_RATIO = 2;
/** At least so many polls are measured. */
const POLLS = 100;
/** A disk that is not waited for, where there is one: it is CPU that is measured. */
const DISK = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

function cpuMs(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

/** A service that says of each site what the simulator says of one, once a slot. */
function manySites(now: () => number) {
	const service = serviceOf(2, now);
	const said = new Map<string, WireAnswer>();
	let slot = 0;
	const counts = { polls: 0, cpuMs: 0 };
	const exchange: Exchange = async ({ method, path }) => {
		const before = cpuMs();
		const [, , kind = "", id = ""] = path.split("/");
		if (slot !== Math.floor(now() / QUARTER_MS)) said.clear();
		slot = Math.floor(now() / QUARTER_MS);
		const asked = id === "" ? path : `/v2/${kind}/site`;
		const isForecast = kind === "forecast";
		const answer =
			said.get(asked) ??
			service.handle({
				method,
				path: asked,
				query: new URLSearchParams(isForecast ? "forecast_days=0" : ""),
				headers: { authorization: `Bearer ${KEY}` },
				body: "",
			});
		said.set(asked, answer);
		if (isForecast) counts.polls += 1;
		const date = new Date(now()).toUTCString();
		const body = answer.body.replace('"site"', JSON.stringify(id));
		counts.cpuMs += cpuMs() - before;
		return { ...answer, headers: { ...answer.headers, date }, body };
	};
	return { exchange, counts };
}

/** CPU of a poll, ms, with so many sites, each shown by a node: request, files, messages and status, the service not. */
async function pollCost(sites: number): Promise<number> {
	const folder = mkdtempSync(join(DISK, "solar-yield-scale-"));
	try {
		const clock = new FakeClock("2026-06-10T05:01:00Z");
		const { exchange, counts } = manySites(() => clock.time);
		const hub = new Hub(
			exchange,
			new AccountFiles(folder, "https://service.example", KEY, console.error),
			clock,
			console.error,
		);
		await hub.setAccount("account", {
			budget: null,
			reserve: null,
			interval: "end",
			fingerprint: "a",
		});
		for (let site = 1; site <= sites; site += 1) show(hub, `site-${site}`);
		const settle = () => hub.idle();
		await hub.start();
		await clock.runTo(clock.time + 13 * MINUTE_MS, settle);
		const asked = { ...counts };
		const before = cpuMs();
		const slots = Math.ceil(POLLS / sites);
		await clock.runTo(clock.time + slots * QUARTER_MS, settle);
		const ms = cpuMs() - before - (counts.cpuMs - asked.cpuMs);
		return ms / (counts.polls - asked.polls);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** A forecast node's work. */
function show(hub: Hub, siteId: string): void {
	const source = siteSource(siteId);
	hub.subscribe(source, {
		auto: true,
		pastDays: 0,
		variability: false,
		onForecast(state, cached) {
			const outputs = forecastMessages(
				state,
				{
					key: siteId,
					topic: "solar-yield",
					demo: false,
					selection: {
						include: ["default"],
						timezone: "local",
						pastDays: 0,
						forecastDays: 7,
					},
				},
				cached,
				() => "id",
			);
			for (const messages of outputs) Array.from(messages);
		},
		onFailure: (error) => {
			throw error;
		},
		onChange: () => void hub.state(source),
		onMidnight() {},
	});
}

/** What a poll costs where there are many sites, as a ratio to one site; CPU alone. */
export async function run(quick: boolean): Promise<Figure[]> {
	// What is compiled on the way counts for none of them.
	await pollCost(5);
	const one = await pollCost(1);
	const figures: Figure[] = [];
	for (const sites of quick ? [20, 200] : [20, 300, 1000])
		figures.push({
			name: `poll with ${sites} sites`,
			value: rounded((await pollCost(sites)) / one),
			target: MOST_RATIO,
			unit: "×",
			note: `CPU of one poll with 1 site, ${rounded(one)} ms`,
		});
	return figures;
}
