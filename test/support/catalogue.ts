import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Translate } from "../../nodes/shared/status";

/** Texts of the catalogues, as Node-RED looks them up. */
export function translator(language: string): Translate {
	return (key, values = {}) => {
		const [, set = "", path = ""] =
			/^@solar-yield\/node-red-solar-yield\/([\w-]+):(.+)$/.exec(key) ?? [];
		const file = join(
			__dirname,
			"../../nodes",
			set.replace("solar-yield-", ""),
			`locales/${language}.json`,
		);
		const text = path
			.split(".")
			.reduce<any>(
				(branch, name) => branch?.[name],
				JSON.parse(readFileSync(file, "utf8")),
			);
		assert.equal(typeof text, "string", `${language} ${key}`);
		return (text as string).replace(
			/__(\w+?)__/g,
			(_all, name) => values[name] ?? assert.fail(name),
		);
	};
}
