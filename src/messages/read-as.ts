import type { z } from "zod";
import { inputError } from "../service/errors/solar-yield-error";
import { firstIssue } from "../service/v2/schema-errors";

/**
 * A part of a message as a schema has it.
 *
 * @param name what the value is called
 * @param remedy key of what to do about a fault
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
	throw inputError("messages.issue", {
		...firstIssue(error, value, [name]),
		advice: { key: remedy },
	});
}
