import { utcText } from "../forecast/zone";
import { QUARTER_MS } from "../util/time";
import type { Format, Source } from "./format";
import { powerAt, quarters, wattHours, watts } from "./values";

/** What `value` says of a slot, by the option's name. */
const VALUES: Record<string, (source: Source, start: number) => number> = {
	powerAtStart: (source, start) => watts(powerAt(source, start)),
	meanPower: ({ curve }, start) => watts(curve.at(start)),
	energyWh: ({ curve }, start) => wattHours(curve.at(start), QUARTER_MS),
};

/** evcc's custom solar tariff (evcc: tariff/tariff.go, core/solar.go): from today's midnight on. */
export const evcc: Format = {
	help: "For evcc's custom solar tariff: a list of quarter hours {start, end, value}, best served over HTTP.",
	label: "start and end of a quarter hour",
	contentType: "application/json",
	options: [
		{
			kind: "choice",
			name: "value",
			help: "powerAtStart: W at the start, which evcc reads today; meanPower: mean W of the slot; energyWh: Wh of the slot.",
			values: Object.keys(VALUES),
			default: "powerAtStart",
		},
	],
	make(source, options) {
		const say = VALUES[options.value as string] as (typeof VALUES)[string];
		const slots = [];
		for (const start of quarters(source, source.todayStart)) {
			const value = say(source, start);
			if (!Number.isNaN(value)) {
				slots.push({
					start: utcText(start),
					end: utcText(start + QUARTER_MS),
					value,
				});
			}
		}
		const span = { from: source.todayStart, to: source.curve.to };
		return [{ payload: slots, span }];
	},
};
