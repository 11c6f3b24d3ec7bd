// Puts the pages of tools/dashboards into the example flows of Dashboard 2, where
// a template is one long line that nobody could edit. `npm run format` calls it.
const { readFileSync } = require("node:fs");
const { join } = require("node:path");

const SOURCES = join(__dirname, "dashboards");
const read = (name) => readFileSync(join(SOURCES, name), "utf8");

/** Pages by the id of the template that shows them. */
const PAGES = { "syd-template": "solar.vue", "syb-template": "battery.vue" };

/** A page with the styles and methods that all pages share. */
function page(name) {
	const methods = read("methods.js");
	const shared = methods.slice(
		methods.indexOf("{\n") + 2,
		methods.lastIndexOf("};"),
	);
	return read(name)
		.replace("/* shared styles */\n", () => read("shared.css"))
		.replace(/^.*\/\/ Shared methods\.\n/m, () => shared)
		.trim();
}

/** A flow's nodes with the pages as they are now. */
function withPages(nodes) {
	return nodes.map((node) =>
		node.type === "ui-template" && node.id in PAGES
			? { ...node, format: page(PAGES[node.id]) }
			: node,
	);
}

module.exports = { withPages };
