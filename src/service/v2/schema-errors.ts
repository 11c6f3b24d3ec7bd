import type { z } from "zod";
import { type Text, textIn, type Value, type Values } from "../../texts/texts";
import { SolarYieldError } from "../errors/solar-yield-error";

/** `["values", 5, "timestamp"]` → `values[5].timestamp` */
export function pathText(path: readonly PropertyKey[]): string {
	return path
		.map((part, index) =>
			typeof part === "number"
				? `[${part}]`
				: `${index === 0 ? "" : "."}${String(part)}`,
		)
		.join("");
}

/** A value as errors show it, at most 60 characters. */
export function show(value: unknown): Value {
	if (value === undefined) return { key: "value.missing" };
	let text: string;
	try {
		text = JSON.stringify(value) ?? String(value);
	} catch {
		// Nested too deeply for any text.
		text = typeof value;
	}
	return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** The error for an answer that cannot be used (behaviour: Failures), by the key of what is wrong with it. */
export function responseError(
	key: string,
	values?: Values,
	detail?: string,
): SolarYieldError {
	const what = { key, values };
	return new SolarYieldError(
		"RESPONSE",
		"service.unusable",
		{ what },
		{ detail: detail ?? textIn(what) },
	);
}

/** A text as the message of a schema. */
export const zodText = (key: string, values?: Values) =>
	JSON.stringify({ key, values });

/** What zod found first: the path from a prefix on, the value there, and zod's or our own words. */
export function firstIssue(
	{ issues: [issue] }: z.ZodError,
	value: unknown,
	prefix: readonly PropertyKey[] = [],
): { path: string; value: Value; words: Text } {
	const { path = [], message = "invalid" } = issue ?? {};
	let found = value;
	for (const part of path)
		found = (found as Record<PropertyKey, unknown> | undefined)?.[part];
	return {
		path: pathText([...prefix, ...path]),
		value: show(found),
		words: message.startsWith("{")
			? JSON.parse(message)
			: issue?.code === "invalid_type"
				? { key: "expected.type", values: { type: issue.expected } }
				: { key: message },
	};
}

/** The `RESPONSE` error for the first issue that zod found, with the path of the field. */
export function schemaError(
	error: z.ZodError,
	value: unknown,
	prefix?: readonly PropertyKey[],
): SolarYieldError {
	const issue = firstIssue(error, value, prefix);
	return responseError("value.issue", {
		...issue,
		path: issue.path || { key: "value.the_body" },
	});
}
