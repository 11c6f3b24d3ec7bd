import { copyOf, type QuotaFacts, readQuotaFacts } from "../messages/facts";
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
import { DAY_MS, HOUR_MS, MINUTE_MS, QUARTER_MS } from "../util/time";
import type { Zone } from "../util/zone";
import { ACCURACY_DAYS, accuracies } from "./accuracy";
import { correct, type Models, rawMessage } from "./correct";
import { learnFrom, type Model } from "./model";
import { type NoteCode, noteText } from "./notes";
import { type Reading, readingFromRow } from "./reading";
import {
	addNote,
	createState,
	dayOf,
	type Learned,
	type Meter,
	MOST_DAYS,
	meterOf,
	readLearned,
	zoneOf,
} from "./state";
import { createTally, type DateQuarter, type Tally } from "./tally";

type Fields = Record<string, unknown>;

/** Readings that wait for the first forecast: as many days as are kept of one in five minutes. */
const MOST_WAITING = 55_000;
/** Readings further apart do not share a mark. */
const LONGEST_MARK_MS = 65 * MINUTE_MS;
/** A date of which this share of the foreseen energy was not read, or in sums alone, is told of. */
const TOLD_SHARE = 0.2;

/** By how much the forecast is corrected, and its same-day errors of 30 days. */
interface Judged {
	readonly madeOf: readonly unknown[];
	readonly share: number;
	readonly errors:
		| ReturnType<typeof accuracies>["periods"]["days_30"]["same_day"]
		| undefined;
}

export type Learner = ReturnType<typeof createLearner>;

/** What one node knows, gathers and makes of it; no clock, no file, no Node-RED. Times are epoch ms. */
export function createLearner(state: Learned = createState()) {
	/** The last forecast that came in, as far as it lies ahead, and what else its message said, without its rows. */
	let known:
		| { input: ForecastInput; quota: QuotaFacts | undefined; head: Fields }
		| undefined;
	/** Readings that came before any forecast. */
	let waiting: Reading[] = [];
	const tallies = new Map<string | null, Tally>();
	/** What each meter's past teaches, and what that depends on. */
	const models = new Map<string | null, { key: string; model: Model }>();
	/** Changes of dates that are over. */
	let changes = 0;
	/** What was last said of the forecast and the past, and what it was made of: a meter may speak each second. */
	let judged: Judged | undefined;
	/** Powers of the forecast that was sent last. */
	let sent = "";
	/** Whether the last that a meter said is that it has no value. */
	let isMissing = false;

	const today = (now: number) => zoneOf(state)?.dayOf(now) ?? 0;

	/** What a meter's dates before today teach. */
	const modelOf = (meter: Meter, now: number) => {
		const key = `${today(now)},${changes},${meter.peak}`;
		let entry = models.get(meter.string_id);
		if (entry?.key !== key) {
			entry = { key, model: learnFrom(meter, today(now) - 1, state) };
			models.set(meter.string_id, entry);
		}
		return entry.model;
	};
	/** Those of all meters that have been read, the site's first. */
	const allModels = (now: number): Models =>
		new Map(
			state.meters.flatMap((meter) =>
				meter.heard ? [[meter.string_id, modelOf(meter, now)]] : [],
			),
		);

	/** The same until a quarter of an hour, a forecast or a date that is over makes it another. */
	const judge = (models: Models, now: number): Judged => {
		const madeOf = [known, Math.floor(now / QUARTER_MS), ...models.values()];
		const before = judged?.madeOf;
		const isSame = madeOf.every((part, at) => part === before?.[at]);
		if (judged && isSame && before?.length === madeOf.length) return judged;
		const [model] = models.values();
		judged = {
			madeOf,
			share: known ? correct(models, known.input, known.head, now).share : 1,
			errors:
				model && accuracies(model.judged, today(now)).periods.days_30.same_day,
		};
		return judged;
	};

	/** Keeps a forecast for quarters that have not begun, and for those before of which none is known. */
	const foresee = (meter: Meter, input: ForecastInput, now: number) => {
		const { zone, values, strings = [] } = input.forecast;
		const isOwn = ({ string_id }: { string_id: string | null }) =>
			meter.string_id === null || string_id === meter.string_id;
		const series =
			meter.string_id === null ? values : strings.find(isOwn)?.series;
		const rated = input.solar.strings
			.filter(isOwn)
			.reduce((sum, { power_kw }) => sum + 1000 * (power_kw ?? 0), 0);
		meter.peak = Math.max(meter.peak, rated);
		if (!series) return;
		const { starts, rows } = series;
		const first = zone.dayOf(starts[0] ?? now);
		const last = zone.dayOf(starts.at(-1) ?? now);
		for (
			let day = Math.max(first, today(now) - MOST_DAYS);
			day <= Math.min(last, today(now) + 1);
			day += 1
		) {
			const record = dayOf(meter, zone, day);
			if (!record) continue;
			const { start, foreseen } = record;
			const raw = foreseen.map((): number | null => null);
			const end = series.indexFrom(start + raw.length * QUARTER_MS);
			for (let row = series.indexFrom(start); row < end; row += 1) {
				const at = starts[row] ?? 0;
				const power = rows[row]?.pv_power;
				if (typeof power !== "number") continue;
				const watts = Math.max(0, Math.round(power));
				const index = (at - start) / QUARTER_MS;
				raw[index] = watts;
				meter.peak = Math.max(meter.peak, watts);
				if (at >= now) foreseen[index] = watts;
				else foreseen[index] ??= watts;
			}
			if (day < today(now)) changes += 1;
			const six = zone.firstInstantFrom(day * DAY_MS + 6 * HOUR_MS);
			if (now >= six) continue;
			const model = modelOf(meter, now);
			const corrected = raw.map(
				(watts, index) =>
					watts && Math.round(model.correct(start + index * QUARTER_MS, watts)),
			);
			record.same_day = { raw, corrected };
			if (day > today(now)) record.day_ahead = record.same_day;
		}
	};

	const begin = (anew: Learned) => {
		state = anew;
		tallies.clear();
		models.clear();
	};

	/** Begins anew where the site is another, and lays a forecast beside what the meters say. */
	const settle = (input: ForecastInput, now: number) => {
		const { forecast, solar } = input;
		const { zone, strings = [] } = forecast;
		const isOther = ![null, solar.site_id].includes(state.site_id);
		// What demo data taught is worth nothing, and a place has one zone.
		const isAnew =
			(state.demo && (isOther || !solar.demo)) ||
			(!isOther && ![null, zone.name].includes(state.timezone));
		if (!isAnew && (isOther || (solar.demo && state.site_id && !state.demo))) {
			throw inputError("learn.other_site", {
				site: show(siteLabel(solar)),
				other: show(state.site_id),
			});
		}
		if (isAnew) begin(createState());
		state.site_id = solar.site_id;
		state.timezone = zone.name;
		state.latitude = solar.latitude ?? state.latitude;
		state.longitude = solar.longitude ?? state.longitude;
		state.demo = solar.demo;
		state.reported ||= zone.dayOf(now);
		if (isAhead(input, now)) {
			state.string_ids = strings.flatMap(({ string_id }) => string_id ?? []);
		}
		if (!meterOf(state, null)) state.meters.unshift(newMeter(null));
		for (const meter of state.meters) foresee(meter, input, now);
		takeAll(waiting.splice(0), now);
	};

	/** The meter of a string that the forecast shows. */
	const newString = (id: string | null, now: number) => {
		const ids = state.string_ids;
		if (ids && !ids.includes(id ?? "")) {
			throw inputError("learn.no_string", {
				id: show(id),
				ids: show(ids),
			});
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
		const { string_id: id, time, power_w, energy_kwh, curtailed } = reading;
		const meter = meterOf(state, id) ?? newString(id, now);
		const tally =
			by.get(id) ?? createTally(() => meter.peak, slotsOf(meter, zone));
		by.set(id, tally);
		if (!tally.add(reading)) {
			addNote(state, "wrong_unit", id, time, power_w ?? energy_kwh);
		}
		isMissing = false;
		const [first, last] = meter.heard ?? [time, time];
		meter.heard = [Math.min(first, time), Math.max(last, time)];
		if (zone.dayOf(time) < today(now)) changes += 1;
		const isNext = time >= last && time - last < LONGEST_MARK_MS;
		for (let at = isNext ? last : time; curtailed; at += QUARTER_MS) {
			const { record, index = 0 } = tally.slotAt(Math.min(at, time)) ?? {};
			if (!record?.curtailed.includes(index)) record?.curtailed.push(index);
			if (at >= time) break;
		}
	};

	/**
	 * Takes readings of the past in, apart from what is gathered of the running quarter.
	 *
	 * @returns what is wrong with some of them
	 */
	const takeAll = (readings: Reading[], now: number) => {
		const apart = new Map<string | null, Tally>();
		const faults = readings
			.sort((a, b) => a.time - b.time)
			.flatMap((reading) => {
				try {
					return take(reading, now, apart) ?? [];
				} catch (error) {
					return error as SolarYieldError;
				}
			});
		advance(now);
		return faults;
	};

	/** Moves on to an instant: notes what was odd about dates that are over, lets go of what is no longer needed. */
	const advance = (now: number) => {
		for (const meter of state.meters) {
			if (!meter.heard || meter.noticed === today(now) - 1) continue;
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
		const { judged, kind, isHeld } = modelOf(meter, now);
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
			meters: [...allModels(now)].map(([string_id, { limit, judged }]) => ({
				string_id,
				/** Power at which the roof is cut, W. */
				limit_w: limit,
				...accuracies(judged, today(now)),
			})),
			notes: notes().map((note) => ({
				...note,
				first: new Date(note.first).toISOString(),
				last: new Date(note.last).toISOString(),
				text: textIn(noteText(note), language),
			})),
		};
	};

	const adopt = (anew: Learned, now: number) => {
		begin(anew);
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
			if (raw && powersOf((payload as Fields).values) === sent) {
				throw inputError("learn.own");
			}
			const input = forecastFromInput(raw ?? { ...msg, payload });
			const isRepeated =
				raw &&
				powersOf(input.forecast.values.rows) ===
					powersOf(known?.input.forecast.values.rows);
			const quota = readQuotaFacts(msg.quota);
			settle(input, now);
			advance(now);
			if (isRepeated || !isAhead(input, now)) return false;
			const { values, strings, daily, ...head } = payload as Fields;
			known = { input, quota, head: copyOf(head) };
			return true;
		},

		/** Takes a reading in; before the first forecast it waits. */
		takeReading: (reading: Reading, now: number) => take(reading, now),

		/** A meter says that it has no value. */
		miss(stringId: unknown) {
			isMissing = true;
			tallies.get((stringId ?? null) as string | null)?.interrupt();
		},

		/**
		 * Takes readings of the past in.
		 *
		 * @throws SolarYieldError `INPUT` naming the first row that is wrong, after the right ones
		 */
		takeList(rows: readonly unknown[], now: number) {
			const faults: SolarYieldError[] = [];
			const readings = rows.flatMap((row, index) => {
				try {
					return readingFromRow(row, index, now) ?? [];
				} catch (error) {
					faults.push(error as SolarYieldError);
					return [];
				}
			});
			faults.push(...takeAll(readings, now));
			const [first] = faults;
			if (!first) return;
			throw inputError("learn.some_rows", {
				fault: first.text,
				refused: faults.length,
				count: rows.length,
			});
		},

		/** The forecast as corrected, undefined while none is known. Fresh objects each time. */
		corrected(now: number, cached: boolean) {
			if (!known) return undefined;
			const { input, head, quota } = known;
			const result = correct(allModels(now), input, copyOf(head), now);
			sent = powersOf(result.payload.values);
			const facts = () =>
				copyOf({ ...result.solar, cached: cached || input.solar.cached });
			return {
				payload: { ...result.payload, solar: facts() },
				solar: facts(),
				...(quota !== undefined && { quota: copyOf(quota) }),
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

		/** The daily report when it is due, which it is once on each of the site's dates with a forecast. */
		dailyReport(now: number, language: Language) {
			const isDue = known && today(now) > state.reported;
			// A clock that was ahead may have made it a date to come.
			if (known) state.reported = today(now);
			const isRead = state.meters.some(({ heard }) => heard);
			return isDue && isRead ? report(now, language) : undefined;
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
			const models = allModels(now);
			const [model] = models.values();
			const { share, errors } = judge(models, now);
			return {
				isKnown: state.timezone !== null,
				/** Epoch ms of the last reading, 0 before the first. */
				readUntil: Math.max(0, ...state.meters.map((it) => it.heard?.[1] ?? 0)),
				/** Dates that have taught. */
				days: model?.days ?? 0,
				limit_w: model?.limit ?? null,
				/** By how much today's energy is corrected. */
				percent: Math.round(100 * (share - 1)),
				/** nRMSE of the same-day forecast over 30 days. */
				error: errors?.corrected.nrmse_percent ?? null,
				rawError: errors?.raw.nrmse_percent ?? null,
			};
		},

		/** The factors of each meter by the sun's place, for the picture of the dialog. */
		maps: (now: number) =>
			[...allModels(now)].map(([string_id, model]) => ({
				string_id,
				points: model.map(),
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

const isAhead = ({ forecast }: ForecastInput, now: number) =>
	(forecast.values.starts.at(-1) ?? 0) >= now;

/** The powers of rows, to tell a forecast from another. */
const powersOf = (rows: unknown) =>
	Array.isArray(rows) ? rows.map((row) => row?.pv_power).join() : "";
