import { readdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { HOUR_MS } from "../../util/time";
import { isAlive } from "./lock-file";

/** Age at which a temporary file has no writer any more, whoever has its process id now, ms. */
const ABANDONED_MS = HOUR_MS;

let writers = 0;

/** Ends the names of one writer's temporary files: process id and number, since a folder may serve several. */
export const temporaryMark = () => `${process.pid}.${++writers}.tmp`;

/** Removes temporary files whose writers were killed. Never rejects. */
export async function sweepTemporary(folder: string): Promise<void> {
	const names = await readdir(folder).catch(() => []);
	for (const name of names) {
		const pid = Number(/\.(\d+)(\.\d+)?\.tmp$/.exec(name)?.[1]);
		if (!(pid > 0)) continue;
		const file = join(folder, name);
		const written = await stat(file).catch(() => undefined);
		// In a container an earlier process often had our own number.
		const isOurs =
			pid === process.pid && (written?.mtimeMs ?? 0) >= performance.timeOrigin;
		const isOthers = pid !== process.pid && isAlive(pid);
		const isOld = Date.now() - (written?.mtimeMs ?? 0) > ABANDONED_MS;
		if (isOld || !(isOurs || isOthers)) await unlink(file).catch(() => {});
	}
}
