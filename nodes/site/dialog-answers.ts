/** A string as it is stored, or as the dialog has it: angles in degrees; what is no number stays text. */
export interface StoredString {
	readonly id?: string;
	readonly slope?: number | string;
	readonly orientation?: number | string;
	readonly power_kw?: number | string;
}

/** How a site stands, and its strings as stored. */
export interface StoredSite {
	readonly site_id: string;
	readonly name: string | null;
	readonly state: string;
	/** When a temporary site is deleted, UTC. */
	readonly temporary_until: string | null;
	/** Until when a deleted site can be restored, UTC. */
	readonly restore_until: string | null;
	readonly timezone: string | null;
	readonly strings?: readonly StoredString[];
	/** What the service did besides what was asked. */
	readonly notes: readonly string[];
}
