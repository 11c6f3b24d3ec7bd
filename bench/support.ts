import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Group } from "../src/service/v2/groups";
import { Simulator } from "../test/support/service/simulator";

/** One line of the table. */
export interface Figure {
	readonly name: string;
	readonly value: number;
	/** The most that the value may be. */
	readonly target?: number;
	/** `×` is a ratio to what the note names. */
	readonly unit: string;
	readonly note: string;
}

export const ROOT = join(__dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "solar-yield-bench-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** A fresh path in the run's temporary folder, which is removed at its end. */
export const temporary = (name: string) => join(folder, name);

export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	return sorted.length % 2 === 1
		? (sorted[middle] as number)
		: ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/** A figure's value: three digits tell all that a measurement can. */
export const rounded = (value: number) => Number(value.toPrecision(3));

/** The instant at which the answers are made. */
const NOW = Date.parse("2026-06-10T09:00:00Z");
const SITE_ZONE = "Europe/Berlin";

const ALL: readonly Group[] = [
	"default",
	"weather",
	"irradiance",
	"clearsky",
	"strings",
	"variability",
];

/** An answer of the service, and how a node shows it. */
interface Case {
	readonly name: string;
	readonly strings: number;
	readonly query: string;
	readonly include: readonly Group[];
	readonly pastDays: number;
}

/** Two days of a roof with two strings. */
export const TYPICAL: Case = {
	name: "typical",
	strings: 2,
	query: "include=default&include=strings&forecast_days=1",
	include: ["default", "strings"],
	pastDays: 0,
};

/** All that the service has: 38 days, every group. */
export const worst = (strings: number): Case => ({
	name: `worst, ${strings} ${strings === 1 ? "string" : "strings"}`,
	strings,
	query: "include=all&include=variability&past_days=30",
	include: ALL,
	pastDays: 30,
});

/** The body of an answer. */
export function bodyOf({ strings, query }: Case, now = NOW): string {
	const simulator = new Simulator({ now: () => now });
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

const files = new Map<string, string>();

/** The same in a file, for processes of their own. */
export function fileOf(answer: Case): string {
	let file = files.get(answer.name);
	if (!file) {
		file = temporary(`${answer.name.replaceAll(/\W+/g, "-")}.json`);
		writeFileSync(file, bodyOf(answer));
		files.set(answer.name, file);
	}
	return file;
}

/**
 * Runs one of `bench/children` in a process of its own, plain JavaScript on the
 * built package: nothing stands between what users run and the clock.
 *
 * @returns what it printed, as JSON
 */
export async function child<T>(
	name: string,
	input: object,
	flags: readonly string[] = [],
): Promise<T> {
	const { stdout } = await promisify(execFile)(
		process.execPath,
		[
			...flags,
			join(__dirname, "children", `${name}.cjs`),
			JSON.stringify({ siteZone: SITE_ZONE, now: NOW, ...input }),
		],
		{ cwd: ROOT, maxBuffer: 1e8 },
	);
	return JSON.parse(stdout) as T;
}

/** What a child that compares tasks prints: medians in ms, and of each round's ratios to its floor. */
export interface Compared {
	readonly ms: Readonly<Record<string, number>>;
	readonly ratios: Readonly<Record<string, number>>;
}

/** Runs tasks of a process's first moments, interleaved; medians in ms. */
export async function firstCalls(
	name: string,
	tasks: readonly string[],
	input: object,
	times: number,
): Promise<Record<string, number>> {
	const found: Record<string, number[]> = {};
	for (let time = 0; time < times; time += 1) {
		for (const task of tasks) {
			const { ms } = await child<{ ms: number }>(name, { ...input, task });
			found[task] = [...(found[task] ?? []), ms];
		}
	}
	return Object.fromEntries(
		tasks.map((task) => [task, median(found[task] ?? [])]),
	);
}
