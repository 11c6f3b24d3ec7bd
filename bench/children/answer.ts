import { readFileSync } from "node:fs";
import { placeForecast } from "../../src/forecast/forecast";
import { forecastMessages } from "../../src/messages/forecast-messages";
import { readForecast } from "../../src/service/v2/forecast-answer";
import { bodyOf, type Case, median, serviceOf } from "../support";

/** What an answer costs, as ratios to `JSON.parse` of it, or for the heap to its bytes. */
export interface AnswerCosts {
	/** `JSON.parse` alone, ms. */
	readonly floorMs: number;
	readonly parse: number;
	/** On three outputs, for five nodes. */
	readonly messages: number;
	/** Of a forecast that is kept, and once nodes have shown it. */
	readonly heap: number;
	readonly shown: number;
}

const NODES = 5;
/** A stretch of one task, ms: long against the steps of the clock. */
const STRETCH_MS = 50;
const NOW = Date.parse("2026-06-10T09:00:00Z");

const { answer, turns } = JSON.parse(process.argv[2] as string) as {
	answer: Case;
	turns: number;
};
const text = bodyOf(
	serviceOf(answer.strings, () => NOW),
	answer.query,
);

const floor = () => JSON.parse(text);
const checked = () => readForecast(JSON.parse(text));
const placed = (from: ReturnType<typeof checked>) =>
	placeForecast(from, { siteZone: "Europe/Berlin" });

/** What a node sends of a forecast. */
function send(forecast: ReturnType<typeof placed>, timezone: "local" | "utc") {
	const outputs = forecastMessages(
		{
			forecast,
			site: undefined,
			head: { answeredAt: NOW },
			plan: { at: NOW + 900_000, reason: "next_poll_at" },
			stale: false,
			settled: [],
			now: NOW,
			quota: null,
			pace: { kind: "full", projected: null },
			own: 1,
		},
		{
			key: "site",
			topic: "solar-yield",
			demo: false,
			selection: {
				include: answer.include,
				forecastDays: null,
				pastDays: answer.pastDays,
				timezone,
			},
		},
		false,
		() => "parts",
	);
	return outputs.map((messages) => [...messages]);
}

/** Time of this thread on a core, ms, where the system tells (Linux), so that other programs do not count. */
function threadMs(): number {
	try {
		const file = `/proc/self/task/${process.pid}/schedstat`;
		return Number(readFileSync(file, "utf8").split(" ")[0]) / 1e6;
	} catch {
		return performance.now();
	}
}

/** Times of tasks that take turns in short stretches: the median of each one's ratios to the first. */
function compared(tasks: readonly (() => unknown)[]): number[] {
	const times: number[][] = tasks.map(() => []);
	for (let turn = 0; turn < turns; turn += 1) {
		for (const [index, task] of tasks.entries()) {
			const begin = threadMs();
			let count = 0;
			let ms = 0;
			for (; ms < STRETCH_MS; ms = threadMs() - begin) {
				task();
				count += 1;
			}
			times[index]?.push(ms / count);
		}
	}
	const [first = []] = times;
	return [
		median(first),
		...times
			.slice(1)
			.map((own) =>
				median(own.map((ms, turn) => ms / (first[turn] as number))),
			),
	];
}

/** Heap that each of several forecasts holds for as long as it is kept. */
function held(isShown: boolean): number {
	const make = () => {
		// The poller keeps the checked answer, too.
		const answer = checked();
		const forecast = placed(answer);
		if (isShown)
			for (const zone of ["local", "utc"] as const) send(forecast, zone);
		return { answer, forecast };
	};
	const used = () => {
		for (let n = 0; n < 4; n += 1) (globalThis.gc as () => void)();
		return process.memoryUsage().heapUsed;
	};
	const count = Math.max(4, Math.round(3e6 / text.length));
	const several = () => Array.from({ length: count }, make);
	// What code and zones hold is no forecast's: first as many that are let go.
	several();
	const before = used();
	const kept = several();
	return (used() - before) / kept.length / Buffer.byteLength(text);
}

// Each forecast is new when it is sent.
const [floorMs, parse, forMessages] = compared([
	floor,
	() => placed(checked()),
	() => {
		const forecast = placed(checked());
		for (let n = 0; n < NODES; n += 1) send(forecast, "local");
	},
]) as [number, number, number];
const costs: AnswerCosts = {
	floorMs,
	parse,
	messages: forMessages - parse,
	heap: held(false),
	shown: held(true),
};
process.stdout.write(JSON.stringify(costs));
