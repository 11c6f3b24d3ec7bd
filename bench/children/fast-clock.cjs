// Loaded by the settings of a Node-RED that a bench has started: puts our nodes on a
// fast clock, counts what they write, and tells the parent what was used when asked.
const fs = require("node:fs/promises");

let writtenBytes = 0;
let writtenFiles = 0;

/** Counts the contents of files written through one of an object's methods. */
function count(object, method, contentOf) {
	const write = object[method];
	object[method] = function counted(...args) {
		writtenBytes += Buffer.byteLength(contentOf(args));
		writtenFiles += 1;
		return write.apply(this, args);
	};
}

process.on("message", (what) => {
	if (what === "used") {
		const { user, system } = process.cpuUsage();
		process.send({
			cpuMs: (user + system) / 1000,
			writtenBytes,
			writtenFiles,
		});
	} else {
		global.gc();
		const { heapUsed, external, rss } = process.memoryUsage();
		process.send({ heapBytes: heapUsed + external, residentBytes: rss });
	}
});

/**
 * @param code path of the built package
 * @param now the fast clock's time, epoch ms
 * @param speed how many times faster than the real one it is
 */
module.exports = (code, now, speed) => {
	const clock = {
		now,
		monotonic: now,
		set: (callback, delayMs) => setTimeout(callback, delayMs / speed),
		clear: clearTimeout,
		onJump: () => () => {},
	};
	void fs.open(__filename).then(async (handle) => {
		count(Object.getPrototypeOf(handle), "writeFile", ([content]) => content);
		await handle.close();
		count(fs, "writeFile", ([, content]) => content);
		const built = require(code);
		built.useClock(clock);
		const opened = Object.entries(built)
			.filter(([name]) => /^open[A-Z]/.test(name))
			.map(([name, open]) => [
				name,
				(RED, node, config) => open(RED, node, config, clock),
			]);
		require.cache[code].exports = { ...built, ...Object.fromEntries(opened) };
	});
};
