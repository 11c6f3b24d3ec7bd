// `npm run docs:api`: writes docs/api.md from the docstrings of src/index.ts.
// `npm run docs:api -- --check`: says whether it is what would be written.
// TypeDoc needs an older TypeScript than the package, so it lives in a folder of
// its own: where SOLAR_YIELD_TEST_PACKAGES says, else in node_modules/.cache.
const { execFileSync } = require("node:child_process");
const {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { root, npm } = require("./setup.cjs");

const TOOLS = [
	"typedoc@0.28.20",
	"typedoc-plugin-markdown@4.14.1",
	"typescript@5.9.3",
];
const PAGE = join(root, "docs/api.md");
const HEAD =
	"<!-- Written by `npm run docs:api` from the docstrings of src/index.ts. -->\n\n";

const script = (folder) => join(folder, "node_modules/typedoc/bin/typedoc");

/** The folder that holds TypeDoc, undefined where there is none. */
function toolFolder() {
	return [
		process.env.SOLAR_YIELD_TEST_PACKAGES,
		join(root, "node_modules/.cache/solar-yield-api"),
	].find((folder) => folder && existsSync(script(folder)));
}

function installTools() {
	const folder = join(root, "node_modules/.cache/solar-yield-api");
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
	npm(["install", "--silent", "--no-audit", "--no-fund", ...TOOLS], {
		cwd: folder,
	});
	return folder;
}

/** The page as the docstrings have it. */
function makePage(folder) {
	const out = mkdtempSync(join(tmpdir(), "solar-yield-api-"));
	const options = {
		plugin: join(folder, "node_modules/typedoc-plugin-markdown/dist/index.js"),
		tsconfig: join(root, "tsconfig.json"),
		entryPoints: join(root, "src/index.ts"),
		out,
		name: "API for scripts and function nodes",
		readme: "none",
		router: "module",
		sort: "source-order",
		logLevel: "Error",
		parametersFormat: "table",
		interfacePropertiesFormat: "table",
		classPropertiesFormat: "table",
		propertyMembersFormat: "table",
		typeDeclarationFormat: "table",
	};
	const flags = [
		"disableSources",
		"excludePrivate",
		"excludeExternals",
		"excludeInternal",
		"hidePageHeader",
		"hideBreadcrumbs",
		"skipErrorChecking",
	];
	try {
		execFileSync(
			process.execPath,
			[
				script(folder),
				...Object.entries(options).flatMap(([name, value]) => [
					`--${name}`,
					value,
				]),
				...flags.map((name) => `--${name}`),
			],
			{ cwd: root, stdio: ["ignore", "ignore", "inherit"] },
		);
		return HEAD + plain(readFileSync(join(out, "README.md"), "utf8"));
	} finally {
		rmSync(out, { recursive: true, force: true });
	}
}

/** Without what means something to readers of the code alone, and without what would only fill the page. */
function plain(markdown) {
	return markdown
		.replace(/\s*\(behaviour: [^)]*\)/g, "")
		.replace(/<a id="[^"]*"><\/a> /g, "")
		.replace(/\[([^\]]+)\]\(#property-[^)]*\)/g, "$1")
		.replace(/^##### Constructor\n\n/gm, "")
		.replace(/^#{4,6} (Overrides|Extends|Inherited from)\n\n.*\n\n/gm, "")
		.replace(/^#{4,6} Returns\n\n/gm, "Returns ")
		.replace(/^#{4,6} (Parameters|Throws|Example)\n\n/gm, "")
		.replace(/^(?=SolarYieldError `)/gm, "Throws ");
}

module.exports = { PAGE, toolFolder, makePage };

if (require.main === module) {
	const page = makePage(toolFolder() ?? installTools());
	if (!process.argv.includes("--check")) writeFileSync(PAGE, page);
	else if (readFileSync(PAGE, "utf8") !== page) {
		console.error("docs/api.md is not up to date; run npm run docs:api");
		process.exitCode = 1;
	}
}
