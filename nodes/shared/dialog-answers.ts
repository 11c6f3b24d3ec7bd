import type { QuotaFacts } from "../../src/messages/facts";

/** Curve and energies of today and tomorrow, as dialogs draw them. */
export interface TwoDays {
	/** Zone of the site, null while it is not known. */
	readonly timezone: string | null;
	readonly days: readonly {
		readonly date: string;
		/** Its midnight, epoch ms. */
		readonly start: number;
		readonly energy_kwh: number | null;
	}[];
	/** Quarter hours of these days: [start in epoch ms, W]. */
	readonly curve: readonly (readonly [start: number, watts: number | null])[];
}

/** Prices of today and tomorrow, as dialogs draw them. Instants are epoch ms. */
export interface PriceDays {
	readonly timezone: string;
	/** Midnights of today, tomorrow and the day after. */
	readonly midnights: readonly [number, number, number];
	/** At least one; per kWh. */
	readonly rows: readonly (readonly [
		start: number,
		end: number,
		price: number,
	])[];
}

/** What is known of a deployed account without asking. */
export interface AccountFacts {
	/** Groups of the plan, null while they are not known. */
	readonly available: readonly string[] | null;
	readonly quota: QuotaFacts;
	/** Zone of one of its sites, null while it is not known. */
	readonly timezone: string | null;
}

/** A site as the dialogs list it. */
export interface SiteChoice {
	readonly site_id: string;
	readonly name: string | null;
	readonly state: string;
	readonly timezone: string | null;
	/** How many. */
	readonly strings: number;
	/** Peak power of all strings. */
	readonly power_kw: number;
}

/** What comes of a check: the sites, and what is known if the account is the deployed one. */
export interface CheckAnswer<Said = string> extends Partial<AccountFacts> {
	readonly sites: readonly SiteChoice[];
	/** What is wrong with the service's list of sites. */
	readonly notes?: readonly Said[];
}

/** A string as it is stored, or as the dialog has it: angles in degrees; what is no number stays text. */
export interface DialogString {
	readonly id?: string;
	readonly slope?: number | string;
	readonly orientation?: number | string;
	readonly power_kw?: number | string;
}
