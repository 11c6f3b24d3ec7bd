import type { QuotaFacts } from "../../src/messages/facts";

/** What is known of a deployed account without asking. */
export interface AccountFacts {
	/** Groups of the plan, null while they are not known. */
	readonly available: readonly string[] | null;
	readonly quota: QuotaFacts;
	/** What one more site would cost a month at full pace, in requests. */
	readonly one_more_site: {
		readonly requests: number;
		readonly fits: boolean;
	} | null;
	/** Of one of its sites, null while it is not known. */
	readonly timezone: string | null;
}

/** What the editor shows of all deployed accounts without opening one. */
export interface AccountsInEditor {
	/** Ids of those that have a key. */
	readonly keys: readonly string[];
	/** Names by id. */
	readonly site_names: Readonly<Record<string, string>>;
}

/** A site as the dialogs list it. */
export interface SiteChoice {
	readonly site_id: string;
	readonly name: string | null;
	readonly state: string;
	readonly deleted_at: string | null;
	readonly timezone: string | null;
	/** How many. */
	readonly strings: number;
	/** Peak power of all strings. */
	readonly power_kw: number;
}

/** What comes of a check: the sites, and what is known if the account is the deployed one. */
export interface CheckAnswer extends Partial<AccountFacts> {
	readonly sites: readonly SiteChoice[];
	/** What is wrong with the service's list of sites. */
	readonly notes?: readonly string[];
}
