import type { Plan } from "../export/forecasts";

/** A bright, a dark and a middling day of two strings in Berlin. */
export const THREE_DAYS: Plan = {
	zone: "Europe/Berlin",
	date: "2026-06-10",
	days: 3,
	peaks: [8000, 4000, 6000],
	strings: [6, 4],
};
