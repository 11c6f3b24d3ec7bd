import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./node-red-process";

const README = readFileSync(join(ROOT, "README.md"), "utf8");

/** A section of the README, from its heading to the next. */
export function section(heading: string): string {
	const [, text] =
		new RegExp(`^## ${heading}\\n([\\s\\S]*?)^## `, "m").exec(README) ?? [];
	return text ?? assert.fail(`README has no section "${heading}"`);
}

/** The numbered steps of a section, each in one line. */
export function steps(heading: string): string[] {
	const [list = ""] = /(^\d+\. [\s\S]*?)\n\n/m.exec(section(heading)) ?? [];
	return list
		.split(/\n?^\d+\. /m)
		.filter(Boolean)
		.map((step) => step.replace(/\s+/g, " ").trim());
}

/** What a step tells to press or to look for: all in italics or bold. */
export const named = (step: string): string[] =>
	[...step.matchAll(/(?<![\w*_])(_|\*\*)(.+?)\1(?![\w*_])/g)].map(
		([, , words = ""]) => words,
	);

/** The flow to be copied: the first block of JSON. */
export function firstFlow(): string {
	const [, flow] = /^```json\n([\s\S]*?)^```/m.exec(README) ?? [];
	return flow ?? assert.fail("README has no flow");
}
