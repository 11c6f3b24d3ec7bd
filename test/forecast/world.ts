/**
 * All that is made of forecasts around the world on the days on which clocks
 * change. Run by itself it prints this, so that it can be compared between
 * processes in different zones.
 */
import { siteDayEnergy } from "../../src/forecast/forecast";
import { settle, settledToday } from "../../src/forecast/settled";
import { showForecast, showStrings } from "../../src/messages/view";
import { nextReset } from "../../src/service/quota";
import { readInstant } from "../../src/util/time";
import { readHttpDate } from "../../src/util/zone";
import {
	place,
	quartersOf,
	type StampForm,
	stringRows,
	sun,
	valueRows,
} from "./answers";

const PLACES: [zone: string, first: string, last: string][] = [
	["Europe/Berlin", "2026-03-28", "2026-03-30"],
	["Europe/Berlin", "2026-10-24", "2026-10-26"],
	["Asia/Kathmandu", "2025-12-31", "2026-01-01"],
	["America/St_Johns", "2026-03-07", "2026-03-09"],
	["America/St_Johns", "2026-10-31", "2026-11-02"],
	["Pacific/Apia", "2026-12-31", "2027-01-01"],
	["Africa/Cairo", "2026-04-23", "2026-04-25"],
	["Australia/Lord_Howe", "2026-04-04", "2026-04-06"],
];

export function worldReport(): unknown {
	return PLACES.map(([zone, first, last]) => {
		const starts = quartersOf(zone, first, last);
		const now = (starts[0] as number) + 36 * 3_600_000;
		return (["local", "utc", "naive"] satisfies StampForm[]).map((form) => {
			const rows = (index: number) =>
				stringRows(zone, starts, form, index, `str_${index}`, (start) =>
					sun(zone, start, 1000 * (index + 1)),
				);
			const forecast = place({
				site_id: "site_1",
				timezone: zone,
				computed_at: `${first}T12:00:00`,
				next_poll_at: `${last}T18:00:00`,
				included: ["default", "strings"],
				daily: [{ date: first }, { date: last }],
				values: valueRows(zone, starts, form),
				strings: [...rows(0), ...rows(1)],
			});
			const { values } = forecast;
			const selection = {
				include: ["default", "strings"],
				forecastDays: null,
				pastDays: 1,
			} as const;
			return {
				zone,
				form,
				computed_at: forecast.computed_at,
				days: values.days().map((day) => [day, siteDayEnergy(forecast, day)]),
				local: showForecast(
					forecast,
					{ ...selection, include: ["default"], timezone: "local" },
					"x",
					now,
				),
				strings: Array.from(
					showStrings(forecast, { ...selection, timezone: "utc" }, [], now),
				).map(({ daily, values: own }) => [daily, own[0], own.at(-1)]),
				settled: settledToday(settle([], forecast, now, now), forecast, now),
			};
		});
	}).concat([
		[
			nextReset(Date.UTC(2026, 11, 31, 23)),
			readInstant("2026-03-29T02:30:00+01:00"),
			readHttpDate("Sun, 29 Mar 2026 02:30:00 GMT"),
		] as never,
	]);
}

if (require.main === module) {
	console.log(
		JSON.stringify({
			processZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
			world: worldReport(),
		}),
	);
}
