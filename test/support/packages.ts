import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "./node-red-process";

/** Where a package of others is installed: here, or where SOLAR_YIELD_TEST_PACKAGES says. */
export function packageFolder(name: string): string | undefined {
	const paths = [ROOT, process.env.SOLAR_YIELD_TEST_PACKAGES ?? ROOT];
	try {
		return dirname(require.resolve(`${name}/package.json`, { paths }));
	} catch {
		return undefined;
	}
}

/** Puts a package of others into a user directory. */
export function linkPackage(
	userDir: string,
	name: string,
	folder: string,
): void {
	const link = join(userDir, "node_modules", name);
	mkdirSync(dirname(link), { recursive: true });
	symlinkSync(folder, link, "junction");
}
