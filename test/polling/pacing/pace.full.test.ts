import assert from "node:assert/strict";
import {
	CELLS,
	runCell,
	violations,
} from "../../support/quota-simulation/cells";
import {
	INSTALLATIONS,
	lateMonthViolations,
	runInstallation,
} from "../../support/quota-simulation/installations";

/**
 * A part of the months that `npm run bench:quota -- --check` simulates whole: no
 * 429 by us, the reserve left, ages near the oracle's.
 */
const MONTHS = CELLS.filter(
	({ plan, sites, others }) =>
		sites === 3 &&
		others === 10 &&
		["3000/24", "3000/96", "unmetered/144"].includes(plan.name),
).concat(
	CELLS.filter(
		({ plan, sites, others }) =>
			sites === 1 && others !== 10 && ["250/1", "3000/144"].includes(plan.name),
	),
);

describe("the pace of a month", () => {
	for (const cell of MONTHS) {
		const { season, plan, sites, others } = cell;
		it(`${season.name}: plan ${plan.name}, ${sites} sites, ${others} requests a day by others`, () => {
			const result = runCell(cell);
			assert.deepEqual(violations(result), []);
			assert.ok(result.ours.requests > 0);
		}).timeout(30_000);
	}
});

describe("the pace of a month on an account that others use, or have used", () => {
	for (const installation of INSTALLATIONS.filter(
		({ sites, season, plan, day }) =>
			sites === 1 ||
			// Where requests are shortest.
			(season.name === "December" && plan.name === "3000/144" && day === 5),
	)) {
		const { season, plan, sites, day, others } = installation;
		it(`${season.name}: plan ${plan.name}, ${sites} sites, installed on ${day}, others ${others}`, () => {
			const month = runInstallation(installation);
			assert.deepEqual(lateMonthViolations(month), []);
			assert.ok(month.days.length >= 2);
		}).timeout(30_000);
	}
});
