/**
 * Writes `user-dir/`, once per version that an upgrade is tested from:
 * `node -r tsx/cjs test/process/upgrade/write.ts TARBALL` runs that version for
 * one forecast and keeps what it leaves in its user directory.
 */
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installedUserDir } from "../../support/node-red-process";
import { KEPT, UpgradeWorld, USER_DIR } from "./world";

async function write(tarball: string): Promise<void> {
	const world = new UpgradeWorld(0);
	const userDir = installedUserDir(tarball);
	await world.start();
	const red = world.nodeRed(userDir);
	try {
		await red.start([]);
		await red.deploy(world.flows(), world.credentials);
		await world.collector.wait("one");
		await world.collector.wait("status", 1, ({ status }) =>
			/kWh today/.test(status.text),
		);
		// What is remembered is written a moment later.
		await new Promise((done) => setTimeout(done, 3000));
	} finally {
		await red.stop();
		await world.stop();
	}
	rmSync(USER_DIR, { recursive: true, force: true });
	for (const name of KEPT) {
		cpSync(join(userDir, name), join(USER_DIR, name), { recursive: true });
	}
	writeFileSync(join(USER_DIR, "written-at"), String(Date.now()));
}

write(process.argv[2] as string).catch((error) => {
	console.error(error);
	process.exitCode = 1;
});
