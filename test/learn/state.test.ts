import assert from "node:assert/strict";
import {
	addForecast,
	advance,
	correct,
	createLearnState,
	exportState,
	factorMap,
	importState,
	noteList,
	noteText,
	report,
} from "../../src/learn";
import { LearnState, MOST_DAYS, NOTE_CODES } from "../../src/learn/learn-state";
import { textIn } from "../../src/texts/texts";
import { LANGUAGES } from "../../src/util/language";
import {
	bow,
	chance,
	DAY,
	forecast,
	HOUR,
	HOUSE,
	MINUTE,
	message,
	Watched,
} from "./support";

const START = "2026-05-01";

function deepFreeze<T>(value: T): T {
	if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
		Object.freeze(value);
		for (const part of Object.values(value)) deepFreeze(part);
	}
	return value;
}

describe("what has been learned", () => {
	it("is the same after an export and an import", () => {
		const house = new Watched();
		house.pass(
			START,
			15,
			(watts, day, time) => watts * (0.6 + 0.4 * chance(day, time)),
		);
		const copy = importState(exportState(house.state));
		assert.deepEqual(copy, house.state);
		const start = house.dayStart(START, 15);
		const sent = message(start, start + DAY, bow);
		assert.deepEqual(
			correct(copy, sent, start).payload,
			correct(house.state, sent, start).payload,
		);
		assert.deepEqual(report(copy, start), report(house.state, start));
		assert.deepEqual(importState(JSON.parse(exportState(house.state))), copy);
	});

	it("is refused with the field when it is none", () => {
		const house = new Watched();
		house.pass(START, 3, (watts) => watts);
		const { state } = house;
		const [meter] = state.meters;
		assert.ok(meter);
		const [first] = meter.past;
		assert.ok(first);
		for (const [value, text] of [
			["{", /no JSON/],
			[null, /cannot be used/],
			[{ ...state, version: 2 }, /version/],
			[{ ...state, latitude: 91 }, /latitude/],
			[{ ...state, meters: [meter, meter] }, /twice/],
			[
				{ ...state, meters: [{ ...meter, past: [first, first] }] },
				/out of order/,
			],
			[
				{
					...state,
					meters: [{ ...meter, past: [{ ...first, metered: [1, "2"] }] }],
				},
				/meters\[0\]\.past\[0\]\.metered\[1\]/,
			],
			[
				{ ...state, meters: [{ ...meter, peak: Number.NaN }] },
				/meters\[0\]\.peak/,
			],
		] as const) {
			assert.throws(() => importState(value), {
				code: "SOLAR_YIELD_INPUT",
				message: text,
			});
		}
	});

	it("takes less than 2 MB for a year of a large site, and no more after it", function () {
		this.timeout(60_000);
		const house = new Watched({ ...HOUSE, peak: 900_000 });
		house.pass(
			START,
			370,
			(watts, day, time) => watts * (0.6 + 0.5 * chance(day, time)),
		);
		const text = exportState(house.state);
		assert.equal(house.state.meters[0]?.past.length, MOST_DAYS);
		assert.ok(text.length < 1_000_000, String(text.length));
		assert.ok(text.length > 300_000, String(text.length));
		assert.doesNotThrow(() => importState(text));
	});

	it("is never changed, only followed by another", () => {
		const house = new Watched();
		house.pass(START, 4, (watts) => 0.8 * watts);
		const frozen = deepFreeze(house.state);
		const text = exportState(frozen);
		const map = factorMap(frozen);
		house.pass("2026-05-05", 3, (watts) => (watts > 3000 ? -watts : watts));
		house.read(
			house.dayStart(START, 2) + 12 * HOUR,
			{ power_w: 5 },
			house.dayStart(START, 7),
		);
		assert.notEqual(exportState(house.state), text);
		assert.equal(exportState(frozen), text);
		assert.deepEqual(factorMap(frozen), map);
	});

	it("is of one site", () => {
		const house = new Watched();
		house.pass(START, 1, () => 0);
		const start = house.dayStart(START, 1);
		assert.throws(
			() =>
				house.foresee(
					forecast(start, start + DAY, bow, { site: "site_b" }),
					start,
				),
			{ code: "SOLAR_YIELD_INPUT", message: /site_b.*site_a/ },
		);
	});

	it("begins anew where the site has moved", () => {
		const house = new Watched();
		house.pass(START, 3, (watts) => watts);
		const start = house.dayStart(START, 3);
		const moved = { ...HOUSE, latitude: 52.5, longitude: 13.4 };
		house.foresee(forecast(start, start + DAY, bow, { house: moved }), start);
		assert.deepEqual(house.codes(), ["moved"]);
		assert.equal(house.state.latitude, 52.5);
		assert.deepEqual(house.state.meters[0]?.past, []);
	});

	it("stays when the clock goes back", () => {
		const house = new Watched();
		house.pass(START, 3, (watts) => watts);
		assert.equal(advance(house.state, house.dayStart(START, 1)), house.state);
		const { meters } = house.state;
		const back = house.dayStart(START, 1) + HOUR;
		house.read(back, { power_w: 0 });
		assert.equal(house.state.meters, meters);
		house.foresee(forecast(back - HOUR, back + 2 * DAY, bow), back);
		assert.equal(house.state.meters[0]?.today?.day, meters[0]?.today?.day);
		assert.deepEqual(house.state.meters[0]?.past, meters[0]?.past);
	});

	it("goes on when the clock was ahead for a while, once a young forecast confirms it", () => {
		const house = new Watched();
		house.pass(START, 10, (watts) => 0.8 * watts);
		const start = house.dayStart(START, 10);
		const noon = start + 12 * HOUR;
		for (let time = start; time < noon; time += 5 * MINUTE) {
			house.read(time, { power_w: 0.8 * bow(time) });
		}
		const before = house.state.meters[0];
		house.read(noon, { power_w: 100 }, noon + 150 * DAY);
		assert.notEqual(house.state.meters[0]?.today?.day, before?.today?.day);
		// One that is not young may come from a clock that is behind.
		const rows = () => forecast(start, start + 2 * DAY, bow);
		house.foresee(
			{ ...rows(), forecast: { ...rows().forecast, computed_at: noon + HOUR } },
			noon,
		);
		assert.notEqual(house.state.meters[0]?.today?.day, before?.today?.day);
		house.foresee(rows(), noon);
		const after = house.state.meters[0];
		assert.deepEqual(after?.today?.metered, before?.today?.metered);
		assert.deepEqual(
			after?.past.map(({ day }) => day),
			before?.past.map(({ day }) => day),
		);
		house.pass("2026-05-12", 5, (watts) => 0.8 * watts);
		assert.equal(house.state.meters[0]?.past.length, 16);
		assert.doesNotThrow(() => importState(exportState(house.state)));
	});

	it("waits for days on which nothing came", () => {
		const house = new Watched();
		house.pass(START, 3, (watts) => watts);
		const later = advance(house.state, house.dayStart(START, 60) + HOUR);
		assert.equal(later.meters[0]?.past.length, 4);
		assert.doesNotThrow(() => LearnState.parse(later));
	});

	it("knows nothing at first", () => {
		const state = createLearnState("site_a");
		assert.equal(advance(state, Date.now()), state);
		assert.equal(factorMap(state), undefined);
		assert.deepEqual(noteList(state), []);
		const start = Date.parse(START);
		const next = addForecast(state, forecast(start, start + DAY, bow), start);
		assert.deepEqual(next.notes, []);
	});
});

describe("notes", () => {
	it("say in each language what happened and what to do", () => {
		for (const code of NOTE_CODES) {
			const texts = LANGUAGES.map((language) =>
				textIn(noteText({ code, string_id: "s1" }, ["a", "b"]), language),
			);
			assert.equal(new Set(texts).size, LANGUAGES.length);
			for (const text of texts) {
				assert.match(text, /^[A-ZÄÖÜ].{20,}\.$/);
				assert.doesNotMatch(text, /__/);
			}
		}
	});

	it("tell how often, since when and with which value", () => {
		const house = new Watched();
		house.pass(START, 1, (watts, _, time) =>
			watts > 7900 ? -watts : time && watts,
		);
		const note = noteList(house.state, "de").find(
			({ code }) => code === "negative",
		);
		assert.ok((note?.count as number) > 1);
		assert.ok((note?.value as number) < -7900);
		assert.ok((note?.first as string) < (note?.last as string));
		assert.match(note?.text as string, /negativ/);
	});
});
