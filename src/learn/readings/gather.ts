import { inputError } from "../../service/errors/solar-yield-error";
import { show } from "../../service/v2/schema-errors";
import { QUARTER_MS } from "../../util/time";
import { advance, changeDay, zoneOf } from "../days";
import {
	type LearnState,
	type Meter,
	meterOf,
	meterWith,
	newMeter,
	recordWith,
	withMeter,
	withNote,
} from "../learn-state";
import type { Reading } from "./reading";
import { AHEAD_MS, LATEST_MS, type QuarterMean, Tally } from "./tally";

/** What is being gathered, by `string_id`, null for the site's own meter. */
export type Tallies = Map<string | null, Tally>;

/**
 * Takes a reading in: the tally of its meter grows, and the state changes once a
 * quarter hour is complete. What cannot be right is left out and noted.
 *
 * @throws SolarYieldError `INPUT` when there are more meters than any site has
 */
export function addReading(
	given: LearnState,
	tallies: Tallies,
	reading: Reading,
	now: number,
): LearnState {
	const { time, string_id, power_w, energy_kwh } = reading;
	if (given.timezone === null) {
		return withNote(given, "no_forecast", string_id, time);
	}
	if (time > now + AHEAD_MS) return withNote(given, "future", string_id, now);
	if (time < now - LATEST_MS)
		return withNote(given, "too_old", string_id, time);
	let state = given;
	const { string_ids } = state;
	if (string_id !== null && string_ids && !string_ids.includes(string_id)) {
		const code = string_ids.length === 0 ? "no_strings" : "unknown_string";
		state = withNote(state, code, string_id, time);
		if (!meterOf(state, string_id)) return state;
	}
	let meter = meterOf(state, string_id);
	if (!meter) {
		state = withMeter(state, newMeter(string_id));
		meter = meterOf(state, string_id);
		if (!meter) {
			throw inputError("learn.meters", {
				id: show(string_id),
				count: state.meters.length,
			});
		}
	}
	let tally = tallies.get(string_id);
	if (!tally) {
		tally = new Tally();
		tallies.set(string_id, tally);
	}
	const since = energy_kwh === null ? time : tally.counterSince(time);
	const wrongPower = tally.addPower(reading, meter);
	if (wrongPower) {
		state = withNote(state, wrongPower, string_id, time, power_w);
	}
	const wrongEnergy = tally.addCounter(reading, meter);
	if (wrongEnergy) {
		state = withNote(state, wrongEnergy, string_id, time, energy_kwh);
	}
	const closed = tally.takeQuarters();
	// Quarters of the date that is ending come before its end.
	if (closed.length > 0) state = withQuarters(state, string_id, closed, tally);
	state = advance(state, now);
	return reading.curtailed
		? withCurtailed(state, string_id, since, time)
		: state;
}

/** Takes in what is well covered of all quarters, as at the end of a list of readings. */
export function closeTallies(state: LearnState, tallies: Tallies): LearnState {
	let closed = state;
	for (const [stringId, tally] of tallies) {
		const quarters = tally.takeQuarters(true);
		if (quarters.length > 0) {
			closed = withQuarters(closed, stringId, quarters, tally);
		}
	}
	return closed;
}

function withQuarters(
	state: LearnState,
	stringId: string | null,
	quarters: readonly QuarterMean[],
	tally: Tally,
): LearnState {
	const zone = zoneOf(state);
	const known = meterOf(state, stringId);
	if (!zone || !known) return state;
	let meter: Meter = known;
	let read_until = known.read_until ?? 0;
	for (const { start, watts } of quarters) {
		read_until = Math.max(read_until, start + QUARTER_MS);
		meter = changeDay(meter, zone, zone.dayOf(start), (record) => {
			const index = Math.round((start - record.start) / QUARTER_MS);
			// What is complete stays: a second meter or a repeated list changes nothing.
			if ((record.metered[index] ?? null) !== null) return record;
			const isOver = record.day !== known.today?.day;
			// Nor does the night before, which would be learned anew for nothing.
			if (isOver && watts === 0 && !record.foreseen[index]) return record;
			const metered = record.metered.slice();
			metered[index] = watts;
			if (isOver) return recordWith(record, { metered });
			tally.beginDay(record.day);
			return recordWith(record, { metered, mixed: tally.isMixed });
		});
	}
	if (read_until !== known.read_until) meter = meterWith(meter, { read_until });
	return withMeter(state, meter);
}

function withCurtailed(
	state: LearnState,
	stringId: string | null,
	since: number,
	time: number,
): LearnState {
	const zone = zoneOf(state);
	const known = meterOf(state, stringId);
	if (!zone || !known) return state;
	let meter: Meter = known;
	for (
		let start = Math.floor(since / QUARTER_MS) * QUARTER_MS;
		start <= time;
		start += QUARTER_MS
	) {
		meter = changeDay(meter, zone, zone.dayOf(start), (record) => {
			const index = Math.round((start - record.start) / QUARTER_MS);
			return record.curtailed.includes(index)
				? record
				: recordWith(record, { curtailed: [...record.curtailed, index] });
		});
	}
	return meter === known
		? state
		: withNote(withMeter(state, meter), "curtailed", stringId, time);
}
