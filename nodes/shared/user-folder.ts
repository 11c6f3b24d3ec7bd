import { homedir } from "node:os";
import { join } from "node:path";
import type { NodeAPI } from "node-red";

/** The folder under the user directory where memory is kept (behaviour: Restarts and deploys). */
export function storeFolder(RED: NodeAPI): string {
	const { userDir } = RED.settings as { userDir?: string };
	return join(userDir ?? join(homedir(), ".node-red"), "solar-yield");
}
