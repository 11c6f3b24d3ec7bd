import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
	rememberFolder,
	storeFolder,
	warnIfVanished,
} from "../../nodes/shared/user-folder";
import type { Text } from "../../src/texts/texts";
import { temporaryFolder } from "../support/temporary";

const withSettings = (settings: object) => ({ settings }) as never;

describe("the folder where memory is kept", () => {
	const userDir = temporaryFolder("user");
	afterEach(() => {
		delete process.env.SOLAR_YIELD_FOLDER;
	});

	it("is where settings.js, else the environment says, else in the user directory", () => {
		assert.equal(
			storeFolder(withSettings({ userDir })),
			join(userDir, "solar-yield"),
		);
		process.env.SOLAR_YIELD_FOLDER = "/volume/kept";
		assert.equal(storeFolder(withSettings({ userDir })), "/volume/kept");
		const solarYield = { folder: "mine" };
		const own = withSettings({ userDir, solarYield });
		assert.equal(storeFolder(own), join(userDir, "mine"));
	});

	it("that vanishes between starts is said once, and never at a first start", () => {
		const kept = new Map<string, unknown>();
		const RED = withSettings({
			get: (name: string) => kept.get(name),
			set: async (name: string, value: unknown) => kept.set(name, value),
		});
		const said: Text[] = [];
		const start = (folder: string) =>
			warnIfVanished(RED, folder, (text) => said.push(text));
		const folder = join(userDir, "kept");
		start(join(userDir, "first"));
		mkdirSync(folder);
		rememberFolder(RED, folder);
		assert.deepEqual(said, []);
		rmSync(folder, { recursive: true });
		start(folder);
		start(folder);
		assert.deepEqual(said, [
			{ key: "nodes.folder_vanished", values: { folder } },
		]);
	});
});
