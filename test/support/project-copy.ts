import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./node-red-process";

/** A copy of the project that a test may change, with the same dependencies. */
export class ProjectCopy {
	readonly folder: string;

	/** @param name what its folder below `artefacts` begins with */
	constructor(name: string) {
		const artefacts = join(ROOT, "artefacts");
		mkdirSync(artefacts, { recursive: true });
		this.folder = mkdtempSync(join(artefacts, `${name}-`));
		for (const part of [
			"bench",
			"docs",
			"icons",
			"nodes",
			"src",
			"test",
			"tools",
			"package.json",
			"tsconfig.build.json",
			"tsconfig.editor.json",
			"tsconfig.json",
			"tsconfig.src.json",
		]) {
			cpSync(join(ROOT, part), this.at(part), { recursive: true });
		}
		symlinkSync(join(ROOT, "node_modules"), this.at("node_modules"), "dir");
	}

	/** The path of a file in it. */
	at(...names: string[]): string {
		return join(this.folder, ...names);
	}

	/**
	 * Runs Node.js in it, and gives what is written to stdout.
	 *
	 * @throws Error with all that was written
	 */
	run(...args: string[]): string {
		try {
			const options = { cwd: this.folder, encoding: "utf8" } as const;
			return execFileSync(process.execPath, args, options);
		} catch (error) {
			const { stdout, stderr } = error as { stdout: string; stderr: string };
			throw new Error(`${args.join(" ")}:\n${stdout}${stderr}`);
		}
	}

	/** Runs test files in it; those of a glob, two at a time. */
	test(...files: string[]): void {
		this.run(
			join("node_modules", "mocha", "bin", "mocha.js"),
			"--no-config",
			...["--require", "tsx/cjs"],
			...["--require", "./test/support/generated.ts"],
			...["--reporter", "dot", "--timeout", "60000"],
			...["--parallel", "--jobs", "2"],
			...files,
		);
	}

	remove(): void {
		rmSync(this.folder, { recursive: true, force: true });
	}
}
