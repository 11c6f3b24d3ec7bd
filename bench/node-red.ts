import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, NodeRed } from "../test/support/node-red-process";
import { KEY, ROOT, temporary } from "./support";

const NAME = "@solar-yield/node-red-solar-yield";

/** A clock that shows `start` at the real time `begin`, epoch ms, and runs so many times faster. */
export interface FastClock {
	readonly begin: number;
	readonly start: number;
	readonly speed: number;
}

export const fastClock = (start: number, speed: number): FastClock => ({
	begin: Date.now(),
	start,
	speed,
});
export const timeOf = ({ begin, start, speed }: FastClock) =>
	start + (Date.now() - begin) * speed;

/** A real Node-RED in a process of its own, with this package, that tells what it uses. */
export class BenchNodeRed {
	readonly nodeRed: NodeRed;
	#port = 0;

	private constructor(nodeRed: NodeRed, port: number) {
		this.nodeRed = nodeRed;
		this.#port = port;
	}

	/** Resolves when its flows have started; `acc` is the id of the account that gets the key. */
	static async start(flows: object[], clock: FastClock): Promise<BenchNodeRed> {
		const folder = mkdtempSync(temporary("user-"));
		const write = (name: string, content: object) =>
			writeFileSync(join(folder, name), JSON.stringify(content));
		const scope = join(folder, "node_modules/@solar-yield");
		mkdirSync(scope, { recursive: true });
		symlinkSync(ROOT, join(folder, "node_modules", NAME), "junction");
		write("package.json", { name: "bench", dependencies: { [NAME]: "*" } });
		write("flows_cred.json", { acc: { apiKey: KEY } });
		const port = await freePort();
		const nodeRed = new NodeRed(folder, {
			NODE_OPTIONS: `--require ${join(__dirname, "children/inside.cjs")}`,
			BENCH_PORT: String(port),
			BENCH_CLOCK: JSON.stringify(clock),
			BENCH_CODE: join(ROOT, "dist/nodes/node.js"),
		});
		await nodeRed.start(flows);
		return new BenchNodeRed(nodeRed, port);
	}

	/** What a name of `children/inside.cjs` answers. */
	async ask<T>(what: string): Promise<T> {
		const response = await fetch(`http://127.0.0.1:${this.#port}/${what}`);
		if (!response.ok) throw new Error(await response.text());
		return (await response.json()) as T;
	}
}
