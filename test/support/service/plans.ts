/** What an account may do; null is no limit. The service publishes requests, updates and features of its plans, the other caps are made up. */
export interface Plan {
	/** Without it 403. */
	readonly forecastAccess: boolean;
	/** Requests a calendar month (UTC). */
	readonly forecastRequests: number | null;
	readonly historicalRequests: number | null;
	/** Slots a day, counted from site-local midnight. */
	readonly updatesPerDay: number;
	/** Days after today, and before it. */
	readonly forecastDays: number;
	readonly pastDays: number;
	/** `include=variability` is allowed. */
	readonly variability: boolean;
	/** Create, update, delete and restore are allowed. */
	readonly sitesApi: boolean;
	/** Sites that get forecasts, oldest first; the others are inactive. */
	readonly siteLimit: number | null;
	/** Strings of one site. */
	readonly stringLimit: number | null;
}

const FREE: Plan = {
	forecastAccess: true,
	forecastRequests: 250,
	historicalRequests: 50,
	updatesPerDay: 1,
	forecastDays: 1,
	pastDays: 0,
	variability: false,
	sitesApi: false,
	siteLimit: 1,
	stringLimit: 2,
};
const LIGHT: Plan = {
	...FREE,
	forecastRequests: 3000,
	historicalRequests: 300,
	updatesPerDay: 24,
	forecastDays: 3,
	pastDays: 7,
	siteLimit: 3,
	stringLimit: 4,
};
const PLUS: Plan = {
	...LIGHT,
	historicalRequests: 3000,
	updatesPerDay: 144,
	forecastDays: 7,
	pastDays: 30,
	variability: true,
	sitesApi: true,
	siteLimit: 20,
	stringLimit: 10,
};

/** The plans by name; any of them can be spread into a plan of one's own. */
export const PLANS = {
	free: FREE,
	light: LIGHT,
	plus: PLUS,
	/** Four slots a day: 00:00, 06:00, 12:00, 18:00. */
	"updates-4": { ...LIGHT, updatesPerDay: 4 },
	/** A slot each quarter of an hour; manages sites, but has no variability. */
	"updates-96": { ...PLUS, updatesPerDay: 96, variability: false },
	unmetered: {
		...PLUS,
		forecastRequests: null,
		historicalRequests: null,
		siteLimit: null,
		stringLimit: null,
	},
} as const satisfies Record<string, Plan>;

export type PlanName = keyof typeof PLANS;
