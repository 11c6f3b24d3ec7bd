// Writes each example flow with one node a line: short, since all of them are
// installed with the package, and a change of a node is a change of its line.
const { readdirSync, readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { withPages } = require("./dashboards.cjs");

/** A flow's JSON as it should stand in its file. */
function formatFlow(text) {
	const nodes = withPages(JSON.parse(text)).map((node) => JSON.stringify(node));
	return `[\n${nodes.join(",\n")}\n]\n`;
}

if (require.main === module) {
	const folder = join(__dirname, "../examples");
	for (const name of readdirSync(folder, { recursive: true })) {
		if (!name.endsWith(".json")) continue;
		const file = join(folder, name);
		writeFileSync(file, formatFlow(readFileSync(file, "utf8")));
	}
}

module.exports = { formatFlow };
