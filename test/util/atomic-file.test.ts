import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import fs from "node:fs/promises";
import { join } from "node:path";
import { writeAtomically } from "../../src/util/disk/atomic-file";
import { temporaryFolder } from "../support/temporary";

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
		await writeAtomically(join(folder, "file"), "old", "1.1.tmp");
	});
	afterEach(() => {
		fs.rename = rename;
	});
	const content = () => readFileSync(join(folder, "file"), "utf8");
	const write = () => writeAtomically(join(folder, "file"), "new", "1.1.tmp");

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

	it("is not tried again for what waiting does not mend", async () => {
		for (const code of ["ENOSPC", "EROFS", "EISDIR", "ENOENT"]) {
			hold(code, 1);
			await assert.rejects(write(), { code });
			assert.equal(attempts, 1, code);
			assert.equal(content(), "old");
		}
	});
});
