// The JavaScript that ships: few files, since a start from an SD card pays for
// each, and small ones, since it is downloaded by each user.
//
//   nodes/<type>.js  registers the type; all that an editor or a flow without
//                    our nodes costs
//   lib.js           whatever works, loaded with the first node that is made
//   demo.js          the simulator, loaded with the first demo account
//   src/index.js     the public entry: names of the other two
//
// In the sources a part that is to be loaded later is a `require` inside a
// function: those are the seams. Run as a program it writes into the folder that
// it is given.
const { readdirSync, readFileSync } = require("node:fs");
const { dirname, join, posix, relative, sep } = require("node:path");
const { build } = require("esbuild");

const root = join(__dirname, "../..");
const slashed = (path) => path.split(sep).join("/");
const textOf = (file) => readFileSync(join(root, file), "utf8");
const sources = ["nodes", "src"].flatMap((folder) =>
	readdirSync(join(root, folder), { recursive: true })
		.map((file) => `${folder}/${slashed(file)}`)
		.filter((file) => file.endsWith(".ts")),
);
const isDemo = (file) => file.startsWith("src/simulator/");

/** Our files that are loaded later, by whichever file. */
const later = new Set(
	sources.flatMap((file) =>
		[...textOf(file).matchAll(/\brequire\("(\.[^"]+)"\)/g)].map(([, path]) =>
			posix.join(dirname(file), path),
		),
	),
);

/** lib.js gives what all of them export; a name must mean one thing. */
function libraryEntry() {
	const files = [...later].filter((file) => !isDemo(file));
	const names = files.flatMap((file) =>
		[
			...textOf(`${file}.ts`).matchAll(
				/^export (?:async )?(?:class|const|function|let) (\w+)/gm,
			),
		].map(([, name]) => name),
	);
	const twice = names.filter((name, index) => names.indexOf(name) < index);
	if (twice.length > 0) {
		throw new Error(
			`${twice.join(", ")}: exported by several of the files that are loaded later (${files.join(", ")}); name them apart`,
		);
	}
	return [
		...["src/index", ...files].map((file) => `export * from "./${file}";`),
		// For tests that run days in minutes.
		'export { hubsIdle, useClock } from "./src/polling/hubs";',
	].join("\n");
}

/**
 * Where a file of ours is taken from, for one of the files that ship.
 *
 * @param part which one: `nodes`, `lib`, `demo` or `index`
 * @param up from its folder to that of lib.js
 */
const seams = (part, up) => ({
	name: "seams",
	setup({ onResolve }) {
		onResolve({ filter: /^\./ }, ({ path, kind, resolveDir }) => {
			if (kind === "entry-point") return undefined;
			const file = slashed(relative(root, join(resolveDir, path)));
			if (part !== "demo" && isDemo(file)) {
				return { path: `${up}demo.js`, external: true };
			}
			return part === "index" || kind === "require-call"
				? { path: `${up}lib.js`, external: true }
				: undefined;
		});
	},
});

/** Options for each of the files; packages of others are never part of one. */
const OPTIONS = {
	absWorkingDir: root,
	bundle: true,
	packages: "external",
	platform: "node",
	format: "cjs",
	target: "node20",
	minify: true,
	charset: "utf8",
	legalComments: "none",
	logLevel: "warning",
};

/** Writes the JavaScript of dist/ into a folder; `more` says what differs. */
async function writeCode(dist, more = {}) {
	const write = (part, up, options) =>
		build({ ...OPTIONS, ...more, plugins: [seams(part, up)], ...options });
	await Promise.all([
		write("nodes", "../", {
			entryPoints: sources.filter((file) => file.startsWith("nodes/")),
			outdir: join(dist, "nodes"),
		}),
		write("index", "../", {
			entryPoints: ["src/index.ts"],
			outfile: join(dist, "src/index.js"),
		}),
		write("demo", "./", {
			entryPoints: ["src/simulator/demo.ts"],
			outfile: join(dist, "demo.js"),
		}),
		write("lib", "./", {
			stdin: { contents: libraryEntry(), resolveDir: root },
			outfile: join(dist, "lib.js"),
		}),
	]);
}

if (require.main === module) {
	writeCode(process.argv[2]).catch((error) => {
		console.error(error.message);
		process.exitCode = 1;
	});
}

module.exports = { OPTIONS, writeCode };
