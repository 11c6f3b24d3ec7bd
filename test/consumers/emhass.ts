import assert from "node:assert/strict";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { readExportOptions } from "../../src/export";
import { makeForecast } from "../export/forecasts";
import { exportForecast } from "../support/export-forecast";
import {
	answers,
	CACHE,
	freePort,
	install,
	Program,
	python,
	type Report,
} from "./support";

type Row = Record<string, string>;

const ZONE = "Europe/Berlin";

/** EMHASS from PyPI in a virtual environment of its own; gives its Python. */
function installed(): string {
	const folder = join(CACHE, "emhass");
	const bin = join(folder, "bin/python");
	if (!existsSync(join(folder, "bin/emhass"))) {
		mkdirSync(CACHE, { recursive: true });
		const name = python("3.12", "3.11", "3.10");
		install("EMHASS", name, ["-m", "venv", folder]);
		install("EMHASS", bin, ["-m", "pip", "install", "-q", "emhass"]);
	}
	return bin;
}

/**
 * EMHASS reads our body as Node-RED posts it, for 15 and 30 minutes and both
 * shapes, makes a plan with it, and the plan's PV power is our forecast.
 */
export async function emhass(): Promise<Report> {
	const bin = installed();
	const version = install("EMHASS", bin, [
		"-c",
		"from importlib.metadata import version; print(version('emhass'))",
	]).trim();
	const report: Report = [`EMHASS ${version}`];
	// A list has no times: it fits where EMHASS begins with the running step.
	for (const [rounding, shapes] of [
		["first", ["dict", "list"]],
		["nearest", ["dict"]],
	] as const) {
		const folder = mkdtempSync(join(tmpdir(), "solar-yield-emhass-"));
		const port = await freePort();
		const server = serve(bin, folder, port, rounding);
		try {
			await answers(`http://127.0.0.1:${port}/`, 120);
			for (const step of [15, 30] as const) {
				for (const shape of shapes) {
					for (const action of ["naive-mpc-optim", "dayahead-optim"]) {
						const line = await plan({ folder, port, step, shape, action });
						report.push(`method_ts_round ${rounding}, ${line}`);
					}
				}
			}
		} finally {
			await server.stop();
		}
	}
	return report;
}

/** EMHASS's own server, which needs no Home Assistant for what it is told here. */
function serve(
	bin: string,
	folder: string,
	port: number,
	method_ts_round: string,
): Program {
	mkdirSync(join(folder, "data"));
	writeFileSync(
		join(folder, "config.json"),
		JSON.stringify({
			set_use_pv: true,
			set_use_battery: true,
			number_of_deferrable_loads: 0,
			method_ts_round,
		}),
	);
	writeFileSync(
		join(folder, "secrets.yaml"),
		`hass_url: empty\nlong_lived_token: empty\ntime_zone: ${ZONE}\nLatitude: 52.52\nLongitude: 13.4\nAltitude: 34\n`,
	);
	return new Program(bin, ["-m", "emhass.web_server", "--no_response"], {
		cwd: folder,
		log: join(folder, "server.log"),
		env: {
			...process.env,
			DATA_PATH: join(folder, "data"),
			CONFIG_PATH: join(folder, "config.json"),
			OPTIONS_PATH: join(folder, "none.json"),
			SECRETS_PATH: join(folder, "secrets.yaml"),
			PORT: String(port),
		},
	});
}

async function plan({
	folder,
	port,
	step,
	shape,
	action,
}: {
	folder: string;
	port: number;
	step: 15 | 30;
	shape: "dict" | "list";
	action: string;
}): Promise<string> {
	const nowMs = Date.now();
	const made = makeForecast({
		zone: ZONE,
		date: new Date(nowMs).toLocaleDateString("sv", { timeZone: ZONE }),
		days: 3,
		peaks: [6000, 4000],
	});
	const [message] = exportForecast(
		"emhass",
		readExportOptions("emhass", { step, shape }),
		{ forecast: made.forecast, facts: made.solar, nowMs },
	);
	const body = message?.payload as {
		prediction_horizon: number;
		pv_power_forecast: object;
	};
	const count = Object.keys(body.pv_power_forecast).length;
	const answer = await fetch(`http://127.0.0.1:${port}/action/${action}`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({
			...body,
			// What EMHASS would otherwise ask Home Assistant for.
			load_power_forecast: Array.from({ length: count }, () => 500),
			load_cost_forecast: Array.from({ length: count }, () => 0.3),
			prod_price_forecast: Array.from({ length: count }, () => 0.08),
			soc_init: 0.5,
			soc_final: 0.5,
		}),
	});
	const text = await answer.text();
	assert.ok(answer.status < 300, `${action}: ${answer.status} ${text}`);
	const rows: Row[] = parse(
		readFileSync(join(folder, "data/opt_res_latest.csv"), "utf8"),
		{ columns: true },
	);
	assert.equal(rows.length, body.prediction_horizon);
	const startOf = ({ timestamp = "" }: Row = {}) =>
		Date.parse(timestamp.replace(" ", "T"));
	for (const row of rows) {
		const { timestamp, P_PV, optim_status } = row;
		assert.match(optim_status ?? "", /^Optimal/);
		const start = startOf(row);
		const end = start + step * 60_000;
		const quarters = made.quarters.filter(
			(quarter) => quarter.start >= start && quarter.start < end,
		);
		const mean =
			quarters.reduce((sum, { watts }) => sum + watts, 0) / quarters.length;
		assert.ok(
			Math.abs(Number(P_PV) - mean) < 0.51,
			`${timestamp}: EMHASS plans with ${P_PV} W, the forecast is ${mean} W`,
		);
	}
	assert.ok(Math.abs(startOf(rows[0]) - Date.now()) < 1.5 * step * 60_000);
	const kwh = rows.reduce(
		(sum, { P_PV }) => sum + (Number(P_PV) * step) / 60_000,
		0,
	);
	return `${action}, ${step} minutes, ${shape}: ${rows.length} steps from ${rows[0]?.timestamp}, ${kwh.toFixed(2)} kWh, each step's power that of the forecast, ${rows[0]?.optim_status}`;
}
