import { z } from "zod";
import { inputError } from "../../service/errors/solar-yield-error";
import { firstIssue } from "../../service/v2/schema-errors";

/**
 * A check of a part of messages, compiled: messages come each minute, and as a rule
 * nothing is wrong with them.
 *
 * @param schema without defaults and transformations: the value itself is what is used
 * @param remedy key of what to do about a fault
 * @returns a function that returns the value it is given, or throws a `SolarYieldError`
 * `INPUT` that names the field, by what the value is called
 */
export function checked<Schema extends z.ZodType>(
	schema: Schema,
	remedy: string,
): (value: unknown, name: string) => z.infer<Schema> {
	const compiled = z.compile(schema);
	return (value, name) => {
		if (compiled.validate(value)) return value as z.infer<Schema>;
		const result = schema.safeParse(value);
		if (result.success) return result.data;
		throw inputError("messages.issue", {
			...firstIssue(result.error, value, [name]),
			advice: { key: remedy },
		});
	};
}
