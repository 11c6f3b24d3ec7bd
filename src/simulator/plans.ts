/**
 * What an account may do, as a table. The numbers of `free`, `light` and
 * `plus` that the service publishes are requests a month, updates a day and
 * paid features; the spec shows no numeric caps beyond the hard ones, so the
 * caps on days, sites and strings are this simulator's own.
 */
export interface Plan {
	/** Forecast endpoints answer at all; without it 403. */
	readonly forecastAccess: boolean;
	/** Forecast requests a calendar month (UTC); null = unmetered. */
	readonly forecastRequests: number | null;
	/** Historical requests a calendar month (UTC); null = unmetered. */
	readonly historicalRequests: number | null;
	/** Added to both limits for each site after the first ("the cap scales with the number of sites"). */
	readonly requestsPerExtraSite: number;
	/** Slots a day, counted from site-local midnight. */
	readonly updatesPerDay: number;
	/** Days after today, 0 to 7. */
	readonly forecastDays: number;
	/** Days before today, 0 to 30. */
	readonly pastDays: number;
	/** `include=variability` is allowed. */
	readonly variability: boolean;
	/** Create, update, delete and restore are allowed. */
	readonly sitesApi: boolean;
	/** `temporary: true` is allowed on create. */
	readonly temporarySites: boolean;
	/** Sites that get forecasts, oldest first; the others are inactive. null = no limit. */
	readonly siteLimit: number | null;
	/** Strings of one site; null = no limit. */
	readonly stringLimit: number | null;
}

const FREE: Plan = {
	forecastAccess: true,
	forecastRequests: 250,
	historicalRequests: 50,
	requestsPerExtraSite: 0,
	updatesPerDay: 1,
	forecastDays: 1,
	pastDays: 0,
	variability: false,
	sitesApi: false,
	temporarySites: false,
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
	temporarySites: true,
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
	/** A slot each quarter hour; manages sites, but without temporary ones and without variability. */
	"updates-96": {
		...PLUS,
		updatesPerDay: 96,
		variability: false,
		temporarySites: false,
	},
	unmetered: {
		...PLUS,
		forecastRequests: null,
		historicalRequests: null,
		siteLimit: null,
		stringLimit: null,
	},
} as const satisfies Record<string, Plan>;

export type PlanName = keyof typeof PLANS;

/** The plan of a name, or the plan itself. */
export function planNamed(plan: PlanName | Plan): Plan {
	return typeof plan === "string" ? PLANS[plan] : plan;
}
