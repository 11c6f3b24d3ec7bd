import type { DialogString } from "../shared/dialog-answers";

/** How a site stands, and its strings as stored. */
export interface DialogSite<Said = string> {
	readonly site_id: string;
	readonly name: string | null;
	readonly state: string;
	/** When a temporary site is deleted, UTC. */
	readonly temporary_until: string | null;
	/** Until when a deleted site can be restored, UTC. */
	readonly restore_until: string | null;
	readonly timezone: string | null;
	readonly strings?: readonly DialogString[];
	/** What the service did besides what was asked. */
	readonly notes: readonly Said[];
}
