import { QUARTER_MS, utcText } from "../../util/time";
import { choice, type Format } from "../format";
import type { Source } from "../source/source";
import { powerAt, wattHours, watts } from "../source/units";

/** The `value` of a slot, by the option. */
const VALUES: Record<string, (source: Source, start: number) => number> = {
	powerAtStart: (source, start) => watts(powerAt(source, start)),
	meanPower: ({ curve }, start) => watts(curve.at(start)),
	energyWh: ({ curve }, start) => wattHours(curve.at(start), QUARTER_MS),
};

/**
 * evcc's custom solar tariff (evcc: tariff/tariff.go, core/solar.go): from
 * today's midnight on. evcc takes a day for complete when a slot begins at the
 * midnight that closes it, so the last day gets one where it ends without power.
 * As `rates` it is what evcc's own API answers, which others read.
 */
export const evcc: Format = {
	contentType: "application/json",
	oneSite: true,
	// evcc gives up on a tariff that answers with an error at its start; other readers take nothing for no sun.
	whileUnknown: ({ shape }) => (shape === "list" ? [] : undefined),
	options: [
		choice("value", Object.keys(VALUES)),
		choice("shape", ["list", "rates"]),
	],
	make(source, options) {
		const slotValue = VALUES[
			options.value as string
		] as (typeof VALUES)[string];
		const { curve, zone, todayStart } = source;
		const slot = (start: number, value: number) => ({
			start: utcText(start),
			end: utcText(start + QUARTER_MS),
			value,
		});
		const slots = [];
		for (const start of curve.quarters(todayStart)) {
			const value = slotValue(source, start);
			if (!Number.isNaN(value)) slots.push(slot(start, value));
		}
		const { to } = curve;
		const endsAtMidnight = zone.dayStart(zone.dayOf(to)) === to;
		if (endsAtMidnight && curve.at(to - QUARTER_MS) === 0 && slots.length > 0) {
			slots.push(slot(to, 0));
		}
		const payload = options.shape === "list" ? slots : { rates: slots };
		return [{ payload, span: { from: todayStart, to } }];
	},
};
