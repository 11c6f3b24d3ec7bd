// What the poller knows of a site when it hands a forecast to the nodes.
const built = require("./package.cjs");
const { placeForecast } = built("src/forecast/forecast.js");
const { forecastMessages } = built("src/messages/forecast-messages.js");

/** What is kept on disk in front of an answer. */
const head = ({ now, siteZone }) => ({
	version: 2,
	key: "site",
	system: null,
	answeredAt: now,
	computedAt: now,
	nextPollAt: now + 900_000,
	pastDays: 30,
	include: ["all"],
	siteZone,
	settled: {},
});

const known = (answer, input) => ({
	forecast: placeForecast(answer, { siteZone: input.siteZone }),
	head: head(input),
	site: undefined,
	plan: { at: input.now + 900_000, reason: "next_poll_at", what: "forecast" },
	stale: false,
	failure: null,
	quota: null,
	pace: { kind: "full", projected: null },
	own: 1,
	interval: "end",
	settled: [],
	asking: false,
	now: input.now,
});

const presentation = ({ include, pastDays, timezone = "local" }) => ({
	key: "site",
	selection: { include, forecastDays: null, pastDays, timezone },
	topic: "solar-yield",
	demo: false,
});

/** What one node sends of a forecast, on its three outputs. */
const allMessages = (state, presentation) =>
	forecastMessages(state, presentation, false, () => "parts").map(
		(messages) => [...messages],
	);

module.exports = { allMessages, head, known, presentation };
