import { Zone } from "../forecast/zone";
import { DAY_MS, HOUR_MS, QUARTER_MS } from "../util/time";
import { errorsOf } from "./accuracy";
import {
	type DayRecord,
	type LearnState,
	type Meter,
	MOST_DAYS,
	meterWith,
	type NoteCode,
	recordWith,
	withMeter,
	withNote,
} from "./learn-state";
import { Model, type Verdict } from "./model";
import { WEAK_SHARE } from "./quality";
import { type Position, SunTrack } from "./sun";

const SIX_HOURS_MS = 6 * HOUR_MS;
/** No local date is shorter: clocks go forward by two hours at most. */
const SHORTEST_DAY_MS = 22 * HOUR_MS;
/** Days for which forecasts by horizon are kept: readings that are later count no more in the accuracy. */
const LATE_DAYS = 4;

/** A state's zone, undefined before its first forecast. */
export function zoneOf({ timezone }: LearnState): Zone | undefined {
	return timezone === null ? undefined : Zone.of(timezone);
}

/** Where a state's site lies, null when no forecast has said so. */
function positionOf({ latitude, longitude }: LearnState): Position | null {
	return latitude === null || longitude === null
		? null
		: { latitude, longitude };
}

/** A date of which nothing is known yet. */
function newDay(zone: Zone, day: number): DayRecord {
	const start = zone.dayStart(day);
	const quarters = Math.round((zone.dayStart(day + 1) - start) / QUARTER_MS);
	const unknown = () => new Array<number | null>(quarters).fill(null);
	return {
		day,
		start,
		metered: unknown(),
		foreseen: unknown(),
		curtailed: [],
		mixed: false,
		same_day: null,
		day_ahead: null,
		errors: null,
	};
}

/** What a meter's past teaches, by the list of its days, which never changes. */
const models = new WeakMap<readonly DayRecord[], Learned>();

interface Learned {
	readonly model: Model;
	/** As it was when the days were judged. */
	readonly peak: number;
	/** The model after today as well, made when its light is gone. */
	evening?: Model;
}

function learned(meter: Meter, position: Position | null): Learned {
	const known = models.get(meter.past);
	if (
		known &&
		known.peak === meter.peak &&
		samePlace(known.model.position, position)
	) {
		return known;
	}
	const model = new Model(position);
	for (const record of meter.past) model.learn(record, meter.peak);
	const made = { model, peak: meter.peak };
	models.set(meter.past, made);
	return made;
}

const samePlace = (a: Position | null, b: Position | null) =>
	a?.latitude === b?.latitude && a?.longitude === b?.longitude;

/** What a meter's days that are over have taught; it follows from them alone. */
export function modelOf(state: LearnState, meter: Meter): Model {
	return learned(meter, positionOf(state)).model;
}

/**
 * The same, with today once its light is gone and was read: tomorrow need not
 * wait for midnight.
 *
 * @param by epoch ms; what was known then
 */
export function latestModel(
	state: LearnState,
	meter: Meter,
	by: number,
): Model {
	const known = learned(meter, positionOf(state));
	const { today, peak } = meter;
	if (!today || !knowsToday(meter, by)) return known.model;
	if (!known.evening) {
		known.evening = known.model.copy();
		known.evening.learn(today, peak);
	}
	return known.evening;
}

/** Whether today's light was gone and read by an instant, epoch ms. */
const knowsToday = (meter: Meter, by: number): boolean =>
	Math.min(by, meter.read_until ?? 0) >= duskOf(meter);

/** End of today's last quarter of more than weak light, epoch ms. */
function duskOf({ today, standing, peak }: Meter): number {
	if (!today) return Number.POSITIVE_INFINITY;
	const shift = standing
		? Math.round((today.start - standing.start) / QUARTER_MS)
		: 0;
	let index = today.foreseen.length - 1;
	for (; index >= 0; index -= 1) {
		const watts = today.foreseen[index] ?? standing?.watts[shift + index] ?? 0;
		if (watts > WEAK_SHARE * peak) break;
	}
	return index < 0
		? Number.POSITIVE_INFINITY
		: today.start + (index + 1) * QUARTER_MS;
}

/**
 * A power as a model corrects it, for quarters that are asked for in order of time.
 *
 * @returns W from the W foreseen for the quarter that begins at `start`, epoch ms
 */
export function corrector(
	model: Model,
): (start: number, watts: number) => number {
	const sun = model.position ? new SunTrack(model.position) : null;
	const limit = model.limit ?? Number.POSITIVE_INFINITY;
	return (start, watts) => {
		if (watts <= 0) return watts;
		sun?.moveTo(start);
		const factor = sun
			? model.factor(sun.azimuth, sun.elevation)
			: model.plainFactor;
		return Math.min(limit, factor * watts);
	};
}

/** With something changed in a date's record; nothing is when the date is too long ago or ahead of today. */
export function changeDay(
	meter: Meter,
	zone: Zone,
	day: number,
	change: (record: DayRecord) => DayRecord,
): Meter {
	const { today, past } = meter;
	if (today && day === today.day) {
		const record = change(today);
		return record === today ? meter : meterWith(meter, { today: record });
	}
	if (!today || day > today.day || day <= today.day - MOST_DAYS) return meter;
	let index = past.length;
	while (index > 0 && (past[index - 1] as DayRecord).day >= day) index -= 1;
	const known = past[index];
	const isKnown = known?.day === day;
	const changed = change(isKnown ? known : newDay(zone, day));
	if (changed === known) return meter;
	const record = judged(changed, past[index - 1], meter.peak);
	const days = past.slice();
	days.splice(index, isKnown ? 1 : 0, record);
	return meterWith(meter, { past: days.slice(-MOST_DAYS) });
}

/** With the errors of the forecasts that are still at hand. */
function judged(
	record: DayRecord,
	before: DayRecord | undefined,
	peak: number,
): DayRecord {
	const { same_day, day_ahead } = record;
	if (!same_day && !day_ahead) return record;
	const dayBefore = before?.day === record.day - 1 ? before : undefined;
	return recordWith(record, {
		errors: {
			same_day: same_day && errorsOf(record, same_day, dayBefore, peak),
			day_ahead: day_ahead && errorsOf(record, day_ahead, dayBefore, peak),
		},
	});
}

/** Fills in the standing forecast for quarters of today that have begun. */
export function settleToday(meter: Meter, now: number): Meter {
	const { today, standing } = meter;
	if (!today || !standing) return meter;
	let foreseen: (number | null)[] | undefined;
	const end = Math.min(
		today.foreseen.length,
		Math.ceil((now - today.start) / QUARTER_MS),
	);
	const shift = Math.round((today.start - standing.start) / QUARTER_MS);
	for (let index = end - 1; index >= 0; index -= 1) {
		if (today.foreseen[index] !== null) continue;
		const watts = standing.watts[shift + index] ?? null;
		if (watts === null) continue;
		foreseen ??= today.foreseen.slice();
		foreseen[index] = watts;
	}
	return foreseen
		? meterWith(meter, { today: recordWith(today, { foreseen }) })
		: meter;
}

/**
 * Keeps the standing forecast as that of the day ahead, when it came before
 * today began, and as that of the same day, when it came before 6:00 and 6:00
 * is past.
 *
 * @param modelAt what was known at an instant, epoch ms
 */
export function keepHorizons(
	meter: Meter,
	zone: Zone,
	now: number,
	modelAt: (received: number) => Model,
): Meter {
	const { today, standing } = meter;
	if (!today || !standing) return meter;
	const isAhead = today.day_ahead === null && standing.received < today.start;
	const six = () => zone.firstInstantFrom(today.day * DAY_MS + SIX_HOURS_MS);
	const isSame =
		today.same_day === null && standing.received < six() && now >= six();
	if (!isAhead && !isSame) return meter;
	const shift = Math.round((today.start - standing.start) / QUARTER_MS);
	const raw = today.foreseen.map(
		(_, index) => standing.watts[shift + index] ?? null,
	);
	if (raw.every((watts) => watts === null)) return meter;
	const correct = corrector(modelAt(standing.received));
	const corrected = raw.map((watts, index) =>
		watts === null
			? null
			: Math.round(correct(today.start + index * QUARTER_MS, watts)),
	);
	const horizon = { raw, corrected };
	return meterWith(meter, {
		today: recordWith(today, {
			day_ahead: isAhead ? horizon : today.day_ahead,
			same_day: isSame ? horizon : today.same_day,
		}),
	});
}

const NOTED: ReadonlySet<Verdict> = new Set<Verdict & NoteCode>([
	"dead_meter",
	"high_day",
	"low_day",
	"two_meters",
	"unit_kw",
]);

/**
 * Moves a state on to an instant: dates that are over are judged and teach, and
 * today is the site's date of `now`. Nothing happens before the first forecast,
 * or when the clock goes back.
 */
export function advance(state: LearnState, now: number): LearnState {
	return mayMove(state.meters, now) ? moveOn(state, now) : state;
}

function moveOn(state: LearnState, now: number): LearnState {
	const zone = zoneOf(state);
	if (!zone) return state;
	const day = zone.dayOf(now);
	return state.meters.reduce(
		(moved, meter) => moveMeter(moved, meter, zone, day),
		state,
	);
}

/**
 * Takes a state back whose clock was ahead: today is the site's date of `now`,
 * and later dates are not.
 *
 * @param until epoch ms; dates that began before are not in doubt
 */
export function takeBack(
	state: LearnState,
	now: number,
	until: number,
): LearnState {
	const zone = zoneOf(state);
	if (!zone) return state;
	const day = zone.dayOf(now);
	return state.meters.reduce((moved, meter) => {
		const { today: ahead } = meter;
		if (!ahead || ahead.day <= day || ahead.start < until) return moved;
		const past = meter.past.filter((record) => record.day < day);
		const known = meter.past.find((record) => record.day === day);
		const today = known
			? recordWith(known, { errors: null })
			: newDay(zone, day);
		return withMeter(moved, meterWith(meter, { past, today, standing: null }));
	}, state);
}

/** Whether an instant may be in another date than a meter's today; tells most that are not. */
function mayMove(meters: readonly Meter[], now: number): boolean {
	// Asked with each reading: an iterator's results are most of what a reading leaves behind.
	for (let index = 0; index < meters.length; index += 1) {
		const { today } = meters[index] as Meter;
		if (!today || now >= today.start + SHORTEST_DAY_MS) return true;
	}
	return false;
}

function moveMeter(
	state: LearnState,
	meter: Meter,
	zone: Zone,
	day: number,
): LearnState {
	const { today } = meter;
	if (!today) {
		return withMeter(state, meterWith(meter, { today: newDay(zone, day) }));
	}
	if (day <= today.day) return state;
	const { model, evening } = learned(meter, positionOf(state));
	const end = zone.dayStart(today.day + 1);
	const settled = settleToday(meter, end);
	const modelAt = (received: number) => latestModel(state, settled, received);
	const over = keepHorizons(settled, zone, end, modelAt);
	const record = judged(over.today as DayRecord, over.past.at(-1), meter.peak);
	const past = [...over.past, record]
		.slice(-MOST_DAYS)
		.map((it) =>
			it.day <= day - LATE_DAYS && (it.same_day || it.day_ahead)
				? recordWith(it, { same_day: null, day_ahead: null })
				: it,
		);
	const fresh = newDay(zone, day);
	// What stands now came before the new day, and is judged as it was corrected then:
	// by what today taught only where it came after today's light was gone.
	const next = (by: Model) =>
		keepHorizons(
			meterWith(over, { past, today: fresh }),
			zone,
			fresh.start,
			() => by,
		);
	const unaware = knowsToday(settled, over.standing?.received ?? 0)
		? undefined
		: next(model);
	// The model moves on with the list of days; who asks by the old list has it made anew.
	const hadLimit = model.limit !== null;
	const verdict = model.learn(record, meter.peak);
	models.delete(meter.past);
	models.set(past, { model, peak: meter.peak });
	let moved = withMeter(state, unaware ?? next(evening ?? model));
	if (model.limit !== null && !hadLimit) {
		moved = withNote(
			moved,
			"clipping",
			meter.string_id,
			record.start,
			model.limit,
		);
	}
	return NOTED.has(verdict)
		? withNote(moved, verdict as NoteCode, meter.string_id, record.start)
		: moved;
}
