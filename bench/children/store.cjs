// The way to the disk and back, and the first message after a start.
const { readFileSync, mkdtempSync, rmSync } = require("node:fs");
const { open } = require("node:fs/promises");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const built = require("./package.cjs");
const { compare, input } = require("./compare.cjs");
const stateOf = require("./state.cjs");
const { AccountFiles } = built("src/polling/storage/account-files.js");
const firstMessage = require("./first-message.cjs");

const folder = mkdtempSync(join(tmpdir(), "solar-yield-store-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const body = readFileSync(input.file, "utf8");
const head = stateOf.head(input);
const store = new AccountFiles(folder, "http://service", "no-real-key");

/** A file on disk, safe from a power cut: what any store costs. */
async function writeBytes() {
	const file = await open(join(folder, "bytes"), "w");
	await file.writeFile(body);
	await file.sync();
	await file.close();
}

void (async () => {
	await store.saveAnswer({ head, body });
	await compare({
		floor: () => JSON.parse(body),
		"the bytes alone": writeBytes,
		write: () => store.saveAnswer({ head, body }),
		read: () => store.loadAnswer("site"),
		"first message": () => firstMessage(store, input),
	});
})();
