import type { Series } from "../forecast/series";
import { copyOf } from "../messages/facts";
import {
	type ForecastInput,
	forecastFromInput,
} from "../messages/input/forecast-input";
import { siteLabel } from "../messages/topic";
import {
	inputError,
	type SolarYieldError,
} from "../service/errors/solar-yield-error";
import { show } from "../service/v2/schema-errors";
import { textIn } from "../texts/texts";
import type { Language } from "../util/language";
import { DAY_MS, HOUR_MS, QUARTER_MS } from "../util/time";
import type { Zone } from "../util/zone";
import { ACCURACY_DAYS, accuracies, curveOf } from "./accuracy";
import { correct, type Models, rawMessage } from "./correct";
import { type Judged, judgeDay } from "./judge";
import { learnFrom, type Model } from "./model";
import { type NoteCode, noteText } from "./notes";
import {
	addNote,
	createState,
	type DayRecord,
	dayOf,
	type Learned,
	type Meter,
	meterOf,
	readLearned,
	zoneOf,
} from "./state";
import {
	createTally,
	type DateQuarter,
	type Reading,
	type Tally,
} from "./tally";

type Fields = Record<string, unknown>;

/** Readings that wait for the first forecast: as many days as are kept of one in five minutes. */
const MOST_WAITING = 55_000;
/** A date of which this share of the foreseen energy was not read, or in sums alone, is told of. */
const TOLD_SHARE = 0.2;

interface Past {
	today: number;
	peak: number;
	model: Model;
	accuracy?: ReturnType<typeof accuracies>;
}

export type Learner = ReturnType<typeof createLearner>;

/** What one node knows, gathers and makes of it; no clock, no file, no Node-RED. Times are epoch ms. */
export function createLearner(state: Learned = createState()) {
	/** The last forecast that came in, as far as it lies ahead, and what else its payload said, without its rows. */
	let known: { input: ForecastInput; head: Fields } | undefined;
	/** Readings that came before any forecast. */
	let waiting: Reading[] = [];
	const tallies = new WeakMap<Meter, Tally>();
	/** What each meter's past teaches, until a date of it changes. */
	const pasts = new WeakMap<Meter, Past>();
	/** Dates that are over as they were judged, until they change. */
	const judged = new WeakMap<DayRecord, Judged>();
	/** Powers of the forecast that was sent last, and by how much its today's energy was corrected. */
	let sent = "";
	let share = 1;
	/** Whether the last that a meter said is that it has no value. */
	let isMissing = false;

	const today = (now: number) => zoneOf(state)?.dayOf(now) ?? 0;

	/** What a date gains counts, also when it is over. */
	const change = (meter: Meter, record: DayRecord) => {
		judged.delete(record);
		if (record.day < (pasts.get(meter)?.today ?? 0)) pasts.delete(meter);
	};

	/** What a meter's dates before today teach. */
	const pastOf = (meter: Meter, now: number) => {
		const { days, peak } = meter;
		const day = today(now);
		let past = pasts.get(meter);
		if (past?.today !== day || past.peak !== peak) {
			const dates = days
				.filter((record) => record.day < day)
				.map((record) => {
					const known = judged.get(record);
					return known?.peak === peak ? known : judgeDay(record, peak);
				});
			for (const it of dates) judged.set(it.record, it);
			past = { today: day, peak, model: learnFrom(dates, peak, day, state) };
			pasts.set(meter, past);
		}
		return past;
	};
	const accuracyOf = (meter: Meter, now: number) => {
		const past = pastOf(meter, now);
		past.accuracy ??= accuracies(past.model.judged, today(now));
		return past.accuracy;
	};
	const heard = () => state.meters.filter((meter) => meter.heard);

	/** Keeps a forecast for quarters that have not begun, and for those before of which none is known. */
	const foresee = (meter: Meter, input: ForecastInput, now: number) => {
		const { zone, values, strings = [] } = input.forecast;
		const series =
			meter.string_id === null
				? values
				: strings.find((it) => it.string_id === meter.string_id)?.series;
		for (const { string_id, power_kw } of input.solar.strings) {
			const isOwn = [null, string_id].includes(meter.string_id);
			if (isOwn) meter.peak = Math.max(meter.peak, 1000 * (power_kw ?? 0));
		}
		if (!series) return;
		const { starts, rows }: Series = series;
		for (const day of series.days()) {
			const record = day <= today(now) + 1 && dayOf(meter, zone, day);
			if (!record) continue;
			const { start, foreseen } = record;
			const raw = foreseen.map((): number | null => null);
			const end = series.indexFrom(start + raw.length * QUARTER_MS);
			for (let row: number = series.indexFrom(start); row < end; row += 1) {
				const at: number = starts[row] ?? 0;
				const power = rows[row]?.pv_power;
				if (typeof power !== "number") continue;
				const watts = Math.max(0, Math.round(power));
				const index = (at - start) / QUARTER_MS;
				raw[index] = watts;
				meter.peak = Math.max(meter.peak, watts);
				if (at < now && foreseen[index] !== null) continue;
				foreseen[index] = watts;
				if (at < now) change(meter, record);
			}
			if (now >= zone.firstInstantFrom(day * DAY_MS + 6 * HOUR_MS)) continue;
			const { model } = pastOf(meter, now);
			const corrected = raw.map(
				(watts, index) =>
					watts && Math.round(model.correct(start + index * QUARTER_MS, watts)),
			);
			record.same_day = { raw, corrected };
			if (day > today(now)) record.day_ahead = record.same_day;
		}
	};

	/** Begins anew where the site is another, and lays a forecast beside what the meters say. */
	const settle = (input: ForecastInput, now: number) => {
		const { zone, values, strings = [] } = input.forecast;
		const { solar } = input;
		const { site_id, demo, timezone } = state;
		const isOther =
			site_id !== null && (site_id !== solar.site_id || demo !== solar.demo);
		if (isOther && !demo) {
			throw inputError("learn.other_site", {
				site: show(siteLabel(solar)),
				other: show(site_id),
			});
		}
		// What demo data taught is worth nothing, and a place has one zone.
		if (isOther || ![null, zone.name].includes(timezone)) state = createState();
		state.site_id = solar.site_id;
		state.timezone = zone.name;
		state.latitude = solar.latitude ?? state.latitude;
		state.longitude = solar.longitude ?? state.longitude;
		state.demo = solar.demo;
		state.reported ||= zone.dayOf(now);
		const isAhead = (values.starts.at(-1) ?? 0) >= now;
		if (isAhead) {
			state.string_ids = strings.flatMap(({ string_id }) => string_id ?? []);
		}
		if (!meterOf(state, null)) state.meters.unshift(newMeter(null));
		for (const meter of state.meters) foresee(meter, input, now);
		takeList(waiting.splice(0), now);
		return isAhead;
	};

	/** The meter of a string that the forecast shows. */
	const newString = (id: string | null, now: number) => {
		const ids = state.string_ids;
		if (ids && !ids.includes(id ?? "")) {
			throw inputError("learn.no_string", { id: show(id), ids: show(ids) });
		}
		const meter = newMeter(id);
		state.meters.push(meter);
		if (known) foresee(meter, known.input, now);
		return meter;
	};

	const take = (reading: Reading, now: number, by = tallies) => {
		const zone = zoneOf(state);
		if (!zone) {
			waiting.push(reading);
			if (waiting.length > MOST_WAITING) waiting.shift();
			return;
		}
		const { string_id: id, time, power_w, energy_kwh } = reading;
		const meter = meterOf(state, id) ?? newString(id, now);
		const tally =
			by.get(meter) ??
			createTally(
				() => meter.peak,
				slotsOf(meter, zone),
				(record) => change(meter, record),
			);
		by.set(meter, tally);
		if (!tally.add(reading)) {
			addNote(state, "wrong_unit", id, time, power_w ?? energy_kwh);
		}
		isMissing = false;
		const [first, last] = meter.heard ?? [time, time];
		meter.heard = [Math.min(first, time), Math.max(last, time)];
	};

	/**
	 * Takes readings of the past in, apart from what is gathered of the running quarter.
	 *
	 * @returns what is wrong with some of them
	 */
	const takeList = (readings: Reading[], now: number) => {
		const faults: SolarYieldError[] = [];
		const apart = new WeakMap<Meter, Tally>();
		for (const reading of readings.sort((a, b) => a.time - b.time)) {
			try {
				take(reading, now, apart);
			} catch (error) {
				faults.push(error as SolarYieldError);
			}
		}
		advance(now);
		return faults;
	};

	/** Moves on to an instant: notes what was odd about dates that are over, lets go of what is no longer needed. */
	const advance = (now: number) => {
		for (const meter of heard()) {
			if (meter.noticed === today(now) - 1) continue;
			for (const record of meter.days) {
				if (record.day >= today(now) - ACCURACY_DAYS) continue;
				record.same_day = null;
				record.day_ahead = null;
			}
			notice(meter, now);
			meter.noticed = today(now) - 1;
		}
	};

	const notice = (meter: Meter, now: number) => {
		const { judged, kind, isHeld } = pastOf(meter, now).model;
		const note = (code: NoteCode, at: number, value?: number) =>
			addNote(state, code, meter.string_id, at, value);
		const [first = 0, last = 0] = meter.heard ?? [];
		let at = 0;
		for (const { record, verdict, read, summed, hours } of judged) {
			if (record.day <= meter.noticed) continue;
			at = record.start;
			if (verdict === "dead" || verdict === "odd_day") note("odd_day", at);
			if (verdict === "two_meters" || verdict === "wrong_unit")
				note(verdict, at);
			const isBetween = at > first && at < last;
			if (isBetween && read + summed < 1 - TOLD_SHARE) note("gap", at, hours);
		}
		const sums = judged.filter(({ summed }) => summed > TOLD_SHARE);
		if (sums.length > 2 + judged.length / 2) note("coarse", at);
		if (kind || isHeld) note(kind ?? "held_down", at);
	};

	/** The latest first. */
	const notes = () =>
		Object.values(state.notes).sort((a, b) => b.last - a.last);

	/** Accuracy of all meters up to yesterday, and what was noticed about the readings. */
	const report = (now: number, language: Language) => {
		advance(now);
		return {
			site_id: state.site_id,
			timezone: state.timezone,
			meters: heard().map((meter) => {
				return {
					string_id: meter.string_id,
					/** Power at which the roof is cut, W. */
					limit_w: pastOf(meter, now).model.limit,
					today: curveOf(meter.days.find(({ day }) => day === today(now))),
					...accuracyOf(meter, now),
				};
			}),
			notes: notes().map((note) => ({
				...note,
				first: new Date(note.first).toISOString(),
				last: new Date(note.last).toISOString(),
				text: textIn(noteText(note), language),
			})),
		};
	};

	const adopt = (anew: Learned, now: number) => {
		state = anew;
		waiting = [];
		if (known) settle(known.input, now);
	};

	return {
		get state() {
			return state;
		},
		get isMissing() {
			return isMissing;
		},
		takeList,
		advance,
		report,
		notes,
		/** The site's date at an instant, days since 1970-01-01; 0 before the first forecast. */
		today,

		/**
		 * Takes the forecast of a message in; one that was corrected before, as it was
		 * before that.
		 *
		 * @returns whether it lies ahead and is new; one of days that are over only teaches
		 * @throws SolarYieldError `INPUT` when it is none, of another site, or this node's own output
		 */
		takeForecast(msg: Fields, payload: unknown, now: number) {
			const raw = rawMessage(msg, payload);
			const { values, strings, daily, ...head } = (payload ?? {}) as Fields;
			if (raw && powersOf(values) === sent) throw inputError("learn.own");
			const input = forecastFromInput(raw ?? { ...msg, payload });
			const isRepeated =
				raw &&
				powersOf(input.forecast.values.rows) ===
					powersOf(known?.input.forecast.values.rows);
			const isAhead = settle(input, now);
			advance(now);
			if (isRepeated || !isAhead) return false;
			known = { input, head: copyOf(head) };
			return true;
		},

		/** Takes a reading in; before the first forecast it waits. */
		takeReading: take,

		/** A meter says that it has no value. */
		miss(stringId: unknown) {
			isMissing = true;
			const id = (stringId ?? null) as string | null;
			tallies.get(meterOf(state, id) as Meter)?.interrupt();
		},

		/** The forecast as corrected, undefined while none is known. Fresh objects each time. */
		corrected(now: number, cached: boolean) {
			if (!known) return undefined;
			const { input, head } = known;
			const models: Models = new Map();
			for (const meter of heard()) {
				models.set(meter.string_id, pastOf(meter, now).model);
			}
			const result = correct(models, input, copyOf(head), now);
			sent = powersOf(result.payload.values);
			share = result.share;
			const facts = () =>
				copyOf({ ...result.solar, cached: cached || input.solar.cached });
			return {
				payload: { ...result.payload, solar: facts() },
				solar: facts(),
			};
		},

		/** The last forecast that lies ahead, undefined before it. */
		get input() {
			return known?.input;
		},
		/** Forgets the last forecast: nothing is sent before the next one. What was learned stays. */
		forget() {
			known = undefined;
		},

		/** Moves on to an instant, and whether the daily report is due, which it is once on each of the site's dates with a forecast. */
		isReportDue(now: number) {
			advance(now);
			if (!known) return false;
			const isDue = today(now) > state.reported && heard().length > 0;
			// A clock that was ahead may have made it a date to come.
			state.reported = today(now);
			return isDue;
		},

		/** Forgets everything but the forecast at hand. */
		reset: (now: number) => adopt(createState(), now),

		/**
		 * Puts an export in place of what is known.
		 *
		 * @throws SolarYieldError `INPUT` when it is none, or of another site than the forecast
		 */
		import(payload: unknown, now: number) {
			const anew = readLearned(payload);
			const site = known?.input.solar.site_id ?? anew.site_id;
			if (![site, null].includes(anew.site_id)) {
				throw inputError("learn.import_other_site", {
					site: show(anew.site_id),
					other: show(site),
				});
			}
			adopt(anew, now);
		},

		/** What a status line says, of the site's own meter or of the first string that has one. */
		facts(now: number) {
			const [meter] = heard();
			const model = meter && pastOf(meter, now).model;
			const errors = meter && accuracyOf(meter, now).periods.days_30.same_day;
			return {
				isKnown: state.timezone !== null,
				/** Epoch ms of the last reading, 0 before the first. */
				readUntil: Math.max(0, ...state.meters.map((it) => it.heard?.[1] ?? 0)),
				/** Dates that have taught. */
				days: model?.days ?? 0,
				limit_w: model?.limit ?? null,
				/** By how much today's energy was corrected when the forecast was last sent. */
				percent: known ? Math.round(100 * (share - 1)) : 0,
				/** nRMSE of the same-day forecast over 30 days. */
				error: errors?.corrected.nrmse_percent ?? null,
				rawError: errors?.raw.nrmse_percent ?? null,
			};
		},

		/** The factors of each meter by the sun's place, for the picture of the dialog. */
		maps: (now: number) =>
			heard().map((meter) => ({
				string_id: meter.string_id,
				points: pastOf(meter, now).model.map(),
			})),
	};
}

const newMeter = (string_id: string | null): Meter => ({
	string_id,
	peak: 0,
	heard: null,
	noticed: 0,
	days: [],
});

/** A state as JSON text, for an export or a file. */
export const toText = (state: Learned) =>
	JSON.stringify(state, (_, value) =>
		typeof value === "number" ? Math.round(100 * value) / 100 : value,
	);

/** Finds the quarter of a meter that holds an instant; nearly each time that of the last. */
function slotsOf(meter: Meter, zone: Zone) {
	let last = { quarter: -1, slot: undefined as DateQuarter | undefined };
	return (at: number) => {
		const quarter = Math.floor(at / QUARTER_MS);
		if (quarter !== last.quarter) {
			const record = dayOf(meter, zone, zone.dayOf(at));
			const index = quarter - (record?.start ?? 0) / QUARTER_MS;
			last = { quarter, slot: record && { record, index } };
		}
		return last.slot;
	};
}

/** The powers of rows, to tell a forecast from another. */
const powersOf = (rows: unknown) =>
	Array.isArray(rows) ? rows.map((row) => row?.pv_power).join() : "";
