import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export const ROOT = join(__dirname, "../..");

let tarball: string | undefined;

/** The package as a user gets it; packed once per run. */
export function packedTarball(): string {
	if (!tarball) {
		const folder = mkdtempSync(join(tmpdir(), "solar-yield-pack-"));
		const out = execFileSync(
			"npm",
			["pack", "--json", "--ignore-scripts", "--pack-destination", folder],
			{ cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
		);
		const packed = JSON.parse(out);
		const [{ filename }] = Array.isArray(packed)
			? packed
			: Object.values<any>(packed);
		tarball = join(folder, filename);
	}
	return tarball;
}

/** A fresh user directory with the packed package installed, without dev dependencies. */
export function installedUserDir(): string {
	const userDir = mkdtempSync(join(tmpdir(), "solar-yield-user-"));
	writeFileSync(
		join(userDir, "package.json"),
		JSON.stringify({ name: "user-dir", version: "0.0.1", private: true }),
	);
	execFileSync(
		"npm",
		[
			"install",
			"--omit=dev",
			"--no-audit",
			"--no-fund",
			"--prefer-offline",
			"--engine-strict",
			packedTarball(),
		],
		{ cwd: userDir, stdio: ["ignore", "ignore", "inherit"] },
	);
	return userDir;
}

function freePort(): Promise<number> {
	return new Promise((resolve) => {
		const server = createServer().listen(0, "127.0.0.1", () => {
			const { port } = server.address() as { port: number };
			server.close(() => resolve(port));
		});
	});
}

/** A real Node-RED in a process of its own. */
export class NodeRed {
	readonly userDir: string;
	readonly #env: Record<string, string>;
	#child: ChildProcess | undefined;
	port = 0;
	/** All that the process printed. */
	log = "";
	exitCode: number | null | undefined;

	constructor(userDir: string, env: Record<string, string> = {}) {
		this.userDir = userDir;
		this.#env = env;
	}

	/** Starts it with the given flows; resolves when they have started. */
	async start(flows?: object[]): Promise<void> {
		if (flows) {
			writeFileSync(join(this.userDir, "flows.json"), JSON.stringify(flows));
		}
		mkdirSync(this.userDir, { recursive: true });
		this.port = await freePort();
		writeFileSync(
			join(this.userDir, "settings.js"),
			`module.exports = { uiPort: ${this.port}, uiHost: "127.0.0.1", flowFile: "flows.json", credentialSecret: false, lang: "en-US", logging: { console: { level: "info" } }, editorTheme: { tours: false } };`,
		);
		const bin = join(
			dirname(require.resolve("node-red/package.json")),
			"red.js",
		);
		this.exitCode = undefined;
		const child = spawn(
			process.execPath,
			[bin, "--userDir", this.userDir, "-s", join(this.userDir, "settings.js")],
			{
				env: { ...process.env, ...this.#env },
				stdio: ["ignore", "pipe", "pipe"],
			},
		);
		this.#child = child;
		await new Promise<void>((resolve, reject) => {
			const take = (chunk: Buffer) => {
				this.log += chunk.toString();
				if (/Started flows|Waiting for missing/.test(this.log)) resolve();
			};
			child.stdout?.on("data", take);
			child.stderr?.on("data", take);
			child.on("exit", (code) => {
				this.exitCode = code;
				reject(new Error(`Node-RED ended with ${code}:\n${this.log}`));
			});
		});
	}

	get running(): boolean {
		return this.exitCode === undefined && this.#child !== undefined;
	}

	get url(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	/** Deploys flows over the admin API, as the editor does. */
	async deploy(
		flows: object[],
		credentials: Record<string, object> = {},
		type: "full" | "nodes" | "flows" = "full",
	): Promise<void> {
		const started = this.#starts() + 1;
		const response = await fetch(`${this.url}/flows`, {
			method: "POST",
			headers: {
				"Content-Type": "application/json",
				"Node-RED-API-Version": "v2",
				"Node-RED-Deployment-Type": type,
			},
			body: JSON.stringify({ flows, credentials }),
		});
		if (!response.ok) throw new Error(await response.text());
		// The answer comes before the flows have started.
		while (this.#starts() < started) {
			await new Promise((done) => setTimeout(done, 20));
		}
	}

	#starts(): number {
		return this.log.match(/Started (modified )?(flows|nodes)/g)?.length ?? 0;
	}

	/** Presses the button of an inject node. */
	async inject(id: string): Promise<void> {
		const response = await fetch(`${this.url}/inject/${id}`, {
			method: "POST",
		});
		if (!response.ok) throw new Error(`inject ${id}: ${response.status}`);
	}

	async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
		const child = this.#child;
		if (!child || this.exitCode !== undefined) return;
		await new Promise((resolve) => {
			child.removeAllListeners("exit");
			child.on("exit", (code) => {
				this.exitCode = code;
				resolve(code);
			});
			child.kill(signal);
		});
		this.log = "";
	}
}
