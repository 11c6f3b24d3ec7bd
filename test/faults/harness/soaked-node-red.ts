import assert from "node:assert/strict";
import { join } from "node:path";
import { freePort, NodeRed } from "../../support/node-red-process";

/** A Node-RED whose poller is on a clock that runs as fast as the host can follow: `soak-preload.ts`. */
export class SoakedNodeRed extends NodeRed {
	readonly #control: string;

	private constructor(
		userDir: string,
		env: Record<string, string>,
		control: string,
	) {
		super(userDir, env);
		this.#control = control;
	}

	/**
	 * @param start of its clock, ISO
	 * @param clockFile where its time is written, epoch ms, for services to read
	 */
	static async of(
		userDir: string,
		start: string,
		clockFile: string,
	): Promise<SoakedNodeRed> {
		const port = await freePort();
		const env = {
			NODE_OPTIONS: `--require ${require.resolve("tsx/cjs")} --require ${join(__dirname, "soak-preload.ts")}`,
			SOAK_PACKAGE: join(
				userDir,
				"node_modules/@solar-yield/node-red-solar-yield",
			),
			SOAK_START: start,
			SOAK_PORT: String(port),
			SOAK_CLOCK: clockFile,
		};
		return new SoakedNodeRed(userDir, env, `http://127.0.0.1:${port}`);
	}

	/** Lets time pass, with all that it causes. */
	async run(ms: number): Promise<void> {
		await this.#ask(`run/${ms}`);
	}

	/** What the process holds after a collection. */
	held(): Promise<any> {
		return this.#ask("held");
	}

	async #ask(path: string): Promise<unknown> {
		const response = await fetch(`${this.#control}/${path}`);
		const text = await response.text();
		assert.equal(response.status, 200, text);
		return JSON.parse(text);
	}
}
