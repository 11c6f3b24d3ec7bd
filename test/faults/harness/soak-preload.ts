import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";
import { FakeClock } from "../../support/fake-clock";

/**
 * Loaded into a Node-RED before everything else. It puts the package on a clock
 * that runs as fast as the host can follow, and answers on a port of its own:
 * `/run/<ms>` when so much time has passed and all that it caused is done, `/held`
 * with what the process holds after a collection.
 */
const {
	SOAK_PACKAGE = "",
	SOAK_START = "",
	SOAK_PORT = "",
	/** Where the time is written, so that the service can read it. */
	SOAK_CLOCK = "",
} = process.env;

/** A clock that tells the time to another process before anything happens at it. */
class SharedClock extends FakeClock {
	override set(callback: () => void, delayMs: number) {
		return super.set(() => {
			this.share();
			callback();
		}, delayMs);
	}
	share(): void {
		writeFileSync(SOAK_CLOCK, String(this.time));
	}
}

function main(): void {
	const clock = new SharedClock(SOAK_START);
	clock.share();
	const { hubsIdle, useClock } = require(`${SOAK_PACKAGE}/dist/nodes/node.js`);
	useClock(clock);
	setFlagsFromString("--expose_gc");
	const collect = runInNewContext("gc") as () => void;

	async function settle(): Promise<void> {
		await hubsIdle();
		await new Promise((done) => setImmediate(done));
	}
	const answers: Readonly<
		Record<string, (parameter: string) => Promise<unknown>>
	> = {
		async run(ms) {
			await clock.runTo(clock.time + Number(ms), settle);
			clock.share();
		},
		async held() {
			collect();
			collect();
			const { heapUsed, external } = process.memoryUsage();
			const handles: Record<string, number> = {};
			for (const name of process.getActiveResourcesInfo()) {
				handles[name] = (handles[name] ?? 0) + 1;
			}
			return { heapUsed, external, handles, timers: clock.timers };
		},
	};
	createServer((request, response) => {
		const [, name = "", parameter = ""] = (request.url ?? "").split("/");
		answers[name]?.(parameter).then(
			(answer) => response.end(JSON.stringify(answer ?? {})),
			(error) => response.writeHead(500).end(String(error?.stack)),
		);
	})
		.listen(Number(SOAK_PORT), "127.0.0.1")
		.unref();
}

// Processes and threads that Node-RED starts inherit its options.
if (isMainThread && /red\.js$/.test(process.argv[1] ?? "")) main();
