import assert from "node:assert/strict";
import { toText } from "../../src/learn/learner";
import { NOTE_CODES, noteText } from "../../src/learn/notes";
import { readLearned } from "../../src/learn/state";
import { textIn } from "../../src/texts/texts";
import { LANGUAGES } from "../../src/util/language";
import {
	bow,
	chance,
	DAY,
	HOUR,
	HOUSE,
	MINUTE,
	message,
	Watched,
} from "./support";

const START = "2026-05-01";

function learned(days: number, house = HOUSE): Watched {
	const watched = new Watched(house);
	watched.pass(
		START,
		days,
		(watts, day, time) => watts * (0.6 + 0.4 * chance(day, time)),
	);
	return watched;
}

describe("what has been learned", () => {
	it("is the same after an export and an import, as text, as bytes or as an object", () => {
		const house = learned(15);
		const start = house.dayStart(START, 15);
		const text = toText(house.learner.state);
		const of = ({ learner }: Watched) =>
			learner.corrected(start, false)?.payload;
		for (const given of [text, Buffer.from(text), JSON.parse(text)]) {
			const copy = new Watched();
			copy.foresee(message(start, start + DAY, bow), start);
			copy.learner.import(given, start);
			house.foresee(message(start, start + DAY, bow), start);
			assert.deepEqual(of(copy), of(house));
			assert.deepEqual(
				copy.learner.report(start, "en-US"),
				house.learner.report(start, "en-US"),
			);
			assert.equal(toText(copy.learner.state), toText(house.learner.state));
		}
	});

	it("is refused with the field when it is none", () => {
		const { state } = learned(3).learner;
		const [meter] = state.meters;
		for (const [value, text] of [
			["{", /no JSON/],
			[Buffer.from("["), /no JSON/],
			[null, /cannot be used/],
			[{ ...state, version: 2 }, /version/],
			[
				{ ...state, timezone: "Europe/Nowhere" },
				/unknown time zone: "Europe\/Nowhere"/,
			],
			[{ ...state, latitude: "north" }, /latitude/],
			[{ ...state, meters: [{ ...meter, peak: null }] }, /meters\[0\]\.peak/],
			[
				{
					...state,
					meters: [{ ...meter, days: [{ ...meter?.days[0], read: [1, "2"] }] }],
				},
				/meters\[0\]\.days\[0\]\.read\[1\]/,
			],
		] as const) {
			assert.throws(() => readLearned(value), {
				code: "SOLAR_YIELD_INPUT",
				message: text,
			});
		}
	});

	it("takes less than 300 kB for a large site, and no more after months", () => {
		const house = learned(130, { ...HOUSE, peak: 900_000 });
		const text = toText(house.learner.state);
		assert.ok(text.length < 300_000, String(text.length));
		assert.ok(text.length > 100_000, String(text.length));
	});

	it("is of one site, and demo data are apart", () => {
		const house = learned(1);
		const start = house.dayStart(START, 1);
		const refused = (given: object) =>
			assert.throws(
				() => house.foresee(message(start, start + DAY, bow, given), start),
				{
					code: "SOLAR_YIELD_INPUT",
					message: /but what has been learned is of/,
				},
			);
		refused({ site: "site_b" });
		refused({ solar: { demo: true } });
		const demo = new Watched();
		demo.foresee(
			message(start, start + DAY, bow, { site: "x", solar: { demo: true } }),
			start,
		);
		demo.read(start, { power_w: 1 });
		demo.foresee(message(start, start + DAY, bow), start);
		assert.equal(demo.learner.state.site_id, "site_a");
		assert.equal(demo.learner.facts(start).readUntil, 0);
	});

	it("begins anew where the zone is another", () => {
		const house = learned(3);
		const start = house.dayStart(START, 3);
		const moved = { ...HOUSE, zone: "Europe/London" };
		house.foresee(message(start, start + DAY, bow, { house: moved }), start);
		assert.equal(house.learner.facts(start).readUntil, 0);
	});

	it("goes on when the clock was ahead for a while", () => {
		const house = learned(10);
		const noon = house.dayStart(START, 10) + 12 * HOUR;
		const before = house.days().map(({ day }) => day);
		const ahead = noon + 150 * DAY;
		house.read(ahead, { power_w: 100 });
		house.learner.advance(ahead);
		house.learner.isReportDue(ahead);
		house.foresee(message(noon - 12 * HOUR, noon + 2 * DAY, bow), noon);
		assert.ok(before.every((day) => house.days().some((it) => it.day === day)));
		const report = (days: number) =>
			house.learner.isReportDue(noon + days * DAY);
		assert.equal(report(0), false);
		assert.ok(report(1));
		assert.equal(report(1), false);
		house.pass("2026-05-12", 5, (watts) => 0.8 * watts);
		assert.ok(house.learner.facts(noon + 6 * DAY).days >= 14);
	});
});

describe("notes", () => {
	it("say in each language what happened and what to do", () => {
		for (const code of NOTE_CODES) {
			const texts = LANGUAGES.map((language) =>
				textIn(noteText({ code, value: 7.5 }), language),
			);
			assert.equal(new Set(texts).size, LANGUAGES.length);
			for (const text of texts) {
				assert.match(text, /^[A-ZÄÖÜ].{20,}; .{10,}\.$/);
				assert.doesNotMatch(text, /__/);
			}
		}
	});

	it("tell how often, since when and with which value", () => {
		const house = new Watched();
		house.pass(START, 1, (watts) => (watts > 7900 ? 10 * watts : watts));
		const { notes } = house.learner.report(
			house.dayStart(START, 1) + MINUTE,
			"de",
		);
		const note = notes.find(({ code }) => code === "wrong_unit");
		assert.ok((note?.count as number) > 1);
		assert.ok((note?.value as number) > 79_000);
		assert.ok((note?.first as string) < (note?.last as string));
		assert.match(note?.text as string, /Einheit/);
	});
});
