import { inputError } from "../errors/solar-yield-error";
import type { InlineSystem } from "./request-parameters";
import { readSystem } from "./sites/site-input";

/**
 * Reads a system for an inline request from JSON text or an object.
 *
 * @throws SolarYieldError `INPUT` with the path of the bad field
 */
export function readInlineSystem(value: unknown): InlineSystem {
	if (typeof value !== "string") return readSystem(value);
	let body: unknown;
	try {
		body = JSON.parse(value);
	} catch {
		throw inputError("sites.inline_no_json");
	}
	return readSystem(body);
}
