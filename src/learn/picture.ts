import type { Language } from "../util/language";
import { QUARTER_MS } from "../util/time";
import { type MeterReport, meterReports } from "./accuracy";
import { corrector, modelOf, zoneOf } from "./days";
import { type LearnState, type Meter, meterOf } from "./learn-state";
import { AZIMUTH_STEP, ELEVATION_STEP } from "./model";
import { noteList } from "./notes";

/** One place in the sky of which something is known. Angles in degrees. */
export interface FactorPoint {
	/** Clockwise from north. */
	readonly azimuth: number;
	/** Above the horizon. */
	readonly elevation: number;
	readonly factor: number;
	/** Days, by weight, that have taught it. */
	readonly days: number;
}

/** What has been learned by the sun's place, for a picture. */
export interface FactorMap {
	readonly string_id: string | null;
	readonly overall: number;
	/** W, null where none has shown. */
	readonly limit_w: number | null;
	readonly azimuth_step: number;
	readonly elevation_step: number;
	readonly points: readonly FactorPoint[];
}

/** The map of a meter's factors, undefined while there is no such meter. */
export function factorMap(
	state: LearnState,
	stringId: string | null = null,
): FactorMap | undefined {
	const meter = meterOf(state, stringId);
	if (!meter) return undefined;
	const model = modelOf(state, meter);
	const points: FactorPoint[] = [];
	for (let azimuth = 0; azimuth < 360; azimuth += AZIMUTH_STEP) {
		for (let elevation = 0; elevation <= 90; elevation += ELEVATION_STEP) {
			const days = model.weight(azimuth, elevation);
			if (days === 0) continue;
			points.push({
				azimuth,
				elevation,
				factor: round(model.factor(azimuth, elevation), 3),
				days: round(days, 1),
			});
		}
	}
	return {
		string_id: stringId,
		overall: round(model.overall, 3),
		limit_w: model.limit,
		azimuth_step: AZIMUTH_STEP,
		elevation_step: ELEVATION_STEP,
		points,
	};
}

const round = (value: number, digits: number) =>
	Math.round(value * 10 ** digits) / 10 ** digits;

/** One quarter of today, W; null = unknown. */
export interface CurvePoint {
	/** Epoch ms. */
	readonly start: number;
	readonly raw_w: number | null;
	readonly corrected_w: number | null;
	readonly measured_w: number | null;
}

/** Today as foreseen, as corrected and as measured so far. */
export function curveOfToday(
	state: LearnState,
	stringId: string | null = null,
): CurvePoint[] {
	const meter = meterOf(state, stringId);
	if (!meter?.today) return [];
	const { today, standing } = meter;
	const correct = corrector(modelOf(state, meter));
	const shift = standing
		? Math.round((today.start - standing.start) / QUARTER_MS)
		: 0;
	return today.foreseen.map((settled, index) => {
		const start = today.start + index * QUARTER_MS;
		const raw_w = settled ?? standing?.watts[shift + index] ?? null;
		return {
			start,
			raw_w,
			corrected_w: raw_w === null ? null : Math.round(correct(start, raw_w)),
			measured_w: today.metered[index] ?? null,
		};
	});
}

/** Accuracy of all meters, with what was noticed about the readings. */
export interface Report {
	readonly site_id: string | null;
	readonly timezone: string | null;
	readonly meters: readonly MeterReport[];
	readonly notes: ReturnType<typeof noteList>;
}

/** How good the forecast was, as it came and as corrected, up to the site's yesterday. */
export function report(
	state: LearnState,
	now: number,
	language: Language = "en-US",
): Report {
	const zone = zoneOf(state);
	return {
		site_id: state.site_id,
		timezone: state.timezone,
		meters: zone ? meterReports(withReadings(state), zone.dayOf(now)) : [],
		notes: noteList(state, language),
	};
}

/** Without meters that have never said anything. */
const withReadings = (state: LearnState): LearnState => ({
	...state,
	meters: state.meters.filter(isRead),
});

const isRead = ({ read_until }: Meter): boolean => read_until !== null;

/** What a status line says. */
export interface StatusFacts {
	readonly phase: "no_forecast" | "no_readings" | "learning" | "correcting";
	/** Dates that have taught. */
	readonly days: number;
	/** By how much today's energy is corrected; null while nothing is. */
	readonly correction_percent: number | null;
	/** nRMSE of the same-day forecast over 30 days, null while unknown. */
	readonly error_percent: number | null;
	readonly raw_error_percent: number | null;
	/** Epoch ms; end of the last quarter that was read. */
	readonly read_until: number | null;
}

/** What a status line says of the site's own meter, or of its first string that has one. */
export function statusFacts(state: LearnState, now: number): StatusFacts {
	const zone = zoneOf(state);
	const meter = state.meters.find(isRead);
	const none = {
		days: 0,
		correction_percent: null,
		error_percent: null,
		raw_error_percent: null,
		read_until: null,
	};
	if (!zone) return { ...none, phase: "no_forecast" };
	if (!meter) return { ...none, phase: "no_readings" };
	const { days } = modelOf(state, meter);
	const [own] = meterReports({ ...state, meters: [meter] }, zone.dayOf(now));
	const errors = own?.periods.days_30.same_day;
	let raw = 0;
	let corrected = 0;
	for (const point of curveOfToday(state, meter.string_id)) {
		raw += point.raw_w ?? 0;
		corrected += point.corrected_w ?? 0;
	}
	const isCorrected = raw > 0 && Math.round(corrected) !== Math.round(raw);
	return {
		phase: isCorrected ? "correcting" : "learning",
		days,
		correction_percent: isCorrected
			? round(100 * (corrected / raw - 1), 0)
			: null,
		error_percent: errors?.corrected.nrmse_percent ?? null,
		raw_error_percent: errors?.raw.nrmse_percent ?? null,
		read_until: meter.read_until,
	};
}
