// Builds dist/ from nothing: the JavaScript that the nodes and the public entry
// load; the types of the public entry; dialogs, catalogues and icons. All is made
// beside dist/ and put in its place at once.
const { execFileSync } = require("node:child_process");
const {
	existsSync,
	mkdirSync,
	mkdtempSync,
	renameSync,
	rmSync,
	writeFileSync,
} = require("node:fs");
const { dirname, join } = require("node:path");
const { typesOf } = require("./build/types.cjs");

const root = join(__dirname, "..");
const tsc = join(
	dirname(require.resolve("typescript/package.json")),
	"bin/tsc",
);
const cache = join(root, "node_modules/.cache");
mkdirSync(cache, { recursive: true });
const draft = mkdtempSync(join(cache, "solar-yield-build-"));

const run = (...args) =>
	execFileSync(process.execPath, args, { stdio: "inherit" });

try {
	const dist = join(draft, "dist");
	const declared = join(draft, "declared");
	run(join(__dirname, "build/code.cjs"), dist);
	// Stops at what the compiler finds wrong.
	run(tsc, "-p", join(root, "tsconfig.build.json"), "--outDir", declared);
	writeFileSync(
		join(dist, "src/index.d.ts"),
		typesOf(join(declared, "src/index.d.ts")),
	);
	run(join(__dirname, "build/texts.cjs"), dist);
	const place = join(root, "dist");
	if (existsSync(place)) renameSync(place, join(draft, "old"));
	renameSync(dist, place);
} finally {
	rmSync(draft, { recursive: true, force: true });
}
