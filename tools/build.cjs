// Builds dist/ from nothing, beside dist/, and puts it in its place at once:
//
//   dist/nodes/<type>.js    registers a type: all that a flow without our nodes costs
//   dist/nodes/node.js      whatever works, in one file (a start from an SD card pays
//                           for each); loaded with the first node that is made
//   dist/nodes/<type>.html, locales/, icons/   as Node-RED looks for them
//   dist/src/index.js       the public entry, with its types beside it
//
// The sources of a node stand in nodes/<folder>/; package.json says which type it is.
const { execFileSync } = require("node:child_process");
const {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	renameSync,
	rmSync,
} = require("node:fs");
const { dirname, join } = require("node:path");
const { buildSync } = require("esbuild");
const { "node-red": nodeRed } = require("../package.json");

const root = join(__dirname, "..");
const tsc = join(
	dirname(require.resolve("typescript/package.json")),
	"bin/tsc",
);
const types = Object.keys(nodeRed.nodes);
const folderOf = (type) => join("nodes", type.replace("solar-yield-", ""));

/** Packages of others are never part of a file of ours. */
const OPTIONS = {
	absWorkingDir: root,
	bundle: true,
	packages: "external",
	platform: "node",
	target: "node20",
	charset: "utf8",
	legalComments: "none",
	logLevel: "warning",
};

function buildCode(dist) {
	// In the sources a type's `require("./node")` means its own folder's file; what
	// is built lies in one folder, where the same words mean the file for all.
	buildSync({
		...OPTIONS,
		entryPoints: Object.fromEntries(
			types.map((type) => [type, join(folderOf(type), "register.ts")]),
		),
		external: ["./node"],
		outdir: join(dist, "nodes"),
	});
	buildSync({
		...OPTIONS,
		stdin: {
			contents: [
				'export * from "./src/index";',
				...types.map((type) => `export * from "./${folderOf(type)}/node";`),
				// For tests that run days in minutes.
				'export { hubsIdle, useClock } from "./src/polling/hub-registry";',
			].join("\n"),
			resolveDir: root,
		},
		outfile: join(dist, "nodes/node.js"),
	});
	// The public entry is names of that file, so that both share one code in memory.
	const { metafile } = buildSync({
		...OPTIONS,
		entryPoints: ["src/index.ts"],
		format: "esm",
		outfile: join(dist, "src/index.js"),
		metafile: true,
		write: false,
	});
	const [{ exports: names }] = Object.values(metafile.outputs);
	buildSync({
		...OPTIONS,
		stdin: {
			contents: `export { ${names.join(", ")} } from "../nodes/node";`,
			resolveDir: root,
		},
		external: ["../nodes/node"],
		outfile: join(dist, "src/index.js"),
	});
}

function copyTexts(dist) {
	for (const type of types) {
		const from = join(root, folderOf(type));
		cpSync(join(from, "editor.html"), join(dist, "nodes", `${type}.html`));
		for (const language of ["en-US", "de"]) {
			for (const ending of ["json", "html"]) {
				cpSync(
					join(from, "locales", `${language}.${ending}`),
					join(dist, "nodes/locales", language, `${type}.${ending}`),
				);
			}
		}
	}
	cpSync(join(root, "icons"), join(dist, "nodes/icons"), { recursive: true });
}

const cache = join(root, "node_modules/.cache");
mkdirSync(cache, { recursive: true });
const draft = mkdtempSync(join(cache, "solar-yield-build-"));
try {
	const dist = join(draft, "dist");
	buildCode(dist);
	copyTexts(dist);
	// Stops at what the compiler finds wrong.
	execFileSync(
		process.execPath,
		[tsc, "-p", join(root, "tsconfig.build.json"), "--outDir", dist],
		{ stdio: "inherit" },
	);
	const place = join(root, "dist");
	if (existsSync(place)) renameSync(place, join(draft, "old"));
	renameSync(dist, place);
} finally {
	rmSync(draft, { recursive: true, force: true });
}
