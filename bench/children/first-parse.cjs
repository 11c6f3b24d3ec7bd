// The first answer of a process: no code is compiled for it yet.
const { readFileSync } = require("node:fs");
const built = require("./package.cjs");
const clockOf = require("./clock-of.cjs");
const coreNodes = require("./core-nodes.cjs");
const { placeForecast } = built("src/forecast/forecast.js");
const { overBounds } = built("src/service/structure.js");
const { readForecast } = built("src/service/v2/forecast.js");

const { file, siteZone, task } = JSON.parse(process.argv[2]);
const text = readFileSync(file, "utf8");
const tasks = {
	floor: () => JSON.parse(text),
	ours: () => {
		if (overBounds(text)) throw new Error("over the bounds");
		return placeForecast(readForecast(JSON.parse(text)), { siteZone });
	},
	core: () => coreNodes(text),
};
const now = clockOf(text);
const start = now();
tasks[task]();
process.stdout.write(JSON.stringify({ ms: now() - start }));
