// Mocha's own "spec" reporter with one plain closing line for scripts to read.
const { reporters } = require("mocha");

module.exports = class Closing extends reporters.Spec {
	epilogue() {
		super.epilogue();
		const { passes, failures, pending } = this.stats;
		const skipped = pending ? `, ${pending} skipped` : "";
		console.log(`${passes} passed, ${failures} failed${skipped}`);
	}
};
