import { MINUTE_MS } from "../../util/time";
import type { Format } from "../format";
import { isListUnsure } from "../list-rounding";
import { stepStart } from "../source/curve";
import {
	refuseEmpty,
	refuseGap,
	stepOption,
	utcOffsetText,
	watts,
} from "../source/units";

/**
 * Runtime parameters of EMHASS (docs/forecasts.md): the first step is the
 * running one. Steps follow each other by real time, also over a clock change.
 */
export const emhass: Format = {
	help: "For EMHASS: the body of a POST to /action/naive-mpc-optim or /action/dayahead-optim, with pv_power_forecast in W.",
	label: "start of a step",
	contentType: "application/json",
	oneSite: true,
	options: [
		{
			kind: "choice",
			name: "shape",
			help: "dict: time and W, which EMHASS puts on its own steps; list: W alone, the first of the running step, for a method_ts_round of first.",
			values: ["dict", "list"],
			default: "dict",
		},
		stepOption(30),
		{
			kind: "integer",
			name: "hours",
			help: "Hours that EMHASS plans (prediction_horizon), at most its delta_forecast_daily.",
			min: 1,
			max: 192,
			default: 24,
		},
		{
			kind: "choice",
			name: "rounding",
			help: "EMHASS's method_ts_round, nearest by its own default; a list needs first.",
			values: ["nearest", "first"],
			default: "nearest",
		},
	],
	warning: (options) =>
		isListUnsure(options)
			? "A list has no times, and EMHASS begins it with the running step only where its method_ts_round is first; set that in EMHASS and choose rounding first here, or choose shape dict"
			: undefined,
	make(source, { shape, step, hours }) {
		const { curve, zone, nowMs } = source;
		const minutes = step as number;
		const from = stepStart(zone, nowMs, minutes * MINUTE_MS);
		refuseGap(source, from, curve.to, "EMHASS");
		const steps =
			from < curve.from ? [] : curve.steps(from, curve.to, minutes * MINUTE_MS);
		refuseEmpty(steps.length, source);
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
