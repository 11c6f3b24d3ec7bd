import type { Format } from "../format";
import { curvePoints } from "../source/rows";

/** RomRider's apexcharts-card, its data_generator over an attribute. */
export const apexcharts: Format = {
	contentType: "application/json",
	options: [
		{
			kind: "integer",
			name: "days",
			min: 1,
			max: 8,
			default: 2,
		},
	],
	make(source, { days }) {
		const { curve, zone, today, todayStart } = source;
		const to = Math.min(zone.dayStart(today + (days as number)), curve.to);
		return [
			{
				payload: { forecast: curvePoints(source, todayStart, to) },
				span: { from: todayStart, to },
			},
		];
	},
};
