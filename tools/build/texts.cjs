// Dialogs, help and catalogues as they ship: without what only a reader of the
// sources and the tests need. What an editor makes of them stays the same. Run
// as a program it writes into the folder that it is given.
const {
	mkdirSync,
	readdirSync,
	readFileSync,
	writeFileSync,
} = require("node:fs");
const { dirname, extname, join } = require("node:path");
const { transformSync } = require("esbuild");

const root = join(__dirname, "../..");

/** A part of a node's file; Node-RED finds the parts by their opening tags, which stay as they are. */
const PART =
	/(?<open><style>|<script type="text\/(?<type>html|javascript)"[^>]*>)(?<content>[\s\S]*?)(?<close><\/(?:style|script)>)/g;
/** What the help's entries are about, for the tests that hold them to the code. */
const MARKS = /(?<=<dt[^>]*) data-\w+="[^"]*"/g;

const HTML = {
	collapseWhitespace: true,
	removeAttributeQuotes: true,
	removeComments: true,
	removeOptionalTags: true,
};

function smallCode(code, loader) {
	const options = { loader, minify: true, charset: "utf8", target: "es2022" };
	return transformSync(code, options).code.trim();
}

async function smallParts(html) {
	const { minify } = await import("html-minifier-next");
	const parts = [...html.matchAll(PART)].map(async ({ groups }) => {
		const { open, type, content, close } = groups;
		const small =
			type === "html"
				? await minify(content.replace(MARKS, "").trim(), HTML)
				: smallCode(content, type === "javascript" ? "js" : "css");
		return open + small + close;
	});
	return (await Promise.all(parts)).join("\n");
}

const SMALL = {
	".html": smallParts,
	".json": (json) => JSON.stringify(JSON.parse(json)),
	".svg": (svg) => svg.trim(),
};

/** Writes smaller copies of the texts of a folder. */
async function writeTexts(from, to) {
	for (const file of readdirSync(from, { recursive: true })) {
		const small = SMALL[extname(file)];
		if (!small) continue;
		const text = await small(readFileSync(join(from, file), "utf8"));
		mkdirSync(dirname(join(to, file)), { recursive: true });
		writeFileSync(join(to, file), text);
	}
}

async function main(dist) {
	await writeTexts(join(root, "nodes"), join(dist, "nodes"));
	await writeTexts(join(root, "icons"), join(dist, "nodes/icons"));
}

main(process.argv[2]).catch((error) => {
	console.error(error);
	process.exitCode = 1;
});
