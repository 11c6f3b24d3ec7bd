import type { z } from "zod";
import { pathText, show } from "../../service/v2/schema-errors";

/** What zod found first: `msg.solar.gaps is "x" (expected number)`. */
export function issueText(
	error: z.ZodError,
	value: unknown,
	name: string,
): string {
	const [issue] = error.issues;
	let found = value;
	for (const part of issue?.path ?? []) {
		found = (found as Record<PropertyKey, unknown> | undefined)?.[part];
	}
	const path = [name, pathText(issue?.path ?? [])].filter(Boolean).join(".");
	return `${path} is ${show(found)} (${issue?.message})`;
}
