import {
	cpSync,
	mkdtempSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Collector } from "../../support/collector";
import { installedUserDir } from "../../support/node-red-process";
import { accountNode, forecastNode } from "../../support/own-nodes";
import type { Plan, PlanName } from "../../support/service/plans";
import {
	type SimulatorServer,
	startSimulatorServer,
} from "../../support/service/server";
import { Simulator } from "../../support/service/simulator";
import { earlyInHour } from "../../support/shifted-clock";

/** With every character that JSON, URLs and base64 write otherwise. */
export const KEY = "sk/process+CANARY=0123456789/abc~-Z";
export const SITE = "site_process";

type Message = Record<string, any>;

let installed: string | undefined;

/**
 * A fresh user directory with the package in it; installed once for all.
 *
 * @param parent the folder to make it in
 */
export function userDirectory(parent = tmpdir()): string {
	installed ??= installedUserDir();
	const userDir = mkdtempSync(join(parent, "solar-yield-place-"));
	cpSync(join(installed, "package.json"), join(userDir, "package.json"));
	symlinkSync(join(installed, "node_modules"), join(userDir, "node_modules"));
	return userDir;
}

/**
 * What the tests of a suite of Node-REDs share: a collector of what flows post, and
 * what a test leaves behind, which is undone after it in reverse.
 */
export function collectedSuite() {
	const collector = new Collector();
	const undo: (() => unknown)[] = [];
	before(async function () {
		this.timeout(120_000);
		await collector.start();
		// Installs the package once for all.
		remove(userDirectory());
	});
	afterEach(async () => {
		for (const step of undo.splice(0).reverse()) await step();
		collector.clear();
	});
	after(async () => {
		await collector.stop();
		removeInstalled();
	});
	return { collector, undo };
}

/** The service with one account, over HTTP. */
export async function startService(
	plan: PlanName | Plan = "plus",
	sites: readonly string[] = [SITE],
	options: Parameters<typeof startSimulatorServer>[1] = {},
	now: () => number = earlyInHour().now,
): Promise<{
	simulator: Simulator;
	server: SimulatorServer;
	forecasts: () => number;
}> {
	const simulator = new Simulator({ now });
	simulator.addAccount({ apiKey: KEY, plan });
	for (const id of sites) {
		simulator.addSite(KEY, {
			id,
			name: id,
			latitude: 52.52,
			longitude: 13.4,
			strings: [{ id: `str_${id}`, slope: 30, orientation: 180, power_kw: 6 }],
		});
	}
	const server = await startSimulatorServer(simulator, options);
	return {
		simulator,
		server,
		forecasts: () =>
			simulator.requests.filter(({ path }) => path.startsWith("/v2/forecast/"))
				.length,
	};
}

export const TAB = { id: "tab", type: "tab", label: "tab" };

export const account = (baseUrl: string, more: Message = {}): Message =>
	accountNode({ baseUrl, siteId: SITE, ...more });

export const forecast = (
	id: string,
	wires: readonly string[],
	more: Message = {},
): Message => forecastNode({ id, wires: [[...wires], [], []], ...more });

export const catcher = (wires: readonly string[]): Message => ({
	id: "catcher",
	type: "catch",
	z: "tab",
	scope: null,
	wires: [[...wires]],
});

/**
 * Gives every node that stands in a flow its place there: by it Node-RED tells
 * them from config nodes.
 */
export const placed = (flows: readonly Message[]): Message[] =>
	flows.map((it) =>
		/^(tab|subflow|group|solar-yield-account)$/.test(it.type)
			? it
			: { x: 100, y: 100, ...it },
	);

/** Puts flows and credentials where Node-RED finds them at its start. */
export function writeFlows(
	userDir: string,
	flows: readonly Message[],
	credentials: Readonly<Record<string, object>> = { acc: { apiKey: KEY } },
): void {
	writeFileSync(join(userDir, "flows.json"), JSON.stringify(placed(flows)));
	writeFileSync(join(userDir, "flows_cred.json"), JSON.stringify(credentials));
}

export const remove = (folder: string) =>
	rmSync(folder, { recursive: true, force: true });

/** Removes what `userDirectory` installed. */
export function removeInstalled(): void {
	if (installed) remove(installed);
	installed = undefined;
}
