import {
	mkdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** What a file system may say, whatever is done. */
export const DISK_ERRORS = [
	"ENOSPC",
	"EROFS",
	"EACCES",
	"EPERM",
	"EIO",
	"EMFILE",
	"EDQUOT",
	"ENOTDIR",
	"EBUSY",
] as const;

/** What a store does with files; the last three on an open one. */
export const DISK_CALLS = [
	"mkdir",
	"open",
	"readFile",
	"writeFile",
	"rename",
	"link",
	"unlink",
	"readdir",
	"stat",
	"handle.writeFile",
	"handle.sync",
	"handle.stat",
] as const;
export type DiskCall = (typeof DISK_CALLS)[number];

/** How a byte of a file is damaged. */
export const DAMAGES: readonly (readonly [
	name: string,
	damage: (whole: Buffer, at: number) => Buffer,
])[] = [
	[
		"a bit is turned",
		(whole, at) => {
			const copy = Buffer.from(whole);
			copy[at] = (copy[at] ?? 0) ^ (1 << (at % 8));
			return copy;
		},
	],
	[
		"the byte is another digit",
		(whole, at) => {
			const copy = Buffer.from(whole);
			copy[at] = 0x30 + (((copy[at] ?? 0) + 7) % 10);
			return copy;
		},
	],
	["it ends there", (whole, at) => whole.subarray(0, at)],
];

/** What becomes of a whole file, so that it holds nothing of use. */
export const FILE_DAMAGES: readonly (readonly [
	string,
	(file: string) => void,
])[] = [
	["is empty", (file) => truncateSync(file, 0)],
	[
		"is cut short",
		(file) => truncateSync(file, readFileSync(file).length >> 1),
	],
	[
		"holds anything",
		(file) => writeFileSync(file, Buffer.from([0, 255, 1, 254, 123, 10, 93])),
	],
	[
		"is a folder",
		(file) => {
			rmSync(file);
			mkdirSync(file);
			writeFileSync(join(file, "x"), "");
		},
	],
	[
		"is a link to nothing",
		(file) => {
			rmSync(file);
			symlinkSync(join(file, "..", "nowhere"), file);
		},
	],
];
