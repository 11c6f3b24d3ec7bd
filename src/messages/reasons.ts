/**
 * Texts of `msg.solar.reason` (behaviour: Messages): why the next request is
 * planned for when it is.
 */
export const REASONS = {
	first: "no forecast is known yet",
	changed: "the site was changed",
	next_poll_at: "the service has a newer forecast then",
	interval: "the interval set for inline forecasts",
	no_poll_time: "the service did not say when it has a newer forecast",
	late: "the service is late with its newer forecast",
	unfinished: "an earlier request was interrupted",
	retry: "the last request failed",
	rejected: "the service rejected the request",
	plan: "the plan does not allow the request",
	site: "the site is unknown, deleted or inactive",
	key: "the API key was refused",
	burst: "the service was asked too often",
	exhausted: "the month's requests are used up",
	reserve: "only the reserve is left of the month's requests",
	budget: "the budget of the month is used up",
	spread:
		"spread: the month's requests do not last for every forecast, and are made where most power is expected",
	night:
		"spread: the month's requests do not last for every forecast, and by night the next one is soon enough",
	manual: "it is asked on input only",
} as const;
