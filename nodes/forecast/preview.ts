import { siteDayEnergy } from "../../src/forecast/forecast";
import { utcText } from "../../src/forecast/zone";
import { quotaFacts } from "../../src/messages/make-facts";
import { REASONS } from "../../src/messages/reasons";
import { dateText } from "../../src/util/timestamp";
import type { ForecastPreview } from "./dialog-answers";
import type { ForecastNode } from "./settings";

/** When a deployed forecast node asks next and why, and its curve for a small chart. */
export async function forecastPreview(
	node: ForecastNode | null,
): Promise<ForecastPreview | undefined> {
	const { settings, problem } = node?.solarYield ?? {};
	if (problem) throw problem;
	if (!settings) return undefined;
	const { hub, interval } = settings.account;
	const state = hub.state(settings.source, interval);
	const { forecast, plan, failure } = state;
	const values = forecast?.values;
	const today = forecast ? forecast.zone.dayOf(state.now) : 0;
	const from = values?.indexFrom(forecast?.zone.dayStart(today) ?? 0) ?? 0;
	const to = values?.indexFrom(forecast?.zone.dayStart(today + 2) ?? 0) ?? 0;
	return {
		next_request_at: plan.at === null ? null : utcText(plan.at),
		reason: plan.reason,
		reason_text: REASONS[plan.reason],
		error: failure && {
			code: `SOLAR_YIELD_${failure.kind}`,
			message: failure.message,
		},
		stale: state.stale,
		available: forecast?.available ?? null,
		timezone: forecast?.zone.name ?? null,
		computed_at:
			forecast?.computed_at == null ? null : utcText(forecast.computed_at),
		quota: quotaFacts(state),
		days: forecast
			? [today, today + 1].map((day) => ({
					date: dateText(day),
					energy_kwh: siteDayEnergy(forecast, day, "pv_power", state.settled),
				}))
			: [],
		curve: values
			? values.starts
					.slice(from, to)
					.map((start) => [start, values.valueAt(start, "pv_power")])
			: [],
	};
}
