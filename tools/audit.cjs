// `node tools/audit.cjs [SBOM-FILE]`: asks the registry for known faults of the
// runtime dependencies, and lists them as CycloneDX. Ends with 1 on a finding of
// high severity or above; where the registry does not answer audits, it says so
// and goes on.
const { spawnSync } = require("node:child_process");
const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { root } = require("./setup.cjs");

/** What npm prints as JSON, and its exit code. */
function npm(cwd, ...args) {
	const { stdout, stderr, status } = spawnSync("npm", args, {
		cwd,
		encoding: "utf8",
		shell: process.platform === "win32",
		maxBuffer: 64 * 1024 * 1024,
	});
	let json;
	try {
		json = JSON.parse(stdout);
	} catch {}
	return { json, stderr, status };
}

function audit() {
	const { json, stderr } = npm(
		root,
		"audit",
		"--omit=dev",
		"--audit-level=high",
		"--json",
	);
	const counts = json?.metadata?.vulnerabilities;
	if (!counts) {
		const why = json?.error?.summary || json?.message || stderr;
		const reason = why.trim().split("\n")[0] || "no answer";
		console.log(`audit skipped: the registry does not answer it (${reason})`);
		return true;
	}
	const found = counts.high + counts.critical;
	console.log(
		`audit: ${counts.total} findings in runtime dependencies, ${found} of them high or critical`,
	);
	for (const [name, { severity, range }] of Object.entries(
		json.vulnerabilities ?? {},
	)) {
		console.log(`  ${severity}: ${name} ${range}`);
	}
	return found === 0;
}

/**
 * The runtime dependencies alone, as npm would lock them: with `--omit=dev` some
 * versions of npm list only those that package.json names.
 */
function runtimeProject() {
	const read = (file) => JSON.parse(readFileSync(join(root, file), "utf8"));
	const { devDependencies: _dev, ...manifest } = read("package.json");
	const lock = read("package-lock.json");
	const packages = Object.entries(lock.packages).filter(([, it]) => !it.dev);
	lock.packages = Object.fromEntries(packages);
	delete lock.packages[""].devDependencies;
	const folder = mkdtempSync(join(tmpdir(), "solar-yield-sbom-"));
	writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
	writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
	return folder;
}

function sbom(file) {
	const folder = runtimeProject();
	const { json, stderr } = npm(
		folder,
		"sbom",
		"--package-lock-only",
		"--omit=dev",
		"--sbom-format",
		"cyclonedx",
	);
	rmSync(folder, { recursive: true });
	if (!Array.isArray(json?.components)) {
		console.log(`sbom failed: ${stderr.trim().split("\n")[0]}`);
		return false;
	}
	console.log(`sbom: ${json.components.length} components`);
	if (file) writeFileSync(file, `${JSON.stringify(json, null, "\t")}\n`);
	return true;
}

const results = [audit(), sbom(process.argv[2])];
process.exitCode = results.every(Boolean) ? 0 : 1;
