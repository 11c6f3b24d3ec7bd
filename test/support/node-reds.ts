import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A Node-RED and the Node.js that runs it. */
export interface Installation {
	/** As its package.json has it: "4.1.15". */
	readonly version: string;
	/** The script that starts it. */
	readonly red: string;
	/** The Node.js executable. */
	readonly node: string;
}

const versionOf = (folder: string): string =>
	JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version;

/** The Node-RED of the dev dependencies, on the Node.js of this process. */
export function ownNodeRed(): Installation {
	const folder = dirname(require.resolve("node-red/package.json"));
	return {
		version: versionOf(folder),
		red: join(folder, "red.js"),
		node: process.execPath,
	};
}

/**
 * The one that process tests run on: SOLAR_YIELD_NODE_RED names the folder of a
 * `node-red` package, SOLAR_YIELD_NODE a Node.js executable; our own where they
 * are not set.
 */
export function chosenNodeRed(): Installation {
	const { SOLAR_YIELD_NODE_RED: folder, SOLAR_YIELD_NODE: node } = process.env;
	return {
		...ownNodeRed(),
		...(folder && { version: versionOf(folder), red: join(folder, "red.js") }),
		...(node && { node }),
	};
}

/**
 * One that `tools/node-reds.cjs` has installed below SOLAR_YIELD_NODE_REDS,
 * undefined where it has not.
 *
 * @param nodeRed a version as it was named there ("5", "4.0.9")
 * @param node a version of Node.js; without it this process's own runs
 */
export function installedNodeRed(
	nodeRed: string,
	node?: string,
): Installation | undefined {
	const root = process.env.SOLAR_YIELD_NODE_REDS;
	if (!root) return undefined;
	const folder = join(root, `node-red-${nodeRed}`, "node_modules/node-red");
	const executable =
		node === undefined
			? process.execPath
			: join(root, `node-${node}`, "node_modules/node/bin/node");
	const red = join(folder, "red.js");
	return existsSync(red) && existsSync(executable)
		? { version: versionOf(folder), red, node: executable }
		: undefined;
}
