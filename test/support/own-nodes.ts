/**
 * Nodes of ours as they stand in a flow file, with the settings of a fresh
 * dialog; `more` says what differs.
 */
export const accountNode = (more: object = {}) => ({
	id: "acc",
	type: "solar-yield-account",
	name: "",
	baseUrl: "",
	demo: false,
	siteId: "",
	budget: "",
	reserve: "",
	interval: "end",
	...more,
});

/** On the tab `tab`, with the account `acc`. */
export const forecastNode = (more: object = {}) => ({
	id: "fc",
	type: "solar-yield-forecast",
	z: "tab",
	name: "",
	account: "acc",
	siteId: "",
	source: "site",
	inline: "",
	intervalHours: "",
	include: ["default"],
	forecastDays: "",
	pastDays: "0",
	timezone: "local",
	poll: "auto",
	topic: "solar-yield",
	wires: [[], [], []] as string[][],
	...more,
});
