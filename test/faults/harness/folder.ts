import { existsSync } from "node:fs";
import { tmpdir } from "node:os";

/** Memory as a file system, where there is one: a disk would wait for each save. */
export const inMemory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
