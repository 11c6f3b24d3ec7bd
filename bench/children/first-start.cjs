// The first message after a start, in a process that has done nothing before.
const { mkdtempSync, readFileSync, rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const built = require("./package.cjs");
const clockOf = require("./clock-of.cjs");
const firstMessage = require("./first-message.cjs");
const stateOf = require("./state.cjs");
const { AccountFiles } = built("src/polling/storage/account-files.js");

const input = JSON.parse(process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), "solar-yield-store-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const body = readFileSync(input.file, "utf8");
const store = new AccountFiles(folder, "http://service", "no-real-key");
const tasks = {
	floor: () => JSON.parse(body),
	ours: () => firstMessage(store, input),
};
void (async () => {
	await store.saveAnswer({ head: stateOf.head(input), body });
	const now = clockOf(body);
	const start = now();
	await tasks[input.task]();
	process.stdout.write(JSON.stringify({ ms: now() - start }));
})();
