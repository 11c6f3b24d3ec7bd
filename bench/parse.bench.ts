/**
 * What an answer costs on its way into flows, against the floor (`JSON.parse` of
 * the same bytes) and against what a flow of core nodes would do. Ratios of
 * medians in one run: machines differ, ratios hold.
 *
 *     npm run bench            a table
 *     npm run bench -- --json  the same for scripts
 */
import { DateTime } from "luxon";
import { placeForecast } from "../src/forecast/forecast";
import type { KnownState } from "../src/polling/hub";
import { forecastMessages } from "../src/polling/messages";
import { readForecast } from "../src/service/v2/forecast";
import type { Group } from "../src/service/v2/groups";
import { Simulator } from "../src/simulator/simulator";

const NOW = Date.parse("2026-06-10T09:00:00Z");

interface Case {
	readonly name: string;
	readonly strings: number;
	readonly query: string;
	readonly include: readonly Group[];
	readonly pastDays: number;
}

const ALL: readonly Group[] = [
	"default",
	"weather",
	"irradiance",
	"clearsky",
	"strings",
	"variability",
];
const CASES: readonly Case[] = [
	{
		name: "typical: 2 days, 2 strings",
		strings: 2,
		query: "include=default&include=strings&forecast_days=1",
		include: ["default", "strings"],
		pastDays: 0,
	},
	...[1, 4, 12].map((strings) => ({
		name: `worst: 37 days, all, ${strings} strings`,
		strings,
		query: "include=all&include=variability&past_days=30",
		include: ALL,
		pastDays: 30,
	})),
];

/** An answer of the service as text. */
function bodyOf({ strings, query }: Case): string {
	const simulator = new Simulator({ now: () => NOW });
	simulator.addAccount({ apiKey: "key", plan: "unmetered" });
	simulator.addSite("key", {
		id: "site",
		name: "Bench",
		latitude: 52.52,
		longitude: 13.4,
		strings: Array.from({ length: strings }, (_, index) => ({
			id: `str_${index}`,
			slope: 30,
			orientation: 90 + index * 15,
			power_kw: 3,
		})),
	});
	const answer = simulator.handle({
		method: "GET",
		path: "/v2/forecast/site",
		query: new URLSearchParams(query),
		headers: { authorization: "Bearer key" },
		body: "",
	});
	if (answer.status !== 200) throw new Error(answer.body);
	return answer.body;
}

/** What a flow of `http request`, `json` and a function node does with it. */
function coreNodes(text: string): unknown {
	const answer = JSON.parse(text);
	const days = new Map<string, unknown[]>();
	for (const row of answer.values) {
		const time = DateTime.fromISO(row.timestamp, { setZone: true });
		const date = time.toISODate() as string;
		const rows = days.get(date) ?? [];
		days.set(date, rows);
		rows.push({ ...row, time: time.toMillis() });
	}
	const ids = new Set(
		(answer.strings ?? []).map((row: { string_id: string }) => row.string_id),
	);
	const strings = [...ids].map((id) =>
		answer.strings.filter((row: { string_id: string }) => row.string_id === id),
	);
	return [days, strings];
}

function knownState(text: string): KnownState {
	const forecast = placeForecast(readForecast(JSON.parse(text)), {
		siteZone: "Europe/Berlin",
	});
	return {
		forecast,
		head: {
			version: 1,
			key: "site",
			system: null,
			answeredAt: NOW,
			computedAt: NOW,
			nextPollAt: NOW + 900_000,
			pastDays: 30,
			include: ["all"],
			siteZone: "Europe/Berlin",
			settled: [],
		},
		site: undefined,
		plan: { at: NOW + 900_000, reason: "next_poll_at", what: "forecast" },
		stale: false,
		failure: null,
		quota: null,
		pace: { kind: "full", projected: null },
		own: 1,
		interval: "end",
		settled: [],
		asking: false,
		now: NOW,
	};
}

async function medians(
	tasks: Record<string, () => unknown>,
	seconds: number,
): Promise<Record<string, number>> {
	// The harness is an ES module.
	const { Bench } = await import("tinybench");
	const bench = new Bench({ time: seconds * 1000, warmupTime: 300 });
	for (const [name, task] of Object.entries(tasks)) bench.add(name, task);
	await bench.run();
	return Object.fromEntries(
		bench.tasks.map(({ name, result }) => {
			if (!("latency" in result)) throw new Error(`${name} failed`);
			return [name, result.latency.p50];
		}),
	);
}

async function main(): Promise<void> {
	const rows = [];
	for (const one of CASES) {
		const text = bodyOf(one);
		const state = knownState(text);
		const send = (subscribers: number) => () => {
			for (let n = 0; n < subscribers; n += 1) {
				forecastMessages(
					state,
					{
						key: "site",
						selection: {
							include: one.include,
							forecastDays: null,
							pastDays: one.pastDays,
							timezone: "local",
						},
						topic: "solar-yield",
						demo: false,
					},
					false,
					() => "parts",
				);
			}
		};
		const ms = await medians(
			{
				floor: () => JSON.parse(text),
				read: () =>
					placeForecast(readForecast(JSON.parse(text)), {
						siteZone: "Europe/Berlin",
					}),
				core: () => coreNodes(text),
				"messages for 1": send(1),
				"messages for 5": send(5),
			},
			1,
		);
		const floor = ms.floor as number;
		const ratio = (name: string) =>
			Number(((ms[name] ?? 0) / floor).toFixed(2));
		rows.push({
			case: one.name,
			kB: Math.round(text.length / 1024),
			"JSON.parse ms": Number(floor.toFixed(2)),
			"bytes to Forecast": ratio("read"),
			"core nodes": ratio("core"),
			"messages for 1": ratio("messages for 1"),
			"messages for 5": ratio("messages for 5"),
		});
	}
	if (process.argv.includes("--json")) console.log(JSON.stringify(rows));
	else {
		console.log("Ratios to JSON.parse of the same bytes:");
		console.table(rows);
	}
}

void main();
