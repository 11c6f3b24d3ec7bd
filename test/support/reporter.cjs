// A line a file as it ends, with how far the run is; one file alone is told test by test.
// Failures come in full at the end, and the last line is for scripts to read.
const { relative } = require("node:path");
const { reporters } = require("mocha");

const { EVENT_RUN_END, EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } =
	require("mocha").Runner.constants;
const files = Number(process.env.SOLAR_YIELD_TEST_FILES ?? 1);
const { Base, Spec } = reporters;

module.exports = class Closing extends (files > 1 ? Base : Spec) {
	constructor(runner, options) {
		super(runner, options);
		if (files === 1) return;
		let told = 0;
		let current;
		const tell = () => {
			if (!current) return;
			const { file, ms, ...counts } = current;
			const said = Object.entries(counts).filter(([, count]) => count > 0);
			const looks = counts.failed > 0 ? "fail" : "green";
			const mark = Base.symbols[counts.failed > 0 ? "err" : "ok"];
			told += 1;
			console.log(
				`${Base.color(looks, mark)} ${told}/${files} ${file}: ${said.map(([state, count]) => `${count} ${state}`).join(", ")} (${(ms / 1000).toFixed(1)} s)`,
			);
			current = undefined;
		};
		// Mocha tells all of a file at once, whatever runs beside it.
		const count = (state) => (test) => {
			const file = relative(process.cwd(), test.file ?? "");
			if (current?.file !== file) tell();
			current ??= { file, ms: 0, passed: 0, failed: 0, skipped: 0 };
			current[state] += 1;
			current.ms += test.duration ?? 0;
		};
		runner.on(EVENT_TEST_PASS, count("passed"));
		runner.on(EVENT_TEST_FAIL, count("failed"));
		runner.on(EVENT_TEST_PENDING, count("skipped"));
		runner.once(EVENT_RUN_END, () => {
			tell();
			this.epilogue();
		});
	}

	epilogue() {
		super.epilogue();
		const { passes, failures, pending } = this.stats;
		console.log(`${passes} passed, ${failures} failed, ${pending} skipped`);
	}
};
