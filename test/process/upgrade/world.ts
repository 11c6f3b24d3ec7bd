import { join } from "node:path";
import { DAY_MS } from "../../../src/util/time";
import { Collector } from "../../support/collector";
import { NodeRed } from "../../support/node-red-process";
import {
	accountNode,
	forecastNode,
	historyNode,
} from "../../support/own-nodes";
import {
	type SimulatorServer,
	startSimulatorServer,
} from "../../support/service/server";
import { Simulator } from "../../support/service/simulator";
import type { ShiftedClock } from "../../support/shifted-clock";

/**
 * What older versions wrote: their flows and what they remember, without any key;
 * a folder for each form of the files, named by what tells it from the others.
 */
export const USER_DIRS = join(__dirname, "user-dirs");
/** The files and folders of a user directory that count. */
export const KEPT = ["flows.json", "flows_cred.json", "solar-yield"];

const KEY = "sk-upgrade-secret";
/** What is remembered is bound to the address: a name that leads to any port. */
const HOST = "http://service.test";

/** A house with one site, at a service and a Node-RED that share a clock. */
export class UpgradeWorld {
	readonly collector = new Collector();
	readonly simulator: Simulator;
	#service: SimulatorServer | undefined;
	readonly #clock: ShiftedClock;

	constructor(clock: ShiftedClock) {
		this.#clock = clock;
		this.simulator = new Simulator({ now: clock.now });
		this.simulator.addAccount({ apiKey: KEY, plan: "free" });
		this.simulator.addSite(KEY, {
			id: "site_barn",
			name: "Barn",
			latitude: 52.5,
			longitude: 13.4,
			strings: [{ id: "str_a", slope: 30, orientation: 180, power_kw: 5 }],
		});
	}

	async start(): Promise<void> {
		await this.collector.start();
		this.#service = await startSimulatorServer(this.simulator, {
			intercept: (request, _response, next) => {
				request.url = request.url?.replace(HOST, "") ?? "/";
				next();
			},
		});
	}

	async stop(): Promise<void> {
		await this.#service?.close();
		await this.collector.stop();
	}

	/** Requests that count. */
	get requests(): number {
		return this.simulator.requests.filter(({ path }) =>
			/^\/v2\/(forecast|historical)\//.test(path),
		).length;
	}

	/** A Node-RED of this house, once the house has started. */
	nodeRed(userDir: string): NodeRed {
		const proxy = (this.#service as SimulatorServer).url;
		return new NodeRed(userDir, {
			...this.#clock.env,
			SOLAR_YIELD_KEY: KEY,
			SOLAR_YIELD_TEST_COLLECTOR: this.collector.url,
			HTTP_PROXY: proxy,
			http_proxy: proxy,
			NO_PROXY: "127.0.0.1",
			no_proxy: "127.0.0.1",
		});
	}

	/** The flow of a house, of properties that the first version had. */
	flows(): object[] {
		const z = "tab";
		// Over in every zone: what is kept of running days is not served again.
		const date = new Date(this.#clock.now() - 2 * DAY_MS)
			.toISOString()
			.slice(0, 10);
		const outputs = [
			...["one", "two", "three", "status", "caught"],
			...["past", "assistant"],
		].map((tag) => {
			const { entry, nodes } = this.collector.nodes(tag, z);
			// Where the collector listens is known when Node-RED starts.
			return {
				entry,
				nodes: nodes.map((node) =>
					"url" in node
						? { ...node, url: "${SOLAR_YIELD_TEST_COLLECTOR}" }
						: node,
				),
			};
		});
		const wires = outputs.map(({ entry }) => [entry]);
		return [
			{ id: z, type: "tab", label: "house" },
			accountNode({ baseUrl: HOST, siteId: "site_barn" }),
			forecastNode({
				include: ["default", "strings"],
				wires: [[...(wires[0] as string[]), "export"], wires[1], wires[2]],
			}),
			historyNode({
				period: "",
				startDate: date,
				endDate: date,
				wires: [wires[5]],
			}),
			{
				id: "export",
				type: "solar-yield-export",
				z,
				name: "",
				format: "home-assistant",
				prefix: "homeassistant",
				wires: [wires[6]],
			},
			{ id: "press", type: "inject", z, props: [], wires: [["fc"]] },
			{ id: "press-past", type: "inject", z, props: [], wires: [["hist"]] },
			{ id: "st", type: "status", z, scope: ["fc"], wires: [wires[3]] },
			{ id: "ca", type: "catch", z, scope: null, wires: [wires[4]] },
			...outputs.flatMap(({ nodes }) => nodes),
		];
	}

	/** The key is a variable of the environment: no file holds it. */
	readonly credentials = { acc: { apiKey: "${SOLAR_YIELD_KEY}" } };
}
