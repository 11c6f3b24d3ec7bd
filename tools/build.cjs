// Builds dist/ from nothing: the JavaScript that the nodes and the public entry
// load, without comments; the types of the public entry, with theirs; dialogs,
// catalogues and icons. All is made beside dist/ and put in its place at once.
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
} = require("node:fs");
const { dirname, join } = require("node:path");

const root = join(__dirname, "..");
const tsc = join(
	dirname(require.resolve("typescript/package.json")),
	"bin/tsc",
);
const cache = join(root, "node_modules/.cache");
mkdirSync(cache, { recursive: true });
const draft = mkdtempSync(join(cache, "solar-yield-build-"));

const compile = (folder, ...options) =>
	execFileSync(
		process.execPath,
		[
			tsc,
			"-p",
			join(root, "tsconfig.build.json"),
			"--outDir",
			folder,
			...options,
		],
		{ stdio: "inherit" },
	);

/**
 * Copies files and all that they import.
 *
 * @param ending of the files that count, such as `.d.ts`
 */
function copyReached(files, ending, from, to) {
	const reached = new Set(files);
	for (const file of reached) {
		const text = readFileSync(join(from, file), "utf8");
		const imports = text.matchAll(/(?:from |import\(|require\()"(\.[^"]+)"/g);
		for (const [, path] of imports) {
			const base = join(dirname(file), path);
			reached.add(
				existsSync(join(from, base + ending))
					? base + ending
					: join(base, `index${ending}`),
			);
		}
		cpSync(join(from, file), join(to, file));
	}
}

try {
	const dist = join(draft, "dist");
	const compiled = join(draft, "compiled");
	compile(compiled);
	compile(
		compiled,
		"--declaration",
		"--emitDeclarationOnly",
		"--removeComments",
		"false",
	);
	const nodes = readdirSync(join(compiled, "nodes"))
		.filter((file) => file.endsWith(".js"))
		.map((file) => join("nodes", file));
	const entry = join("src", "index");
	copyReached([...nodes, `${entry}.js`], ".js", compiled, dist);
	copyReached([`${entry}.d.ts`], ".d.ts", compiled, dist);
	cpSync(join(root, "nodes"), join(dist, "nodes"), {
		recursive: true,
		filter: (file) => !file.endsWith(".ts"),
	});
	cpSync(join(root, "icons"), join(dist, "nodes/icons"), { recursive: true });
	const place = join(root, "dist");
	if (existsSync(place)) renameSync(place, join(draft, "old"));
	renameSync(dist, place);
} finally {
	rmSync(draft, { recursive: true, force: true });
}
