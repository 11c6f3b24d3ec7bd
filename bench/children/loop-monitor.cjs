// Loaded into a Node-RED by --require: notes when its event loop was held up, and
// tells over HTTP on the port in BENCH_PORT.
const { createServer, get } = require("node:http");
const { setImmediate } = require("node:timers/promises");

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

/** The floor in the same process: `JSON.parse` of an answer that has just come. */
async function parse(url) {
	const response = await new Promise((resolve, reject) => {
		get(url, { agent: false }, resolve).on("error", reject);
	});
	const text = Buffer.concat(await response.toArray()).toString("utf8");
	await setImmediate();
	const start = performance.now();
	JSON.parse(text);
	return performance.now() - start;
}

// Node-RED is started through other processes, too: only one gets the port.
createServer((request, response) => {
	const { pathname, searchParams } = new URL(request.url, "http://bench");
	const answer = async () =>
		pathname === "/parse"
			? parse(searchParams.get("url"))
			: blocks.filter(
					({ at }) =>
						at >= Number(searchParams.get("from")) &&
						at <= Number(searchParams.get("to")),
				);
	answer().then(
		(body) => response.end(JSON.stringify(body)),
		(error) => response.writeHead(500).end(String(error)),
	);
})
	.on("error", () => {})
	.listen(Number(process.env.BENCH_PORT), "127.0.0.1")
	.unref();
