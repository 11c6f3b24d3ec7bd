import { MINUTE_MS } from "../../util/time";
import { choice, type Format, stepOption } from "../format";
import { isListUnsure } from "../read-option";
import { stepStart } from "../source/curve";
import { planSteps, utcOffsetText, watts } from "../source/units";

/**
 * Runtime parameters of EMHASS (docs/forecasts.md): the first step is the
 * running one. Steps follow each other by real time, also over a clock change.
 */
export const emhass: Format = {
	contentType: "application/json",
	oneSite: true,
	options: [
		choice("shape", ["dict", "list"]),
		stepOption(30),
		{
			kind: "integer",
			name: "hours",
			min: 1,
			max: 192,
			default: 24,
		},
		choice("rounding", ["nearest", "first"]),
	],
	warning: (options) =>
		isListUnsure(options) ? { key: "export.emhass_list" } : undefined,
	make(source, { shape, step, hours }) {
		const { curve, zone, nowMs } = source;
		const minutes = step as number;
		const from = stepStart(zone, nowMs, minutes * MINUTE_MS);
		const steps = planSteps(source, from, minutes, "EMHASS");
		return [
			{
				payload: {
					prediction_horizon: Math.min(
						steps.length,
						((hours as number) * 60) / minutes,
					),
					optimization_time_step: minutes,
					pv_power_forecast:
						shape === "list"
							? steps.map((each) => watts(each.watts))
							: Object.fromEntries(
									steps.map((each) => [
										utcOffsetText(each.start),
										watts(each.watts),
									]),
								),
				},
				span: { from, to: curve.to },
			},
		];
	},
};
