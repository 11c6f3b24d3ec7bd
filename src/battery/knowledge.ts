import type { ForecastInput } from "../messages/input/forecast-input";
import { OPEN_END } from "../messages/span-rows";
import type { SolarYieldError } from "../service/errors/solar-yield-error";
import { MINUTE_MS, QUARTER_MS } from "../util/time";
import type { Zone } from "../util/zone";
import type { BatteryState } from "./battery-state";
import { forecastPart, todaysQuarters } from "./forecast-adapter";
import { readInputs } from "./inputs";
import { learnedMargin, noteForeseen } from "./learned-margin";
import type { BatteryPlan, InputFact, InputFacts } from "./payload";
import { planBattery } from "./plan";
import { judge, type Moment, type ReleaseVerdict } from "./release";
import { type BatterySettings, readSettings } from "./settings";
import { takeInputs } from "./transitions";

/** What came in and is kept. */
export interface BatteryKnowledge {
	readonly input?: ForecastInput;
	/** When the forecast came in. */
	readonly received?: Moment;
	/** When the state of charge came in, on the monotonic clock. */
	readonly socMonotonic?: number;
	/** Inputs whose last message had no value: a sensor that is unavailable. */
	readonly absent: readonly string[];
	/** Inputs that were asked about (`newQuestions`). */
	readonly asked: readonly string[];
	/** What outlives the process. */
	readonly kept: BatteryState;
}

/** What a message has changed. */
interface Learnt {
	readonly known: BatteryKnowledge;
	/** Whether it brought anything a plan is made of. */
	readonly isNews: boolean;
	readonly errors: readonly SolarYieldError[];
}

/** The properties of a flow file by name. */
type Config = Readonly<Record<string, unknown>>;

/** Settings in force: the node's own, and what messages have changed. */
export const settingsOf = (
	config: Config,
	{ kept }: BatteryKnowledge,
): BatterySettings => readSettings({ ...config, ...kept.settings?.value });

/**
 * What is known after a message: its forecast, if it brings any, and what else it
 * brings. What is wrong changes nothing, and takes nothing else with it.
 */
export function learn(
	known: BatteryKnowledge,
	msg: Readonly<Record<string, unknown>>,
	input: ForecastInput | undefined,
	config: Config,
	now: Moment,
): Learnt {
	const zone = (input ?? known.input)?.forecast.zone;
	const { values, absent, errors, asked } = readInputs(msg, {
		configured: config,
		changes: known.kept.settings?.value ?? {},
		zone,
		asked: known.asked,
	});
	const still = known.absent.filter((name) => !(name in values));
	const before = {
		...known,
		absent: [...new Set([...still, ...absent])],
		asked,
	};
	if (!input && Object.keys(values).length === 0) {
		return { known: before, isNews: false, errors };
	}
	let { kept } = known;
	if (input) {
		const { forecast } = input;
		const today = todaysQuarters(forecast, now.at);
		const margin = noteForeseen(kept.margin, today, now.at, forecast.zone);
		kept = { ...kept, margin };
	}
	const taken = takeInputs(kept, values, {
		now: now.at,
		zone,
		settings: settingsOf(config, known),
	});
	const { house_w, soc, ...others } = values;
	const isNewSoc = taken.state.soc !== kept.soc;
	return {
		known: {
			...before,
			...(input && { input, received: now }),
			...(isNewSoc && now.monotonic != null && { socMonotonic: now.monotonic }),
			kept: taken.state,
		},
		// A meter tells the house's power every few seconds.
		isNews: input !== undefined || isNewSoc || Object.keys(others).length > 0,
		errors: [...errors, ...taken.errors],
	};
}

/** Whether what is known may drive the battery. */
export function verdictOf(
	{ input, received, socMonotonic, kept }: BatteryKnowledge,
	settings: BatterySettings,
	now: Moment,
): ReleaseVerdict {
	const running = input?.forecast.values.valueAt(now.at, "pv_power");
	return judge(
		{
			computed_at: input?.forecast.computed_at ?? null,
			received: received ?? null,
			row_ahead: running != null,
			soc_at: kept.soc?.at ?? null,
			soc_monotonic: socMonotonic ?? null,
			soc_steady_until: kept.soc?.steady_until ?? null,
			demo: input?.solar.demo ?? false,
			now: now.at,
			monotonic: now.monotonic ?? null,
		},
		settings,
	);
}

/** What a plan is made of, as `payload.inputs`; null before the first forecast, whose zone its times are in. */
export function factsOf(
	{ input, received, kept }: BatteryKnowledge,
	settings: BatterySettings,
	now: number,
): InputFacts | null {
	if (!input) return null;
	const { computed_at, values, zone } = input.forecast;
	const last = values.starts[values.starts.length - 1];
	return inputFacts(
		kept,
		{
			computed_at,
			received_at: received?.at ?? now,
			until: last === undefined ? null : last + QUARTER_MS,
		},
		settings,
		now,
		zone,
	);
}

/** The plan of what is known, when that may drive the battery. */
export function planOf(
	known: BatteryKnowledge,
	settings: BatterySettings,
	now: number,
	demo: boolean,
): BatteryPlan {
	const { input, kept } = known as Required<BatteryKnowledge>;
	// A sum cuts at the inverter's limit what a battery on its DC side still stores.
	const { ac_limit_w = null, above_limit } =
		settings.coupling === "dc" ? input.solar : {};
	return planBattery(
		{
			...forecastPart(input.forecast, now, above_limit ?? []),
			now,
			soc: kept.soc?.percent as number,
			load: kept.load?.value ?? null,
			prices: kept.prices?.value ?? null,
			feedIn: kept.feedIn?.value ?? null,
			targets: kept.targets?.value ?? null,
			learnedLoad: kept.house,
			learnedMargin: learnedMargin(kept.margin),
		},
		{ ...settings, acLimitW: settings.acLimitW ?? ac_limit_w },
		{
			demo,
			inputs: factsOf(known, settings, now),
		},
	);
}

/** The forecast that a plan is made of; null = none. */
interface ForecastFact {
	/** Epoch ms; null where it does not say. */
	readonly computed_at: number | null;
	/** Epoch ms at which it came in. */
	readonly received_at: number;
	/** End of its last quarter, epoch ms. */
	readonly until: number | null;
}

/** End of the run of rows without a hole that holds `now`, or begins after it; null where it is open. */
function knownUntil(
	rows: readonly { readonly start: number; readonly end: number }[],
	now: number,
): number | null {
	let until: number | null = null;
	for (const { start, end } of rows) {
		if (end <= now) continue;
		if (until !== null && start > until) break;
		until = end;
	}
	return until === OPEN_END ? null : until;
}

/** What came of the rows of prices that are not over; there is one at least. */
function priceFacts(
	{ value, unit }: NonNullable<BatteryState["prices"]>,
	zone: Zone,
	now: number,
) {
	const rows = value.filter(({ end }) => end > now);
	const prices = rows.map(({ price }) => price);
	const [first = 0, last = first] = [rows[0], rows.at(-1)].map(
		(row) => row?.start,
	);
	return {
		count: rows.length,
		unit,
		first: zone.format(first),
		last: zone.format(last),
		least: Math.min(...prices),
		most: Math.max(...prices),
	};
}

/**
 * What is known besides the plan itself: how old each input is, and until when it
 * is known (`payload.inputs`).
 *
 * @param state after `expire`
 * @param now epoch ms
 * @param zone of the texts
 */
export function inputFacts(
	state: BatteryState,
	forecast: ForecastFact | null,
	settings: Pick<BatterySettings, "load" | "maxSocAgeMinutes">,
	now: number,
	zone: Zone,
): InputFacts {
	const fact = (at: number, until: number | null): InputFact => ({
		at: zone.format(at),
		age_minutes: Math.max(0, Math.floor((now - at) / MINUTE_MS)),
		until: until === null ? null : zone.format(until),
	});
	const { soc, load, prices, feedIn, targets, settings: changes } = state;
	const counted = state.house?.running?.counted_to;
	const learned =
		settings.load === "learned" && counted !== undefined
			? fact(counted, null)
			: null;
	const instants = (targets?.value ?? []).map(({ by }) =>
		"instant" in by ? by.instant : Number.POSITIVE_INFINITY,
	);
	const lastTarget = Math.max(...instants);
	return {
		forecast:
			forecast &&
			fact(forecast.computed_at ?? forecast.received_at, forecast.until),
		soc:
			soc &&
			fact(
				soc.at,
				Math.max(soc.at, soc.steady_until ?? 0) +
					settings.maxSocAgeMinutes * MINUTE_MS,
			),
		load: load
			? fact(
					load.at,
					load.value.kind === "spans" ? knownUntil(load.value.rows, now) : null,
				)
			: learned,
		prices: prices && {
			...fact(prices.at, knownUntil(prices.value, now)),
			...priceFacts(prices, zone, now),
		},
		feedIn:
			feedIn &&
			fact(
				feedIn.at,
				typeof feedIn.value === "number" ? null : knownUntil(feedIn.value, now),
			),
		targets:
			targets &&
			fact(targets.at, Number.isFinite(lastTarget) ? lastTarget : null),
		settings: changes && fact(changes.at, null),
	};
}
