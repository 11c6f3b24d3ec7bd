import { z } from "zod";
import type { NowPayload } from "../../forecast/now";
import { isObject } from "../../util/guards";
import { readAs } from "../read-as";

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
/**
 * A copy of the values of a `solar-yield-now` node, undefined when a payload is something else.
 *
 * @param payload as `readPayload` gave it
 * @throws SolarYieldError `INPUT` naming the field when the values are broken
 */
export function nowFromInput(payload: unknown): NowPayload | undefined {
	if (!isObject(payload) || !isNow(payload)) return undefined;
	const now = readAs(Now, payload, "msg.payload", "messages.hand_on_now");
	return now as unknown as NowPayload;
}
