import { QUARTER_MS } from "../../util/time";
import { utcText } from "../../util/timestamp";
import type { Format, Source } from "../format";
import { quarters, watts } from "../source/units";

/** A point of a curve, as cards for Home Assistant read it from an attribute. */
interface CurvePoint {
	readonly datetime: string;
	readonly watts: number;
}

/** Points of the quarters from one instant to another, each at the middle of its quarter. */
export function curvePoints(
	source: Source,
	from: number,
	to: number,
): CurvePoint[] {
	const points: CurvePoint[] = [];
	for (const start of quarters(source, from, to)) {
		points.push({
			datetime: utcText(start + QUARTER_MS / 2),
			watts: watts(source.curve.at(start)),
		});
	}
	return points;
}

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
