import { Hub } from "../../src/polling/hub";
import type {
	AccountSettings,
	ForecastSnapshot,
	InputResult,
	Subscriber,
	Wants,
} from "../../src/polling/source/snapshots";
import {
	type ForecastSource,
	siteSource,
} from "../../src/polling/source/source";
import type { AccountStorage } from "../../src/polling/storage/account-files";
import type { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import type {
	Exchange,
	WireAnswer,
	WireRequest,
} from "../../src/service/http/exchange";
import { textIn } from "../../src/texts/texts";
import { FakeClock, ProcessClock } from "./fake-clock";
import { MemoryStorage } from "./memory-storage";
import { PLANS, type Plan } from "./service/plans";
import { Simulator, type SiteSeed } from "./service/simulator";
import type { Variants } from "./service/variants";

export { DAY, HOUR, MINUTE, SECOND } from "./time";

/** Deterministic numbers from 0 to below 1. */
export function dice(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 32;
	};
}

export const ACCOUNT: AccountSettings = {
	budget: null,
	reserve: null,
	interval: "end",
	fingerprint: "a",
};

/** A subscriber that remembers what it was given. */
export class Listener implements Subscriber {
	readonly forecasts: {
		at: number;
		cached: boolean;
		computedAt: number | null;
		state: ForecastSnapshot;
	}[] = [];
	readonly failures: SolarYieldError[] = [];
	midnights: number[] = [];
	changes = 0;
	readonly #time: () => number;

	constructor(
		time: () => number,
		readonly auto = true,
		readonly pastDays = 0,
		readonly variability = false,
	) {
		this.#time = time;
	}
	onForecast(state: ForecastSnapshot, cached: boolean) {
		this.forecasts.push({
			at: this.#time(),
			cached,
			computedAt: state.forecast.computed_at,
			state,
		});
	}
	onFailure(error: SolarYieldError) {
		this.failures.push(error);
	}
	onChange() {
		this.changes += 1;
	}
	onMidnight() {
		this.midnights.push(this.#time());
	}
}

const never = () => new Promise<never>(() => {});

/** Passes calls on until the process has ended; then nothing returns to anybody. */
function mortal<T extends object>(target: T, isAlive: () => boolean): T {
	return new Proxy(target, {
		get(object, name) {
			const value = Reflect.get(object, name, object);
			if (name === "accountStore") return mortal(value as object, isAlive);
			if (typeof value !== "function") return value;
			if (String(name).endsWith("Store")) {
				return (key: string) => mortal(value.call(object, key), isAlive);
			}
			return async (...parameters: unknown[]) => {
				if (!isAlive()) return never();
				try {
					const result = await value.apply(object, parameters);
					return isAlive() ? result : never();
				} catch (error) {
					if (!isAlive()) return never();
					throw error;
				}
			};
		},
	});
}

/** One Node-RED with its hub, on a fake clock. */
export class House {
	readonly clock: FakeClock;
	readonly storage: AccountStorage;
	readonly exchange: Exchange;
	/** What the hub said of subscribers that threw. */
	readonly reports: string[] = [];
	hub!: Hub;
	#process!: { alive: boolean; clock: ProcessClock };

	constructor(
		exchange: Exchange,
		clock: FakeClock,
		storage: AccountStorage = new MemoryStorage(),
	) {
		this.exchange = exchange;
		this.clock = clock;
		this.storage = storage;
		this.#boot();
	}

	#boot(): void {
		const process = { alive: true, clock: new ProcessClock(this.clock) };
		const isAlive = () => process.alive;
		const exchange: Exchange = async (request) => {
			if (!process.alive) return never();
			try {
				const answer = await this.exchange(request);
				return process.alive ? answer : never();
			} catch (error) {
				return process.alive ? Promise.reject(error) : never();
			}
		};
		this.#process = process;
		this.hub = new Hub(
			exchange,
			mortal(this.storage, isAlive),
			process.clock,
			(text) => this.reports.push(textIn(text)),
		);
	}

	/** Ends the process without a farewell. */
	kill(): void {
		this.#process.alive = false;
		this.#process.clock.end();
	}

	/** Ends the process without a farewell and starts another. */
	restart(): void {
		this.kill();
		this.#boot();
	}

	async account(settings: Partial<AccountSettings> = {}, id = "account") {
		const all = { ...ACCOUNT, ...settings };
		await this.hub.setAccount(id, all);
	}

	listen(
		source: ForecastSource | string,
		options: {
			auto?: boolean;
			pastDays?: number;
			variability?: boolean;
		} = {},
	): Listener & { stop: () => void } {
		const listener = new Listener(
			() => this.clock.time,
			options.auto ?? true,
			options.pastDays ?? 0,
			options.variability ?? false,
		);
		const stop = this.hub.subscribe(
			typeof source === "string" ? siteSource(source) : source,
			listener,
		);
		return Object.assign(listener, { stop });
	}

	settle = async () => {
		if (this.#process.alive) await this.hub.idle();
	};

	async start(): Promise<void> {
		await this.hub.start();
		await this.settle();
	}

	/** A whole start of Node-RED with one auto node. */
	async boot(
		source: ForecastSource | string = SITE,
		settings: Partial<AccountSettings> = {},
	): Promise<Listener & { stop: () => void }> {
		await this.account(settings);
		const listener = this.listen(source);
		await this.start();
		return listener;
	}

	runTo(end: number | string): Promise<void> {
		return this.clock.runTo(end, this.settle);
	}

	runFor(ms: number): Promise<void> {
		return this.runTo(this.clock.time + ms);
	}

	ask(
		source: ForecastSource | string = SITE,
		wants: Partial<Wants> = {},
		refresh = false,
	): Promise<InputResult> {
		return this.hub.ask(
			typeof source === "string" ? siteSource(source) : source,
			{ pastDays: 0, variability: false, ...wants },
			refresh,
		);
	}

	state(source: ForecastSource | string = SITE) {
		return this.hub.state(
			typeof source === "string" ? siteSource(source) : source,
		);
	}
}

export const KEY = "key-0123456789";
export const SITE = "site-1";

/** Where the sites of tests stand, by zone. */
export const PLACES = {
	"Europe/Berlin": { latitude: 52.52, longitude: 13.4 },
	"Asia/Kathmandu": { latitude: 27.7, longitude: 85.32 },
	"America/St_Johns": { latitude: 47.56, longitude: -52.71 },
} as const;

/** A plan whose answers are small: today only, unmetered unless told. */
export function shortPlan(updatesPerDay: number, more: Partial<Plan> = {}) {
	return {
		...PLANS.plus,
		forecastRequests: null,
		updatesPerDay,
		forecastDays: 0,
		pastDays: 0,
		...more,
	};
}

type Answer = (request: WireRequest) => Promise<WireAnswer>;

/** What a fault does to a request: the answer, or an error thrown; undefined lets it pass. */
type Fault = (
	request: WireRequest,
	answer: Answer,
) => Promise<WireAnswer> | undefined;

/** The service of a test: the simulator with one account and one site, and faults on demand. */
export class Service {
	readonly simulator: Simulator;
	/** All that was sent, faults included. */
	readonly requests: { at: number; path: string; query: string }[] = [];
	fault: Fault | undefined;
	readonly #answer: Answer;

	constructor(
		readonly clock: FakeClock,
		plan: Plan = shortPlan(24),
		{
			zone = "Europe/Berlin",
			thin = true,
			variants = {},
		}: {
			zone?: keyof typeof PLACES;
			/** Whether all groups but the first are left out of answers, to be quick. */
			thin?: boolean;
			variants?: Partial<Variants>;
		} = {},
	) {
		this.simulator = new Simulator({ now: () => clock.time, variants });
		this.simulator.addAccount({ apiKey: KEY, plan });
		this.addSite(SITE, PLACES[zone]);
		const exchange = this.simulator.exchange(KEY);
		this.#answer = (request) =>
			exchange(
				thin && request.path.startsWith("/v2/forecast/")
					? {
							...request,
							query: (request.query ?? []).map(([name, value]) =>
								name === "include" && value === "all"
									? (["include", "default"] as const)
									: ([name, value] as const),
							),
						}
					: request,
			);
	}

	addSite(
		id: string,
		place: { latitude: number; longitude: number } = PLACES["Europe/Berlin"],
		more: Partial<SiteSeed> = {},
	): void {
		this.simulator.addSite(KEY, {
			id,
			name: id,
			...place,
			strings: [{ slope: 30, orientation: 180, power_kw: 10 }],
			...more,
		} as SiteSeed);
	}

	exchange: Exchange = async (request) => {
		this.requests.push({
			at: this.clock.time,
			path: request.path,
			query: new URLSearchParams(
				request.query?.map(([name, value]): [string, string] => [name, value]),
			).toString(),
		});
		return this.fault?.(request, this.#answer) ?? (await this.#answer(request));
	};

	/** A write of another program on the account. */
	send(method: string, path: string, body: unknown = ""): void {
		const { status } = this.simulator.handle({
			method,
			path,
			query: new URLSearchParams(),
			headers: { authorization: `Bearer ${KEY}` },
			body: typeof body === "string" ? body : JSON.stringify(body),
		});
		if (status >= 300) throw new Error(`${method} ${path}: ${status}`);
	}

	/** Requests for forecasts, answered or not. */
	get forecasts() {
		return this.requests.filter(isForecast);
	}
	/** Free reads. */
	get reads() {
		return this.requests.filter((request) => !isForecast(request));
	}
}

const isForecast = ({ path }: { path: string }) =>
	path.startsWith("/v2/forecast/");

/** An answer as no simulator gives it. */
export function wireAnswer(
	clock: FakeClock,
	status: number,
	body: unknown = "",
	headers: Record<string, string> = {},
): WireAnswer {
	return {
		status,
		headers: { date: new Date(clock.time).toUTCString(), ...headers },
		body: typeof body === "string" ? body : JSON.stringify(body),
	};
}

/** A house with one site at a service with short answers. */
export function household(
	start: string,
	plan?: Plan,
	options?: ConstructorParameters<typeof Service>[2],
): {
	clock: FakeClock;
	service: Service;
	house: House;
	storage: MemoryStorage;
} {
	const clock = new FakeClock(start);
	const service = new Service(clock, plan, options);
	const storage = new MemoryStorage();
	const house = new House(service.exchange, clock, storage);
	return { clock, service, house, storage };
}
