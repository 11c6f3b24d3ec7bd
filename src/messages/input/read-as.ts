import type { z } from "zod";
import { inputError } from "../../service/errors/solar-yield-error";
import { pathText, show } from "../../service/v2/schema-errors";

/**
 * A part of a message as a schema has it.
 *
 * @param name what the value is called
 * @param remedy what to do about a fault
 * @throws SolarYieldError `INPUT` that names the first field that is wrong
 */
export function readAs<Schema extends z.ZodType>(
	schema: Schema,
	value: unknown,
	name: string,
	remedy: string,
): z.output<Schema> {
	const { success, data, error } = schema.safeParse(value);
	if (success) return data;
	const { path, message } = error.issues[0] as z.core.$ZodIssue;
	let found = value;
	for (const part of path)
		found = (found as Record<PropertyKey, unknown>)?.[part];
	const place = [name, pathText(path)].filter(Boolean).join(".");
	throw inputError(`${place} is ${show(found)} (${message}); ${remedy}`);
}
