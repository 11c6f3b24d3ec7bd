// Heap that a forecast holds for as long as it is kept. Needs --expose-gc.
const { readFileSync } = require("node:fs");
const built = require("./package.cjs");
const stateOf = require("./state.cjs");
const { readForecast } = built("src/service/v2/forecast-answer.js");

const input = JSON.parse(process.argv[2]);
const bytes = readFileSync(input.file).length;
const make = () => {
	const text = readFileSync(input.file, "utf8");
	if (input.task === "floor") return JSON.parse(text);
	// The poller keeps the checked answer, too.
	const answer = readForecast(JSON.parse(text));
	const state = stateOf.known(answer, input);
	for (const timezone of input.shown) {
		const presentation = stateOf.presentation({ ...input, timezone });
		stateOf.allMessages(state, presentation);
	}
	return { answer, forecast: state.forecast };
};
const used = () => {
	for (let n = 0; n < 4; n += 1) global.gc();
	return process.memoryUsage().heapUsed;
};

// What code and zones hold is no forecast's: first as many that are let go.
const several = () => Array.from({ length: input.count }, make);
let kept = several();
kept = undefined;
const before = used();
kept = several();
const held = (used() - before) / kept.length;
process.stdout.write(JSON.stringify({ ratio: held / bytes }));
