const { readFileSync } = require("node:fs");
const { compare, input } = require("./compare.cjs");
const coreNodes = require("./core-nodes.cjs");
const ourForecast = require("./our-forecast.cjs");

const text = readFileSync(input.file, "utf8");
const { siteZone } = input;
void compare({
	floor: () => JSON.parse(text),
	ours: () => ourForecast(text, siteZone),
	core: () => coreNodes(text),
});
