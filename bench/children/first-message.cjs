// From the file of a stored forecast to the first message of one node.
const built = require("./package.cjs");
const stateOf = require("./state.cjs");
const { readForecast } = built("src/service/v2/forecast-answer.js");
const { forecastMessages } = built("src/messages/forecast-messages.js");

module.exports = async (store, input) => {
	const { body } = await store.loadAnswer("site");
	const state = stateOf.known(readForecast(JSON.parse(body)), input);
	const presentation = stateOf.presentation(input);
	const [[first]] = forecastMessages(state, presentation, true, () => "parts");
	return first;
};
