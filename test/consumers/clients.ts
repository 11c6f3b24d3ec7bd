import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import {
	type FormatName,
	readExportOptions,
	readRequest,
} from "../../src/export";
import { slug } from "../../src/export/home-assistant/slug";
import { type MadeForecast, makeForecast } from "../export/forecasts";
import { launchBrowser, noBrowser } from "../support/browser";
import { exportForecast } from "../support/export-forecast";
import { ROOT } from "../support/node-red-process";
import { packageFolder } from "../support/packages";
import { HOUR, QUARTER } from "../support/time";
import { CACHE, install, Missing, python, type Report } from "./support";

const run = promisify(execFile);
const PACKAGES = [
	"open-meteo-solar-forecast",
	"forecast-solar",
	"python-slugify",
	"line-protocol-parser",
];

/** Client libraries from PyPI in a virtual environment of their own; gives its Python. */
function installed(): string {
	const folder = join(CACHE, "clients");
	const bin = join(folder, "bin/python");
	const done = join(folder, "installed");
	const wanted = PACKAGES.join("\n");
	if (!existsSync(done) || readFileSync(done, "utf8") !== wanted) {
		mkdirSync(CACHE, { recursive: true });
		const name = python("3.14", "3.13", "3.12", "3.11");
		install("clients", name, ["-m", "venv", folder]);
		install("clients", bin, ["-m", "pip", "install", "-q", ...PACKAGES]);
		writeFileSync(done, wanted);
	}
	return bin;
}

const version = (bin: string, name: string) =>
	install(name, bin, [
		"-c",
		`from importlib.metadata import version; print(version('${name}'))`,
	]).trim();

const script = (name: string) =>
	join(ROOT, "test/consumers/python", `${name}.py`);

/** A forecast that holds now, in a zone. */
const forecastNow = (zone: string): MadeForecast =>
	makeForecast({
		zone,
		date: new Date().toLocaleDateString("sv", { timeZone: zone }),
		days: 3,
		peaks: [6000, 4000],
	});

/** Serves a format as a flow does, and gives what a script made of it. */
async function ask<Answer>(
	bin: string,
	name: string,
	format: FormatName,
	made: MadeForecast,
): Promise<Answer> {
	const server = createServer((request, response) => {
		const url = new URL(request.url ?? "/", "http://localhost");
		const [message] = exportForecast(format, readExportOptions(format, {}), {
			forecast: made.forecast,
			facts: made.solar,
			nowMs: Date.now(),
			request: readRequest({
				url: request.url,
				query: Object.fromEntries(url.searchParams),
			}),
		});
		for (const [header, value] of Object.entries(message?.headers ?? {})) {
			response.setHeader(header, value);
		}
		response.end(JSON.stringify(message?.payload));
	});
	await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
	try {
		const { port } = server.address() as AddressInfo;
		const url = `http://127.0.0.1:${port}`;
		const { stdout } = await run(bin, [script(name), url]);
		return JSON.parse(stdout);
	} finally {
		server.closeAllConnections();
		server.close();
	}
}

/** Wh of a forecast between two instants. */
const energy = ({ quarters }: MadeForecast, from: number, to: number) =>
	quarters
		.filter(({ start }) => start >= from && start < to)
		.reduce((sum, { watts }) => sum + watts / 4, 0);

/** Within half a percent, or what whole watts make of an hour. */
const isClose = (wh: number, right: number) =>
	Math.abs(wh - right) <= Math.max(0.5, right * 0.005);

interface OpenMeteoAnswer {
	readonly hours: Readonly<Record<string, number>>;
	readonly days: Readonly<Record<string, number>>;
	readonly today: number;
	readonly tomorrow: number;
	readonly power: number;
}

/** The client of the Home Assistant integration shows each hour's energy of ours. */
export async function openMeteo(): Promise<Report> {
	const bin = installed();
	const report: Report = [
		`open-meteo-solar-forecast ${version(bin, "open-meteo-solar-forecast")}`,
	];
	for (const zone of ["Europe/Berlin", "Asia/Kathmandu"]) {
		const made = forecastNow(zone);
		const answer = await ask<OpenMeteoAnswer>(
			bin,
			"read_open_meteo",
			"open-meteo",
			made,
		);
		let worst = 0;
		let past = 0;
		const hours = Object.entries(answer.hours);
		for (const [time, wh] of hours) {
			const start = Date.parse(time);
			const right = energy(made, start, start + HOUR);
			assert.ok(isClose(wh, right), `${time}: ${wh} instead of ${right} Wh`);
			if (right > 100) worst = Math.max(worst, Math.abs(wh / right - 1));
			if (start + HOUR <= Date.now()) past += 1;
		}
		assert.equal(hours.length, 72);
		const sinceMidnight = Date.now() - (made.days[0]?.start ?? 0);
		assert.equal(past, Math.floor(sinceMidnight / HOUR));
		for (const [index, wh] of [answer.today, answer.tomorrow].entries()) {
			assert.ok(isClose(wh, (made.days[index]?.energy ?? 0) * 1000));
		}
		const quarter = made.quarters.find(
			({ start }) => start + HOUR / 4 > Date.now(),
		);
		assert.ok(Math.abs(answer.power - (quarter?.watts ?? -9)) <= 1);
		report.push(
			`${zone}: ${hours.length} hours, ${past} of them past, at most ${(worst * 100).toFixed(2)} % off; ${answer.today.toFixed(0)} Wh today`,
		);
	}
	return report;
}

interface ForecastSolarAnswer {
	readonly periods: Readonly<Record<string, number>>;
	readonly today: number;
	readonly tomorrow: number;
	readonly power: number;
	readonly zone: string;
	readonly limit: number;
}

/** The client of Home Assistant's integration forecast_solar reads our answer. */
export async function forecastSolar(): Promise<Report> {
	const bin = installed();
	const report: Report = [`forecast-solar ${version(bin, "forecast-solar")}`];
	for (const zone of ["Europe/Berlin", "Asia/Kathmandu"]) {
		const made = forecastNow(zone);
		const answer = await ask<ForecastSolarAnswer>(
			bin,
			"read_forecast_solar",
			"forecast-solar",
			made,
		);
		assert.equal(answer.zone, zone);
		assert.equal(answer.limit, 12);
		const periods = Object.entries(answer.periods);
		for (const [time, wh] of periods) {
			const end = Date.parse(time);
			const right = energy(made, end - HOUR / 4, end);
			assert.ok(Math.abs(wh - right) < 0.01, `${time}: ${wh}, not ${right}`);
		}
		const [today, tomorrow] = made.days.map((day) => day.energy * 1000);
		assert.ok(Math.abs(answer.today - (today ?? -1)) < 0.1);
		assert.ok(Math.abs(answer.tomorrow - (tomorrow ?? -1)) < 0.1);
		report.push(
			`${zone}: ${periods.length} quarter hours, ${answer.today.toFixed(0)} Wh today, ${answer.tomorrow.toFixed(0)} Wh tomorrow`,
		);
	}
	return report;
}

const NAMES = [
	"Süd-Dach",
	"Große Straße 12",
	"GROẞE HALLE",
	"Blåbærhøj",
	"Łódź Żółć",
	"Þórður Ðað",
	"Cœur d’Été",
	"Tom's 9,8 kWp",
	"İstanbul ırmak",
	"Đakovo Ħal Ŋuna Ŧana",
	"Čtyři/patra (střecha)",
	"dach_2 – hinten",
	"Châlet №3 ½",
];

/** Names become ids as Home Assistant makes them. */
export async function slugs(): Promise<Report> {
	const bin = installed();
	const { stdout } = await run(bin, [script("write_slugs"), ...NAMES]);
	assert.deepEqual(NAMES.map(slug), JSON.parse(stdout));
	return [
		`python-slugify ${version(bin, "python-slugify")}`,
		`${NAMES.length} names are the same ids`,
	];
}

/** Where a package of others is installed. */
function needed(name: string): string {
	const folder = packageFolder(name);
	if (folder) return folder;
	throw new Missing(`${name} is not installed`);
}

/** What a format makes of a forecast at this moment. */
function made(format: FormatName, site_id: string) {
	const forecast = makeForecast({
		zone: "Europe/Berlin",
		date: new Date().toLocaleDateString("sv", { timeZone: "Europe/Berlin" }),
		days: 2,
		peaks: [6000],
		solar: { site_id },
	});
	const [message] = exportForecast(format, readExportOptions(format, {}), {
		forecast: forecast.forecast,
		facts: forecast.solar,
		nowMs: Date.now(),
	});
	return { ...forecast, payload: message?.payload as any };
}

/** A parser of the line protocol reads what the client of InfluxDB's nodes writes of our points. */
export async function lineProtocol(): Promise<Report> {
	const bin = installed();
	const { Point } = require(
		require.resolve("@influxdata/influxdb-client", {
			paths: [needed("node-red-contrib-influxdb")],
		}),
	);
	const { payload: points } = made("influxdb", "süd,dach=1");
	const lines = points.map(({ measurement, tags, fields, timestamp }: any) => {
		const point = new Point(measurement).timestamp(timestamp);
		for (const [name, value] of Object.entries(tags)) point.tag(name, value);
		for (const [name, value] of Object.entries(fields)) {
			point.floatField(name, value);
		}
		return point.toLineProtocol({
			convertTime: (time: Date) => String(time.getTime()),
		});
	});
	const input = lines.join("\n");
	const text = install("line protocol", bin, [script("read_lines")], { input });
	const rest = ({ timestamp, ...point }: any) => ({
		...point,
		time: timestamp.getTime(),
	});
	assert.deepEqual(JSON.parse(text), points.map(rest));
	return [
		`line-protocol-parser ${version(bin, "line-protocol-parser")}`,
		`${lines.length} points are the same`,
	];
}

/** ApexCharts draws the attribute, by the generator of our page for its card: each quarter's power at its middle. */
export async function apexCharts(): Promise<Report> {
	const folder = needed("apexcharts");
	if (noBrowser) throw new Missing(noBrowser);
	const { payload: attributes, quarters } = made("apexcharts", "barn");
	const guide = readFileSync(join(ROOT, "docs/home-assistant.md"), "utf8");
	const generator = /data_generator: \|\s+(return entity.*;)/.exec(guide)?.[1];
	const browser = await launchBrowser();
	try {
		const page = await browser.newPage();
		await page.setContent('<div id="chart"></div>');
		await page.addScriptTag({ path: join(folder, "dist/apexcharts.js") });
		const drawn: [number, number][] = await page.evaluate(
			async ({ attributes, generator }) => {
				const { ApexCharts, document } = globalThis as any;
				const data = new Function("entity", generator as string)({
					attributes,
				});
				const chart = new ApexCharts(document.querySelector("#chart"), {
					chart: { type: "area", animations: { enabled: false } },
					series: [{ data }],
					xaxis: { type: "datetime" },
				});
				await chart.render();
				const { series, seriesX } = chart.w.globals;
				return seriesX[0].map((time: number, at: number) => [
					time,
					series[0][at],
				]);
			},
			{ attributes, generator },
		);
		assert.equal(drawn.length, quarters.length);
		for (const [index, { start, watts }] of quarters.entries()) {
			const [time, shown] = drawn[index] as [number, number];
			assert.equal(time, start + QUARTER / 2);
			assert.ok(Math.abs(shown - watts) < 0.01);
		}
		return ["ApexCharts", `${drawn.length} points at the middle of a quarter`];
	} finally {
		await browser.close();
	}
}
