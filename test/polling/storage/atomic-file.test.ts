import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import fs from "node:fs/promises";
import { join } from "node:path";
import {
	createWhole,
	writeAtomically,
	writeWhole,
} from "../../../src/polling/storage/atomic-file";
import { temporaryFolder } from "../../support/temporary";

describe("a file that another program holds open", () => {
	const { rename } = fs;
	let folder: string;
	let attempts: number;
	/** Lets so many renames end in an error, and all after them succeed. */
	const hold = (code: string, times: number) => {
		attempts = 0;
		fs.rename = async (from, to) => {
			attempts += 1;
			if (attempts <= times) {
				throw Object.assign(new Error(`${code}: held`), { code });
			}
			return rename(from, to);
		};
	};
	beforeEach(async () => {
		folder = temporaryFolder("held");
		await writeAtomically(join(folder, "file"), "old", join(folder, "tmp"));
	});
	afterEach(() => {
		fs.rename = rename;
		Object.assign(fs, { link });
	});
	const { link } = fs;
	const content = () => readFileSync(join(folder, "file"), "utf8");
	const write = () =>
		writeAtomically(join(folder, "file"), "new", join(folder, "tmp"));

	for (const code of ["EPERM", "EBUSY", "EACCES"]) {
		it(`is replaced once it is let go (${code})`, async () => {
			for (const times of [1, 2, 4]) {
				hold(code, times);
				await write();
				assert.equal(attempts, times + 1);
				assert.equal(content(), "new");
				assert.deepEqual(readdirSync(folder), ["file"]);
			}
		});

		it(`is left as it is when it is not let go (${code})`, async () => {
			hold(code, Number.POSITIVE_INFINITY);
			await assert.rejects(write(), { code });
			assert.equal(attempts, 5);
			assert.equal(content(), "old");
			assert.deepEqual(readdirSync(folder), ["file"]);
		});
	}

	it("is created where there are no links, too", async () => {
		fs.link = async () => {
			throw Object.assign(new Error("no links"), { code: "EPERM" });
		};
		hold("EBUSY", 2);
		const file = join(folder, "second");
		const isNew = await createWhole(file, join(folder, "tmp"), (temporary) =>
			writeWhole(temporary, "whole"),
		);
		assert.ok(isNew);
		assert.equal(readFileSync(file, "utf8"), "whole");
	});

	it("is not tried again for what waiting does not mend", async () => {
		for (const code of ["ENOSPC", "EROFS", "EISDIR", "ENOENT"]) {
			hold(code, 1);
			await assert.rejects(write(), { code });
			assert.equal(attempts, 1, code);
			assert.equal(content(), "old");
		}
	});
});
