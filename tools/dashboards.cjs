// Puts the pages of tools/dashboards into the example flows of Dashboard 2, where
// a template is one long line that nobody could edit. `npm run format` calls it.
const { readFileSync } = require("node:fs");
const { join } = require("node:path");

const SOURCES = join(__dirname, "dashboards");
const read = (name) => readFileSync(join(SOURCES, name), "utf8");

/** Pages by the id of the template that shows them. */
const PAGES = { "syd-template": "solar.vue", "syb-template": "battery.vue" };

/** The axes of the picture that a page computes under a name: `<!-- rows of plot -->`. */
const AXES = {
	rows: (of) =>
		`<g v-for="tick in ${of}.rows" :key="'r' + tick.value"><line class="sy-grid" :x1="${of}.left" :x2="${of}.right" :y1="tick.y" :y2="tick.y"/><text :x="${of}.left - 6" :y="tick.y + 4" text-anchor="end">{{ tick.text }}</text></g>`,
	columns: (of) =>
		`<g v-for="tick in ${of}.columns" :key="'c' + tick.x"><line class="sy-grid" :x1="tick.x" :x2="tick.x" :y1="${of}.top" :y2="${of}.bottom"/><text :x="tick.x" :y="${of}.bottom + 16" text-anchor="middle">{{ tick.text }}</text></g>
<text v-for="day in ${of}.days" :key="'d' + day.x" :x="day.x" :y="${of}.bottom + 32" text-anchor="middle">{{ day.text }}</text>`,
};

/** A page with what all pages share: hooks, computed, methods, styles, the axes of a picture. */
function page(name) {
	const shared = read("shared.js");
	const inside = (part) =>
		shared.match(new RegExp(`^\t${part}: \\{\n(.*?)^\t\\},`, "ms"))[1];
	const [hooks] = shared.match(/^\tmounted.*?(?=^\tcomputed)/ms);
	return read(name)
		.replace("/* shared styles */\n", () => read("shared.css"))
		.replace(/^.*\/\/ Shared hooks\.\n/m, () => hooks)
		.replace(/^.*\/\/ Shared (\w+)\.\n/gm, (_, part) => inside(part))
		.replace(/<!-- (rows|columns) of (\w+) -->/g, (_, part, of) =>
			AXES[part](of),
		)
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
