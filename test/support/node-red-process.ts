import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { chosenNodeRed, type Installation } from "./node-reds";
import { temporaryFolder } from "./temporary";

export const ROOT = join(__dirname, "../..");

let tarball: string | undefined;

/** The package as a user gets it; packed once per run. */
export function packedTarball(): string {
	if (!tarball) {
		const folder = temporaryFolder("pack");
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

let template: string | undefined;

/** A fresh user directory with the packed package installed, without dev dependencies; installed once per run. */
export function installedUserDir(): string {
	if (!template) {
		template = temporaryFolder("template");
		writeFileSync(
			join(template, "package.json"),
			JSON.stringify({ name: "user-dir", version: "0.0.1", private: true }),
		);
		execFileSync(
			"npm",
			[
				...["install", "--omit=dev", "--no-audit", "--no-fund"],
				...["--prefer-offline", "--engine-strict", packedTarball()],
			],
			{ cwd: template, stdio: ["ignore", "ignore", "inherit"] },
		);
	}
	const userDir = temporaryFolder("user");
	cpSync(template, userDir, { recursive: true });
	return userDir;
}

/** A port that nobody listens on. */
export function freePort(): Promise<number> {
	return new Promise((resolve) => {
		const server = createServer().listen(0, "127.0.0.1", () => {
			const { port } = server.address() as { port: number };
			server.close(() => resolve(port));
		});
	});
}

/** What the editor keeps of its user, whose name is `_` without a login. */
const WITHOUT_TIPS = JSON.stringify({
	_: { editor: { view: { "view-show-tips": false } } },
});

/** What its log says, in English and German. */
const STARTED =
	/Started (modified )?(flows|nodes)|(Flows|Nodes) sind gestartet/;
const MISSING = /Waiting for missing|Warten auf Registrierung/;
const RUNNING =
	/(?:Server now running|Server wird jetzt)[^\n]*?:(\d+)(?=[/\s])/;

/** A real Node-RED in a process of its own. */
export class NodeRed {
	readonly userDir: string;
	readonly #env: Record<string, string>;
	readonly #settings: object;
	readonly #installation: Installation;
	#child: ChildProcess | undefined;
	port = 0;
	/** All that the process printed. */
	log = "";

	/** `settings` are added to those of settings.js. */
	constructor(
		userDir: string,
		env: Record<string, string> = {},
		settings: object = {},
		installation: Installation = chosenNodeRed(),
	) {
		this.userDir = userDir;
		this.#env = env;
		this.#settings = settings;
		this.#installation = installation;
	}

	/** Starts it with the given flows; resolves when they have started and the server listens. */
	async start(flows?: object[]): Promise<void> {
		if (flows) {
			writeFileSync(join(this.userDir, "flows.json"), JSON.stringify(flows));
		}
		mkdirSync(this.userDir, { recursive: true });
		// An editor that is slow to load shows its first tip before there is a place for it,
		// and that is an error in the page.
		const users = join(this.userDir, ".config.users.json");
		if (!existsSync(users)) writeFileSync(users, WITHOUT_TIPS);
		const settings = {
			// One that is chosen before it listens may be another's by then.
			uiPort: 0,
			uiHost: "127.0.0.1",
			flowFile: "flows.json",
			credentialSecret: false,
			lang: "en-US",
			logging: { console: { level: "info" } },
			editorTheme: { tours: false },
			telemetry: { enabled: false, updateNotification: false },
			...this.#settings,
		};
		const settingsFile = join(this.userDir, "settings.js");
		writeFileSync(
			settingsFile,
			`module.exports = ${JSON.stringify(settings)};`,
		);
		const { node, red } = this.#installation;
		const child = spawn(
			node,
			[red, "--userDir", this.userDir, "-s", settingsFile],
			{
				env: { ...process.env, ...this.#env },
				stdio: ["ignore", "pipe", "pipe"],
			},
		);
		this.#child = child;
		const before = this.log.length;
		await new Promise<void>((resolve, reject) => {
			const take = (chunk: Buffer) => {
				this.log += chunk.toString();
				const said = this.log.slice(before);
				// It may say the one first, or the other.
				const hasFlows = STARTED.test(said) || MISSING.test(said);
				const [, port] = RUNNING.exec(said) ?? [];
				if (!hasFlows || port === undefined) return;
				this.port = Number(port);
				resolve();
			};
			child.stdout?.on("data", take);
			child.stderr?.on("data", take);
			child.on("exit", (code) => {
				this.#child = undefined;
				reject(new Error(`Node-RED ended with ${code}:\n${this.log}`));
			});
		});
	}

	get running(): boolean {
		return this.#child !== undefined;
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
		return this.log.match(new RegExp(STARTED, "g"))?.length ?? 0;
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
		if (!child) return;
		await new Promise((resolve) => {
			child.removeAllListeners("exit").on("exit", resolve);
			child.kill(signal);
		});
		this.#child = undefined;
		this.log = "";
	}
}
