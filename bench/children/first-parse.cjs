// The first answer of a process: no code is compiled for it yet.
const { readFileSync } = require("node:fs");
const clockOf = require("./clock-of.cjs");
const coreNodes = require("./core-nodes.cjs");
const ourForecast = require("./our-forecast.cjs");

const { file, siteZone, task } = JSON.parse(process.argv[2]);
const text = readFileSync(file, "utf8");
const tasks = {
	floor: () => JSON.parse(text),
	ours: () => ourForecast(text, siteZone),
	core: () => coreNodes(text),
};
const now = clockOf(text);
const start = now();
tasks[task]();
process.stdout.write(JSON.stringify({ ms: now() - start }));
