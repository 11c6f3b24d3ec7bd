import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { GROUP_NAMES, type Group } from "../src/service/v2/groups";
import { PLANS } from "../test/support/service/plans";
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

export const median = (values: readonly number[]) =>
	[...values].sort((a, b) => a - b)[values.length >> 1] as number;

/** A figure's value: three digits tell all that a measurement can. */
export const rounded = (value: number) => Number(value.toPrecision(3));

/** An answer of the service, and how a node shows it. */
export interface Case {
	readonly name: string;
	readonly strings: number;
	readonly query: string;
	readonly include: readonly Group[];
	readonly pastDays: number;
}

/** Two days of a roof with two strings: 60 kB, 576 rows. */
export const TYPICAL: Case = {
	name: "typical",
	strings: 2,
	query: "include=default&include=strings&forecast_days=1",
	include: ["default", "strings"],
	pastDays: 0,
};

/** All that the service has, 38 days and every group, of four strings: 3.4 MB, 18,000 rows. */
export const WORST: Case = {
	name: "worst",
	strings: 4,
	query: "include=all&include=variability&past_days=30",
	include: GROUP_NAMES,
	pastDays: 30,
};

export const KEY = "no-real-key";

/** A service with one site of so many strings. */
export function serviceOf(
	strings: number,
	now: () => number,
	updatesPerDay = 96,
): Simulator {
	const service = new Simulator({ now });
	const plan = { ...PLANS.unmetered, updatesPerDay };
	service.addAccount({ apiKey: KEY, plan });
	service.addSite(KEY, {
		id: "site",
		name: "Bench",
		latitude: 52.52,
		longitude: 13.4,
		strings: Array.from({ length: strings }, (_, index) => ({
			id: `str_${index}`,
			slope: 30,
			orientation: 90 + index * 45,
			power_kw: 3,
		})),
	});
	return service;
}

/** The body of an answer. */
export function bodyOf(
	service: Simulator,
	query: string,
	path = "/v2/forecast/site",
): string {
	const { status, body } = service.handle({
		method: "GET",
		path,
		query: new URLSearchParams(query),
		headers: { authorization: `Bearer ${KEY}` },
		body: "",
	});
	if (status !== 200) throw new Error(body);
	return body;
}

/**
 * Runs a file of `bench/children` in a process of its own, bundled to plain
 * JavaScript as the package is: nothing stands between what users run and the clock.
 *
 * @returns what it printed, as JSON
 */
export function child<T>(name: string, input: object): T {
	const outfile = temporary(`${name}.cjs`);
	buildSync({
		entryPoints: [join(__dirname, "children", `${name}.ts`)],
		outfile,
		bundle: true,
		packages: "external",
		platform: "node",
		target: "node20",
		logLevel: "error",
	});
	const printed = execFileSync(
		process.execPath,
		["--expose-gc", outfile, JSON.stringify(input)],
		{
			encoding: "utf8",
			env: { ...process.env, NODE_PATH: join(ROOT, "node_modules") },
		},
	);
	return JSON.parse(printed) as T;
}
