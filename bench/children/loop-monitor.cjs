// Loaded into a Node-RED by --require: notes when its event loop was held up, and
// tells over HTTP on the port in BENCH_PORT.
const { readFileSync } = require("node:fs");
const { createServer } = require("node:http");

/** Shorter delays are timers' own, ms. */
const LEAST_MS = 3;
const blocks = [];
let last = performance.now();
setInterval(() => {
	const now = performance.now();
	if (now - last - 1 > LEAST_MS) {
		blocks.push({ at: Date.now(), ms: now - last - 1 });
	}
	last = now;
}, 1).unref();

/** The floor in the same process, as often as asked, a moment apart. */
async function parse(file, times) {
	const text = readFileSync(file, "utf8");
	const found = [];
	for (let time = 0; time < times; time += 1) {
		await new Promise((resolve) => setTimeout(resolve, 50));
		const start = performance.now();
		JSON.parse(text);
		found.push(performance.now() - start);
	}
	return found;
}

// Node-RED is started through other processes, too: only one gets the port.
createServer((request, response) => {
	const { pathname, searchParams } = new URL(request.url, "http://bench");
	const answer = async () =>
		pathname === "/parse"
			? parse(searchParams.get("file"), Number(searchParams.get("times")))
			: blocks.filter(({ at }) => at >= Number(searchParams.get("since")));
	void answer().then((body) => response.end(JSON.stringify(body)));
})
	.on("error", () => {})
	.listen(Number(process.env.BENCH_PORT), "127.0.0.1")
	.unref();
