import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";

const hexUnit = (one: string) =>
	one.charCodeAt(0).toString(16).padStart(4, "0");

/** The key as a server may repeat it: plain, escaped for JSON and URLs, in base64. */
export function keyEchoes(key: string): string[] {
	const percent = encodeURIComponent(key);
	const json = JSON.stringify(key).slice(1, -1);
	const escaped = (hex: (one: string) => string) =>
		[...key].map((one) => (/\w/.test(one) ? one : `\\u${hex(one)}`)).join("");
	const encoded = ["", "x", "xy", "Bearer ", "user:"].flatMap((before) =>
		(["base64", "base64url"] as const).map((form) =>
			Buffer.from(before + key).toString(form),
		),
	);
	return [
		...new Set([
			key,
			json,
			json.replaceAll("/", "\\/"),
			escaped(hexUnit),
			escaped((one) => hexUnit(one).toUpperCase()),
			percent,
			percent.replace(/%../g, (code) => code.toLowerCase()),
			Buffer.from(key).toString("hex").replace(/../g, "%$&"),
			[...key].map((one) => `&#${one.charCodeAt(0)};`).join(""),
			...encoded,
		]),
	];
}

/** What of each echo is there whatever stands around the key: what to look for. */
function keyForms(key: string): string[] {
	// The bytes before the key shift its base64; both ends depend on neighbours.
	const base64 = ["", "x", "xy"].map((before) =>
		Buffer.from(before + key)
			.toString("base64")
			.replace(/=+$/, "")
			.slice(before === "" ? 0 : 4, -1),
	);
	return [
		...new Set([
			...keyEchoes(key).filter(
				(form) => !/^[\w+/=-]+$/.test(form) || form === key,
			),
			...base64,
			...base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
		]),
	];
}

/** All that a debugger, a log or a serialiser could show of a value, hidden properties included. */
export function shownText(value: unknown): string {
	const texts = [
		inspect(value, {
			depth: 12,
			showHidden: true,
			getters: false,
			maxStringLength: null,
			maxArrayLength: 50,
		}),
	];
	if (typeof value === "string") texts.push(value);
	if (value instanceof Error) {
		texts.push(
			value.message,
			String(value),
			value.stack ?? "",
			JSON.stringify(value.cause) ?? "",
		);
	}
	return texts.join("\n");
}

/** Names and contents of all files below a folder, one text. */
export function filesText(
	folder: string,
	isExcepted: (name: string) => boolean = () => false,
): string {
	const texts: string[] = [];
	const walk = (at: string) => {
		for (const name of readdirSync(at)) {
			const file = join(at, name);
			if (isExcepted(name)) continue;
			try {
				if (statSync(file).isDirectory()) walk(file);
				else texts.push(name, readFileSync(file, "latin1"));
			} catch (error) {
				// A temporary file that has its real name by now.
				if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
			}
		}
	};
	walk(folder);
	return texts.join("\n");
}

/** Fails when a text holds the key in any form. */
export function assertNoKey(key: string, text: string, where: string): void {
	for (const form of keyForms(key)) {
		const at = text.indexOf(form);
		assert.ok(
			at < 0,
			`the key is in ${where}: …${text.slice(Math.max(0, at - 60), at)}[key]`,
		);
	}
}
