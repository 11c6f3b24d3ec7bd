// What the client makes of an answer's text.
const built = require("./package.cjs");
const { placeForecast } = built("src/forecast/forecast.js");
const { readForecast } = built("src/service/v2/forecast-answer.js");

module.exports = (text, siteZone) =>
	placeForecast(readForecast(JSON.parse(text)), { siteZone });
