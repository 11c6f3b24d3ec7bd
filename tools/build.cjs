// Builds dist/ from nothing, beside dist/, and puts it in its place at once:
//
//   dist/nodes/<type>.js    registers a type, by registration.js: all that a flow without
//                           our nodes costs
//   dist/nodes/node.js      whatever works, in one file (a start from an SD card pays
//                           for each); loaded with the first node that is made
//   dist/nodes/<type>.html  a dialog: the type's editor.html, editor.ts and styles
//   dist/nodes/locales/, icons/   as Node-RED looks for them
//   dist/src/index.js       the public entry, with its types beside it
//
// The sources of a node stand in nodes/<folder>/; package.json says which type it is.
const { execFileSync } = require("node:child_process");
const {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} = require("node:fs");
const { dirname, join, parse } = require("node:path");
const { buildSync, transformSync } = require("esbuild");
const { "node-red": nodeRed } = require("../package.json");

const root = join(__dirname, "..");
const tsc = join(
	dirname(require.resolve("typescript/package.json")),
	"bin/tsc",
);
const types = Object.keys(nodeRed.nodes);
const folderOf = (type) => join("nodes", type.replace("solar-yield-", ""));

const OPTIONS = {
	absWorkingDir: root,
	bundle: true,
	charset: "utf8",
	legalComments: "none",
	logLevel: "warning",
	// A Pi reads it from an SD card; names of methods stay, so that a stack says where it was.
	minify: true,
};
/** Packages of others are never part of a file of ours. */
const RUNTIME = {
	...OPTIONS,
	packages: "external",
	platform: "node",
	target: "node20",
};

function buildCode(dist) {
	buildSync({
		...RUNTIME,
		entryPoints: ["nodes/registration.ts"],
		external: ["./node"],
		outfile: join(dist, "nodes/registration.js"),
	});
	for (const type of types) {
		writeFileSync(
			join(dist, "nodes", `${type}.js`),
			`module.exports = require("./registration").registration("${type.replace("solar-yield-", "")}");\n`,
		);
	}
	buildSync({
		...RUNTIME,
		stdin: {
			contents: 'export * from "./src/index"; export * from "./nodes/node";',
			resolveDir: root,
		},
		outfile: join(dist, "nodes/node.js"),
	});
	// The public entry is names of that file, so that both share one code in memory.
	const { metafile } = buildSync({
		...RUNTIME,
		entryPoints: ["src/index.ts"],
		format: "esm",
		outfile: join(dist, "src/index.js"),
		metafile: true,
		write: false,
	});
	const [{ exports: names }] = Object.values(metafile.outputs);
	buildSync({
		...RUNTIME,
		stdin: {
			contents: `export { ${names.join(", ")} } from "../nodes/node";`,
			resolveDir: root,
		},
		external: ["../nodes/node"],
		outfile: join(dist, "src/index.js"),
	});
}

/**
 * A dialog: the styles of all, its form, and its script with what it shares with
 * others. Node-RED loads the files of a package in any order, a person can switch some
 * of them off, and the editor waits for ever for a script of its own address that does
 * not come: so each dialog stands on its own.
 */
function buildDialogs(dist) {
	const read = (...path) => readFileSync(join(root, ...path), "utf8");
	const { code: styles } = transformSync(
		read("nodes/shared/editor/dialog.css"),
		{
			loader: "css",
		},
	);
	for (const type of types) {
		const folder = folderOf(type);
		const { outputFiles } = buildSync({
			...OPTIONS,
			platform: "browser",
			target: "es2022",
			entryPoints: [join(folder, "editor.ts")],
			// Of a file that has a form for dialogs, that.
			resolveExtensions: [".editor.ts", ".ts"],
			write: false,
		});
		const form = read(folder, "editor.html");
		const script = outputFiles[0].text;
		writeFileSync(
			join(dist, "nodes", `${type}.html`),
			`<style>\n${styles}</style>\n\n${form}\n<script type="text/javascript">\n${script}</script>\n`,
		);
	}
}

function copyTexts(dist) {
	for (const type of types) {
		const from = join(root, folderOf(type));
		for (const { name, ext } of readdirSync(join(from, "locales")).map(parse)) {
			cpSync(
				join(from, "locales", name + ext),
				join(dist, "nodes/locales", name, type + ext),
			);
		}
	}
	cpSync(join(root, "icons"), join(dist, "nodes/icons"), { recursive: true });
}

/** Removes the types that no name of the public entry leads to. */
function keepPublicTypes(folder) {
	const kept = new Set();
	const keep = (file) => {
		if (kept.has(file)) return;
		kept.add(file);
		const text = readFileSync(file, "utf8");
		for (const [, to] of text.matchAll(/(?:from |import\()"(\.[^"]+)"/g)) {
			keep(join(dirname(file), `${to}.d.ts`));
		}
	};
	keep(join(folder, "index.d.ts"));
	for (const name of readdirSync(folder, { recursive: true })) {
		const file = join(folder, name);
		if (file.endsWith(".d.ts") && !kept.has(file)) rmSync(file);
	}
}

const cache = join(root, "node_modules/.cache");
mkdirSync(cache, { recursive: true });
const draft = mkdtempSync(join(cache, "solar-yield-build-"));
try {
	const dist = join(draft, "dist");
	buildCode(dist);
	buildDialogs(dist);
	copyTexts(dist);
	// Stops at what the compiler finds wrong.
	execFileSync(
		process.execPath,
		[tsc, "-p", join(root, "tsconfig.build.json"), "--outDir", dist],
		{ stdio: "inherit" },
	);
	keepPublicTypes(join(dist, "src"));
	const place = join(root, "dist");
	if (existsSync(place)) renameSync(place, join(draft, "old"));
	renameSync(dist, place);
} finally {
	rmSync(draft, { recursive: true, force: true });
}
