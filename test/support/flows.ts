import { subscribe } from "node:diagnostics_channel";
import { mkdtempSync } from "node:fs";
import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import helper from "node-red-node-test-helper";
import { registration, TYPES } from "../../nodes/registration";
import type { AccountNode } from "../../nodes/shared/account-lookup";
import type { Hub } from "../../src/polling/hub";
import { useClock } from "../../src/polling/hubs";
import type { Clock } from "../../src/util/clock";
import { FakeClock } from "./fake-clock";
import { accountNode, forecastNode } from "./own-nodes";
import type { PlanName } from "./service/plans";
import { type SimulatorServer, startSimulatorServer } from "./service/server";
import { Simulator } from "./service/simulator";
import type { Variants } from "./service/variants";

helper.init(require.resolve("node-red"));

/** Requests of this process that have not ended. */
const requests = new Set<unknown>();
subscribe("http.client.request.start", (message) => {
	const { request } = message as { request: ClientRequest };
	requests.add(request);
	request.once("close", () => requests.delete(request));
});

export const KEY = "sk-test+secret/Key=0123456789";
export const SITE = "site_berlin";

type Message = Record<string, any>;
type Fault = (
	request: IncomingMessage,
	response: ServerResponse,
	next: () => void,
) => void;

/** The package's nodes by type, as Node-RED loads them. */
export const NODES: ReadonlyMap<string, any> = new Map(
	TYPES.map((name) => [`solar-yield-${name}`, registration(name)]),
);

/**
 * Flows in a real Node-RED runtime, against the simulator over real HTTP, on a
 * clock that moves when told.
 */
export class Flows {
	readonly clock: FakeClock;
	readonly simulator: Simulator;
	readonly userDir = mkdtempSync(join(tmpdir(), "solar-yield-flows-"));
	/** Replaces the simulator's answers while set. */
	fault: Fault | undefined;
	/** What is loaded; a test may put another module in place of a node's. */
	nodes: ReadonlyMap<string, any> = NODES;
	/** All that reached each helper node. */
	readonly received = new Map<string, Message[]>();
	#server: SimulatorServer | undefined;
	#calls = 0;

	constructor(
		start: string,
		plan: PlanName = "plus",
		variants: Partial<Variants> = {},
	) {
		this.clock = new FakeClock(start);
		this.simulator = new Simulator({ now: () => this.clock.time, variants });
		this.simulator.addAccount({ apiKey: KEY, plan });
		this.simulator.addSite(KEY, {
			id: SITE,
			name: "Berlin",
			latitude: 52.52,
			longitude: 13.4,
			strings: [
				{ id: "str_south", slope: 30, orientation: 180, power_kw: 6 },
				{ id: "str_west", slope: 20, orientation: 270, power_kw: 4 },
			],
		});
	}

	/** Puts nodes of a type on this clock. */
	onClock(
		type: string,
		open: (RED: any, node: any, config: any, clock: Clock) => void,
	): void {
		const name = type.replace("solar-yield-", "") as (typeof TYPES)[number];
		const onClock: typeof open = (RED, node, config) =>
			open(RED, node, config, this.clock);
		this.nodes = new Map([
			...this.nodes,
			[type, registration(name, onClock as never)],
		]);
	}

	async start(): Promise<void> {
		useClock(this.clock);
		this.#server = await startSimulatorServer(this.simulator, {
			intercept: (request, response, next) =>
				this.fault ? this.fault(request, response, next) : next(),
		});
		(helper as unknown as { settings(s: object): void }).settings({
			userDir: this.userDir,
		});
		await new Promise<void>((done) => helper.startServer(() => done()));
	}

	async stop(): Promise<void> {
		await helper.unload();
		await new Promise<void>((done) => helper.stopServer(() => done()));
		await this.#server?.close();
	}

	get url(): string {
		return this.#server?.url ?? "";
	}

	/** Requests that count against the forecast quota, as the service saw them. */
	get forecastRequests(): number {
		return this.simulator.requests.filter(({ path }) =>
			path.startsWith("/v2/forecast/"),
		).length;
	}

	account(more: object = {}): object {
		return accountNode({ baseUrl: this.url, siteId: SITE, ...more });
	}

	/** A forecast node with three helper nodes behind it: `<id>-1` to `<id>-3`. */
	forecast(id: string, more: object = {}): object[] {
		const outputs = [1, 2, 3].map((output) => `${id}-${output}`);
		return [
			forecastNode({ id, wires: outputs.map((output) => [output]), ...more }),
			...outputs.map((output) => ({ id: output, type: "helper", z: "tab" })),
		];
	}

	static catchNode = [
		{
			id: "catcher",
			type: "catch",
			z: "tab",
			scope: null,
			wires: [["caught"]],
		},
		{ id: "caught", type: "helper", z: "tab" },
	];

	/** @param wait whether to wait until all requests have ended */
	async load(
		flow: object[],
		apiKey: string | null = KEY,
		wait = true,
	): Promise<void> {
		await helper.load(
			[...this.nodes.values()],
			[{ id: "tab", type: "tab", label: "tab" }, ...flow] as never,
			(apiKey === null ? {} : { acc: { apiKey } }) as never,
			() => {},
		);
		this.#listen(flow);
		if (wait) await this.quiet();
	}

	/** A deploy of the running Node-RED. */
	async deploy(
		flow: object[],
		type: "full" | "nodes" | "flows" = "full",
		wait = true,
	): Promise<void> {
		// The helper's own `setFlows` gives up after 300 ms, which a busy machine may take.
		const { _redNodes, _events } = helper as any;
		const started = new Promise((done) => _events.once("flows:started", done));
		await _redNodes.setFlows(
			[{ id: "tab", type: "tab", label: "tab" }, ...flow],
			{},
			type,
		);
		await started;
		this.#listen(flow);
		if (wait) await this.quiet();
	}

	#listen(flow: object[]): void {
		for (const { id, type } of flow as { id: string; type: string }[]) {
			if (type !== "helper") continue;
			const list = this.received.get(id) ?? [];
			this.received.set(id, list);
			const node = helper.getNode(id) as any;
			if (!node || node.listening) continue;
			node.listening = true;
			node.on("input", (msg: Message) => list.push(msg));
		}
	}

	get hub(): Hub | undefined {
		return (helper.getNode("acc") as unknown as AccountNode | null)?.solarYield
			.account?.hub;
	}

	/** Waits until all that was started has ended: requests, files, messages. */
	settle = async (): Promise<void> => {
		await this.hub?.idle();
		// Messages travel through Node-RED in turns of the event loop of their own.
		for (let turn = 0; turn < 10; turn += 1) {
			await new Promise((done) => setImmediate(done));
		}
	};

	/** Waits until no request is under way and no message has arrived for a while. */
	async quiet(): Promise<void> {
		const count = () =>
			[...this.received.values()].reduce((sum, list) => sum + list.length, 0);
		for (let before = -1; before !== count() || requests.size > 0; ) {
			before = count();
			await this.settle();
			await new Promise((done) => setTimeout(done, 10));
		}
	}

	runFor(ms: number): Promise<void> {
		return this.clock.runTo(this.clock.time + ms, this.settle);
	}

	runTo(instant: string): Promise<void> {
		return this.clock.runTo(instant, this.settle);
	}

	/** Messages that a helper node got; emptied by `clear`. */
	of(id: string): Message[] {
		return this.received.get(id) ?? [];
	}

	clear(): void {
		for (const list of this.received.values()) list.length = 0;
	}

	/** Sends a message to a node; one behind a forecast, which waits for nothing but its file, has then dealt with it. */
	async input(id: string, msg: Message = {}): Promise<void> {
		const node = helper.getNode(id) as any;
		const isBehind = /-(now|sum|export|battery|window|learn)$/.test(node.type);
		const ended = isBehind ? this.#ended(id) : undefined;
		node.receive(msg);
		await ended;
		await this.quiet();
	}

	/** Resolves when a node is done with a message. */
	#ended(id: string): Promise<void> {
		const { hooks } = (helper as any)._RED;
		this.#calls += 1;
		const label = `call${this.#calls}`;
		return new Promise<void>((resolve) => {
			hooks.add(`onComplete.${label}`, ({ node }: Message) => {
				if (node.id !== id) return;
				hooks.remove(`*.${label}`);
				resolve();
			});
		});
	}

	/**
	 * Sends a message to a node and waits for what it ends in: the answers at
	 * `<id>-out`, or the error at `caught`.
	 */
	async call(
		id: string,
		msg: Message = {},
	): Promise<{ answers: Message[]; error?: Message }> {
		this.clear();
		const ended = this.#ended(id);
		(helper.getNode(id) as any).receive(msg);
		await ended;
		await this.quiet();
		const caught = this.of("caught").find((it) => it.error.source.id === id);
		return {
			answers: [...this.of(`${id}-out`)],
			...(caught && { error: caught.error }),
		};
	}

	status(id: string): Message | undefined {
		return (helper.getNode(id) as any).status.lastCall?.args[0];
	}
}
