import type { Forecast } from "../forecast/forecast";
import { energy } from "../forecast/series";
import { copyOf, type SolarFacts } from "../messages/facts";
import {
	type ForecastInput,
	forecastFromInput,
} from "../messages/input/forecast-input";
import type { ForecastView } from "../messages/view";
import { inputError } from "../service/errors/solar-yield-error";
import { QUARTER_MS, readInstant, utcText } from "../util/time";

import { sumDays } from "./days";
import { stringRows, sumStrings } from "./strings";
import { added, rounded, sumRows } from "./sum-rows";
import type { SumSettings } from "./sum-settings";

/** `msg.solar` of a sum. */
export interface SumFacts extends SolarFacts {
	/** The sites that were added, in their order. */
	sum_of: string[];
	/** Energy above the limit by local date, kWh, for every date with rows; only with a limit. */
	limited_kwh?: Record<string, number>;
}

/** Output 1 of a site that is the sum of others. */
export interface ForecastSum {
	readonly payload: ForecastView & { solar: SumFacts };
	readonly solar: SumFacts;
}

/** Today's past quarters of all parts where each has one: [end in epoch ms, W]. */
function sumSettled(
	facts: readonly SolarFacts[],
	limit: number,
): SolarFacts["settled"] {
	const known = facts.map(({ settled }) => new Map(settled));
	return [...(known[0]?.keys() ?? [])].flatMap((end): SolarFacts["settled"] => {
		const watts = added(known.map((each) => each.get(end)));
		return watts === null ? [] : [[end, rounded(Math.min(watts, limit))]];
	});
}

/** The earliest of several times, epoch ms; null when none is known. */
function earliest(times: readonly (string | number | null)[]): number | null {
	const known = times
		.map((time) => (typeof time === "number" ? time : readInstant(time ?? "")))
		.filter((time) => !Number.isNaN(time));
	return known.length > 0 ? Math.min(...known) : null;
}

/** What all lists hold, in the order of the first. */
const inAll = (lists: readonly (readonly string[])[]) =>
	(lists[0] ?? []).filter((item) => lists.every((list) => list.includes(item)));

/** Distance in degrees up to which roofs stand under the same sun. */
const SAME_PLACE = 0.5;

/** Position of roofs that stand together: the first one's; null where one is elsewhere or nobody says. */
function positionOf(
	facts: readonly SolarFacts[],
): Pick<SolarFacts, "latitude" | "longitude"> {
	const [{ latitude, longitude }] = facts as [SolarFacts];
	const isNear = (a: number | null, b: number | null) =>
		a !== null && b !== null && Math.abs(a - b) <= SAME_PLACE;
	return facts.every(
		(each) =>
			isNear(each.latitude, latitude) && isNear(each.longitude, longitude),
	)
		? { latitude, longitude }
		: { latitude: null, longitude: null };
}

/**
 * Adds forecasts of sites that lie in one time zone, as the output of a site of
 * its own. Powers add up where all parts have the quarter hour, bands least to
 * least and most to most, and all of it is cut at the limit of the inverter. How
 * the parts label their rows and write their times makes no difference: the sum
 * labels the end and writes the site's own time.
 *
 * @param parts as `SumParts` holds them, at least one
 * @param nowMs epoch ms; what is counted for today is counted for this date
 * @throws SolarYieldError `INPUT` when there is no quarter hour that all parts have
 */
export function sumForecasts(
	parts: readonly ForecastInput[],
	settings: SumSettings,
	nowMs: number,
): ForecastSum {
	const forecasts = parts.map(({ forecast }) => forecast);
	const facts = parts.map(({ solar }) => solar);
	const [first] = forecasts as [Forecast];
	const { zone } = first;
	const limit = settings.acLimitW ?? Number.POSITIVE_INFINITY;
	const { rows, losses } = sumRows(forecasts, limit);
	const [firstRow] = rows;
	if (!firstRow) {
		throw inputError(
			`The forecasts of ${facts.map(({ site_id }) => site_id).join(", ")} have no quarter hour in common, so there is nothing to add; see that all of them are up to date`,
		);
	}
	const write = (start: number) => zone.format(start + QUARTER_MS);
	const stamp = (instant: number | null) =>
		instant === null ? null : zone.format(instant);
	const utc = (instant: number | null) =>
		instant === null ? null : utcText(instant);
	const strings = sumStrings(parts);
	const hasStrings = forecasts.every((forecast) => forecast.strings);
	const hasBand = "pv_power_min" in firstRow.fields;
	const isShown = (group: string) =>
		group === "strings" ? hasStrings : group !== "variability" || hasBand;

	const body = {
		site_id: settings.sumId,
		timezone: zone.name,
		computed_at: stamp(earliest(forecasts.map((each) => each.computed_at))),
		next_poll_at: stamp(earliest(forecasts.map((each) => each.next_poll_at))),
		included: inAll(forecasts.map(({ included }) => included)).filter(isShown),
		available: inAll(forecasts.map(({ available }) => available ?? [])),
		daily: sumDays(forecasts, losses),
		values: rows.map(({ start, fields }) => ({
			timestamp: write(start),
			...fields,
		})),
		...(hasStrings && { strings: stringRows(strings, rows, write) }),
	};
	const nextRequest = earliest(facts.map((each) => each.next_request_at));
	// Read as a node behind will read it.
	const sum = forecastFromInput({
		payload: body,
		solar: {
			site_name: settings.name ?? settings.sumId,
			...positionOf(facts),
			demo: facts.some(({ demo }) => demo),
			next_request_at: utc(nextRequest),
			reason: facts.find(
				({ next_request_at }) =>
					readInstant(next_request_at ?? "") === nextRequest,
			)?.reason,
			fetched_at: utc(earliest(facts.map(({ fetched_at }) => fetched_at))),
			cached: facts.every(({ cached }) => cached),
			stale: facts.some(({ stale }) => stale),
			missing: [...new Set(facts.flatMap(({ missing }) => missing))],
			settled: sumSettled(facts, limit),
		},
	});
	const today = zone.dayOf(nowMs);
	const [from, to] = [zone.dayStart(today), zone.dayStart(today + 1)];
	const solar: SumFacts = {
		...sum.solar,
		gaps: energy(sum.forecast.values, from, to).gaps,
		strings: strings.map(({ meta }) => meta),
		sum_of: facts.map(({ site_id }) => site_id),
		...(settings.acLimitW !== null && {
			limited_kwh: Object.fromEntries(
				[...losses].map(([date, day]) => [
					date,
					rounded(day.pv_energy_kwh ?? 0),
				]),
			),
		}),
	};
	return { payload: { ...body, solar: copyOf(solar) }, solar };
}
