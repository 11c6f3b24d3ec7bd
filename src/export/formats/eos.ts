import { MINUTE_MS } from "../../util/time";
import { type Format, stepOption } from "../format";
import {
	firstStep,
	refuseEmpty,
	refuseGap,
	utcOffsetText,
	watts,
} from "../source/units";

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
		const stepMs = minutes * MINUTE_MS;
		const from = firstStep(source, todayStart, stepMs);
		refuseGap(source, from, curve.to, "EOS");
		const steps = curve.steps(from, curve.to, stepMs);
		refuseEmpty(steps.length, source);
		const power = steps.map((each) => watts(each.watts));
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
