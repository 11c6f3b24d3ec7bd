import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const ROOT = join(__dirname, "../..");
const json = (file: string) =>
	JSON.parse(readFileSync(join(ROOT, file), "utf8"));
// The one that Node-RED's registry judges `engines` by.
const semver = createRequire(
	createRequire(require.resolve("node-red/package.json")).resolve(
		"@node-red/registry",
	),
)("semver");

interface Locked {
	readonly version?: string;
	readonly dev?: boolean;
	readonly link?: boolean;
	readonly integrity?: string;
	readonly hasInstallScript?: boolean;
	readonly license?: string;
	readonly deprecated?: string;
	readonly resolved?: string;
	readonly engines?: { readonly node?: string };
	readonly dependencies?: Readonly<Record<string, string>>;
}

describe("what a user installs", () => {
	const own = json("package.json");
	const { packages } = json("package-lock.json") as {
		packages: Record<string, Locked>;
	};
	const runtime = Object.entries(packages).filter(
		([path, { dev }]) => path !== "" && !dev,
	);

	it("is small, and each of it is bound by its digest", () => {
		assert.ok(
			runtime.length >= Object.keys(own.dependencies).length &&
				runtime.length <= 60,
			`${runtime.length} packages`,
		);
		for (const [path, { integrity, link }] of runtime) {
			assert.match(integrity ?? "", /^sha512-/, path);
			assert.ok(!link, path);
		}
	});

	it("runs no script when it is installed", () => {
		assert.deepEqual(
			runtime
				.filter(([, { hasInstallScript }]) => hasInstallScript)
				.map(([path]) => path),
			[],
		);
		for (const script of ["preinstall", "install", "postinstall", "prepare"]) {
			assert.ok(!(script in own.scripts), script);
		}
		// The lockfile alone could have it wrong.
		for (const [path] of runtime) {
			const { scripts = {} } = json(`${path}/package.json`);
			for (const script of ["preinstall", "install", "postinstall"]) {
				assert.ok(!(script in scripts), `${path}: ${script}`);
			}
		}
	});

	it("runs on every Node.js that package.json promises", () => {
		assert.equal(own.engines.node, ">=20");
		for (const [path, { engines }] of runtime) {
			const range = engines?.node ?? "*";
			for (const version of [
				"20.0.0",
				"20.20.2",
				"22.9.0",
				"24.0.0",
				"26.0.0",
			]) {
				assert.ok(
					semver.satisfies(version, range),
					`${path} wants Node.js ${range}, not ${version}`,
				);
			}
		}
	});

	it("may be used and passed on by everybody", () => {
		for (const [path] of runtime) {
			const { license } = json(`${path}/package.json`);
			const name = license ?? readFileSync(join(ROOT, path, "LICENSE"), "utf8");
			assert.match(
				name,
				/^(MIT|ISC|BSD-[23]-Clause|0BSD|CC0-1\.0|Apache-2\.0)$|^Copyright[\s\S]*Redistribution and use in source and binary forms/,
				path,
			);
		}
	});
});

describe("what a developer installs", () => {
	const { allowScripts } = json("package.json");
	const { packages } = json("package-lock.json") as {
		packages: Record<string, Locked>;
	};
	const where = (is: (it: Locked) => unknown) =>
		Object.entries(packages)
			.filter(([path, it]) => path !== "" && is(it))
			.map(([path]) => path);

	it("fits Node.js 20, as far back as the Node-RED among it does", () => {
		const least = "20.17.0";
		assert.ok(where(() => true).length > 100);
		assert.deepEqual(
			where(({ engines }) => !semver.satisfies(least, engines?.node ?? "*")),
			[],
		);
	});

	it("gives npm nothing to warn of", () => {
		assert.deepEqual(
			where(({ deprecated }) => deprecated),
			[],
		);
		const scripts = where(({ hasInstallScript }) => hasInstallScript);
		assert.deepEqual(
			scripts.filter(
				(path) => allowScripts[path.replace("node_modules/", "")] === undefined,
			),
			[],
		);
	});

	it("comes from whatever registry npm is set to", () => {
		assert.deepEqual(
			where(({ resolved }) => resolved),
			[],
		);
	});
});
