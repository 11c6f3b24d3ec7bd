import type { Variants } from "../../src/simulator/answers/variants";
import type { Plan, PlanName } from "../../src/simulator/plans";
import { Simulator, type SiteSeed } from "../../src/simulator/simulator";

export const KEY = "test-key-1234567890";

/** An answer with its body read. */
interface Answer {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly text: string;
	/** Parsed; null when it is not JSON. */
	readonly json: any;
}

/** A simulator with one account and a clock that stands still until it is set. */
export class World {
	now: number;
	readonly simulator: Simulator;

	constructor(
		at: string,
		plan: PlanName | Plan = "plus",
		variants: Partial<Variants> = {},
	) {
		this.now = Date.parse(at);
		this.simulator = new Simulator({ now: () => this.now, variants });
		this.simulator.addAccount({ apiKey: KEY, plan });
	}

	set(at: string): void {
		this.now = Date.parse(at);
	}

	addSite(seed: Partial<SiteSeed> = {}) {
		return this.simulator.addSite(KEY, {
			id: "site_a",
			name: "House",
			latitude: 52.52,
			longitude: 13.41,
			strings: [
				{ id: "str_east", slope: 30, orientation: 90, power_kw: 4 },
				{ id: "str_west", slope: 30, orientation: 270, power_kw: 6 },
			],
			...seed,
		});
	}

	/** Sends a request with the account's key; `query` as in a URL. */
	send(
		method: string,
		path: string,
		query = "",
		body?: unknown,
		key = KEY,
	): Answer {
		const answer = this.simulator.handle({
			method,
			path,
			query: new URLSearchParams(query),
			headers: { authorization: `Bearer ${key}` },
			body: body === undefined ? "" : JSON.stringify(body),
		});
		return {
			status: answer.status,
			headers: answer.headers,
			text: answer.body,
			json: answer.headers["content-type"]?.startsWith("application/json")
				? JSON.parse(answer.body || "null")
				: null,
		};
	}

	get(path: string, query = ""): Answer {
		return this.send("GET", path, query);
	}

	forecast(query = "", id = "site_a"): Answer {
		return this.get(`/v2/forecast/${id}`, query);
	}
}

/** Places in zones that are hard to get right. */
export const PLACES = {
	berlin: { latitude: 52.52, longitude: 13.41 },
	kathmandu: { latitude: 27.72, longitude: 85.32 },
	stJohns: { latitude: 47.56, longitude: -52.71 },
	apia: { latitude: -13.83, longitude: -171.77 },
	tromso: { latitude: 69.65, longitude: 18.96 },
} as const;
