// What the client makes of an answer's text.
const built = require("./package.cjs");
const { placeForecast } = built("src/forecast/forecast.js");
const { overBounds } = built("src/service/structure.js");
const { readForecast } = built("src/service/v2/forecast.js");

module.exports = (text, siteZone) => {
	if (overBounds(text)) throw new Error("over the bounds");
	return placeForecast(readForecast(JSON.parse(text)), { siteZone });
};
