import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { NodeAPI } from "node-red";
import type { Text } from "../../src/texts/texts";

/** Settings of Node-RED that are read: its own, and ours of settings.js. */
interface Settings {
	readonly userDir?: string;
	readonly solarYield?: { readonly folder?: unknown };
	get?(name: string): unknown;
	set?(name: string, value: unknown): Promise<unknown> | undefined;
}

const settingsOf = (RED: NodeAPI) => RED.settings as unknown as Settings;
const isPath = (value: unknown): value is string =>
	typeof value === "string" && value.trim() !== "";

/**
 * The folder where memory is kept (behaviour: Restarts and deploys): `solarYield.folder` of
 * settings.js, the environment variable `SOLAR_YIELD_FOLDER`, or `solar-yield` under
 * the user directory, in which paths that are not absolute begin.
 */
export function storeFolder(RED: NodeAPI): string {
	const { userDir, solarYield } = settingsOf(RED);
	const home = userDir ?? join(homedir(), ".node-red");
	const given = [solarYield?.folder, process.env.SOLAR_YIELD_FOLDER].find(
		isPath,
	);
	return resolve(home, given?.trim() ?? "solar-yield");
}

/** Name under which Node-RED's own settings remember the folder; on hosted ones they are not on the same disk. */
const REMEMBERED = "solarYieldFolder";
/** Folders that were looked at in this process. */
const seen = new Set<string>();

/**
 * Says once if a folder that an earlier start had is gone: where nothing is kept, each
 * start costs a request.
 */
export function warnIfVanished(
	RED: NodeAPI,
	folder: string,
	warn: (text: Text) => void,
): void {
	if (seen.has(folder)) return;
	seen.add(folder);
	try {
		const settings = settingsOf(RED);
		if (existsSync(folder) || settings.get?.(REMEMBERED) !== folder) return;
	} catch {
		// Without settings of its own Node-RED remembers nothing.
		return;
	}
	warn({ key: "nodes.folder_vanished", values: { folder } });
}

/** Has Node-RED's own settings remember a folder that is there. */
export function rememberFolder(RED: NodeAPI, folder: string): void {
	const settings = settingsOf(RED);
	try {
		if (!existsSync(folder) || settings.get?.(REMEMBERED) === folder) return;
		settings.set?.(REMEMBERED, folder)?.catch?.(() => {});
	} catch {
		// Then the next start says nothing.
	}
}
