import { QUARTER_MS } from "../../util/time";
import type { Format } from "../format";
import { Curve } from "../source/curve";
import { quarters, watts } from "../source/units";

/** Keys of a point, by the field that they show. */
const KEYS: Readonly<Record<string, string>> = {
	pv_power_clearsky: "clearsky",
	pv_power_min: "min",
	pv_power_max: "max",
};

/** All points of Dashboard 2's ui-chart (docs/en/nodes/widgets/ui-chart.md) in one message. */
export const chart: Format = {
	help: "For Dashboard 2's ui-chart: x is key t, the series are keys pv, clearsky, min, max and string_0 …, in W; set its limit to 0 hours.",
	label: "middle of a quarter hour, epoch ms",
	contentType: null,
	options: [],
	make(source) {
		const { curve, curves, forecast } = source;
		const series: [key: string, curve: Curve][] = [["pv", curve]];
		for (const [field, key] of Object.entries(KEYS)) {
			const known = curves.get(field);
			if (known) series.push([key, known]);
		}
		for (const string of forecast.strings ?? []) {
			series.push([`string_${string.string_index}`, new Curve(string.series)]);
		}
		const points = [];
		for (const start of quarters(source, curve.from)) {
			const point: Record<string, number> = { t: start + QUARTER_MS / 2 };
			for (const [key, line] of series) {
				const value = line.at(start);
				if (!Number.isNaN(value)) point[key] = watts(value);
			}
			points.push(point);
		}
		return [
			{
				payload: points,
				span: { from: curve.from, to: curve.to },
				extra: { action: "replace" },
			},
		];
	},
};
