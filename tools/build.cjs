// Builds dist/ from nothing: compile, then copy what the compiler leaves behind.
const { cpSync, rmSync } = require("node:fs");
const { execFileSync } = require("node:child_process");
const { dirname, join } = require("node:path");

const root = join(__dirname, "..");
const tsc = join(
	dirname(require.resolve("typescript/package.json")),
	"bin/tsc",
);
rmSync(join(root, "dist"), { recursive: true, force: true });
execFileSync(process.execPath, [tsc, "-p", join(root, "tsconfig.build.json")], {
	stdio: "inherit",
});
cpSync(join(root, "nodes"), join(root, "dist/nodes"), {
	recursive: true,
	filter: (file) => !file.endsWith(".ts"),
});
cpSync(join(root, "icons"), join(root, "dist/nodes/icons"), {
	recursive: true,
});
