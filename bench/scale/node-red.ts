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
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ManySites } from "./service";

const ROOT = join(__dirname, "../..");
const NAME = "@solar-yield/node-red-solar-yield";

/** What polls cost a Node-RED in a process of its own. */
interface NodeRedCost {
	readonly sites: number;
	readonly nodes: number;
	readonly polls: number;
	/** CPU of a poll, ms: all that the process did in the time, divided by the polls. */
	readonly cpuMs: number;
}

/** How many times faster than the real ones the clocks of poller and service run. */
const SPEED = 10;

/**
 * The service over HTTP, that has a newer forecast each second: so each site is
 * polled as soon as its spread of 5 to 30 s lets it.
 */
async function serve(service: ManySites): Promise<Server> {
	const server = createServer((request, response) => {
		const { status, headers, body } = service.answer(
			(request.url ?? "").split("?")[0] ?? "",
		);
		const time = (ms: number) => new Date(service.now() + ms).toISOString();
		response.writeHead(status, headers);
		response.end(
			body
				.replace(/"computed_at":"[^"]*"/, `"computed_at":"${time(0)}"`)
				.replace(/"next_poll_at":"[^"]*"/, `"next_poll_at":"${time(1000)}"`),
		);
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return server;
}

function flowsOf(baseUrl: string, sites: number, nodes: number): object[] {
	return [
		{ id: "tab", type: "tab", label: "Bench" },
		{
			id: "account",
			type: "solar-yield-account",
			name: "",
			baseUrl,
			demo: false,
			siteId: "",
			budget: "",
			reserve: "",
			interval: "end",
		},
		...Array.from({ length: nodes }, (_, index) => ({
			id: `node${index}`,
			type: "solar-yield-forecast",
			z: "tab",
			name: "",
			account: "account",
			siteId: `site-${1 + (index % sites)}`,
			source: "site",
			inline: "",
			intervalHours: "",
			include: ["default", "strings"],
			forecastDays: "",
			pastDays: "0",
			timezone: "local",
			poll: "auto",
			topic: "",
			// What goes to further wires Node-RED copies itself: that cost is its own.
			wires: [["end"], [], []],
		})),
		{ id: "end", type: "junction", z: "tab", wires: [[]] },
	];
}

/**
 * A user directory whose Node-RED tells its parent what CPU it has used, when
 * asked, and whose poller runs on a fast clock.
 *
 * @param begin epoch ms at which the fast clock shows the real time
 */
function userDir(flows: object[], begin: number): string {
	if (!existsSync(join(ROOT, "dist/nodes/node.js"))) {
		throw new Error("dist/ is missing; run `npm run build` first");
	}
	const folder = mkdtempSync(join(tmpdir(), "solar-yield-scale-"));
	mkdirSync(join(folder, "node_modules", dirname(NAME)), { recursive: true });
	symlinkSync(ROOT, join(folder, "node_modules", NAME), "junction");
	const dependencies = { [NAME]: "*" };
	const write = (name: string, content: object) =>
		writeFileSync(join(folder, name), JSON.stringify(content));
	write("package.json", { name: "bench", version: "0.0.1", dependencies });
	write("flows.json", flows);
	write("flows_cred.json", { account: { apiKey: "key" } });
	writeFileSync(
		join(folder, "settings.js"),
		`process.on("message", () => process.send(process.cpuUsage()));
const now = () => ${begin} + (Date.now() - ${begin}) * ${SPEED};
require(${JSON.stringify(join(ROOT, "dist/nodes/node.js"))}).useClock({
	now, monotonic: now, clear: clearTimeout,
	set: (callback, delayMs) => setTimeout(callback, delayMs / ${SPEED}),
});
module.exports = { uiPort: 0, uiHost: "127.0.0.1", flowFile: "flows.json", credentialSecret: false, httpAdminRoot: false, logging: { console: { level: "info" } } };`,
	);
	return folder;
}

async function started(child: ChildProcess): Promise<void> {
	let log = "";
	await new Promise<void>((resolve, reject) => {
		const take = (chunk: Buffer) => {
			log += chunk.toString();
			if (log.includes("Started flows")) resolve();
		};
		child.stdout?.on("data", take);
		child.stderr?.on("data", take);
		child.on("exit", () => reject(new Error(`Node-RED ended:\n${log}`)));
	});
}

/**
 * Runs a real Node-RED with so many forecast nodes on so many sites.
 *
 * @param spanMs how long it is measured, after all sites have been polled twice
 */
export async function nodeRedCost(
	sites: number,
	nodes: number,
	spanMs: number,
): Promise<NodeRedCost> {
	const begin = Date.now();
	const service = new ManySites(
		() => begin + (Date.now() - begin) * SPEED,
		"include=default&include=strings&forecast_days=1",
	);
	const server = await serve(service);
	const { port } = server.address() as AddressInfo;
	const flows = flowsOf(`http://127.0.0.1:${port}`, sites, nodes);
	const folder = userDir(flows, begin);
	const bin = join(dirname(require.resolve("node-red/package.json")), "red.js");
	const settings = join(folder, "settings.js");
	const child = fork(bin, ["--userDir", folder, "-s", settings], {
		silent: true,
		execArgv: [],
	});
	const cpuMs = async () => {
		child.send("cpu");
		const [{ user, system }] = await once(child, "message");
		return (user + system) / 1000;
	};
	const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));
	try {
		await started(child);
		while (service.polls < 2 * sites) await wait(100);
		const asked = service.polls;
		const before = await cpuMs();
		await wait(spanMs);
		const polls = service.polls - asked;
		return { sites, nodes, polls, cpuMs: ((await cpuMs()) - before) / polls };
	} finally {
		child.removeAllListeners("exit");
		const end = once(child, "exit");
		child.kill("SIGKILL");
		await end;
		server.closeAllConnections();
		server.close();
		rmSync(folder, { recursive: true, force: true });
	}
}
