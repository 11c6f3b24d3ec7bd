import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { forecastPart } from "../../../src/battery/forecast-adapter";
import { FORMAT_NAMES, readExportOptions } from "../../../src/export";
import { nowValues } from "../../../src/forecast/now";
import { forecastMessages } from "../../../src/messages/forecast-messages";
import { forecastFromInput } from "../../../src/messages/input/forecast-input";
import type { ForecastSnapshot } from "../../../src/polling/source/snapshots";
import { AccountFiles } from "../../../src/polling/storage/account-files";
import { SolarYieldError } from "../../../src/service/errors/solar-yield-error";
import { httpExchange } from "../../../src/service/http/axios-exchange";
import { GROUP_NAMES } from "../../../src/service/v2/groups";
import { textIn } from "../../../src/texts/texts";
import { exportForecast } from "../../support/export-forecast";
import { FakeClock } from "../../support/fake-clock";
import { HOUR, House, type Listener, shortPlan } from "../../support/house";
import {
	type SimulatorServer,
	startSimulatorServer,
} from "../../support/service/server";
import { Simulator } from "../../support/service/simulator";
import { inMemory } from "./folder";
import { assertNoKey, filesText, shownText } from "./leaks";
import { type Fault, FaultProxy } from "./proxy";

/** With every character that JSON, URLs and base64 write otherwise. */
export const KEY = "sk/fault+CANARY=0123456789/abc~-Z";
export const SITE = "site_fault";
export const isForecast = (path: string) => path.startsWith("/v2/forecast/");

setFlagsFromString("--expose_gc");
/** Collects garbage, so that what is measured after it is alive. */
export const collect = runInNewContext("gc") as () => void;

/** What went wrong outside of every handler while a case ran. */
export class Bystander {
	readonly seen: unknown[] = [];
	readonly #note = (error: unknown) => {
		this.seen.push(error);
	};
	constructor() {
		process.on("unhandledRejection", this.#note);
		process.on("uncaughtExceptionMonitor", this.#note);
	}
	stop(): void {
		process.off("unhandledRejection", this.#note);
		process.off("uncaughtExceptionMonitor", this.#note);
	}
}

/** Largest resident memory while something runs, above what it was before, bytes. */
export async function memoryOf(work: () => Promise<void>): Promise<number> {
	const before = process.memoryUsage.rss();
	let most = before;
	const look = () => {
		most = Math.max(most, process.memoryUsage.rss());
	};
	const timer = setInterval(look, 20);
	try {
		await work();
	} finally {
		clearInterval(timer);
		look();
	}
	return most - before;
}

const SELECTION = { forecastDays: null, pastDays: 30 } as const;

/** Fails on what is no JSON number: it would reach flows as null, or break what reads it. */
function assertJson(value: unknown, path: string, depth = 0): void {
	if (typeof value === "number") {
		assert.ok(Number.isFinite(value), `${path} is ${value}`);
	} else if (depth < 12 && value !== null && typeof value === "object") {
		for (const [name, inner] of Object.entries(value)) {
			assertJson(inner, `${path}.${name}`, depth + 1);
		}
	}
}

/** Own words for a refusal: only then may a consumer do without the forecast. */
function refuses(work: () => void): void {
	try {
		work();
	} catch (error) {
		assert.ok(
			error instanceof SolarYieldError,
			`not one of ours: ${shownText(error).slice(0, 300)}`,
		);
	}
}

/** Uses a forecast that was accepted in every way the nodes do. */
export function consume(state: ForecastSnapshot): string {
	const texts: string[] = [];
	for (const timezone of ["local", "utc"] as const) {
		const presentation = {
			key: SITE,
			selection: { include: [...GROUP_NAMES], timezone, ...SELECTION },
			topic: "solar-yield",
			demo: false,
		};
		const [forecasts, ...more] = forecastMessages(
			state,
			presentation,
			false,
			() => "id",
		).map((messages) => [...messages]);
		const [first] = forecasts ?? [];
		texts.push(JSON.stringify([forecasts, more]));
		assert.ok(first);
		assertJson(first.solar, "solar");
		refuses(() => {
			const { forecast, solar } = forecastFromInput(first);
			const now = nowValues(forecast, solar, state.now);
			assertJson(now, "now");
			texts.push(JSON.stringify(now));
			forecastPart(forecast, state.now);
			for (const format of FORMAT_NAMES) {
				refuses(() => {
					const messages = exportForecast(
						format,
						readExportOptions(format, {}),
						{
							forecast,
							facts: solar,
							nowMs: state.now,
							topic: first.topic,
							...(format === "home-assistant" && { now }),
						},
					);
					assertJson(messages, format);
				});
			}
		});
	}
	return texts.join("\n");
}

/** The service, a proxy that spoils its answers, and one house that polls it. */
export class World {
	readonly clock: FakeClock;
	readonly simulator: Simulator;
	readonly folder: string;
	/** What the store and the hub said. */
	readonly reports: string[] = [];
	/** Requests for forecasts that reached the proxy, by the fake clock's time. */
	readonly asked: number[] = [];
	house!: House;
	listener!: Listener & { stop: () => void };
	proxy!: FaultProxy;
	#server!: SimulatorServer;
	/** Real time that an exchange may take, ms. */
	timeoutMs = 10_000;

	private constructor(start: string, folder?: string) {
		this.clock = new FakeClock(start);
		this.folder =
			folder ??
			join(mkdtempSync(join(inMemory, "solar-yield-fault-")), "solar-yield");
		this.simulator = new Simulator({ now: () => this.clock.time });
		this.simulator.addAccount({
			apiKey: KEY,
			plan: shortPlan(24),
		});
		this.simulator.addSite(KEY, {
			id: SITE,
			name: "Fault",
			latitude: 52.52,
			longitude: 13.4,
			strings: [
				{ id: "str_a", slope: 30, orientation: 180, power_kw: 6 },
				{ id: "str_b", slope: 20, orientation: 270, power_kw: 4 },
			],
		});
	}

	/** A house with one good forecast, polling each hour. */
	static async start(
		options: { start?: string; folder?: string; boot?: boolean } = {},
	): Promise<World> {
		const world = new World(
			options.start ?? "2026-06-01T10:05:00Z",
			options.folder,
		);
		world.#server = await startSimulatorServer(world.simulator);
		world.proxy = await FaultProxy.start(
			Number(new URL(world.#server.url).port),
		);
		world.proxy.isFor = isForecast;
		world.proxy.onSpoil = () => world.asked.push(world.clock.time);
		world.house = new House(
			(request) => httpExchange(world.proxy.url, KEY, world.timeoutMs)(request),
			world.clock,
			world.store(),
		);
		if (options.boot !== false) {
			await world.boot();
			assert.equal(world.listener.forecasts.length, 1, "a first forecast");
		}
		return world;
	}

	store(): AccountFiles {
		return new AccountFiles(this.folder, "http://service.test", KEY, (text) =>
			this.reports.push(textIn(text)),
		);
	}

	async boot(): Promise<void> {
		await this.house.account();
		this.listener = this.house.listen(SITE);
		await this.house.start();
	}

	/** Spoils the forecasts from now on. */
	spoil(fault: Fault | undefined): void {
		this.asked.length = 0;
		this.proxy.fault = fault;
	}

	get state() {
		return this.house.state(SITE);
	}

	/** Lets the trouble pass, and sees that polling is as before. */
	async heal(): Promise<void> {
		this.spoil(undefined);
		const before = this.state.forecast?.computed_at ?? 0;
		const { plan } = this.state;
		// The month's end is far, but a raised plan is asked with by hand.
		if (plan.reason === "exhausted" || plan.reason === "reserve") {
			await this.house.hub.askNow();
		}
		// A stop by the plan is tested once a day, and a wrong time believed as long.
		const isHealed = () =>
			this.state.failure === null &&
			(this.state.forecast?.computed_at ?? 0) !== before;
		for (const hours of [7, 19]) {
			if (!isHealed()) await this.house.runFor(hours * HOUR);
		}
		const { forecast, failure } = this.state;
		assert.equal(failure, null, "healed");
		assert.notEqual(forecast?.computed_at ?? 0, before, "another forecast");
	}

	/** Everything that got out: messages, errors, statuses, files. */
	assertNoKey(more: readonly unknown[] = []): void {
		const { forecast, failure } = this.state;
		for (const [where, value] of Object.entries({
			errors: this.listener?.failures ?? [],
			reports: [...this.reports, ...this.house.reports],
			state: { failure, site: this.state.site, forecast: forecast?.extra },
			answers: more,
		})) {
			const each = Array.isArray(value) ? value : [value];
			for (const one of each) assertNoKey(KEY, shownText(one), where);
		}
		if (existsSync(this.folder)) {
			assertNoKey(KEY, filesText(this.folder), "a file");
		}
	}

	async close(): Promise<void> {
		this.listener?.stop();
		await this.house.settle();
		this.house.kill();
		await this.proxy.close();
		await this.#server.close();
		rmSync(join(this.folder, ".."), { recursive: true, force: true });
	}
}

/** Most requests for a forecast in some hours from an outage's begin on (behaviour: Failures). */
export function mostRequests(kind: string, hours: number): number {
	const minutes = hours * 60;
	if (/^(NETWORK|TIMEOUT|SERVICE|RESPONSE)$/.test(kind)) {
		// The first, then after 1, 2, 4, 8, 16, 32 and each 60 minutes.
		let count = 1;
		for (let at = 0, wait = 1; ; wait = Math.min(60, wait * 2)) {
			at += wait;
			if (at > minutes) return count;
			count += 1;
		}
	}
	if (kind === "RATE") return 1 + hours * 2;
	if (kind === "INPUT") return 1 + Math.ceil(hours / 6);
	// A stop is looked for by free reads; what they allow is one request each.
	if (/^(AUTH|NOT_FOUND|PLAN)$/.test(kind)) return 2 + Math.ceil(hours / 6);
	if (kind === "QUOTA") return 1;
	return hours + 1;
}
