import { MINUTE_MS } from "../../util/time";
import { type Format, stepOption } from "../format";
import { firstStep, planSteps, utcOffsetText, watts } from "../source/units";

/** One of a kind goes without the plural's s. */
const INTERVALS: Readonly<Record<number, string>> = {
	1: "1 minute",
	60: "1 hour",
};

/** Akkudoktor EOS, provider PVForecastImport (docs/akkudoktoreos/prediction.md): from today's midnight on. */
export const eos: Format = {
	contentType: "application/json",
	oneSite: true,
	options: [stepOption(15)],
	make(source, { step }) {
		const { curve, todayStart } = source;
		const minutes = step as number;
		const from = firstStep(source, todayStart, minutes * MINUTE_MS);
		const power = planSteps(source, from, minutes, "EOS").map((each) =>
			watts(each.watts),
		);
		return [
			{
				payload: {
					start_datetime: utcOffsetText(from),
					interval: INTERVALS[minutes] ?? `${minutes} minutes`,
					pvforecast_ac_power: power,
					pvforecast_dc_power: [...power],
				},
				span: { from, to: curve.to },
			},
		];
	},
};
