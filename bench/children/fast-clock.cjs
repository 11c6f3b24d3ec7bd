// Loaded by the settings of a Node-RED that a bench has started: puts our nodes on a
// fast clock, counts what they write, and tells the parent what was used when asked,
// and what they have sent.
const fs = require("node:fs/promises");
const { hooks } = require("@node-red/util");

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

/** Sorts the messages that a node receives by what it sends at them. */
function kindOf({ topic, res, payload }) {
	if (topic === "time") return "time";
	return res ? "request" : payload?.values ? "forecast" : "values";
}

/** How many messages of each kind have come to the end of the house's wires. */
const received = { forecast: 0, values: 0 };
const sent = {};

/** Notes the last messages that each node of ours sent at a message of each kind, or by its clock. */
function record() {
	const kinds = new Map();
	hooks.add("onReceive.bench", ({ msg, destination }) => {
		kinds.set(`${destination.id} ${msg._msgid}`, kindOf(msg));
	});
	hooks.add("onSend.bench", (events) => {
		if (events.length === 0) return;
		const { node } = events[0].source;
		if (!node.type.startsWith("solar-yield-")) return;
		const kind = kinds.get(`${node.id} ${events[0].msg._msgid}`) ?? "time";
		const outputs = node.wires.map(() => new Set());
		for (const { msg, source } of events) outputs[source.port].add(msg);
		sent[node.id] ??= {};
		sent[node.id][kind] = outputs.map((messages) =>
			[...messages].map(({ req, res, ...message }) => structuredClone(message)),
		);
	});
}

process.on("message", (what) => {
	if (what === "record") record();
	else if (what === "sent") process.send(sent);
	else if (what === "used") {
		const { user, system } = process.cpuUsage();
		process.send({
			cpuMs: (user + system) / 1000,
			writtenBytes,
			writtenFiles,
			received,
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
 * @returns what function nodes of the house use
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
	return { kindOf, received };
};
