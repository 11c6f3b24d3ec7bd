// What a flow of core nodes does with an answer: a `json` node, and a function
// node that splits by day and by string, with a luxon time for each row.
const { DateTime } = require("luxon");

module.exports = (text) => {
	const answer = JSON.parse(text);
	const days = {};
	for (const row of answer.values) {
		const time = DateTime.fromISO(row.timestamp, { setZone: true });
		const date = time.toISODate();
		days[date] ??= [];
		days[date].push({ ...row, time: time.toMillis() });
	}
	const ids = new Set((answer.strings ?? []).map((row) => row.string_id));
	const strings = [...ids].map((id) =>
		answer.strings.filter((row) => row.string_id === id),
	);
	return { days, strings };
};
