import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { readExportOptions } from "../../src/export";
import { makeForecast } from "../export/forecasts";
import { exportForecast } from "../support/export-forecast";
import { ROOT } from "../support/node-red-process";
import { CACHE, install, type Report } from "./support";

const MODULE = "github.com/evcc-io/evcc";
const ZONE = "Europe/Berlin";

/** A Go module of its own that needs evcc; gives its folder. */
function installed(): string {
	const folder = join(CACHE, "evcc");
	mkdirSync(folder, { recursive: true });
	copyFileSync(
		join(ROOT, "test/consumers/evcc/tariff_test.go"),
		join(folder, "tariff_test.go"),
	);
	if (!existsSync(join(folder, "go.mod"))) {
		install("evcc", "go", ["mod", "init", "consumers"], { cwd: folder });
	}
	install("evcc", "go", ["get", `${MODULE}/tariff@latest`], { cwd: folder });
	install("evcc", "go", ["mod", "tidy"], { cwd: folder });
	return folder;
}

/** Runs the Go test; gives what it said. */
function goTest(
	cwd: string,
	env: Record<string, string>,
): Promise<{ status: number | null; said: string }> {
	return new Promise((resolve, reject) => {
		const child = spawn("go", ["test", "-count=1", "-v", "./..."], {
			cwd,
			env: { ...process.env, ...env },
		});
		let said = "";
		for (const stream of [child.stdout, child.stderr]) {
			stream.on("data", (chunk) => {
				said += chunk;
			});
		}
		child.on("error", reject);
		child.on("exit", (status) => resolve({ status, said }));
	});
}

/** evcc's tariff code reads our JSON over HTTP and gets the day's energy. */
export async function evcc(): Promise<Report> {
	const folder = installed();
	const version = install("evcc", "go", ["list", "-m", MODULE], {
		cwd: folder,
	}).trim();
	const nowMs = Date.now();
	const made = makeForecast({
		zone: ZONE,
		date: new Date(nowMs).toLocaleDateString("sv", { timeZone: ZONE }),
		days: 3,
		peaks: [6000, 4000],
	});
	const [message] = exportForecast("evcc", readExportOptions("evcc", {}), {
		forecast: made.forecast,
		facts: made.solar,
		nowMs,
	});
	const server = createServer((_request, response) => {
		response.setHeader("content-type", "application/json");
		response.end(JSON.stringify(message?.payload));
	});
	await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
	const report: Report = [version];
	try {
		const { port } = server.address() as AddressInfo;
		for (const { start, end, energy } of made.days.slice(0, 2)) {
			const { status, said } = await goTest(folder, {
				FORECAST_URL: `http://127.0.0.1:${port}/`,
				DAY_START: new Date(start).toISOString(),
				DAY_END: new Date(end).toISOString(),
				DAY_KWH: String(energy),
			});
			if (status !== 0) throw new Error(said);
			report.push(/tariff_test.go:\d+: (.*)/.exec(said)?.[1] ?? said);
		}
	} finally {
		server.close();
	}
	return report;
}
