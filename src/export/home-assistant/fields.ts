import type { NowPayload } from "../../forecast/now";
import type { QuotaFacts } from "../../messages/facts";

type NowField = {
	[Field in keyof NowPayload]: NowPayload[Field] extends
		| number
		| string
		| boolean
		| null
		? Field extends "stale" | `${string}_local`
			? never
			: Field
		: never;
}[keyof NowPayload];
type QuotaField = Exclude<keyof QuotaFacts, "unmetered">;
/** A field of the state that a sensor of the site shows. */
export type SensorField =
	| NowField
	| "weather_code_now"
	| "installed_power_kw"
	| "learned_days"
	| `requests_${QuotaField}`;
