import assert from "node:assert/strict";
import {
	NEW_STATE,
	readState,
	recordOf,
	withRecord,
} from "../../src/window/state";
import { stepAfter, tick } from "../../src/window/transitions";
import { at, forecastOf, HOUR, inputsOf, saved, state } from "./support";

const NOW = at("2026-06-20T12:00:00+02:00");
const inputs = inputsOf(
	forecastOf("Europe/Berlin", ["2026-06-20", "2026-06-21"], () => 1000),
);

describe("the state of a window on disk", () => {
	it("comes back as it was written", () => {
		const { state: begun } = tick(
			state({ prices: [{ start: NOW, end: NOW + HOUR, price: -0.1 }] }),
			inputs,
			NOW,
		);
		const { state: full } = stepAfter(
			begun,
			{ ran: HOUR, overrides: { hours: "3", from: "08:00" }, lackingKwh: 2 },
			() => inputs,
			NOW,
		);
		assert.ok(full.held && full.site && full.days.length > 0);
		assert.deepEqual(saved(full), full);
		assert.deepEqual(saved(NEW_STATE), NEW_STATE);
	});

	it("that is damaged, of another version or impossible is none", () => {
		const { state: begun } = tick(state(), inputs, NOW);
		const text = JSON.stringify(begun);
		for (const broken of [
			"",
			"null",
			"[]",
			text.slice(0, -5),
			text.replace('"version":2', '"version":1'),
			text.replace('"Europe/Berlin"', '"Europe/Atlantis"'),
			JSON.stringify({
				...begun,
				held: { ...begun.held, end: (begun.held?.start ?? 0) - 1 },
			}),
			JSON.stringify({
				...begun,
				held: { ...begun.held, end: NOW + 300 * HOUR },
			}),
			JSON.stringify({
				...begun,
				prices: [
					{ start: NOW, end: NOW + HOUR, price: 1 },
					{ start: NOW, end: NOW + HOUR, price: 1 },
				],
			}),
		]) {
			assert.throws(() => readState(JSON.parse(broken)), broken);
		}
	});

	it("remembers the last three days", () => {
		let now = state();
		for (const day of [1, 2, 3, 2, 4]) {
			now = withRecord(now, { ...recordOf(now, day), done: true });
		}
		assert.deepEqual(
			now.days.map(({ day }) => day),
			[3, 2, 4],
		);
	});

	it("goes on without settings that are no longer read", () => {
		const overrides = { hours: "99", loadW: "2000" };
		assert.deepEqual(saved(state({ overrides })).overrides, { loadW: "2000" });
	});
});
