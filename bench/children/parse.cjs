const { readFileSync } = require("node:fs");
const built = require("./package.cjs");
const { compare, input } = require("./compare.cjs");
const coreNodes = require("./core-nodes.cjs");
const { placeForecast } = built("src/forecast/forecast.js");
const { overBounds } = built("src/service/structure.js");
const { readForecast } = built("src/service/v2/forecast.js");

const text = readFileSync(input.file, "utf8");
const { siteZone } = input;
void compare({
	floor: () => JSON.parse(text),
	ours: () => {
		if (overBounds(text)) throw new Error("over the bounds");
		return placeForecast(readForecast(JSON.parse(text)), { siteZone });
	},
	core: () => coreNodes(text),
});
