import { z } from "zod";
import type { NowPayload } from "../../forecast/now";
import { isObject } from "../../util/guards";
import { checked } from "./checked";

/** Whether an object is the payload of a `solar-yield-now` node. */
export const isNow = (payload: Record<string, unknown>) =>
	"power_now_w" in payload;

/** As much of the payload of `solar-yield-now` as its readers lean on. */
const Now = z.looseObject({
	power_now_w: z.number().nullable(),
	days: z.array(
		z.looseObject({ date: z.string(), pv_energy_kwh: z.number().nullable() }),
	),
	strings: z.array(z.looseObject({ string_id: z.string() })),
});
const checkNow = checked(Now, "messages.hand_on_now");

/**
 * A copy of the values of a `solar-yield-now` node, undefined when a payload is something else.
 *
 * @param payload as `readPayload` gave it
 * @throws SolarYieldError `INPUT` naming the field when the values are broken
 */
export function nowFromInput(payload: unknown): NowPayload | undefined {
	if (!isObject(payload) || !isNow(payload)) return undefined;
	const now = checkNow(payload, "msg.payload");
	const copies = (rows: readonly object[]) => rows.map((row) => ({ ...row }));
	return {
		...now,
		days: copies(now.days),
		strings: copies(now.strings),
	} as unknown as NowPayload;
}
