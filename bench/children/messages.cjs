const { readFileSync } = require("node:fs");
const { util } = require("@node-red/util");
const built = require("./package.cjs");
const { compare, input } = require("./compare.cjs");
const coreNodes = require("./core-nodes.cjs");
const stateOf = require("./state.cjs");
const { readForecast } = built("src/service/v2/forecast.js");
const { forecastMessages } = built("src/polling/messages.js");

const text = readFileSync(input.file, "utf8");
const answer = readForecast(JSON.parse(text));
const presentation = stateOf.presentation(input);
const split = coreNodes(text);

const takeAll = (outputs) => outputs.map((messages) => [...messages]);
const send = (subscribers) => (state) => {
	for (let n = 0; n < subscribers; n += 1) {
		takeAll(forecastMessages(state, presentation, false, () => "parts"));
	}
};
const times = (count, work) => () => {
	for (let n = 0; n < count; n += 1) work();
};
const all = {
	floor: () => JSON.parse(text),
	"for 1": send(1),
	"for 5": send(5),
	"for 50": send(50),
	"structuredClone for 5": times(5, () => structuredClone(split)),
	"core nodes for 5": times(5, () => util.cloneMessage({ payload: split })),
};
void compare(
	Object.fromEntries(
		["floor", ...input.tasks].map((name) => [name, all[name]]),
	),
	// Each forecast is new when it is sent.
	() => stateOf.known(answer, input),
);
