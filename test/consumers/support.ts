import {
	type ChildProcess,
	execFileSync,
	spawn,
	spawnSync,
} from "node:child_process";
import { createWriteStream, mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { ROOT } from "../support/node-red-process";

/** Where other programs are installed; kept between runs. */
export const CACHE =
	process.env.SOLAR_YIELD_CONSUMERS ??
	join(ROOT, "node_modules/.cache/solar-yield-consumers");

/** A program that cannot be had on this machine. */
export class Missing extends Error {}

/** What a run of another program has shown, as lines to be read by people. */
export type Report = string[];

/** Runs a command whose failure means that the program cannot be had. */
export function install(
	what: string,
	command: string,
	args: string[],
	options: { cwd?: string; env?: NodeJS.ProcessEnv; input?: string } = {},
): string {
	const { status, error, stdout, stderr } = spawnSync(command, args, {
		encoding: "utf8",
		maxBuffer: 64 * 1024 * 1024,
		...options,
	});
	if (status === 0) return stdout;
	const said = (error?.message ?? stderr ?? "").trim().split("\n").slice(-2);
	throw new Missing(`${what}: ${said.join(" ")}`);
}

/** A Python of one of the given versions, the first that is there. */
export function python(...versions: string[]): string {
	for (const name of versions.map((version) => `python${version}`)) {
		try {
			execFileSync(name, ["-c", "import venv, ensurepip"], { stdio: "ignore" });
			return name;
		} catch {
			// Another may be there.
		}
	}
	throw new Missing(`there is no Python ${versions.join(" or ")}`);
}

export function freePort(): Promise<number> {
	return new Promise((resolve) => {
		const server = createServer().listen(0, "127.0.0.1", () => {
			const { port } = server.address() as { port: number };
			server.close(() => resolve(port));
		});
	});
}

/** Another program while it runs; its words go to a file. */
export class Program {
	readonly #child: ChildProcess;
	readonly #ended: Promise<number | null>;
	readonly log: string;

	constructor(
		command: string,
		args: string[],
		options: { cwd: string; env?: NodeJS.ProcessEnv; log: string },
	) {
		mkdirSync(options.cwd, { recursive: true });
		this.log = options.log;
		this.#child = spawn(command, args, {
			cwd: options.cwd,
			env: options.env ?? process.env,
			stdio: ["ignore", "pipe", "pipe"],
		});
		const out = createWriteStream(options.log);
		this.#child.stdout?.pipe(out);
		this.#child.stderr?.pipe(out, { end: false });
		this.#ended = new Promise((done) => this.#child.on("exit", done));
	}

	/** Exit code, once it has ended. */
	get ended(): Promise<number | null> {
		return this.#ended;
	}

	async stop(): Promise<void> {
		this.#child.kill();
		await this.#ended;
	}
}

/** Asks until something answers, for at most so many seconds. */
export async function answers(url: string, seconds: number): Promise<void> {
	for (let turn = 0; turn < seconds * 4; turn += 1) {
		try {
			await fetch(url);
			return;
		} catch {
			await new Promise((done) => setTimeout(done, 250));
		}
	}
	throw new Error(`nothing answers at ${url}`);
}
