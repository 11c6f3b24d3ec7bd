// What the client makes of an answer's text.
const built = require("./package.cjs");
const { placeForecast } = built("src/forecast/forecast.js");
const { overBounds } = built("src/service/http/json-limits.js");
const { readForecast } = built("src/service/v2/forecast-answer.js");

module.exports = (text, siteZone) => {
	if (overBounds(text)) throw new Error("over the bounds");
	return placeForecast(readForecast(JSON.parse(text)), { siteZone });
};
