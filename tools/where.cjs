// Says which lines of the sources a stack trace means, whose files and columns are
// those of dist/: node tools/where.cjs < trace.txt. The sources must be those of
// the version that wrote the trace.
const { mkdtempSync, readFileSync, rmSync } = require("node:fs");
const { SourceMap } = require("node:module");
const { tmpdir } = require("node:os");
const { join, relative, resolve, sep } = require("node:path");
const { writeCode } = require("./build/code.cjs");

const root = join(__dirname, "..");
const PLACE = /[^\s()]*[\\/]dist[\\/]([\w\\/-]+\.js):(\d+):(\d+)/g;

async function main() {
	const trace = readFileSync(0, "utf8");
	const dist = mkdtempSync(join(tmpdir(), "solar-yield-where-"));
	try {
		await writeCode(dist, { sourcemap: "external" });
		const maps = new Map();
		const mapOf = (file) => {
			if (!maps.has(file)) {
				const text = readFileSync(join(dist, `${file}.map`), "utf8");
				maps.set(file, new SourceMap(JSON.parse(text)));
			}
			return maps.get(file);
		};
		const told = trace.replace(PLACE, (place, path, line, column) => {
			const file = path.replaceAll("\\", "/");
			const entry = mapOf(file).findEntry(line - 1, column - 1);
			if (!entry.originalSource) return place;
			const source = resolve(dist, file, "..", entry.originalSource);
			const shown = relative(root, source).split(sep).join("/");
			return `${shown}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
		});
		process.stdout.write(told);
	} finally {
		rmSync(dist, { recursive: true, force: true });
	}
}

main().catch((error) => {
	console.error(error.message);
	process.exitCode = 1;
});
