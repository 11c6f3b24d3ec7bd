/**
 * Writes a folder of `user-dirs/`, once per form of the files that an upgrade is
 * tested from: `node -r tsx/cjs test/process/upgrade/write.ts TARBALL NAME` runs
 * the version of that tarball for one forecast and one day of history, and keeps
 * what it leaves in its user directory.
 */
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installedUserDir } from "../../support/node-red-process";
import { earlyInHour } from "../../support/shifted-clock";
import { KEPT, UpgradeWorld, USER_DIRS } from "./world";

async function write(tarball: string, name: string): Promise<void> {
	const clock = earlyInHour();
	const world = new UpgradeWorld(clock);
	const userDir = installedUserDir(tarball);
	await world.start();
	const red = world.nodeRed(userDir);
	try {
		await red.start([]);
		await red.deploy(world.flows(), world.credentials);
		await world.collector.wait("one");
		await world.collector.wait("assistant");
		await world.collector.wait("status", 1, ({ status }) =>
			/kWh today/.test(status.text),
		);
		await red.inject("press-past");
		await world.collector.wait("past");
		// What is remembered is written a moment later.
		await new Promise((done) => setTimeout(done, 3000));
	} finally {
		await red.stop();
		await world.stop();
	}
	const folder = join(USER_DIRS, name);
	rmSync(folder, { recursive: true, force: true });
	for (const kept of KEPT) {
		cpSync(join(userDir, kept), join(folder, kept), { recursive: true });
	}
	writeFileSync(join(folder, "written-at"), String(clock.now()));
}

const [tarball, name] = process.argv.slice(2);
if (!tarball || !name) throw new Error("name a tarball and a folder");
write(tarball, name).catch((error) => {
	console.error(error);
	process.exitCode = 1;
});
