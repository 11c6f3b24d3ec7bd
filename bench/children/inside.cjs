// Loaded into a Node-RED before all else: tells over HTTP on BENCH_PORT what its
// process uses and how long its event loop stood still. Our nodes run on the fast
// clock BENCH_CLOCK; timers of other nodes run in real time.
const { createServer } = require("node:http");
const { readFileSync } = require("node:fs");
const fs = require("node:fs/promises");
const v8 = require("node:v8");

const { BENCH_PORT, BENCH_CLOCK, BENCH_CODE } = process.env;
v8.setFlagsFromString("--expose-gc");
const gc = require("node:vm").runInNewContext("gc");

let writtenBytes = 0;
/** Counts the contents of files written through one of an object's methods. */
function count(object, method, contentOf) {
	const write = object[method];
	object[method] = function counted(...args) {
		writtenBytes += Buffer.byteLength(contentOf(args));
		return write.apply(this, args);
	};
}
void fs.open(__filename).then(async (handle) => {
	count(Object.getPrototypeOf(handle), "writeFile", ([content]) => content);
	await handle.close();
	count(fs, "writeFile", ([, content]) => content);
});

/** The longest time between two turns of the event loop since it was last asked for, ms. */
let longest = 0;
let last = performance.now();
setInterval(() => {
	const now = performance.now();
	longest = Math.max(longest, now - last - 1);
	last = now;
}, 1).unref();

const answers = {
	used: () => {
		const { user, system } = process.cpuUsage();
		return { cpuMs: (user + system) / 1000, writtenBytes };
	},
	held: () => {
		for (let n = 0; n < 4; n += 1) gc();
		const { heapUsed, external } = process.memoryUsage();
		return heapUsed + external;
	},
	block: () => {
		const since = longest;
		longest = 0;
		return since;
	},
	// The floor: `JSON.parse` of a text that has just come.
	parse: (file) => {
		const text = readFileSync(file, "utf8");
		const begin = performance.now();
		JSON.parse(text);
		return performance.now() - begin;
	},
};
createServer((request, response) => {
	const { pathname, searchParams } = new URL(request.url, "http://bench");
	const answer = answers[pathname.slice(1)](searchParams.get("file"));
	response.end(JSON.stringify(answer));
})
	// What Node-RED starts itself finds the port taken.
	.on("error", () => {})
	.listen(Number(BENCH_PORT), "127.0.0.1")
	.unref();

const { begin, start, speed } = JSON.parse(BENCH_CLOCK);
const now = () => start + (Date.now() - begin) * speed;
const clock = {
	now,
	monotonic: now,
	set: (callback, delayMs) => setTimeout(callback, delayMs / speed),
	clear: clearTimeout,
	onJump: () => () => {},
};
const built = require(BENCH_CODE);
built.useClock(clock);
const opened = Object.entries(built)
	.filter(([name]) => /^open[A-Z]/.test(name))
	.map(([name, open]) => [
		name,
		(RED, node, config) => open(RED, node, config, clock),
	]);
require.cache[BENCH_CODE].exports = {
	...built,
	...Object.fromEntries(opened),
};
