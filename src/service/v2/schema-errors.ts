import type { z } from "zod";
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
export function show(value: unknown): string {
	if (value === undefined) return "missing";
	let text: string;
	try {
		text = JSON.stringify(value) ?? String(value);
	} catch {
		// Nested too deeply for any text.
		text = typeof value;
	}
	return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** The error for an answer that cannot be used (behaviour: Failures), naming the field. */
export function responseError(what: string, detail?: string): SolarYieldError {
	return new SolarYieldError(
		"RESPONSE",
		`The service's answer cannot be used: ${what}; nothing needs to be done if it is rare, else tell the service`,
		{ detail: detail ?? what },
	);
}

/** The `RESPONSE` error for the first issue that zod found, with the path of the field. */
export function schemaError(
	error: z.ZodError,
	value: unknown,
	prefix: readonly PropertyKey[] = [],
): SolarYieldError {
	const [issue] = error.issues;
	const inner = issue?.path ?? [];
	let found = value;
	for (const part of inner)
		found = (found as Record<PropertyKey, unknown>)?.[part];
	const path = pathText([...prefix, ...inner]) || "the body";
	const words = (issue?.message ?? "invalid").replace(/, received .*$/, "");
	return responseError(`${path} is ${show(found)} (${words})`);
}
