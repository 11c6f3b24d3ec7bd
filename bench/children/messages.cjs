const { readFileSync } = require("node:fs");
const { util } = require("@node-red/util");
const built = require("./package.cjs");
const { compare, input } = require("./compare.cjs");
const coreNodes = require("./core-nodes.cjs");
const stateOf = require("./state.cjs");
const { readForecast } = built("src/service/v2/forecast-answer.js");

const text = readFileSync(input.file, "utf8");
const answer = readForecast(JSON.parse(text));
const presentation = stateOf.presentation(input);
const split = coreNodes(text);

const send = (subscribers) => (state) => {
	for (let n = 0; n < subscribers; n += 1) {
		stateOf.allMessages(state, presentation);
	}
};
const times = (count, work) => () => {
	for (let n = 0; n < count; n += 1) work();
};
void compare(
	{
		floor: () => JSON.parse(text),
		"for 1": send(1),
		"for 5": send(5),
		"for 50": send(50),
		"structuredClone for 5": times(5, () => structuredClone(split)),
		"core nodes for 5": times(5, () => util.cloneMessage({ payload: split })),
	},
	// Each forecast is new when it is sent.
	() => stateOf.known(answer, input),
);
