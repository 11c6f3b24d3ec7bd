import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../test/support/node-red-process";
import { ROOT, temporary } from "./support";

const NAME = "@solar-yield/node-red-solar-yield";

/** What a Node-RED has used since it began. */
export interface Used {
	readonly cpuMs: number;
	/** Contents of files that our nodes wrote, and how many files that were. */
	readonly writtenBytes: number;
	readonly writtenFiles: number;
	/** Messages that have come to the end of the house's wires, by kind. */
	readonly received: Readonly<Record<"forecast" | "values", number>>;
}

/** What a Node-RED holds after a garbage collection. */
export interface Held {
	/** The heap, buffers, and what is outside of it. */
	readonly heapBytes: number;
	/** All pages of the process. */
	readonly residentBytes: number;
}

/** Messages that nodes of ours sent: by node, by what brought them about, by output. */
export type Sent = Readonly<Record<string, object>>;

/**
 * A Node-RED in a process of its own whose poller and nodes of ours run on a clock so
 * many times faster than the real one. Timers of other nodes run in real time.
 */
export class FastNodeRed {
	readonly #folder = mkdtempSync(temporary("fast-"));
	#child: ChildProcess | undefined;
	/** All that the process printed. */
	log = "";
	/** Where its HTTP nodes answer. */
	url = "";

	/**
	 * @param now the fast clock at a real epoch ms, as an expression of `real`
	 * @param speed how many times faster it is
	 * @param keys API keys by the id of their account node
	 * @param sent what function nodes find in global context as `recorded.sent`
	 */
	constructor(
		flows: readonly object[],
		{
			now,
			speed,
			keys,
			sent = {},
		}: {
			now: string;
			speed: number;
			keys: Readonly<Record<string, string>>;
			sent?: Sent;
		},
	) {
		const code = join(ROOT, "dist/nodes/node.js");
		if (!existsSync(code)) {
			throw new Error("dist/ is missing; run `npm run build` first");
		}
		const write = (name: string, content: object) =>
			writeFileSync(join(this.#folder, name), JSON.stringify(content));
		const modules = join(this.#folder, "node_modules");
		mkdirSync(join(modules, dirname(NAME)), { recursive: true });
		symlinkSync(ROOT, join(modules, NAME), "junction");
		write("package.json", {
			name: "bench",
			version: "0.0.1",
			dependencies: { [NAME]: "*" },
		});
		write("flows.json", flows);
		write("sent.json", sent);
		write(
			"flows_cred.json",
			Object.fromEntries(
				Object.entries(keys).map(([id, apiKey]) => [id, { apiKey }]),
			),
		);
		writeFileSync(
			join(this.#folder, "settings.js"),
			`const now = ((real) => () => ${now})(Date.now);
const house = require(${JSON.stringify(join(__dirname, "children/fast-clock.cjs"))})(${JSON.stringify(code)}, now, ${speed});
module.exports = { functionGlobalContext: { recorded: { ...house, sent: require("./sent.json") } }, uiPort: Number(process.env.BENCH_PORT), uiHost: "127.0.0.1", flowFile: "flows.json", credentialSecret: false, httpAdminRoot: false, logging: { console: { level: "info" } } };`,
		);
	}

	/** Resolves when its flows have started. */
	async start(): Promise<void> {
		const port = await freePort();
		this.url = `http://127.0.0.1:${port}`;
		const bin = join(
			dirname(require.resolve("node-red/package.json")),
			"red.js",
		);
		const child = fork(
			bin,
			["--userDir", this.#folder, "-s", join(this.#folder, "settings.js")],
			{
				silent: true,
				execArgv: ["--expose-gc"],
				env: { ...process.env, BENCH_PORT: String(port) },
			},
		);
		this.#child = child;
		await new Promise<void>((resolve, reject) => {
			const take = (chunk: Buffer) => {
				this.log += chunk.toString();
				const hasFlows = this.log.includes("Started flows");
				if (hasFlows && this.log.includes("Server now running")) resolve();
			};
			child.stdout?.on("data", take);
			child.stderr?.on("data", take);
			child.on("exit", () => reject(new Error(`Node-RED ended:\n${this.log}`)));
		});
	}

	used(): Promise<Used> {
		return this.#ask("used");
	}

	held(): Promise<Held> {
		return this.#ask("held");
	}

	/** What nodes of ours have sent within so many ms from now on. */
	async sent(withinMs: number): Promise<Sent> {
		this.#child?.send("record");
		await wait(withinMs);
		return this.#ask("sent");
	}

	async #ask<T>(what: string): Promise<T> {
		const child = this.#child as ChildProcess;
		child.send(what);
		const [answer] = await once(child, "message");
		return answer as T;
	}

	async kill(): Promise<void> {
		const child = this.#child;
		child?.removeAllListeners("exit");
		if (child?.exitCode === null) {
			const end = once(child, "exit");
			child.kill("SIGKILL");
			await end;
		}
		rmSync(this.#folder, { recursive: true, force: true });
	}
}
