import type { Exchange, WireAnswer } from "../../src/service/http/exchange";
import { QUARTER_MS } from "../../src/util/time";
import { Simulator } from "../../test/support/service/simulator";

const KEY = "key";
const TEMPLATE = "site-0";
const SLOT_MS = QUARTER_MS;

/**
 * A service with as many sites as anybody asks for: the simulator answers for
 * one, once per slot, and what it says is said of all others under their ids. So
 * what a poll costs here is what it costs the poller.
 */
export class ManySites {
	readonly #simulator: Simulator;
	readonly #query: string;
	readonly #answers = new Map<string, WireAnswer>();
	#slot = 0;
	/** Requests for forecasts. */
	polls = 0;

	/**
	 * @param now the service's clock, epoch ms
	 * @param query what forecasts hold, whatever they are asked for
	 */
	constructor(
		readonly now: () => number,
		query: string,
	) {
		this.#query = query;
		this.#simulator = new Simulator({ now });
		this.#simulator.addAccount({ apiKey: KEY, plan: "unmetered" });
		this.#simulator.addSite(KEY, {
			id: TEMPLATE,
			name: "Bench",
			latitude: 52.52,
			longitude: 13.4,
			strings: [
				{ id: "str_south", slope: 30, orientation: 180, power_kw: 6 },
				{ id: "str_west", slope: 20, orientation: 270, power_kw: 4 },
			],
		});
	}

	/** @param path of the list of sites, a site or its forecast */
	answer(path: string): WireAnswer {
		const [, , kind, id = ""] = path.split("/");
		const isForecast = kind === "forecast";
		if (isForecast) this.polls += 1;
		const slot = Math.floor(this.now() / SLOT_MS);
		if (slot !== this.#slot) this.#answers.clear();
		this.#slot = slot;
		const asked = id === "" ? path : `/v2/${kind}/${TEMPLATE}`;
		let answer = this.#answers.get(asked);
		if (!answer) {
			answer = this.#simulator.handle({
				method: "GET",
				path: asked,
				query: new URLSearchParams(isForecast ? this.#query : ""),
				headers: { authorization: `Bearer ${KEY}` },
				body: "",
			});
			if (answer.status !== 200) throw new Error(answer.body);
			this.#answers.set(asked, answer);
		}
		return {
			...answer,
			headers: { ...answer.headers, date: new Date(this.now()).toUTCString() },
			body: answer.body.replace(TEMPLATE, id),
		};
	}

	exchange: Exchange = async ({ path }) => this.answer(path);
}
