import assert from "node:assert/strict";
import { household, shortPlan } from "../support/house";

/** Makes of a good answer's body another, with the bodies of those before. */
type Change = (good: object, before: readonly object[]) => object | undefined;

describe("answers that are no newer", () => {
	/** How often the service is asked from 9 to 17 h, if the answers from 11 to 13 h are such. */
	const cases: [what: string, to: Change, forecasts: number][] = [
		["newer as they should be", (good) => good, 9],
		[
			"older than the one in hand",
			(good) => ({ ...good, computed_at: "2026-06-10T06:00:00+02:00" }),
			9,
		],
		["the one in hand", (_good, before) => before.at(-1), 13],
		["the one before", (_good, before) => before.at(-2), 8],
		[
			"the one before, computed anew",
			(_good, before) => ({
				...before.at(-2),
				computed_at: "2026-06-10T12:30:00+02:00",
			}),
			8,
		],
	];
	for (const [what, to, forecasts] of cases) {
		it(`(${what}) cost no request more than late ones do`, async () => {
			const { house, service } = household(
				"2026-06-10T09:01:00Z",
				shortPlan(24),
			);
			const before: object[] = [];
			let isSpoiled = false;
			service.fault = async (request, answer) => {
				const good = await answer(request);
				if (!request.path.startsWith("/v2/forecast/")) return good;
				const body = JSON.parse(good.body);
				if (!isSpoiled) before.push(body);
				return isSpoiled
					? { ...good, body: JSON.stringify(to(body, before)) }
					: good;
			};
			await house.boot();
			await house.runTo("2026-06-10T10:59:00Z");
			isSpoiled = true;
			await house.runTo("2026-06-10T12:59:00Z");
			isSpoiled = false;
			await house.runTo("2026-06-10T17:01:00Z");
			assert.equal(service.forecasts.length, forecasts);
			house.kill();
		});
	}
});
