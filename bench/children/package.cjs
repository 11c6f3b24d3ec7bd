// What the built package holds inside, which no entry of it gives: the same
// sources, built with the same options, with the files' own names.
const { existsSync, statSync } = require("node:fs");
const { join } = require("node:path");
const { buildSync } = require("esbuild");

const root = join(__dirname, "../..");
const inside = join(root, "node_modules/.cache/solar-yield-inside.js");
const FILES = [
	"src/forecast/forecast",
	"src/messages/forecast-messages",
	"src/polling/storage/account-files",
	"src/service/v2/forecast-answer",
];

const builtAt = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0);
if (builtAt(inside) <= builtAt(join(root, "dist/nodes/node.js"))) {
	const contents = FILES.map(
		(file) => `export * as "${file}.js" from "./${file}";`,
	);
	buildSync({
		absWorkingDir: root,
		bundle: true,
		packages: "external",
		platform: "node",
		target: "node20",
		charset: "utf8",
		logLevel: "warning",
		stdin: { contents: contents.join("\n"), resolveDir: root },
		outfile: inside,
	});
}
const files = require(inside);

/** @param file such as `src/polling/storage/account-files.js` */
module.exports = (file) => {
	if (!files[file])
		throw new Error(`${file} is not in the list of ${__filename}`);
	return files[file];
};
