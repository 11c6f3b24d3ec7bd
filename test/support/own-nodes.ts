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

/** On the tab `tab`. */
export const nowNode = (more: object = {}) => ({
	id: "now",
	type: "solar-yield-now",
	z: "tab",
	name: "",
	every: "5",
	wires: [[]] as string[][],
	...more,
});

/** On the tab `tab`. */
export const sumNode = (more: object = {}) => ({
	id: "sum",
	type: "solar-yield-sum",
	z: "tab",
	name: "",
	sites: "",
	sumId: "",
	acLimitW: "",
	wires: [[]] as string[][],
	...more,
});

/** On the tab `tab`; a fresh dialog leaves the battery's data to be entered. */
export const batteryNode = (more: object = {}) => ({
	id: "bat",
	type: "solar-yield-battery",
	z: "tab",
	name: "",
	strategy: "self-consumption",
	safety: "expected",
	capacityKwh: "10",
	minSoc: "10",
	maxSoc: "100",
	maxChargeW: "5000",
	maxDischargeW: "4000",
	efficiency: "0.9",
	loadKwhPerDay: "11",
	feedInLimitW: "",
	feedInPrice: "0",
	gridCharge: "",
	sell: false,
	load: "profile",
	acLimitW: "",
	coupling: "ac",
	wearPrice: "",
	importLimitW: "",
	gridChargeW: "",
	mayCurtail: false,
	margin: "",
	maxAgeHours: "30",
	maxSocAgeMinutes: "30",
	wires: [[]] as string[][],
	...more,
});

/** On the tab `tab`. */
export const learnNode = (more: object = {}) => ({
	id: "learn",
	type: "solar-yield-learn",
	z: "tab",
	name: "",
	unit: "W",
	wires: [[], []] as string[][],
	...more,
});

/** On the tab `tab`. */
export const windowNode = (more: object = {}) => ({
	id: "win",
	type: "solar-yield-window",
	z: "tab",
	name: "",
	hours: "2",
	pieces: "one",
	from: "",
	to: "",
	minPowerW: "",
	loadW: "",
	baseLoadW: "",
	rank: "sun",
	energyKwh: "",
	minHours: "",
	minLoadW: "",
	maxPrice: "",
	minRunMinutes: "",
	maxStarts: "",
	maxPauseHours: "",
	sunOnly: false,
	runAnyway: false,
	wires: [[], []] as string[][],
	...more,
});

/** On the tab `tab`, with the account `acc`. */
export const historyNode = (more: object = {}) => ({
	id: "hist",
	type: "solar-yield-history",
	z: "tab",
	name: "",
	account: "acc",
	siteId: "",
	source: "site",
	inline: "",
	include: ["default"],
	period: "1d",
	startDate: "",
	endDate: "",
	timezone: "local",
	split: false,
	wires: [[]] as string[][],
	...more,
});

/** On the tab `tab`, with the account `acc`. */
export const siteNode = (more: object = {}) => ({
	id: "site",
	type: "solar-yield-site",
	z: "tab",
	name: "",
	account: "acc",
	siteId: "",
	operation: "",
	wires: [[]] as string[][],
	...more,
});

/** On the tab `tab`, with the account `acc`. */
export const v1Node = (more: object = {}) => ({
	id: "v1",
	type: "solar-yield-v1",
	z: "tab",
	name: "",
	account: "acc",
	endpoint: "forecast",
	params: {},
	wires: [[]] as string[][],
	...more,
});
