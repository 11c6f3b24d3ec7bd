import { join } from "node:path";
import {
	type SimulatorServer,
	startSimulatorServer,
} from "../../../src/simulator/server";
import { Simulator } from "../../../src/simulator/simulator";
import { Collector } from "../../support/collector";
import { NodeRed } from "../../support/node-red-process";
import { accountNode, forecastNode } from "../../support/own-nodes";

/** What an older version wrote: its flows and what it remembers, without any key. */
export const USER_DIR = join(__dirname, "user-dir");
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
	readonly #shift: number;

	/** @param shift how far the clock is from the real one, ms */
	constructor(shift: number) {
		this.#shift = shift;
		this.simulator = new Simulator({ now: () => Date.now() + shift });
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
			path.startsWith("/v2/forecast/"),
		).length;
	}

	/** A Node-RED of this house, once the house has started. */
	nodeRed(userDir: string): NodeRed {
		const proxy = (this.#service as SimulatorServer).url;
		return new NodeRed(userDir, {
			SOLAR_YIELD_KEY: KEY,
			SOLAR_YIELD_TEST_SHIFT: String(this.#shift),
			SOLAR_YIELD_TEST_COLLECTOR: this.collector.url,
			NODE_OPTIONS: `--require ${JSON.stringify(join(__dirname, "clock.cjs"))}`,
			HTTP_PROXY: proxy,
			http_proxy: proxy,
			NO_PROXY: "127.0.0.1",
			no_proxy: "127.0.0.1",
		});
	}

	/** The flow of a house, of properties that the first version had. */
	flows(): object[] {
		const z = "tab";
		const outputs = ["one", "two", "three", "status", "caught"].map((tag) => {
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
				wires: wires.slice(0, 3),
			}),
			{ id: "press", type: "inject", z, props: [], wires: [["fc"]] },
			{ id: "st", type: "status", z, scope: ["fc"], wires: [wires[3]] },
			{ id: "ca", type: "catch", z, scope: null, wires: [wires[4]] },
			...outputs.flatMap(({ nodes }) => nodes),
		];
	}

	/** The key is a variable of the environment: no file holds it. */
	readonly credentials = { acc: { apiKey: "${SOLAR_YIELD_KEY}" } };
}
